#include "tests/platform/soak/soak_rig.h"

#include <catch2/catch.hpp>

namespace wharf::test {

Settings operator+(const Settings& a, const Settings& b) { return layered(a, b); }

Outcome soak(const std::string& configuration, const Settings& settings, std::uint64_t seed, const TrafficShape& shape,
             const Conserved& conserved) {
  CAPTURE(configuration, settings, seed);
  const GpuParams params = machine(configuration, settings);
  const std::vector<ScriptedKernel> traffic = random_traffic(seed, shape);
  RunOptions options = checked();
  options.seed = seed;  // the same for all orders: random replacement draws from it
  const Outcome outcome = run_apart(params, traffic, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  if (conserved) conserved(outcome);
  options.scramble = true;
  CHECK(differing_metrics(outcome, run_apart(params, traffic, options)) == "");
  options.ticking = true;
  CHECK(differing_metrics(outcome, run_apart(params, traffic, options)) == "");
  return outcome;
}

}  // namespace wharf::test
