#pragma once
// Finds cycles among waiting accesses, and writes the report of a deadlock.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf {

/// An access that occupies `holder` until it gets `waits_for`. Both are resource names that all blocks use in their reports, such as
/// "l1[3].mshr" or "request_network.input[3].vc[0]".
struct Wait {
  std::string holder;
  std::string waits_for;
  std::uint64_t access = 0;  // its id
  Address address = 0;
  Cycle since = 0;          // core cycle
  std::string detail = {};  // who waits for what, where it is no access
};

/// Indices of the waits that form a cycle: each waits for the holder of the next, and the last waits for the holder of the first, which is
/// the oldest. Empty if there is no cycle.
std::vector<std::size_t> find_wait_cycle(const std::vector<Wait>& waits);

/// The cycle, one line per wait; without a cycle, the oldest waits and the resources at which all waiting ends.
std::string describe_waits(const std::vector<Wait>& waits);

}  // namespace wharf
