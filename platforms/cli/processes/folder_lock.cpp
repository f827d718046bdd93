#include "platforms/cli/processes/folder_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "model/base/error.h"

namespace wharf::cli {

FolderLock::FolderLock(const std::filesystem::path& folder, Wait wait) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) {
    const std::string why = error ? error.message() : std::strerror(errno);
    throw InputError(fmt::format("{}: cannot be used as a folder: {}; choose another place", folder.string(), why));
  }
  int result = 0;
  do {
    result = flock(descriptor_, wait == Wait::yes ? LOCK_EX : LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0 || errno != EWOULDBLOCK) return;
  close(descriptor_);
  descriptor_ = -1;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

}  // namespace wharf::cli
