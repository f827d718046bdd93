#pragma once
// Selections among cycles as word operations. The host cannot predict these choices, a compiler may turn a condition into a branch, and a
// mispredicted branch costs as much as a hundred operations.

#include "model/base/types.h"

namespace wharf {

/// The smaller of the two.
inline Cycle earlier(Cycle a, Cycle b) { return b ^ ((a ^ b) & -Cycle{a < b}); }
/// kNever if `never`, else `cycle`.
inline Cycle never_if(bool never, Cycle cycle) { return cycle | -Cycle{never}; }

}  // namespace wharf
