// `wharf compare` from the user's view: outputs, continuation, failures.

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <sstream>
#include <thread>

#include "model/base/files/output_files.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<std::string> kCompare = {"compare", "private", "private_16x_l1", "--stimuli", "vectoradd@tiny", "--out", "c"};

TEST_CASE("compare prints the table and writes report, JSON and CSV") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, kCompare);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("L1 miss rate") && Contains("vectoradd@tiny") && Contains("mean") && Contains("c/report.html"));
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["baseline"] == "private");
  CHECK(json["runs"].size() == 2);
  CHECK(json["runs"][0]["speed_up"] == 1.0);
  CHECK(json["means"]["private_16x_l1"]["speed_up_geometric"] == json["runs"][1]["speed_up"]);
  CHECK(json["runs"][0]["run"] == read_json(folder / "c/runs/private/vectoradd@tiny/result.json")["run"]);
  CHECK_THAT(read_file(folder / "c/compare.csv"), Contains("\nprivate_16x_l1,vectoradd@tiny,"));
  CHECK_THAT(read_file(folder / "c/report.html"), Contains("<table>") && Contains("private_16x_l1"));
}

const std::vector<std::pair<std::string, std::string>> kDesigns = {{"remote_sharing/baseline", "remote_sharing"},
                                                                   {"shared_l1/baseline", "shared_l1"},
                                                                   {"dc_l1/private", "dc_l1"},
                                                                   {"ata/private", "ata"},
                                                                   {"morpheus/bl", "morpheus"},
                                                                   {"ciao/gto", "ciao"},
                                                                   {"loscache/baseline", "loscache"}};

TEST_CASE("compare without configurations prints a row per design, each over the baseline of its own GPU") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "--stimuli", "vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = read_json(folder / "c/compare.json");
  REQUIRE(json["groups"].size() == kDesigns.size());
  REQUIRE(json["runs"].size() == 2 * kDesigns.size());
  for (std::size_t i = 0; i < kDesigns.size(); ++i) {
    const auto& [baseline, design] = kDesigns[i];
    CHECK(json["groups"][i]["configs"] == nlohmann::ordered_json({baseline, design}));
    CHECK(json["groups"][i]["stimuli"] == nlohmann::ordered_json({"vectoradd@tiny"}));
    const auto &reference = json["runs"][2 * i], &run = json["runs"][2 * i + 1], &row = json["summary"][i];
    CHECK(run["speed_up"].get<double>() == Approx(reference["run"]["time_ns"].get<double>() / run["run"]["time_ns"].get<double>()));
    CHECK(row["design"] == design);
    const std::string metric = row["metric"][0];
    const double change = 100.0 * (run["run"][metric].get<double>() / reference["run"][metric].get<double>() - 1.0);
    CHECK(row["suite"]["gain_percent"].get<double>() ==
          Approx(design == "loscache" ? -change : change).margin(1e-9));  // the design's claim counts a decrease
    CHECK(row["class"]["workloads"].empty());
  }
}

TEST_CASE("the summary of compare fits a screen, and --details prints the tables of the report too") {
  const TemporaryFolder folder;
  const std::vector<std::string> command = {"compare", "--stimuli", "vectoradd@tiny", "--quiet", "--out", "c"};
  const Ended summary = wharf(folder, command);
  INFO(summary.output);
  REQUIRE(summary.exit_code == 0);
  std::size_t lines = 0;
  std::istringstream output(summary.output);
  for (std::string line; std::getline(output, line); ++lines) CHECK(line.size() <= 100);
  CHECK(lines <= 30);
  CHECK_THAT(summary.output, !Contains("L1 miss rate"));
  std::vector<std::string> more = command;
  more.emplace_back("--details");
  CHECK_THAT(wharf(folder, more).output,
             Contains("Gain of each design") && Contains("ata/private: L1 miss rate") && Contains("Cycles compared with ata/private"));
  const std::string report = read_file(folder / "c/report.html");
  CHECK(report.find("Gain of each design") < report.find("ata/private: L1 miss rate"));
}

TEST_CASE("compare refuses a baseline without configurations") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "--baseline", "private"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("--baseline needs CONFIGS to compare with it; name them"));
}

