// `wharf explain` from the user's view.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const char* const kTiny = "vectoradd@tiny";

TEST_CASE("explain names the causes of a configuration's run with the key to turn, and keeps the run") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"explain", "private", "--stimulus", "gemm@tiny", "--out", "x"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("of the issue slots issue an instruction") && Contains("\n1. ") &&
                               Contains("% of those with a warp) wait for") && Contains("Change ") &&
                               Contains("./wharf explain private private --stimulus gemm@tiny --set "));
  CHECK(std::filesystem::exists(folder / "x/runs.sqlite"));
}

TEST_CASE("explain names the line of a kernel's source that costs most, and of kernels in several files the pc") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"explain", "private", "--stimulus", kTiny, "--json", "--out", "x"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto instructions = nlohmann::json::parse(ended.output)["runs"][0]["instructions"];
  // The lines of a kernel are short: alu, a branch that is none, two loads, a computation, a store and the exit.
  CHECK(instructions.size() >= 4);
  CHECK(instructions.size() <= 10);
  std::vector<double> slots;
  std::vector<std::uint64_t> lines_of_loads;
  for (const auto& one : instructions) {
    slots.push_back(one["slots"].get<double>());
    CHECK(one["kernel"] == "vectoradd");
    if (one["unit"] != "load") continue;
    CHECK(one["file"] == "stimuli/kernels/cuda_sdk/vectoradd.cpp");
    CHECK(one["loads"] == 1024);  // 32768 elements, one line per 32
    CHECK(one["hit_rate"] == 0.0);
    CHECK(one["replication"] == 0.0);
    lines_of_loads.push_back(one["line"].get<std::uint64_t>());
  }
  CHECK(std::is_sorted(slots.rbegin(), slots.rend()));
  std::sort(lines_of_loads.begin(), lines_of_loads.end());
  std::ifstream source(std::filesystem::path(WHARF_SOURCE_DIR) / "stimuli/kernels/cuda_sdk/vectoradd.cpp");
  std::vector<std::uint64_t> written;
  std::string line;
  for (std::uint64_t number = 1; std::getline(source, line); ++number)
    if (line.find("w.load(") != std::string::npos) written.push_back(number);
  CHECK(lines_of_loads == written);

  const Ended elsewhere = wharf(folder, {"explain", "private", "--stimulus", "mvt@tiny", "--out", "x"});
  REQUIRE(elsewhere.exit_code == 0);
  CHECK_THAT(elsewhere.output, Contains("The instructions that cost most:") && Contains("pc 0x") && !Contains("mvt.cpp"));
}

TEST_CASE("explain reads the folder of a run that has counted its slots, and makes one again that has not") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--explain", "--out", "with"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "without"}).exit_code == 0);
  const Ended with = wharf(folder, {"explain", "with", "--out", "x"});
  REQUIRE(with.exit_code == 0);
  CHECK(!std::filesystem::exists(folder / "x"));
  const Ended without = wharf(folder, {"explain", "without", "--quiet", "--out", "x"});
  REQUIRE(without.exit_code == 0);
  CHECK(without.output == with.output);
}

TEST_CASE("explain of two runs divides the difference of their times by cause") {
  const TemporaryFolder folder;
  const Ended text =
      wharf(folder, {"explain", "private", "private", "--stimulus", "gemm@tiny", "--set", "network.crossbar.latency=40", "--out", "x"});
  INFO(text.output);
  REQUIRE(text.exit_code == 0);
  CHECK_THAT(text.output,
             Contains("B is 0.") && Contains("times as fast as A") && Contains("What limits B now:") &&
                 Contains("./wharf explain private private --stimulus gemm@tiny --set-both network.crossbar.latency=40 --set "));
  const Ended ended = wharf(
      folder, {"explain", "private", "private", "--stimulus", "gemm@tiny", "--set", "network.crossbar.latency=40", "--out", "x", "--json"});
  REQUIRE(ended.exit_code == 0);
  const auto json = nlohmann::ordered_json::parse(ended.output);
  double sum = 0.0;
  for (const auto& change : json["difference"]["changes"]) sum += change["share_of_first"].get<double>();
  CHECK(sum == Approx(1.0 / json["difference"]["speed_up"].get<double>() - 1.0));
  CHECK_THAT(json["difference"]["changes"][0]["cause"].get<std::string>(), Catch::StartsWith("network_"));
  CHECK(json["runs"].size() == 2);
  double shares = json["runs"][0]["issued"];
  for (const auto& cause : json["runs"][0]["causes"]) shares += cause["share"].get<double>();
  CHECK(shares == Approx(1.0));
}

