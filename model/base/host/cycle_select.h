#pragma once
// Choices among cycles that nobody can guess, as operations on words: a compiler may make a branch of a condition, and a branch that is
// guessed wrong costs as much as a hundred operations.

#include "model/base/types.h"

namespace wharf {

/// The smaller one.
inline Cycle earlier(Cycle a, Cycle b) { return b ^ ((a ^ b) & -Cycle{a < b}); }
/// `cycle`, or kNever.
inline Cycle never_if(bool never, Cycle cycle) { return cycle | -Cycle{never}; }

}  // namespace wharf
