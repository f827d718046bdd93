#pragma once
// Files as the program reads and writes them: whole, with errors that say what to do.

#include <filesystem>
#include <string>
#include <string_view>

namespace wharf::cli {

/// Throws InputError where the file cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Writes beside the file and renames, so that a reader never sees half of it. Creates the folders above it.
/// Throws InputError where that is impossible.
void write_file(const std::filesystem::path& path, std::string_view text);

/// 16 hexadecimal digits that name the bytes of a file, which is read in pieces.
std::string fingerprint_of_file(const std::filesystem::path& path);

/// Where platforms/configs, stimuli and tests/data stand: WHARF_HOME, else where they were installed with the program, else the tree it was
/// built from.
std::filesystem::path project_root();

}  // namespace wharf::cli
