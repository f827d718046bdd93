// RTL in the loop from the user's view of the program.

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

std::vector<std::string> run_of(const std::string& configuration, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"run", configuration, "--stimulus", "gemm@tiny", "--out", "out"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

const std::vector<std::string> kFewSms = {"--set", "sms=12", "--set", "front_end.eligible_sms=8"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Contents of a VCD file: each signal's values, by scope and name, and the instants.
struct Waveform {
  std::map<std::string, std::set<std::string>> values;
  std::vector<std::uint64_t> times;
};

Waveform read_waves(const std::filesystem::path& path) {
  Waveform waves;
  std::map<std::string, std::vector<std::string>> names;  // signals of each identifier
  std::vector<std::string> scopes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, kind, size, id, name;
    words >> first;
    if (first == "$scope") {
      words >> kind >> name;
      scopes.push_back((scopes.empty() ? "" : scopes.back() + ".") + name);
    } else if (first == "$upscope") {
      scopes.pop_back();
    } else if (first == "$var") {
      words >> kind >> size >> id >> name;
      names[id].push_back(scopes.back() + "." + name);
    } else if (!first.empty() && first.front() == '#') {
      waves.times.push_back(std::stoull(first.substr(1)));
    } else if (!first.empty() && first.front() != '$') {
      const bool vector = first.front() == 'b';
      if (vector)
        words >> id;
      else
        id = first.substr(1);
      for (const std::string& signal : names[id]) waves.values[signal].insert(vector ? first.substr(1) : first.substr(0, 1));
    }
  }
  return waves;
}

}  // namespace

TEST_CASE("waves onto a full disk end the run with 2, early and at its end") {
  for (const char* stimulus : {"gemm@tiny", "synthetic:ctas=1,warps=1,instructions=2,loads=50"}) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("/dev/full", folder / "w.vcd");
    const Ended ended = wharf(folder, {"run", "morpheus/basic", "--set", "sms=12", "--set", "front_end.eligible_sms=8", "--set",
                                       "morpheus.hit_predictor=bloom_rtl", "--stimulus", stimulus, "--out", "o", "--waves", "w.vcd"});
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("--waves: 'w.vcd' cannot be written: No space left on device; choose another place"));
    // Results from before the disk was full are kept, but not treated as a complete run.
    if (std::filesystem::exists(folder / "o/result.json")) CHECK(read_json(folder / "o/result.json")["partial"] == true);
  }
}

TEST_CASE("run --waves writes every instance's signals with their changes, at instants that go up") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, run_of("morpheus/basic", kFewSms + std::vector<std::string>{"--set", "morpheus.hit_predictor=bloom_rtl",
                                                                                                "--waves", "new/w.vcd"}));
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const Waveform waves = read_waves(folder / "new/w.vcd");
  const std::set<std::string> both = {"0", "1"};
  for (const char* instance : {"hit_predictor0", "hit_predictor9"}) {
    const std::string scope = std::string(instance) + ".rtl.dut.bloom.";
    CHECK(waves.values.at(scope + "clock") == both);
    CHECK(waves.values.at(scope + "update") == both);
    CHECK(waves.values.at(scope + "query_hit") == both);
    CHECK(waves.values.at(scope + "query_tag").size() > 10);
  }
  // Each evaluation has its own instant, and so has the start.
  const std::uint64_t evaluations = read_json(folder / "out/result.json")["host"]["rtl"][0]["evaluations"];
  const std::uint64_t before_the_file =
      2 * (10 + 4 * 48);  // periods: resets of ten partitions, and the sets of four SMs that receive their size
  CHECK(waves.times.size() == evaluations - before_the_file + 1);
  CHECK(std::is_sorted(waves.times.begin(), waves.times.end()));
  CHECK(std::set<std::uint64_t>(waves.times.begin(), waves.times.end()).size() == waves.times.size());
}

TEST_CASE("run --waves is refused where nothing is RTL, for another kind of file, and where the file cannot be written") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "no folder";
  const auto refused = [&](const std::string& predictor, const std::string& file) {
    const Ended ended = wharf(
        folder,
        run_of("morpheus/basic", kFewSms + std::vector<std::string>{"--set", "morpheus.hit_predictor=" + predictor, "--waves", file}));
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused("bloom", "w.vcd"), Contains("nothing in this configuration is RTL") && Contains("bloom_rtl"));
  CHECK_THAT(refused("bloom_rtl", "w.fst"), Contains("'w.fst' is not a VCD file") && Contains(".vcd"));
  CHECK_THAT(refused("bloom_lockstep", "file/w.vcd"), Contains("--waves: file/w.vcd: cannot be written: file is no folder"));
}

