#include "platforms/cli/serve/unix_socket.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "model/base/error.h"

namespace wharf::cli {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw InputError(fmt::format("--socket {}: {}", path.string(), why));
}

/// Throws InputError where a server listens at the address, or where that cannot be found out.
void require_unused(const std::filesystem::path& path, const sockaddr_un& address) {
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool connected = probe >= 0 && connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  if (probe >= 0) close(probe);
  if (connected || error == EAGAIN) refuse(path, "another server listens there; choose another path");  // EAGAIN: its queue is full
  if (error != ECONNREFUSED && error != ENOENT)
    refuse(path, fmt::format("cannot find out whether a server listens there: {}; choose another place", std::strerror(error)));
}

/// A spare descriptor, closed when no other is left.
int open_spare() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

}  // namespace

UnixSocket::UnixSocket(std::filesystem::path path) : path_(std::move(path)) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string text = path_.string();
  if (text.empty()) refuse(path_, "is empty; name a file");
  if (text.size() >= sizeof address.sun_path)
    refuse(path_,
           fmt::format("is longer than {} bytes, the limit of a socket's address; choose a shorter path", sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, text.c_str(), text.size());

  struct stat there = {};
  if (lstat(text.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode)) refuse(path_, "is a file but not a socket; choose another path");
    require_unused(path_, address);
    unlink(text.c_str());
  }
  descriptor_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t mask = umask(0177);
  const bool bound = descriptor_ >= 0 && bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int error = errno;
  umask(mask);
  if (bound && listen(descriptor_, SOMAXCONN) == 0) {
    spare_ = open_spare();
    return;
  }
  if (descriptor_ >= 0) close(descriptor_);
  refuse(path_, fmt::format("cannot be created: {}; choose another path", std::strerror(bound ? errno : error)));
}

UnixSocket::~UnixSocket() {
  unlink(path_.c_str());
  close(descriptor_);
  if (spare_ >= 0) close(spare_);
}

std::optional<int> UnixSocket::accept() {
  const int connection = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection >= 0) return connection;
  if ((errno == EMFILE || errno == ENFILE) && spare_ >= 0) {
    // Left in the queue, the client would keep the socket readable, and the server busy.
    close(spare_);
    if (const int refused = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC); refused >= 0) close(refused);
    spare_ = open_spare();
  }
  return std::nullopt;
}

}  // namespace wharf::cli
