// `wharf run` from the user's view: files, exit codes, messages.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <map>

#include "model/base/config/describer.h"
#include "model/base/files/output_files.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using Catch::StartsWith;

constexpr const char* kTiny = "vectoradd@tiny";

/// One CTA of one warp with these instructions, one per line, and an EXIT; `shared_bytes` per CTA.
std::string small_trace(const std::string& shared_bytes, const std::string& instructions) {
  const auto count = 2 + std::count(instructions.begin(), instructions.end(), '\n');
  return "-kernel name = small\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = " + shared_bytes +
         "\n-nregs = 16\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
         "-local mem base_addr = 0x00007f0800000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
         "#traces format = PC mask dest_num\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " +
         std::to_string(count) + "\n" + instructions + "\n0010 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";
}

TEST_CASE("a run writes result, statistics and configuration, and prints a summary") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("cycles") && Contains("IPC") && Contains("o/result.json"));
  const auto result = read_json(folder / "o/result.json");
  CHECK(result["inputs"]["config"] == "private");
  CHECK(result["inputs"]["stimulus"] == kTiny);
  CHECK(result["partial"] == false);
  CHECK(result["run"]["cycles"].get<std::uint64_t>() > 0);
  CHECK(result["run"]["thread_instructions"] == result["kernels"][0]["thread_instructions"]);
  CHECK(result["host"]["rss_mb"].get<double>() > 0.0);
  CHECK_THAT(read_file(folder / "o/stats.csv"), Contains("path,metric,unit,value\n") && Contains("l1[0]."));
}

TEST_CASE("four cold lines, read by sectors, are 16 accesses to L2, all of which miss") {
  const TemporaryFolder folder;
  std::string loads;
  for (const char* line : {"000", "080", "100", "180"})
    loads += std::string(loads.empty() ? "" : "\n") + "0000 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7fb2c0000" + line + " 4 0";
  std::filesystem::create_directory(folder / "four");
  folder.file("four/kernelslist.g", "kernel-1.traceg\n");
  folder.file("four/kernel-1.traceg", small_trace("0", loads));
  const Ended ended = wharf(folder, {"run", "gpus/volta_qv100", "--trace", "four", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("L2 accesses                     16 sectors\n") &&
                               Contains("L2 misses                       16 sectors, 100.00 %\n") &&
                               Contains("DRAM reads                      16 sectors\n"));
}

TEST_CASE("the written configuration runs and gives the same metrics") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "a"}).exit_code == 0);
  const Ended again = wharf(folder, {"run", "a/config.yaml", "--stimulus", kTiny, "--out", "b"});
  INFO(again.output);
  REQUIRE(again.exit_code == 0);
  CHECK(read_json(folder / "a/result.json")["run"] == read_json(folder / "b/result.json")["run"]);
}

TEST_CASE("the same inputs give the same bytes, with scramble as well") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "a"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "b", "--quiet"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "c", "--scramble"}).exit_code == 0);
  CHECK(comparable_result(folder / "a") == comparable_result(folder / "b"));
  CHECK(comparable_result(folder / "a") == comparable_result(folder / "c"));
  CHECK(read_file(folder / "a/stats.csv") == read_file(folder / "c/stats.csv"));
}

/// Sums of the durations in a thread of the timeline's process `run`, by the names of its spans; `""` is the sum of all.
std::map<std::string, double> spans_of(const nlohmann::ordered_json& timeline, const char* thread) {
  int id = -1;
  for (const nlohmann::ordered_json& event : timeline["traceEvents"])
    if (event["name"] == "thread_name" && event["args"]["name"] == thread) id = event["tid"].get<int>();
  std::map<std::string, double> sums;
  for (const nlohmann::ordered_json& event : timeline["traceEvents"]) {
    if (event["ph"] != "X" || event["pid"] != 0 || event["tid"] != id) continue;
    sums[event["name"].get<std::string>()] += event["dur"].get<double>();
    sums[""] += event["dur"].get<double>();
  }
  return sums;
}

