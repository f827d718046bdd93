#pragma once
// The version of Wharf.

namespace wharf::cli {

/// The project's version, from CMake.
inline constexpr const char* kVersion = WHARF_VERSION;

/// The last commit that changed the program, with "+changes" where its sources had uncommitted changes at build time; "unknown" outside a
/// git repository. For display only: program_fingerprint() distinguishes programs. Written by commit.cmake.
const char* commit_id();

}  // namespace wharf::cli
