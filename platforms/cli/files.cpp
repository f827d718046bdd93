#include "platforms/cli/files.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "model/base/error.h"
#include "model/base/file_hash.h"
#include "model/base/text_encoding.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

std::ifstream open_for_reading(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; name a file", path.string()));
  // To open a pipe waits for a writer.
  if (fs::is_fifo(path, error) || fs::is_socket(path, error))
    throw InputError(fmt::format("{}: is not a regular file; name a file", path.string()));
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

std::vector<std::string> read_lines(const fs::path& path) {
  std::string text = read_file(path);
  if (is_utf16(text)) throw InputError(fmt::format("{}:1: the file is UTF-16 text; {}", path.string(), kSaveAsUtf8));
  if (has_byte_order_mark(text)) text.erase(0, kByteOrderMark.size());
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string read_start(const fs::path& path, std::size_t most) {
  std::ifstream file = open_for_reading(path);
  std::string text(most, '\0');
  file.read(text.data(), static_cast<std::streamsize>(most));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
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