TEST_CASE("a timeline has the phases of each kernel, the rates, and of a run with --explain the largest cause of lost slots") {
  const TemporaryFolder folder;
  const Ended ended =
      wharf(folder, {"run", "private", "--stimulus", "bfs@tiny", "--explain", "--out", "o", "--quiet", "--timeline", "t.json"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto timeline = read_json(folder / "t.json"), result = read_json(folder / "o/result.json");
  double kernels = 0;
  for (const auto& kernel : result["kernels"]) kernels += kernel["time_ns"].get<double>() / 1000;
  auto phases = spans_of(timeline, "phases");
  CHECK(spans_of(timeline, "kernels")[""] == Approx(kernels));
  CHECK(phases[""] == Approx(kernels));
  CHECK(phases["launch"] > 0);
  CHECK(phases["work"] > 0);
  CHECK(phases["tail"] > 0);
  CHECK(phases["launch"] + phases["work"] + phases["tail"] + phases["drain"] == Approx(kernels));
  auto causes = spans_of(timeline, "largest cause of lost issue slots");
  CHECK(causes[""] == Approx(result["run"]["time_ns"].get<double>() / 1000));
  CHECK(causes.size() > 2);
  CHECK(causes.count("issued") == 0);
  double bytes = 0, at = 0, rate = 0;
  for (const auto& event : timeline["traceEvents"]) {
    if (event["ph"] != "C") continue;
    bytes += rate * (event["ts"].get<double>() - at);
    at = event["ts"].get<double>();
    rate = event["args"]["DRAM"].get<double>();
  }
  CHECK(bytes > 0);

  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "bfs@tiny", "--out", "o", "--quiet", "--timeline", "plain.json"}).exit_code == 0);
  const auto plain = read_json(folder / "plain.json");
  CHECK(spans_of(plain, "phases") == phases);
  CHECK(spans_of(plain, "largest cause of lost issue slots").empty());
}

TEST_CASE("a limit ends a run early and marks it partial") {
  const TemporaryFolder folder;
  const std::string stimulus = "synthetic:loads=50,ctas=80,warps=1,instructions=3000";
  const auto run = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "private", "--stimulus", stimulus, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / out / "result.json");
  };
  const auto all = run("all", {});
  CHECK(all["partial"] == false);
  CHECK(all["run"]["warp_instructions"] == 80 * 3000);

  const auto instructions = run("instructions", {"--limit-warp-instructions", "1000"});
  CHECK(instructions["partial"] == true);
  CHECK(instructions["inputs"]["limit_warp_instructions"] == 1000);
  CHECK(instructions["run"]["warp_instructions"].get<int>() >= 1000);
  CHECK(instructions["run"]["warp_instructions"].get<int>() < 80 * 3000);

  const auto cycles = run("cycles", {"--limit-cycles", "5000"});
  CHECK(cycles["partial"] == true);
  CHECK(cycles["run"]["cycles"].get<int>() <= 5000);
}

// workloads section 0.8: a limit is part of the workload
TEST_CASE("a stimulus's own limit ends a run in the cycle that reaches it, and the run is complete") {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& stimulus, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "private", "--stimulus", stimulus, "--out", "o"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended ended = wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return read_json(folder / "o/result.json");
  };
  const auto whole = run("gemm@tiny", {"--verify"});
  const int all = whole["run"]["warp_instructions"];
  CHECK(whole["reached_limit"] == false);

  const int limit = all / 3, most_a_cycle = 80 * 4;
  const auto cut = run("gemm@tiny:limit_warp_instructions=" + std::to_string(limit), {"--verify"});
  CHECK(cut["partial"] == false);
  CHECK(cut["reached_limit"] == true);
  CHECK(cut["run"]["warp_instructions"].get<int>() >= limit);
  CHECK(cut["run"]["warp_instructions"].get<int>() < limit + most_a_cycle);
  CHECK(cut["run"]["cycles"].get<int>() < whole["run"]["cycles"].get<int>());

  const auto beyond = run("gemm@tiny:limit_warp_instructions=" + std::to_string(all + 1), {"--verify"});
  CHECK(beyond["reached_limit"] == false);
  CHECK(beyond["run"] == whole["run"]);
}

