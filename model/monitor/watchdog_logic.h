#pragma once
// Who waits for whom, and whether they wait in a circle: the text of a deadlock.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf {

/// An access that occupies `holder` until it gets `waits_for`. Both are names of resources, the same in every block's report, such as
/// "l1[3].mshr" or "request_network.input[3].vc[0]".
struct Wait {
  std::string holder;
  std::string waits_for;
  std::uint64_t access = 0;  // its id
  Address address = 0;
  Cycle since = 0;  // core cycle
};

/// Indices of waits that form a circle, each waiting for the holder of the next and the last for that of the first, which is the oldest.
/// Empty where there is none.
std::vector<std::size_t> find_wait_cycle(const std::vector<Wait>& waits);

/// The circle, one line a wait; without one, the oldest waits and the resources at which all waiting ends.
std::string describe_waits(const std::vector<Wait>& waits);

}  // namespace wharf
