#pragma once
// Random traffic as a recorded trace on any machine of the soak. Needs no test framework, so that the long soak (tests/soak) and a short
// test share it.

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/platform/soak/soak_machines.h"

namespace wharf::test {

struct TraceSoak {
  std::string configuration;
  SoakKeys keys = SoakKeys::own;
  std::uint64_t seed = 1;
  std::uint64_t accesses = 20'000;  // about so many lines a run
};

struct TraceSoakResult {
  std::uint64_t accesses = 0;  // lines asked of L1s, in both runs
  std::string finding;         // empty where all is well
};

/// Writes the trace of `soak.seed` into `folder`, and runs it with golden memory and all protocol checkers, in the usual and in another
/// order of the blocks, and with every fourth seed also with every block called in every cycle. A failure, a crash, a run of more than ten minutes and a result that depends on the order are findings.
TraceSoakResult run_trace_soak(const TraceSoak& soak, const std::filesystem::path& folder);

}  // namespace wharf::test
