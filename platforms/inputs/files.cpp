#include "platforms/inputs/files.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "model/base/config/kinds.h"
#include "model/base/error.h"
#include "model/base/files/file_hash.h"
#include "model/base/files/shell_word.h"
#include "model/base/text_encoding.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

std::ifstream open_for_reading(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(fmt::format("{}: is a folder; name a file", path.string()));
  // Opening a pipe blocks until it has a writer.
  if (fs::is_fifo(path, error) || fs::is_socket(path, error))
    throw InputError(fmt::format("{}: is not a regular file; name a file", path.string()));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("{}: cannot be read: {}; check the name", path.string(), std::strerror(errno)));
  return file;
}

bool begins_with(const std::string& text, std::string_view start) { return text.compare(0, start.size(), start) == 0; }

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool has_list_of_kernels(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
    if (begins_with(file->path().filename().string(), "kernelslist")) return true;
  return false;
}

PathKind kind_of_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / "result.json", error)) return PathKind::run;
  if (fs::exists(folder / "runs.sqlite", error)) return PathKind::batch;
  return has_list_of_kernels(folder) ? PathKind::trace : PathKind::unknown;
}

PathKind kind_of_start(const std::string& name, const std::string& start) {
  constexpr std::size_t kMachine = 18;  // offset of the machine field in an ELF file
  constexpr char kRiscV = '\xf3';
  if (begins_with(start, "\177ELF")) return start.size() > kMachine && start[kMachine] == kRiscV ? PathKind::firmware : PathKind::plugin;
  if (begins_with(start, "wharf checkpoint ")) return PathKind::checkpoint;
  if (begins_with(start, "SQLite format 3")) return PathKind::batch;
  if (begins_with(start, "{") && start.find("\"inputs\"") != std::string::npos) return PathKind::result;
  const bool is_kernel = name.find(".traceg") != std::string::npos || begins_with(start, "-kernel name");
  if (is_kernel || begins_with(name, "kernelslist") || begins_with(start, "MemcpyHtoD,")) return PathKind::trace;
  if (ends_with(name, ".wcr")) return PathKind::recording;
  return ends_with(name, ".yaml") || ends_with(name, ".yml") ? PathKind::yaml : PathKind::unknown;
}

/// Says what a path of this kind is, and which command takes it.
std::string text_of(PathKind kind, const fs::path& path) {
  const std::string word = shell_word(path.string());
  switch (kind) {
    case PathKind::trace:
      return "is a trace; `wharf run CONFIG --trace " + word + "` runs it";
    case PathKind::run:
      return fmt::format("is the folder of a finished run; `wharf explain {}` explains it, and {} is its configuration", word,
                         (path / "config.yaml").string());
    case PathKind::batch:
      return "is the record of many runs; each has a folder below " +
             ((fs::is_directory(path) ? path : path.parent_path()) / "runs").string();
    case PathKind::result:
      return fmt::format("is the result of a run; `wharf explain {}` explains it",
                         shell_word(path.has_parent_path() ? path.parent_path().string() : "."));
    case PathKind::checkpoint:
      return "is a checkpoint; `wharf run CONFIG --stimulus SPEC --load " + word + "` goes on from it";
    case PathKind::plugin:
      return "is a library or program of this machine; --plugin takes a library";
    case PathKind::firmware:
      return "is firmware; `wharf vp " + word + "` boots it";
    case PathKind::recording:
      return "is a recorded CUDA program; `wharf run CONFIG --stimulus cuda:" + word + "` runs it";
    case PathKind::yaml:
      return "is a YAML file; name it where a configuration is expected";
    case PathKind::unknown:
      break;
  }
  return {};
}

}  // namespace

PathKind kind_of_path(const fs::path& path) {
  constexpr std::size_t kEnough = 4096;
  std::error_code error;
  if (fs::is_directory(path, error)) return kind_of_folder(path);
  return fs::is_regular_file(path, error) ? kind_of_start(path.filename().string(), read_start(path, kEnough)) : PathKind::unknown;
}

void expect_path(const fs::path& path, PathKind wanted) {
  const PathKind kind = kind_of_path(path);
  if (kind == wanted || kind == PathKind::unknown) return;
  if (wanted == PathKind::trace && has_list_of_kernels(path)) return;    // a trace folder with results next to the trace
  if (wanted == PathKind::firmware && kind == PathKind::plugin) return;  // its reader reports which machine it is for
  if (wanted == PathKind::plugin && kind == PathKind::firmware) return;
  config::Mistakes mistakes;
  if (kind == PathKind::yaml) config::expect_kind(config::read_document(path, mistakes), config::FileKind::unknown, mistakes);
  mistakes.throw_if_any();
  throw InputError(path.string() + ": " + text_of(kind, path));
}

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
