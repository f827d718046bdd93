#pragma once
// The host's cache line, for members that are used together and should occupy as few lines as possible.

#include <cstddef>

namespace wharf {

inline constexpr std::size_t kHostLineBytes = 64;

}  // namespace wharf