TEST_CASE("Ctrl-C ends a run with 130 and leaves a partial result") {
  const TemporaryFolder folder;
  Program program(folder, {"run", "private", "--stimulus", "synthetic:loads=10,instructions=100000000", "--out", "o"});
  REQUIRE(program.wait_for_signal_handler());
  program.interrupt();
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 130);
  CHECK(read_json(folder / "o/result.json")["partial"] == true);
}

TEST_CASE("the Accel-Sim totals name what the result holds") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "o", "--accelsim-stats", "s.txt"}).exit_code == 0);
  const auto run = read_json(folder / "o/result.json")["run"];
  const std::string text = read_file(folder / "s.txt");
  CHECK_THAT(text, Contains("gpu_tot_sim_insn = " + run["thread_instructions"].dump() + "\n"));
  CHECK_THAT(text, Contains("gpgpu_n_tot_w_icount = " + run["warp_instructions"].dump() + "\n"));
  CHECK_THAT(text, Contains("L1D_total_cache_accesses = " + run["l1.sectors.accesses"].dump() + "\n"));
  CHECK_THAT(text, Contains("total_dram_reads = " + std::to_string(2 * run["dram.reads"].get<std::uint64_t>()) + "\n"));
}

TEST_CASE("wrong arguments end with 2, what is wrong and what to do") {
  const TemporaryFolder folder;
  const struct {
    std::vector<std::string> arguments;
    std::vector<std::string> says;
  } kWrong[] = {
      {{}, {"usage: wharf COMMAND"}},
      {{"comapre"}, {"'comapre'", "did you mean 'compare'?"}},
      {{"--verson"}, {"'--verson'"}},
      {{"run"}, {"name a configuration"}},
      {{"run", "private"}, {"--stimulus SPEC or --trace FILE"}},
      {{"run", "private", "--stimulus", kTiny, "--trace", "x"}, {"--stimulus SPEC or --trace FILE"}},
      {{"run", "privat", "--stimulus", kTiny}, {"'privat'", "did you mean 'private'?"}},
      {{"run", "private", "--stimulus", "vectorad@tiny"}, {"'vectorad'", "did you mean 'vectoradd'?"}},
      {{"run", "private", "--stimulus", "vectoradd@tyni"}, {"'tyni'", "tiny"}},
      {{"run", "private", "--stimulus", "vectoradd:m=5"}, {"'m'"}},
      {{"run", "private", "--stimulus", "synthetic:laods=5"}, {"'laods'", "did you mean 'loads'?"}},
      {{"run", "private", "--stimulus", kTiny, "--limit-cycle", "5"}, {"did you mean '--limit-cycles'?"}},
      {{"run", "private", "--stimulus", kTiny, "--seed=-1"}, {"--seed", "'-1'"}},
      {{"run", "private", "--stimulus", kTiny, "--set", "l1.wayz=4"}, {"l1.wayz", "unknown key", "did you mean 'ways'?"}},
      {{"run", "private", "--stimulus", kTiny, "--set", "l1.ways"}, {"l1.ways"}},
      {{"run", "gpus/28sm_mesh", "--stimulus", kTiny, "--set", "network.mesh.columns=5"}, {"rows of 5", "36 SMs and slices", "choose"}},
      {{"run", "gpus/28sm_mesh", "--stimulus", kTiny, "--set", "sms=27"}, {"rows of 6", "35 SMs and slices", "choose mesh.columns"}},
      {{"run", "gpus/28sm_mesh", "--stimulus", kTiny, "--set", "network.mesh.slice_nodes=[1,1]"}, {"8 different nodes below 36"}},
      {{"run", "gpus/28sm_mesh", "--stimulus", kTiny, "--set", "network.peer=ring"}, {"network.peer", "sends nothing from SM to SM"}},
      {{"run", "gpus/28sm_xbar", "--stimulus", kTiny, "--set", "network.mesh.columns=6"}, {"network.mesh", "topology is not mesh"}},
      {{"run", "private", "--stimulus", kTiny, "--set", "network.topology=butterfly"}, {"36 nodes for 112 endpoints", "radix and stages"}},
      {{"run", "private", "--trace", "nowhere"}, {"nowhere"}},
      {{"run", "private", "--stimulus", kTiny, "--out", "/proc/nothing"}, {"cannot be written", "choose another place"}},
      {{"compare", "--suite", "quik"}, {"'quik'", "did you mean 'quick'?"}},
      {{"compare", "--stimuli", "gem@tiny"}, {"'gem'", "did you mean 'gemm'?"}},
      {{"compare", "--jobs", "0"}, {"--jobs"}},
      {{"list"}, {"configs, sweeps, policies, stimuli, suites, metrics"}},
      {{"list", "metricks"}, {"did you mean 'metrics'?"}},
      {{"describe", "l1.wayz"}, {"did you mean 'l1.ways'?"}},
      {{"trace", "chek", "x"}, {"did you mean 'check'?"}},
      {{"trace", "export", "--stimulus", kTiny}, {"--out DIR"}},
      {{"bench", "--part", "kernle"}, {"did you mean 'kernel'?"}},
      {{"validate", "nothing_of_that_name"}, {"'nothing_of_that_name'"}},
      {{"validate", "--against", "mine.csv"}, {"--against and --traces need each other"}},
      {{"validate", "--against", WHARF_SOURCE_DIR "/tests/data/accelsim/results.csv", "--traces", "nowhere"},
       {"names 'bfs'", "correct the name or --traces"}},
      {{"validate", "/tmp", "--jobs", "1"}, {"contains none of micro_results.csv, results.csv", "use --against and --traces"}},
      {{"validate", "vectoradd", "--sensitivity", "l1.tag_cycles"}, {"'l1.tag_cycles' is not a key with values", "l1.tag_cycles=19,21"}},
      {{"validate", "vectoradd", "--sensitivity", "l1.tag_cycel=19"}, {"l1.tag_cycel", "did you mean 'tag_cycles'?"}},
      {{"validate", "vectoradd", "--sensitivity", "l1.tag_cycles=19,0"}, {"l1.tag_cycles", "a whole number from 1 to 1000"}},
      {{"validate", "vectoradd", "--sensitivity", "l1.tag_cycles=19", "--sensitivity", "l1.tag_cycles=21"}, {"is given twice"}},
  };
  for (const auto& wrong : kWrong) {
    const Ended ended = wharf(folder, wrong.arguments);
    INFO("arguments: " << Catch::Detail::stringify(wrong.arguments) << "\n" << ended.output);
    CHECK(ended.exit_code == 2);
    for (const std::string& says : wrong.says) CHECK_THAT(ended.output, Contains(says));
  }
}

