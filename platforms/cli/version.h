#pragma once
// Which Wharf this is.

namespace wharf::cli {

/// Of the project, as CMake knows it.
inline constexpr const char* kVersion = WHARF_VERSION;

}  // namespace wharf::cli
