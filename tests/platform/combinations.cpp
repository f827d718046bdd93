// Every pair of designs that can be combined, on the GPU of `compare --combine`, with all checks.

#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/combination.h"
#include "platforms/cli/sweeps/designs.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

Outcome run(const std::string& config, const std::string& stimulus, bool scramble) {
  RunOptions options = checked();
  options.scramble = scramble;
  return run_apart(
      machine(config), [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
}

TEST_CASE("every combination runs a kernel with everything checked, and the same in whatever order blocks act") {
  const cli::Comparison group = cli::combinations_on(cli::kCommonGpu, {});
  REQUIRE(!group.combinations.empty());
  for (std::size_t i = 0; i < group.combinations.size(); ++i) {
    const std::string& config = group.combinations[i].config;
    const std::string stimulus = i % 2 == 0 ? "bfs@tiny" : "kmeans@tiny";
    CAPTURE(config, stimulus);
    const Outcome outcome = run(config, stimulus, false), scrambled = run(config, stimulus, true);
    INFO(outcome.failure + scrambled.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("golden.checked_sectors") > 0);
    CHECK((scrambled.bytes() == outcome.bytes()));
  }
}

}  // namespace
}  // namespace wharf::test