TEST_CASE("validate compares any traces with any table of another simulator's totals, and fails where a limit is exceeded") {
  const TemporaryFolder folder;
  const std::string data = WHARF_SOURCE_DIR "/tests/data/accelsim";
  const Ended good = wharf(folder, {"validate", "--against", data + "/results.csv", "--traces", data + "/traces", "vectoradd"});
  INFO(good.output);
  CHECK(good.exit_code == 0);
  CHECK_THAT(good.output, Contains("every figure is within its limit"));
  std::string totals = read_file(data + "/results.csv");
  const std::size_t line = totals.find("vectoradd"), cycles = totals.find("9083", line);
  totals.replace(cycles, 4, "4083");
  write_file(folder / "wrong.csv", totals);
  const Ended bad = wharf(folder, {"validate", "--against", "wrong.csv", "--traces", data + "/traces", "vectoradd"});
  CHECK(bad.exit_code == 1);
  CHECK_THAT(bad.output, Contains("exceeded: vectoradd: cycles deviate"));
}

TEST_CASE("validate repeats a case with each value of a varied key, in the place of what --set says, and writes the response") {
  const TemporaryFolder folder;
  const Ended ended =
      wharf(folder, {"validate", "scat_b256", "--set", "l1.fill_cycles=2", "--sensitivity", "l1.fill_cycles=2,9", "--json", "v.json"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("sensitivity to l1.fill_cycles") && Contains("at 9"));
  const auto row = read_json(folder / "v.json")["sensitivity"][0]["cases"][0];
  CHECK(row["name"] == "scat_b256");
  CHECK(row["cycles"]["changes"][0] == 0.0);  // the unchanged machine
  const double change = row["cycles"]["changes"][1];
  CHECK(change != 0.0);
  CHECK(row["cycles"]["response"] == std::abs(change));
}

TEST_CASE("check reports every mistake of a configuration with file, line and column") {
  const TemporaryFolder folder;
  const std::string file = folder.file("my.yaml", "extends: private\nl1:\n  wayz: 4\n  ways: 010\n  ways: 8\n");
  const Ended ended = wharf(folder, {"check", file});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains(file + ":3:3:") && Contains("did you mean 'ways'?"));
  CHECK_THAT(ended.output, Contains(file + ":5:3:"));  // the second `ways`
  CHECK(wharf(folder, {"run", file, "--stimulus", kTiny}).exit_code == 2);

  const std::string good = folder.file("good.yaml", "extends: private\ndescription: mine\n");
  const Ended fine = wharf(folder, {"check", good});
  INFO(fine.output);
  CHECK(fine.exit_code == 0);
  CHECK_THAT(fine.output, Contains("good: mine"));
}

