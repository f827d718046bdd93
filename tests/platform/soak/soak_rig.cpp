#include "tests/platform/soak/soak_rig.h"

#include <catch2/catch.hpp>

namespace wharf::test {

namespace {

/// The metrics of the whole run in which the two differ, and the counters of single blocks: short enough to read.
std::string differences(const Outcome& a, const Outcome& b) {
  if (b.end != End::done) return b.failure;
  std::string text;
  for (const auto& [name, value] : a.result.at("run").items())
    if (b.result.at("run").at(name) != value) text += name + " " + value.dump() + " " + b.result.at("run").at(name).dump() + "\n";
  for (const char* part : {"kernels", "windows", "tables"})
    if (a.result.at(part) != b.result.at(part))
      text += std::string(part) + " " + cli::Json::diff(a.result.at(part), b.result.at(part)).dump() + "\n";
  if (text.empty() && a.bytes() != b.bytes()) text = "counters of single blocks";
  return text;
}

}  // namespace

Settings operator+(const Settings& a, const Settings& b) { return layered(a, b); }

Outcome soak(const std::string& configuration, const Settings& settings, std::uint64_t seed, const TrafficShape& shape,
             const Conserved& conserved) {
  CAPTURE(configuration, settings, seed);
  const GpuParams params = machine(configuration, settings);
  const std::vector<ScriptedKernel> traffic = random_traffic(seed, shape);
  RunOptions options = checked();
  options.seed = seed;  // the same for all: random replacement draws from it
  const Outcome outcome = run_apart(params, traffic, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  if (conserved) conserved(outcome);
  options.scramble = true;
  CHECK(differences(outcome, run_apart(params, traffic, options)) == "");
  options.ticking = true;
  CHECK(differences(outcome, run_apart(params, traffic, options)) == "");
  return outcome;
}

}  // namespace wharf::test
