#include "platforms/cli/files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "model/base/error.h"
#include "model/base/file_hash.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

std::ifstream open_for_reading(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; name a file", path.string()));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read: {}; check the name", path.string(), std::strerror(errno)));
  return file;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream file = open_for_reading(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, std::string_view text) {
  const auto fail = [&](const std::string& why) {
    throw InputError(fmt::format("{}: cannot be written: {}; choose another place for it", path.string(), why));
  };
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) fail(error.message());
  if (!fs::is_regular_file(path, error) && fs::exists(path, error)) {  // /dev/stdout and the like are written directly
    std::ofstream device(path, std::ios::binary);
    if (!device.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) fail(std::strerror(errno));
    return;
  }
  fs::path beside = path;
  beside += fmt::format(".{}.part", getpid());  // another process may write the same file
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) fail(std::strerror(errno));
  }
  fs::rename(beside, path, error);
  if (error) fail(error.message());
}

std::string fingerprint_of_file(const fs::path& path) {
  std::ifstream file = open_for_reading(path);
  FileHash hash;
  std::vector<char> piece(FileHash::kPiece);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  return hash.text();
}

fs::path project_root() {
  const char* home = std::getenv("WHARF_HOME");
  if (home != nullptr && *home != '\0') return home;
  std::error_code error;
  const fs::path installed = fs::read_symlink("/proc/self/exe", error).parent_path() / WHARF_DATA_FROM_PROGRAM;
  return fs::is_directory(installed, error) ? installed.lexically_normal() : fs::path(WHARF_SOURCE_DIR);
}

}  // namespace wharf::cli
