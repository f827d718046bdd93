#pragma once
// Numbers of things in messages.

#include <cstdint>

namespace wharf::cli {

/// The ending of a noun behind its number: "1 warp", "2 warps".
constexpr const char* plural_ending(std::uint64_t count) { return count == 1 ? "" : "s"; }

/// The verb behind a number of things: "1 is finished", "2 are finished".
constexpr const char* is_or_are(std::uint64_t count) { return count == 1 ? "is" : "are"; }

}  // namespace wharf::cli
