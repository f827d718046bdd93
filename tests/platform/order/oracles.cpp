// Two oracles: the ticking oracle, in which every block acts in every cycle, and the scrambled oracle, in which the blocks of a clock act
// in a different order every cycle. Neither may change a byte of the results.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "platforms/inputs/files.h"
#include "tests/platform/machines/apart.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

void check_oracles(const std::string& configuration, const std::string& stimulus, Cycle limit = kNever,
                   const std::vector<std::string>& settings = {}) {
  INFO(configuration << " " << stimulus);
  const GpuParams params = machine(configuration, settings);
  const auto run = [&](bool ticking, std::uint64_t scramble_seed) {
    RunOptions options;
    options.ticking = ticking;
    options.scramble = scramble_seed != 0;
    options.seed = scramble_seed;
    options.limit_cycles = limit;
    options.cycle_stack = 1;
    options.window_thread_instructions = 5'000;
    const Outcome outcome = run_apart(
        params, [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  const Outcome plain = run(false, 0);
  CHECK(plain.result["windows"].size() > 0);
  CHECK(run(true, 0).bytes() == plain.bytes());
  CHECK(run(true, 7).bytes() == plain.bytes());
  for (const std::uint64_t seed : {1, 2, 3}) CHECK(run(false, seed).bytes() == plain.bytes());
}

TEST_CASE("neither oracle changes a byte on private") {
  check_oracles("private", "bfs@tiny");
  check_oracles("private", "gemm@tiny");
}
TEST_CASE("neither oracle changes a byte on private_single_l1") { check_oracles("private_single_l1", "spmv@tiny"); }
TEST_CASE("neither oracle changes a byte on 28sm_mesh") {
  check_oracles("gpus/28sm_mesh", "bfs@tiny");
  check_oracles("gpus/28sm_mesh", "stencil@tiny");
}
TEST_CASE("neither oracle changes a byte on fermi_15sm") { check_oracles("gpus/fermi_15sm", "backprop@tiny"); }
TEST_CASE("neither oracle changes a byte on fermi_15sm_losc") { check_oracles("gpus/fermi_15sm_losc", "stencil@tiny"); }
TEST_CASE("neither oracle changes a byte on turing_30sm") { check_oracles("gpus/turing_30sm", "spmv@tiny"); }
TEST_CASE("neither oracle changes a byte on volta_qv100") {
  check_oracles("gpus/volta_qv100", "bfs@tiny");
  check_oracles("gpus/volta_qv100", "hotspot@tiny");
}

TEST_CASE("neither oracle changes a byte with a load/store unit for each scheduler") {
  check_oracles("private", "bfs@tiny", kNever, {"sm.lsu.model=subcore"});
  check_oracles("private", "2dconv@tiny", kNever, {"sm.lsu.model=subcore", "sm.collector_units=2"});
  check_oracles("gpus/volta_qv100", "stencil@tiny", kNever, {"sm.lsu.model=subcore", "sm.lsu.return_bytes=32"});
}

TEST_CASE("neither oracle changes a byte of a run that is stopped in mid-flight") {
  // Diverged loads of all SMs meet in a few slices, so accesses wait everywhere when the limit is reached.
  check_oracles("gpus/fermi_15sm", "gesummv@tiny", 60'000);
  check_oracles("gpus/turing_30sm", "gesummv@tiny", 60'000);
  check_oracles("private", "gesummv@tiny", 30'000);
  check_oracles("gpus/28sm_mesh", "gesummv@tiny", 40'000);
}

TEST_CASE("the program writes the same bytes again, and under --scramble and --ticking") {
  const cli::TemporaryFolder folder;
  const auto written = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "gpus/turing_30sm", "--stimulus", "kmeans@tiny", "--seed", "5", "--quiet", "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const cli::Ended ended = cli::wharf(folder, arguments);
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return cli::comparable_result(folder / out) + cli::read_file(folder / (out + "/stats.csv"));
  };
  const std::string first = written("first", {});
  CHECK(written("again", {}) == first);
  CHECK(written("scrambled", {"--scramble"}) == first);
  CHECK(written("ticking", {"--ticking"}) == first);
  CHECK(written("both", {"--ticking", "--scramble"}) == first);
}

TEST_CASE("the run's seed decides what random replacement gives up, and nothing under lru") {
  const cli::TemporaryFolder folder;
  const auto counted = [&](const std::string& policy, const std::string& seed) {
    const std::string out = policy + seed;
    const cli::Ended ended = cli::wharf(folder, {"run", "private", "--stimulus", "gemm@tiny", "--set", "l1.capacity_kib=2", "--set",
                                                 "l1.replacement=" + policy, "--seed", seed, "--quiet", "--out", out});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    return cli::read_file(folder / (out + "/stats.csv"));
  };
  CHECK(counted("random", "1") != counted("random", "2"));
  CHECK(counted("lru", "1") == counted("lru", "2"));
}

}  // namespace
}  // namespace wharf::test
