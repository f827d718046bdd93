#pragma once
// Reads whole files, with errors that name the remedy.

#include <filesystem>
#include <string>

namespace wharf::cli {

/// Throws InputError where the file cannot be read.
std::string read_file(const std::filesystem::path& path);
/// The lines of a text that somebody has written, whatever their ends, without a byte order mark. Throws InputError also for UTF-16.
std::vector<std::string> read_lines(const std::filesystem::path& path);
/// Its first bytes, at most `most`.
std::string read_start(const std::filesystem::path& path, std::size_t most);

/// 16 hexadecimal digits that identify the contents of a file.
std::string fingerprint_of_file(const std::filesystem::path& path);

/// The folder of platforms/configs, stimuli and tests/data: WHARF_HOME, else where they were installed with the program, else the source
/// tree of the build.
std::filesystem::path project_root();

}  // namespace wharf::cli
