#pragma once
// Runs of machines of ATA, and the cycles of an L1's stages in their latencies.

#include "tests/platform/machines/run_checked.h"

namespace wharf::test {

inline constexpr Cycle kTag = 4, kData = 28;  // ATA-O9
inline constexpr Cycle kFill = 28;            // of a miss that L2 serves: the L1's data stage

inline Outcome run_ata(const std::string& configuration, const std::vector<ScriptedKernel>& kernels,
                       const std::vector<std::string>& settings = {}) {
  INFO(configuration);
  return run_checked(machine("ata/" + configuration, settings), kernels);
}

}  // namespace wharf::test