TEST_CASE(
    "check refuses an unknown order of transactions, and a miss queue in which no load finds two places, with what to write instead") {
  const TemporaryFolder folder;
  const auto check = [&](const std::string& key) {
    return wharf(folder, {"check", folder.file("my.yaml", "extends: gpus/volta_qv100\n" + key + "\n")});
  };
  const Ended order = check("sm: {transaction_order: ascending}"), queue = check("l1: {miss_queue: 1}");
  INFO(order.output << queue.output);
  CHECK(order.exit_code == 2);
  CHECK_THAT(order.output, Contains("my.yaml:2:25: sm.transaction_order: is 'ascending'; did you mean 'descending'?"));
  CHECK(queue.exit_code == 2);
  CHECK_THAT(queue.output, Contains("my.yaml:2:6: l1.miss_queue has fewer than two entries") && Contains("set l1.spare_miss_place: false"));
  CHECK(check("sm: {transaction_order: descending}").exit_code == 0);
  CHECK(check("l1: {miss_queue: 1, spare_miss_place: false}").exit_code == 0);
}

TEST_CASE("a bad trace ends with 2, its file and line") {
  const TemporaryFolder folder;
  folder.file("t/kernelslist.g", "kernel-1.traceg\n");
  const std::string kernel = folder.file("t/kernel-1.traceg", small_trace("0", "0000 ffffffff 1 R1 IADD3 0"));
  const Ended cut = wharf(folder, {"run", "private", "--trace", "t/kernelslist.g"});
  INFO(cut.output);
  CHECK(cut.exit_code == 2);
  CHECK_THAT(cut.output, Contains("kernel-1.traceg:23"));
  CHECK(wharf(folder, {"trace", "check", "t"}).exit_code == 2);
  CHECK_FALSE(std::filesystem::exists(folder / "out/run/result.json"));
}

