#pragma once
// Files that a run writes. They are checked before the run begins, and written whole or not at all.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wharf {

/// Why `file` cannot be written, for example "Permission denied in out"; empty if it can. Treats missing folders above it as created.
/// Changes nothing: an existing file keeps its contents, and no file or folder appears.
std::string obstacle_to_file(const std::filesystem::path& file);

/// Why no file can be created in `folder`, which may be missing; empty if one can.
std::string obstacle_to_folder(const std::filesystem::path& folder);

/// Throw InputError if the file, or files in the folder, cannot be written. Call them before the work whose results the files get.
void require_writable(const std::filesystem::path& file);
void require_writable_folder(const std::filesystem::path& folder);

/// Writes to a temporary file and renames it, so that a reader never sees a partial file. Creates the folders above it. Throws InputError
/// if it fails.
void write_file(const std::filesystem::path& path, std::string_view text);

struct FileText {
  std::filesystem::path path;
  std::string_view text;
};

/// Writes several files as write_file() does. Changes none of them unless all could be written.
void write_files(const std::vector<FileText>& files);

}  // namespace wharf
