#pragma once
// A run with all checks that has to end without failure.

#include <catch2/catch.hpp>
#include <vector>

#include "tests/platform/machines/apart.h"

namespace wharf::test {

inline Outcome run_checked(const GpuParams& params, const std::vector<ScriptedKernel>& kernels, const RunOptions& options = checked()) {
  const Outcome outcome = run_apart(params, kernels, options);
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

}  // namespace wharf::test
