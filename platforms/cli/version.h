#pragma once
// Which Wharf this is.

namespace wharf::cli {

/// Of the project, as CMake knows it.
inline constexpr const char* kVersion = WHARF_VERSION;

/// The last commit that changed the program, with "+changes" where its sources had uncommitted ones when it was built; "unknown"
/// outside a git repository. Told to people; what tells programs apart is program_fingerprint(). Written by commit.cmake.
const char* commit_id();

}  // namespace wharf::cli