TEST_CASE("explain --what-if measures idealised machines beside what the stack predicts") {
  const TemporaryFolder folder;
  const std::vector<std::string> base{"explain", "private", "--stimulus", "gemm@tiny", "--set", "l1.mshr_entries=1", "--out", "x"};
  std::vector<std::string> arguments = base;
  arguments.insert(arguments.end(), {"--what-if", "--json"});
  const Ended ended = wharf(folder, arguments);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = nlohmann::ordered_json::parse(ended.output);
  const auto& all = json["what_if"];
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& one) { return one["ideal"] == "an L1 with unlimited MSHRs"; });
  REQUIRE(found != all.end());
  const auto& first = *found;
  CHECK(first["settings"][0] == "l1.mshr_entries=65536");
  const auto& causes = json["runs"][0]["causes"];
  const auto cause = std::find_if(causes.begin(), causes.end(), [&](const auto& one) { return one["cause"] == first["cause"]; });
  REQUIRE(cause != causes.end());
  CHECK(first["share"] == (*cause)["share"]);
  CHECK(first["predicted"].get<double>() > 1.2);
  arguments = {"explain", "private", "private", "--stimulus", "gemm@tiny", "--what-if"};
  CHECK(wharf(folder, arguments).exit_code == 2);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "gemm@tiny", "--set", "l1.mshr_entries=65536", "--set",
                         "l1.mshr_targets=unlimited", "--out", "w"})
              .exit_code == 0);
  const double ideal = read_json(folder / "w/result.json")["run"]["time_ns"];
  CHECK(first["measured"].get<double>() == Approx(json["runs"][0]["time_ns"].get<double>() / ideal));
}

TEST_CASE("explain --what-if of several stimuli says of each what it would gain, how many predictions were near, and makes no run twice") {
  const TemporaryFolder folder;
  const std::vector<std::string> base{"explain", "private", "--stimuli", "vectoradd@tiny,gemm@tiny", "--what-if", "--out", "x"};
  std::vector<std::string> arguments = base;
  arguments.push_back("--json");
  const Ended ended = wharf(folder, arguments);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = nlohmann::ordered_json::parse(ended.output);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["stimulus"] == "vectoradd@tiny");
  CHECK(json[1]["stimulus"] == "gemm@tiny");
  std::size_t predictions = 0, near = 0;
  for (const auto& one : json)
    for (const auto& what_if : one["what_if"]) {
      ++predictions;
      near += std::abs(what_if["predicted"].get<double>() / what_if["measured"].get<double>() - 1.0) <= 0.1 ? 1 : 0;
    }
  CHECK(predictions >= 2);
  const Ended alone = wharf(folder, {"explain", "private", "--stimulus", "gemm@tiny", "--what-if", "--json", "--out", "y"});
  REQUIRE(alone.exit_code == 0);
  CHECK(nlohmann::ordered_json::parse(alone.output)["what_if"] == json[1]["what_if"]);
  const auto written = std::filesystem::last_write_time(folder / "x/runs.sqlite");
  const Ended again = wharf(folder, base);
  REQUIRE(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("within 10 %") && Contains("vectoradd@tiny") && Contains("gemm@tiny"));
  CHECK_THAT(again.output, Catch::Matches("[^]*\nall +" + std::to_string(predictions) + " +" + std::to_string(near) + " [^]*"));
  CHECK(std::filesystem::last_write_time(folder / "x/runs.sqlite") == written);
}