TEST_CASE("compare --gpu puts every design that is legal there beside private, and lists the others with the reason") {
  const TemporaryFolder folder;
  const Ended mesh = wharf(folder, {"compare", "--gpu", "48sm_8x8", "--stimuli", "vectoradd@tiny", "--out", "mesh"});
  INFO(mesh.output);
  REQUIRE(mesh.exit_code == 0);
  const auto groups = read_json(folder / "mesh/compare.json")["groups"];
  REQUIRE(groups.size() == 1);
  CHECK(groups[0]["baseline"] == "private@48sm_8x8");
  for (const char* config : {"remote_sharing@48sm_8x8", "shared_l1@48sm_8x8"}) {
    INFO(config);
    CHECK(std::count(groups[0]["configs"].begin(), groups[0]["configs"].end(), config) == 1);
  }
  const Ended crossbar = wharf(folder, {"compare", "--gpu", "80sm_xbar", "--stimuli", "vectoradd@tiny", "--out", "crossbar"});
  REQUIRE(crossbar.exit_code == 0);
  const std::string reason = "topology crossbar has no way from one SM to another";
  CHECK_THAT(crossbar.output, Contains("refused: shared_l1@80sm_xbar\n") && Contains(reason));
  const auto refused = read_json(folder / "crossbar/compare.json")["groups"][0]["refused"];
  CHECK(refused[0]["config"] == "remote_sharing@80sm_xbar");
  CHECK_THAT(refused[0]["reason"].get<std::string>(), Contains(reason));
  CHECK_THAT(read_file(folder / "crossbar/report.html"), Contains(reason));
}

TEST_CASE("compare --gpu refuses a GPU that does not exist, and configurations beside it") {
  const TemporaryFolder folder;
  const Ended unknown = wharf(folder, {"compare", "--gpu", "28sm_mash", "--stimuli", "vectoradd@tiny"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, Contains("did you mean 'gpus/28sm_mesh'?"));
  const Ended both = wharf(folder, {"compare", "private", "--gpu", "28sm_mesh"});
  CHECK(both.exit_code == 2);
  CHECK_THAT(both.output, Contains("--gpu chooses the configurations and the baseline"));
}

TEST_CASE("compare runs again only what is not finished or has changed") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kCompare).exit_code == 0);
  const std::string report = read_file(folder / "c/compare.json");
  const auto kept = folder / "c/runs/private/vectoradd@tiny/result.json",
             lost = folder / "c/runs/private_16x_l1/vectoradd@tiny/result.json";
  const auto time = std::filesystem::last_write_time(kept);
  write_file(lost, "{\"inputs\": ");                                                         // as after a crash of the machine,
  Sqlite(folder / "c/runs.sqlite").run("DELETE FROM runs WHERE config = 'private_16x_l1'");  // before the record was written

  const Ended again = wharf(folder, kCompare);
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("1 is finished already"));
  CHECK(std::filesystem::last_write_time(kept) == time);
  CHECK(read_file(folder / "c/compare.json") == report);

  std::vector<std::string> changed = kCompare;
  changed.insert(changed.end(), {"--seed", "2"});
  CHECK_THAT(wharf(folder, changed).output, !Contains("finished already"));
}

TEST_CASE("a run that fails is reported, the others go on, and compare ends with 1") {
  const TemporaryFolder folder;
  // A folder in the place where the failing run would write its result.
  std::filesystem::create_directories(folder / "c/runs/private_16x_l1/vectoradd@tiny/result.json/in_the_way");
  const Ended ended = wharf(folder, kCompare);
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("failed: private_16x_l1 vectoradd@tiny: exit code 2"));
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["runs"][0]["run"]["cycles"].get<std::uint64_t>() > 0);
  CHECK(json["runs"][1]["run"].is_null());
  CHECK_THAT(json["runs"][1]["failure"].get<std::string>(), Contains("cannot be written"));
}

TEST_CASE("Ctrl-C stops compare and its children with 130, and keeps what is finished") {
  const TemporaryFolder folder;
  Program program(folder,
                  {"compare", "private", "--stimuli", "vectoradd@tiny,synthetic:instructions=100000000", "--jobs", "1", "--out", "c"});
  REQUIRE(program.wait_for_signal_handler());
  const auto second = folder / "c/runs/private/synthetic:instructions=100000000/log.txt";
  while (!std::filesystem::exists(second)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.interrupt();
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 130);
  CHECK_THAT(ended.output, Contains("continues"));
  CHECK(read_json(folder / "c/runs/private/vectoradd@tiny/result.json")["partial"] == false);
  CHECK_FALSE(std::filesystem::exists(folder / "c/report.html"));
}

TEST_CASE("the baseline can be any configuration, and is added where it is missing") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "private", "--baseline", "private_16x_l1", "--stimuli", "vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["baseline"] == "private_16x_l1");
  CHECK(json["configs"] == nlohmann::ordered_json({"private_16x_l1", "private"}));
}

TEST_CASE("compare says how long a launch takes where that differs between the machines, and only there") {
  const TemporaryFolder folder;
  const auto output = [&](const std::string& other) {
    return wharf(folder, {"compare", "private", other, "--stimuli", "vectoradd@tiny", "--out", other}).output;
  };
  CHECK_THAT(output("gpus/turing_30sm"), !Contains("kernel_launch_cycles"));
  CHECK_THAT(output("gpus/volta_qv100"),
             Contains("Each launch takes (front_end.kernel_launch_cycles) 0.00 us on") && Contains("4.42 us on gpus/volta_qv100."));
}

}  // namespace
}  // namespace wharf::cli
