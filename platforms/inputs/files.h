#pragma once
// Reads whole files, with errors that name the remedy.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wharf::cli {

/// Throws InputError if the file cannot be read.
std::string read_file(const std::filesystem::path& path);
/// Returns the lines of a hand-written text, with any kind of line end, and without a byte order mark. Throws InputError if the file cannot
/// be read or is UTF-16.
std::vector<std::string> read_lines(const std::filesystem::path& path);
/// Returns the first bytes of a file, at most `most`.
std::string read_start(const std::filesystem::path& path, std::size_t most);

/// Kind of a path, recognised by the first bytes of a file or by the files in a folder.
enum class PathKind : std::uint8_t { unknown, yaml, trace, run, batch, result, checkpoint, plugin, firmware, recording };
PathKind kind_of_path(const std::filesystem::path& path);

/// Throws InputError if the path certainly leads to something other than `wanted`. The error says what it is and which command takes it.
void expect_path(const std::filesystem::path& path, PathKind wanted);

/// 16 hexadecimal digits that identify the contents of a file.
std::string fingerprint_of_file(const std::filesystem::path& path);

/// Returns the folder that contains platforms/configs, stimuli and tests/data: WHARF_HOME, else the folder installed with the program, else
/// the source tree of the build.
std::filesystem::path project_root();

}  // namespace wharf::cli
