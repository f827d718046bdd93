#pragma once
// A Unix socket that `wharf serve` listens on.

#include <filesystem>
#include <optional>

namespace wharf::cli {

class UnixSocket {
 public:
  /// Creates the socket, accessible only to its user; replaces a socket on which no server listens. Throws InputError where the path is too
  /// long, has another file, or is in use.
  explicit UnixSocket(std::filesystem::path path);
  /// Removes the file.
  ~UnixSocket();
  UnixSocket(const UnixSocket&) = delete;
  UnixSocket& operator=(const UnixSocket&) = delete;

  /// Becomes readable when a client connects.
  int descriptor() const { return descriptor_; }
  /// The client's non-blocking connection; none if the client has already disconnected. If the process has no descriptors left, it
  /// disconnects the client.
  std::optional<int> accept();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  int spare_ = -1;
};

}  // namespace wharf::cli
