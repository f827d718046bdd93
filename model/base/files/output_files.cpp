#include "model/base/files/output_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "model/base/error.h"

namespace wharf {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw InputError(file.string() + ": cannot be written: " + why + "; choose another place for it");
}

/// The temporary file that holds the text until it is complete. The process id is in its name, because another process may write `file`
/// too.
fs::path part_of(fs::path file) { return file += "." + std::to_string(getpid()) + ".part"; }

/// "Permission denied in out/x".
std::string why_in(const fs::path& folder, int error) { return std::strerror(error) + (" in " + folder.string()); }

/// Why a file of this name cannot be created in the folder. Tries to create it, because no other check works on every file system.
std::string obstacle_in(const fs::path& folder, const fs::path& name) {
  const fs::path part = part_of(folder / name);
  const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno == EEXIST ? std::string() : why_in(folder, errno);
  close(descriptor);
  unlink(part.c_str());
  return {};
}

/// As obstacle_in(), for a folder that may be missing: the missing folders would be created in the nearest one that exists.
std::string obstacle_below(fs::path folder, const fs::path& name) {
  std::error_code error;
  for (;;) {
    const fs::file_status status = fs::symlink_status(folder, error);
    if (fs::exists(status)) break;
    if (status.type() != fs::file_type::not_found) return error.message();
    const fs::path above = folder.parent_path();
    if (above == folder) break;
    folder = above.empty() ? fs::path(".") : above;
  }
  if (fs::is_directory(folder, error)) return obstacle_in(folder, name);
  return fs::exists(folder, error) ? folder.string() + " is no folder" : folder.string() + " is a link to nothing";
}

/// In a folder with the sticky bit only the owner may replace a file.
bool is_kept_by_owner(const fs::path& file, const fs::path& folder) {
  struct stat of_file = {}, of_folder = {};
  if (lstat(file.c_str(), &of_file) != 0 || stat(folder.c_str(), &of_folder) != 0 || (of_folder.st_mode & S_ISVTX) == 0) return false;
  const uid_t user = geteuid();
  return user != 0 && user != of_file.st_uid && user != of_folder.st_uid;
}

/// A temporary file with the whole text, beside the target and with this process's id in its name. It is removed unless it was published.
class PartFile {
 public:
  PartFile(fs::path path, std::string_view text) : path_(std::move(path)) {
    std::error_code error;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
    if (error) refuse(path_, error.message());
    const bool device = !fs::is_regular_file(path_, error) && fs::exists(path_, error);
    if (!device) part_ = part_of(path_);  // /dev/stdout and the like are written directly
    errno = 0;
    std::ofstream file(device ? path_ : part_, std::ios::binary | std::ios::trunc);
    if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
      const std::string why = std::strerror(errno);
      remove();
      refuse(path_, why);
    }
  }
  PartFile(PartFile&& other) noexcept : path_(std::move(other.path_)), part_(std::exchange(other.part_, {})) {}
  ~PartFile() { remove(); }

  void publish() {
    if (part_.empty()) return;
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error) refuse(path_, error.message());
    part_.clear();
  }

 private:
  void remove() const {
    std::error_code ignored;
    if (!part_.empty()) fs::remove(part_, ignored);
  }

  fs::path path_, part_;  // part_: empty if there is nothing to rename
};

}  // namespace

std::string obstacle_to_file(const fs::path& file) {
  if (file.empty()) return "the name is empty";
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status) || !file.has_filename()) return "it is a folder; name a file";
  if (fs::exists(status) && access(file.c_str(), W_OK) != 0) return std::strerror(errno);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};  // opening a pipe would wait for a reader
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (is_kept_by_owner(file, folder)) return why_in(folder, EPERM);
  return obstacle_below(folder, file.filename());
}

std::string obstacle_to_folder(const fs::path& folder) {
  if (folder.empty()) return "the name is empty";
  return obstacle_below(folder.has_filename() ? folder : folder.parent_path(), "x");
}

void require_writable(const fs::path& file) {
  if (const std::string why = obstacle_to_file(file); !why.empty()) refuse(file, why);
}

void require_writable_folder(const fs::path& folder) {
  if (const std::string why = obstacle_to_folder(folder); !why.empty()) refuse(folder, why);
}

void write_file(const fs::path& path, std::string_view text) { write_files({{path, text}}); }

void write_files(const std::vector<FileText>& files) {
  std::vector<PartFile> parts;
  parts.reserve(files.size());
  for (const FileText& file : files) parts.emplace_back(file.path, file.text);
  for (PartFile& part : parts) part.publish();
}

}  // namespace wharf
