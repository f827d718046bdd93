// Every configuration that `wharf list configs` prints, including points of sweeps, at its native size, with all checks.

#include <catch2/catch.hpp>

#include "model/base/config/named_files.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/configuration.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

constexpr unsigned kEveryTurn = ~0u;

/// Configurations of one design differ little. If a design has many, each stimulus runs only some of them in turn; vectoradd runs all.
bool has_turn(const std::string& name, std::size_t index, unsigned turn) {
  constexpr unsigned kTurns = 5;
  return turn == kEveryTurn || name.find('/') == std::string::npos || name.rfind("gpus/", 0) == 0 || index % kTurns == turn;
}

/// Checks: golden memory, a protocol checker on every link, laws (also that of the cycle stack), leftovers, the kernels' results. Blocks
/// act in permuted order.
void check_everywhere(const std::string& stimulus, unsigned turn = kEveryTurn) {
  RunOptions options = checked();
  options.scramble = true;
  options.cycle_stack = 1;
  const std::vector<std::string> names = config::configuration_names(cli::configuration_root());
  REQUIRE(names.size() >= 200);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (!has_turn(name, i, turn)) continue;
    INFO(name);
    const Outcome outcome = run_apart(
        machine(name), [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.result["partial"] == false);
    CHECK(outcome.run("golden.checked_sectors") > 0);
    CHECK(outcome.run("sm.slots.all") > 0);
  }
}

TEST_CASE("every configuration runs vectoradd with everything checked") { check_everywhere("vectoradd@tiny"); }
TEST_CASE("every GPU, and each design in some configurations, runs gemm with everything checked") { check_everywhere("gemm@tiny", 0); }
TEST_CASE("every GPU, and each design in some configurations, runs bfs with everything checked") { check_everywhere("bfs@tiny", 1); }
TEST_CASE("every GPU, and each design in some configurations, runs hotspot with everything checked") {
  check_everywhere("hotspot@tiny", 2);
}
TEST_CASE("every GPU, and each design in some configurations, runs stencil with everything checked") {
  check_everywhere("stencil@tiny", 3);
}
TEST_CASE("every GPU, and each design in some configurations, runs backprop with everything checked") {
  check_everywhere("backprop@tiny", 4);
}
TEST_CASE("every GPU, and each design in some configurations, runs ray, whose stacks are in local memory, with everything checked") {
  check_everywhere("ray@tiny", 5);
}

TEST_CASE("a cache whose lines do not form whole sets is refused with its figures, in L1 and in L2") {
  CHECK_THROWS_WITH(
      machine("private", {"l1.capacity_kib=16", "l1.ways=5"}),
      Catch::Contains("l1.ways is 5, which does not divide the 128 lines of capacity_kib into whole sets; use a divisor of 128"));
  CHECK_THROWS_WITH(
      machine("private", {"l2.slice_kib=64", "l2.ways=12"}),
      Catch::Contains("l2.ways is 12, which does not divide the 512 lines of slice_kib into whole sets; use a divisor of 512"));
}

}  // namespace
}  // namespace wharf::test
