#pragma once
// The designs that `compare` compares.

#include <vector>

#include "platforms/catalogue.h"

namespace wharf::cli {

/// Those of the catalogue that have a baseline.
inline std::vector<DesignEntry> compared_designs() {
  std::vector<DesignEntry> compared;
  for (const DesignEntry& entry : design_entries())
    if (entry.baseline != nullptr) compared.push_back(entry);
  return compared;
}

/// Designs that can be added to any of them. CIAO's epochs are shorter than published, because it would otherwise reach few epoch ends in
/// runs like those of the suites.
inline constexpr const char* kAdditions[] = {"loscache", "ciao/ciao_t_short", "ciao/ciao_c_short"};

/// The GPU that most of them fit on.
inline constexpr const char* kCommonGpu = "80sm_common";

}  // namespace wharf::cli
