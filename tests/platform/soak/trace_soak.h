#pragma once
// Random traffic as a recorded trace on any configuration: with its queues as they are, or each as short as the machine allows. Needs no
// test framework, so that the long soak (tests/soak) and a short test share it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wharf::test {

struct TraceSoak {
  std::string configuration;
  bool smallest_queues = false;
  std::uint64_t seed = 1;
  std::uint64_t accesses = 20'000;  // about so many lines a run
};

struct TraceSoakResult {
  std::uint64_t accesses = 0;  // lines asked of L1s, in both runs
  std::string finding;         // empty where all is well
};

/// Every configuration that can be run, by name.
std::vector<std::string> soak_configurations();

/// Settings that make each queue of the configuration as short as it is accepted.
std::vector<std::string> smallest_queues(const std::string& configuration);

/// Writes the trace of `soak.seed` into `folder`, and runs it with golden memory and all protocol checkers, in the usual and in another
/// order of the blocks. A failure, a crash, a run of more than ten minutes and a result that depends on the order are findings.
TraceSoakResult run_trace_soak(const TraceSoak& soak, const std::filesystem::path& folder);

}  // namespace wharf::test
