#pragma once
// Files that a run writes: checked before it begins, and written whole or not at all.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wharf {

/// Why `file` cannot be written, for example "Permission denied in out"; empty where it can. Missing folders above it count as created.
/// Nothing changes: a file that exists keeps its contents, and no file or folder appears.
std::string obstacle_to_file(const std::filesystem::path& file);

/// Why no file can be created in `folder`, which may be missing; empty where one can.
std::string obstacle_to_folder(const std::filesystem::path& folder);

/// Throw InputError where the file, or files in the folder, cannot be written. For the time before the work whose results they get.
void require_writable(const std::filesystem::path& file);
void require_writable_folder(const std::filesystem::path& folder);

/// Writes to a temporary file and renames it, so that a reader never sees a partial file. Creates the folders above it. Throws InputError
/// where that is impossible.
void write_file(const std::filesystem::path& path, std::string_view text);

struct FileText {
  std::filesystem::path path;
  std::string_view text;
};

/// Writes several files as write_file() does. None of them changes unless all could be written.
void write_files(const std::vector<FileText>& files);

}  // namespace wharf
