#pragma once
// Random traffic as a recorded trace on any machine of the soak. Needs no test framework, because the long soak (tests/soak) and a short
// test share it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/platform/soak/soak_machines.h"

namespace wharf::test {

struct TraceSoak {
  std::string configuration;
  SoakKeys keys = SoakKeys::own;
  std::uint64_t seed = 1;
  std::uint64_t accesses = 10'000;         // approximate number of lines per run
  std::vector<std::string> settings = {};  // further ones
};

struct TraceSoakResult {
  std::uint64_t accesses = 0;  // lines requested from L1s, in all runs
  std::string finding;         // empty if there is no finding
};

/// Writes the trace of `soak.seed` into `folder`, and runs it with golden memory and all protocol checkers, in the usual and in another
/// order of the blocks; with odd seeds also in two threads, with even ones from a checkpoint after the first kernel, where the machine admits
/// it. With every third seed, issue slots are counted by cause; with every fourth, every block is called in every cycle in the other order.
/// Findings are a failure, a crash, a run of more than ten minutes, and results that differ.
TraceSoakResult run_trace_soak(const TraceSoak& soak, const std::filesystem::path& folder);

}  // namespace wharf::test