TEST_CASE("a run that saves is refused where a predictor is RTL, by its name") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& configuration, const std::string& key, const std::string& policy) {
    const Ended ended = wharf(folder, run_of(configuration, {"--save-at", "1", "warm", "--set", key + "=" + policy}));
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("checkpoint: " + key + ": " + policy + " cannot be saved or loaded"));
  };
  refused("remote_sharing", "remote_sharing.predictor", "pc_two_bit_rtl");
  refused("morpheus", "morpheus.hit_predictor", "bloom_rtl");
}

TEST_CASE("a run with RTL in the loop prints what it cost, and result.json holds it beside the host") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, run_of("remote_sharing/rp_5_2_05", {"--set", "remote_sharing.predictor=pc_two_bit_rtl"}));
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("RTL in the loop") && Contains("pc_two_bit_rtl ENTRIES=64 WINDOW=32 COUNT_AT=complete"));
  const nlohmann::ordered_json result = read_json(folder / "out/result.json");
  const nlohmann::ordered_json& rtl = result["host"]["rtl"];
  REQUIRE(rtl.size() == 1);
  CHECK(rtl[0]["block"] == "pc_two_bit_rtl");
  CHECK(rtl[0]["instances"] == 28);
  // A miss is a query and an update, and its data are another update. A query is one evaluation; an update and a reset are two each.
  std::uint64_t misses = 0;
  for (const char* prediction : {"true_positive", "true_negative", "false_positive", "false_negative"})
    misses += result["run"][std::string("predictor.") + prediction].get<std::uint64_t>();
  const std::uint64_t kernels = result["kernels"].size();
  CHECK(misses > 100);
  CHECK(rtl[0]["operations"] == 3 * misses + 28 * kernels);
  CHECK(rtl[0]["evaluations"] == 5 * misses + 2 * 28 * (kernels + 1));
  CHECK(rtl[0]["seconds"] > 0.0);
  CHECK(rtl[0]["share"] < 1.0);
  REQUIRE(wharf(folder, run_of("remote_sharing/rp_5_2_05", {})).exit_code == 0);
  CHECK_FALSE(read_json(folder / "out/result.json")["host"].contains("rtl"));
}

TEST_CASE("the forms in RTL are listed with their families") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"list", "policies"});
  for (const char* name : {"bloom_rtl", "bloom_lockstep", "pc_two_bit_rtl", "pc_two_bit_lockstep", "islip_rtl", "islip_lockstep"})
    CHECK_THAT(ended.output, Contains(name));
}

TEST_CASE("a program that was built without Verilator knows the names, says how to build them in, and runs everything else") {
  const TemporaryFolder folder;
  const auto without = [&](const std::vector<std::string>& arguments) {
    return Program(folder, arguments, WHARF_WITHOUT_VERILATOR).wait();
  };
  CHECK_THAT(without({"list", "policies"}).output, Contains("bloom_rtl") && Contains("pc_two_bit_lockstep"));
  const std::vector<std::pair<std::string, std::string>> forms = {
      {"morpheus/basic", "morpheus.hit_predictor=bloom_rtl"},
      {"morpheus/basic", "morpheus.hit_predictor=bloom_lockstep"},
      {"remote_sharing/rp_5_2_05", "remote_sharing.predictor=pc_two_bit_rtl"},
      {"remote_sharing/rp_5_2_05", "remote_sharing.predictor=pc_two_bit_lockstep"},
      {"private", "network.crossbar.arbitration=islip_rtl"},
      {"private", "network.crossbar.arbitration=islip_lockstep"},
      {"ata", "ata.tag_array=rtl"},
      {"ata", "ata.tag_array=lockstep"}};
  for (const auto& [configuration, form] : forms) {
    const Ended ended = without(run_of(configuration, {"--set", form}));
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("built without Verilator") && Contains("`./wharf setup rtl` builds"));
  }
  const Ended waves = without(run_of("morpheus/basic", kFewSms + std::vector<std::string>{"--waves", "w.vcd"}));
  CHECK(waves.exit_code == 2);
  CHECK_THAT(waves.output, Contains("built without Verilator") && Contains("`./wharf setup rtl` builds"));
  REQUIRE(without(run_of("morpheus/basic", kFewSms)).exit_code == 0);
  const std::string result = comparable_result(folder / "out");
  REQUIRE(wharf(folder, run_of("morpheus/basic", kFewSms)).exit_code == 0);
  CHECK(comparable_result(folder / "out") == result);
}

}  // namespace wharf::cli
