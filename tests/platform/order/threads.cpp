// Several threads advance a machine (model/base/host/islands.h), and no byte of its results changes.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "platforms/frame/threads.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/platform/machines/apart.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

constexpr const char* kLoads = "synthetic:loads=50,instructions=12,ctas=160";

/// Runs with one thread and everything checked, and with two and perhaps three threads and golden memory: a protocol checker stands for a foreign
/// module, which only one thread may call.
void check_threads(const std::string& config, RunOptions options = {}, const std::string& stimulus = kLoads,
                   const std::vector<unsigned>& numbers = {2}, const std::vector<std::string>& settings = {}) {
  CAPTURE(config, stimulus, options.scramble, options.ticking);
  const GpuParams params = machine(config, settings);
  const auto open = [&] { return cli::open_named_stimulus(stimulus, 1); };
  options.verify = options.check_protocol = true;
  const Outcome one = run_apart(params, open, options);
  INFO(one.failure);
  REQUIRE(one.end == End::done);
  CHECK(one.run("sm.warp_instructions") > 100);
  options.check_protocol = false;
  REQUIRE(why_one_thread(params, options, *open()).empty());
  for (const unsigned threads : numbers) {
    options.threads = threads;
    const Outcome several = run_apart(params, open, options);
    INFO(threads << " threads: " << several.failure);
    REQUIRE(several.end == End::done);
    INFO(differing_metrics(one, several));
    CHECK((several.bytes() == one.bytes()));
  }
}

TEST_CASE("threads change no byte on private, nor in scrambled or ticking order") {
  check_threads("private", {}, kLoads, {2, 3});
  RunOptions options;
  options.scramble = true;
  check_threads("private", options);
  options.scramble = false;
  options.ticking = true;
  check_threads("private", options, "synthetic:loads=50,instructions=3,ctas=80");
}
TEST_CASE("threads change no byte on dc_l1") { check_threads("dc_l1"); }
TEST_CASE("threads change no byte on shared_l1") { check_threads("shared_l1"); }
TEST_CASE("threads change no byte on ata") { check_threads("ata"); }
TEST_CASE("threads change no byte on remote_sharing") { check_threads("remote_sharing"); }
TEST_CASE("threads change no byte on loscache") { check_threads("loscache"); }
TEST_CASE("threads change no byte on ciao") { check_threads("ciao"); }
TEST_CASE("threads change no byte on a mesh") { check_threads("gpus/28sm_mesh"); }
TEST_CASE("threads change no byte on hopper_h100, whose networks act after them") { check_threads("gpus/hopper_h100"); }
TEST_CASE("threads change no byte where caches tell SMs of other islands about their lines and accesses") {
  check_threads("dc_l1", {}, kLoads, {2}, {"sm.warp_filter=ciao_c"});
  check_threads("shared_l1", {}, kLoads, {2}, {"sm.warp_filter=ccws"});
  check_threads("dc_l1", {}, kLoads, {2}, {"l2.line_policy=loscache", "sm.prediction.scheme=naive"});
}
TEST_CASE("threads change no byte of a ledger of kernels that may run together") {
  check_threads("private", {}, kLoads, {2}, {"front_end.concurrent_kernels=2"});
}
TEST_CASE("threads change no byte on clusters") {
  check_threads("cluster/h100");
  check_threads("cluster/h100", {}, "stream:cluster=4,ring=1,ctas=64,warps=2");
  check_threads("cluster/h100_multicast", {}, "cluster_gemm@tiny");
}
TEST_CASE("threads change no byte of sectors, nor of a run that is stopped in mid-flight") {
  RunOptions options;
  options.limit_cycles = 8'000;
  options.cycle_stack = 1;
  check_threads("gpus/volta_qv100", options);
}
TEST_CASE("threads change no count of packets that arrive as a run is stopped") {
  RunOptions options;
  for (const Cycle limit : {2501, 2502}) {
    options.limit_cycles = limit;
    check_threads("private", options, "vectoradd:n=500000");
    check_threads("gpus/28sm_mesh", options, "vectoradd:n=500000");
  }
}
TEST_CASE("threads change no byte of a trace") {
  check_threads("gpus/volta_qv100", {}, std::string("trace:") + WHARF_SOURCE_DIR "/tests/data/accelsim/traces/vectoradd");
}

TEST_CASE("threads change no byte of kernels that compute") {
  for (const char* kernel : {"gemm@tiny", "spmv@tiny", "reduction@tiny", "streams@tiny"}) check_threads("private", {}, kernel);
  RunOptions options;
  options.scramble = true;
  check_threads("private", options, "llm_decode@tiny", {2, 3});
  for (const char* config : {"dc_l1", "ata", "gpus/volta_qv100", "gpus/hopper_h100"}) check_threads(config, {}, "hotspot@tiny");
  check_threads("private", {}, "streams@tiny", {2}, {"front_end.concurrent_kernels=4"});
}
TEST_CASE("threads change no byte of kernels in clusters") {
  check_threads("cluster/h100", {}, "cluster_reduction@tiny");
  check_threads("cluster/h100", {}, "cluster_gemm@tiny");
}
TEST_CASE("threads change no byte of a recorded CUDA program") {
  check_threads("private", {}, std::string("cuda:") + WHARF_SOURCE_DIR "/tests/data/cuda/stencil.wcr");
}

