#include "platforms/cli/files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

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

/// A file's whole text beside it, under a name of this process's own; gone unless it was published.
class PartFile {
 public:
  PartFile(fs::path path, std::string_view text) : path_(std::move(path)) {
    std::error_code error;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
    if (error) fail(error.message());
    const bool device = !fs::is_regular_file(path_, error) && fs::exists(path_, error);
    if (!device) {  // /dev/stdout and the like are written directly
      part_ = path_;
      part_ += fmt::format(".{}.part", getpid());  // another process may write the same file
    }
    errno = 0;
    std::ofstream file(device ? path_ : part_, std::ios::binary | std::ios::trunc);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
      const std::string why = std::strerror(errno);
      remove();
      fail(why);
    }
  }
  PartFile(PartFile&& other) noexcept : path_(std::move(other.path_)), part_(std::exchange(other.part_, {})) {}
  ~PartFile() { remove(); }

  void publish() {
    if (part_.empty()) return;
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) fail(error.message());
    part_.clear();
  }

 private:
  void remove() const {
    std::error_code ignored;
    if (!part_.empty()) fs::remove(part_, ignored);
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("{}: cannot be written: {}; choose another place for it", path_.string(), why));
  }

  fs::path path_, part_;  // part_: empty where nothing is to be renamed
};

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

void write_file(const fs::path& path, std::string_view text) { write_files({{path, text}}); }

void write_files(const std::vector<FileText>& files) {
  std::vector<PartFile> parts;
  parts.reserve(files.size());
  for (const FileText& file : files) parts.emplace_back(file.path, file.text);
  for (PartFile& part : parts) part.publish();
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
