#pragma once
// Reads whole files, with errors that name the remedy.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wharf::cli {

/// Throws InputError where the file cannot be read.
std::string read_file(const std::filesystem::path& path);
/// The lines of a text that somebody has written, whatever their ends, without a byte order mark. Throws InputError also for UTF-16.
std::vector<std::string> read_lines(const std::filesystem::path& path);
/// Its first bytes, at most `most`.
std::string read_start(const std::filesystem::path& path, std::size_t most);

/// What a path may lead to, by its first bytes or, of a folder, by the files in it.
enum class PathKind : std::uint8_t { unknown, yaml, trace, run, batch, result, checkpoint, plugin, firmware, recording };
PathKind kind_of_path(const std::filesystem::path& path);

/// Throws InputError where the path leads to something that is certainly not `wanted`, with what it is and the command for it.
void expect_path(const std::filesystem::path& path, PathKind wanted);

/// 16 hexadecimal digits that identify the contents of a file.
std::string fingerprint_of_file(const std::filesystem::path& path);

/// The folder of platforms/configs, stimuli and tests/data: WHARF_HOME, else where they were installed with the program, else the source
/// tree of the build.
std::filesystem::path project_root();

}  // namespace wharf::cli
