#pragma once
// The GPU of the hierarchical_* tests.

#include "model/network/hierarchical/hierarchical_params.h"

namespace wharf::network::testing {

inline constexpr unsigned kSms = 20, kSlices = 20;

/// GPCs of 12 and 8 SMs, TPCs of 2, CPCs of 6, the rates of an H100.
inline HierarchicalParams two_gpcs() {
  HierarchicalParams p;
  p.gpcs = {12, 8};
  return p;
}

}  // namespace wharf::network::testing