TEST_CASE("one thread advances a machine that others cannot share, and says why") {
  const auto why = [](const std::string& config, const std::string& stimulus, const std::vector<std::string>& settings = {},
                      const RunOptions& options = {}) {
    return why_one_thread(machine(config, settings), options, *cli::open_named_stimulus(stimulus, 1));
  };
  CHECK(why("private", kLoads).empty());
  CHECK(why("private", "bfs@tiny").empty());
  CHECK(why("private_single_l1", kLoads) == "all SMs share blocks, or links that only one thread may use");
  CHECK(why("dc_l1", kLoads, {"sm.lsu_lines_per_cycle=2"}) == "all SMs share blocks, or links that only one thread may use");
  CHECK(why("private", kLoads, {"sm.lsu_lines_per_cycle=2"}).empty());
  CHECK(why("morpheus", kLoads) == "blocks of 'platform: morpheus' call each other in the same cycle");
  CHECK(why("private", kLoads, {"data=bytes"}) == "of 'data: bytes'");
  RunOptions marking;
  marking.mark = [](const Access&, AccessHint&) {};
  CHECK(why("private", kLoads, {}, marking) == "of modules in its links");
}

TEST_CASE("the program writes the same bytes with --threads, and says how many edges threads processed") {
  const cli::TemporaryFolder folder;
  const auto run = [&](const std::string& out, const std::string& stimulus, const std::string& threads) {
    const cli::Ended ended = cli::wharf(folder, {"run", "private", "--stimulus", stimulus, "--verify", "--threads", threads, "--out", out});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return ended.output;
  };
  const auto host = [&](const std::string& out) { return cli::Json::parse(cli::read_file(folder / (out + "/result.json"))).at("host"); };
  const auto written = [&](const std::string& out) {
    return cli::comparable_result(folder / out) + cli::read_file(folder / (out + "/stats.csv"));
  };
  run("one", kLoads, "1");
  CHECK_FALSE(host("one").contains("threads"));
  const std::string output = run("two", kLoads, "2");
  CHECK(output.find("one thread") == std::string::npos);
  CHECK(host("two").at("threads") == 2);
  CHECK(host("two").at("threaded_edges") > 100);
  CHECK((written("two") == written("one")));

  run("kernel", "gemm@tiny", "2");
  CHECK(host("kernel").at("threads") == 2);
}

TEST_CASE("a run in which two SMs access a byte in one cycle begins again with one thread, and says why") {
  const cli::TemporaryFolder folder;
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "private", "--stimulus", "histo@tiny", "--verify", "--out", "o"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const cli::Ended ended = cli::wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return ended.output;
  };
  run({});
  const std::string one = cli::comparable_result(folder / "o");
  CHECK(run({"--threads", "2"}).find("wharf: one thread advances the machine, because two SMs write the byte at 0x") != std::string::npos);
  CHECK((cli::comparable_result(folder / "o") == one));
  CHECK_FALSE(cli::Json::parse(cli::read_file(folder / "o/result.json")).at("host").contains("threads"));
  const std::string sampled = run({"--sample", "2", "--sample-error", "50%", "--threads", "2"});
  CHECK(sampled.find("because two SMs write the byte at 0x") != std::string::npos);
}

TEST_CASE("one thread advances a recording whose kernels are checked") {
  const cli::TemporaryFolder folder;
  const std::string recording = std::string("cuda:") + WHARF_SOURCE_DIR "/tests/data/cuda/vector_addition.wcr";
  const cli::Ended ended =
      cli::wharf(folder, {"run", "private", "--stimulus", recording, "--check", "race", "--threads", "2", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK(ended.output.find("because of a stimulus that checks its kernels or cannot begin again") != std::string::npos);
}

TEST_CASE("a number of threads that cannot be is refused, and RTL has one") {
  const cli::TemporaryFolder folder;
  for (const char* threads : {"0", "65", "two"}) {
    const cli::Ended ended = cli::wharf(folder, {"run", "private", "--stimulus", kLoads, "--threads", threads});
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK(ended.output.find("--threads") != std::string::npos);
  }
  const cli::Ended rtl =
      cli::wharf(folder, {"run", "private", "--stimulus", kLoads, "--threads", "2", "--set", "network.crossbar.arbitration=islip_rtl"});
  INFO(rtl.output);
  if (rtl.output.find("built without Verilator") == std::string::npos) {
    CHECK(rtl.exit_code == 0);
    CHECK(rtl.output.find("wharf: one thread advances the machine, because one simulates RTL") != std::string::npos);
  }
}

}  // namespace
}  // namespace wharf::test