TEST_CASE("a kernel that needs more shared memory than an SM has ends with 2") {
  const TemporaryFolder folder;
  folder.file("t/kernelslist.g", "kernel-1.traceg\n");
  folder.file("t/kernel-1.traceg", small_trace("10000000", "0000 ffffffff 1 R1 IADD3 0 0 0"));
  const Ended ended = wharf(folder, {"run", "private", "--trace", "t"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("shared memory"));
}

TEST_CASE("a good trace runs, and its name and contents stand in the result") {
  const TemporaryFolder folder;
  folder.file("t/kernelslist.g", "kernel-1.traceg\n");
  folder.file("t/kernel-1.traceg", small_trace("0", "0000 ffffffff 1 R1 IADD3 0 0 0"));
  const Ended ended = wharf(folder, {"run", "private", "--trace", "t", "--out", "o"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto first = read_json(folder / "o/result.json");
  CHECK(first["run"]["warp_instructions"] == 2);
  CHECK(first["run"]["thread_instructions"] == 2 * 32);
  folder.file("t/kernel-1.traceg", small_trace("0", "0000 0000000f 1 R1 IADD3 0 0 0"));
  REQUIRE(wharf(folder, {"run", "private", "--trace", "t", "--out", "p"}).exit_code == 0);
  CHECK(read_json(folder / "p/result.json")["inputs"]["trace_hash"] != first["inputs"]["trace_hash"]);
}

TEST_CASE("an exported trace takes the cycles of its stimulus") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", kTiny, "--out", "stimulus"}).exit_code == 0);
  const Ended exported = wharf(folder, {"trace", "export", "--stimulus", kTiny, "--out", "t"});
  INFO(exported.output);
  REQUIRE(exported.exit_code == 0);
  REQUIRE(wharf(folder, {"trace", "check", "t"}).exit_code == 0);
  REQUIRE(wharf(folder, {"run", "private", "--trace", "t", "--out", "trace"}).exit_code == 0);
  CHECK(read_json(folder / "trace/result.json")["run"]["cycles"] == read_json(folder / "stimulus/result.json")["run"]["cycles"]);
}

TEST_CASE("what can be listed can be described") {
  const TemporaryFolder folder;
  const struct {
    const char *topic, *holds;
  } kTopics[] = {{"configs", "gpus/volta_qv100"},
                 {"configs", "remote_sharing/coverage:c10"},
                 {"sweeps", "remote_sharing/coverage"},
                 {"policies", "sm.warp_scheduler"},
                 {"stimuli", "gemm"},
                 {"suites", "quick"},
                 {"metrics", "l1.miss_rate"}};
  for (const auto& [topic, holds] : kTopics) {
    const Ended ended = wharf(folder, {"list", topic});
    INFO(topic << "\n" << ended.output);
    CHECK(ended.exit_code == 0);
    CHECK_THAT(ended.output, Contains(holds));
    CHECK(wharf(folder, {"describe", holds}).exit_code == 0);
  }
  CHECK_THAT(wharf(folder, {"describe", "l2.replacement"}).output, Contains("lru"));
}

TEST_CASE("describe --markdown has a row for every key, under the heading of its group") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"describe", "--markdown"});
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, StartsWith("## Parameters\n\n| key | default | unit | value | meaning |\n"));
  CHECK_THAT(ended.output, Contains("| `clock_mhz.core` | 1400 | MHz | integer: 1..100000 | SMs and L1 caches |\n"));
  const auto keys = config::descriptions_of(GpuParams{});
  CHECK(keys.size() > 300);
  for (const auto& key : keys) {
    INFO(key.path);
    const std::string begin = key.type == "group" ? "\n### `" + key.path + "`\n" : "\n| `" + key.path + "` |";
    CHECK(ended.output.find(begin) != std::string::npos);
  }
}

}  // namespace
}  // namespace wharf::cli