TEST_CASE("explain: a setting of the last run stands above the same key of both") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"explain", "private", "private", "--stimulus", kTiny, "--set-both", "l1.mshr_entries=1", "--set",
                                     "l1.mshr_entries=64", "--quiet", "--out", "x"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("A  private --stimulus vectoradd@tiny --set l1.mshr_entries=1\n") &&
                               Contains("B  private --stimulus vectoradd@tiny --set l1.mshr_entries=64\n"));
}

TEST_CASE("explain says what is wrong with its arguments and how to mend it") {
  const TemporaryFolder folder;
  folder.file("empty/x", "");
  folder.file("broken/result.json", "{\"run\":");
  folder.file("other/result.json", "{\"run\": 1}");
  folder.file("sample/result.json", "{\"inputs\": {}, \"sampled\": {}}");
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } kWrong[] = {
      {{}, "name the folder of a finished run"},
      {{"private"}, "give --stimulus SPEC or --trace FILE"},
      {{"empty"}, "has no result.json"},
      {{"broken"}, "is not the JSON of a run"},
      {{"other"}, "is not the result of a run"},
      {{"sample"}, "result.json: a sample has no issue slots; to simulate the whole program, name its configuration and --stimulus"},
      {{"no_such", "--stimulus", kTiny}, "no_such"},
      {{"private", "--stimulus", "gem@tiny"}, "gemm"},
      {{"private", "--stimulus", kTiny, "--set", "l1.way=3"}, "did you mean 'ways'"},
      {{"private", "--stimulus", kTiny, "--trace", "t"}, "either --stimulus SPEC or --trace FILE"},
      {{"private", "--suite", "tiny"}, "need --what-if"},
      {{"private", "--suite", "tiny", "--stimuli", kTiny, "--what-if"}, "exclude each other"},
      {{"private", "--suite", "tiny", "--stimulus", kTiny, "--what-if"}, "name one configuration"},
      {{"private", "ata", "--suite", "tiny", "--what-if"}, "name one configuration"},
      {{"private", "--suite", "no_such", "--what-if"}, "no_such"}};
  for (const auto& [arguments, says] : kWrong) {
    std::vector<std::string> all{"explain"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Ended ended = wharf(folder, all);
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(says));
  }
}

TEST_CASE("explain refuses a result whose tables are damaged") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--explain", "--out", "whole"}).exit_code == 0);
  const auto whole = read_json(folder / "whole/result.json");
  const auto expect_refused = [&](const char* what, const char* place, const nlohmann::ordered_json& value) {
    INFO(what);
    auto damaged = whole;
    REQUIRE(damaged.contains(nlohmann::ordered_json::json_pointer(place)));
    damaged[nlohmann::ordered_json::json_pointer(place)] = value;
    folder.file("damaged/result.json", damaged.dump());
    const Ended ended = wharf(folder, {"explain", "damaged", "--json", "--quiet"});
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("damaged, or another version of wharf wrote it; repeat the run with --explain"));
  };
  expect_refused("a short row", "/tables/cycle_stack/rows/0", {"issued"});
  expect_refused("a share that is a word", "/tables/cycle_stack/rows/0/4", "much");
  expect_refused("a short row of an instruction", "/tables/instructions/rows/0", {"kernel"});
  expect_refused("a line that is not a number", "/tables/instructions/rows/0/2", "first");
  expect_refused("no columns", "/tables/instructions/columns", nlohmann::ordered_json::array());
  expect_refused("a time that is a word", "/run/time_ns", "long");
}

TEST_CASE("compare ends with the command that says why, and that command works") {
  const TemporaryFolder folder;
  const Ended compared = wharf(folder, {"compare", "private", "private_16x_l1", "--stimuli", "vectoradd@tiny,gemm@tiny", "--out", "c"});
  REQUIRE(compared.exit_code == 0);
  const std::string asks = "to see why: ./wharf explain private private_16x_l1 --stimulus gemm@tiny\n";
  CHECK_THAT(compared.output, Catch::EndsWith(asks));
  const Ended ended = wharf(folder, {"explain", "private", "private_16x_l1", "--stimulus", "gemm@tiny"});
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("times as fast as A"));
}

}  // namespace
}  // namespace wharf::cli
