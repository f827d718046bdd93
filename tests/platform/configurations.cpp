// Every configuration that the program lists, at its native size, with everything checked.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "platforms/cli/configuration.h"
#include "platforms/cli/stimuli.h"
#include "tests/platform/apart.h"

namespace wharf::test {
namespace {

/// The names that `wharf list configs` prints.
std::vector<std::string> configurations() {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(cli::configuration_root())) {
    if (entry.path().extension() == ".yaml")
      names.push_back(fs::relative(entry.path(), cli::configuration_root()).replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Golden memory, a protocol checker on every link, laws, leftovers, the kernels' results; blocks in a permuted order.
void check_everywhere(const std::string& stimulus) {
  RunOptions options = checked();
  options.scramble = true;
  const std::vector<std::string> names = configurations();
  REQUIRE(names.size() >= 8);
  for (const std::string& name : names) {
    INFO(name);
    const Outcome outcome = run_apart(
        machine(name), [&] { return cli::open_named_stimulus(stimulus, 1); }, options);
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.result["partial"] == false);
    CHECK(outcome.run("golden.checked_sectors") > 0);
  }
}

TEST_CASE("every configuration runs vectoradd with everything checked") { check_everywhere("vectoradd@tiny"); }
TEST_CASE("every configuration runs gemm with everything checked") { check_everywhere("gemm@tiny"); }
TEST_CASE("every configuration runs bfs with everything checked") { check_everywhere("bfs@tiny"); }
TEST_CASE("every configuration runs hotspot with everything checked") { check_everywhere("hotspot@tiny"); }
TEST_CASE("every configuration runs ray, whose stacks are in local memory, with everything checked") { check_everywhere("ray@tiny"); }
TEST_CASE("every configuration runs stencil with everything checked") { check_everywhere("stencil@tiny"); }
TEST_CASE("every configuration runs backprop with everything checked") { check_everywhere("backprop@tiny"); }

}  // namespace
}  // namespace wharf::test
