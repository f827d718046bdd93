#pragma once
// Records as they travel over the socket: a header and a body, both sent and received as a whole. Plain C++17 and libc; both ends use it.

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

/// The other end is gone, or the system refuses to send.
class SocketError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void send_bytes(int socket, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size != 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw SocketError(std::string("cannot send to the other process: ") + std::strerror(errno));
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

/// Returns false at the end of the stream, before the first byte.
inline bool receive_bytes(int socket, void* bytes, std::size_t size) {
  char* at = static_cast<char*>(bytes);
  for (std::size_t got = 0; got < size;) {
    const ssize_t received = recv(socket, at + got, size - got, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received < 0 && errno != ECONNRESET)
      throw SocketError(std::string("cannot receive from the other process: ") + std::strerror(errno));
    if (received <= 0) {
      if (got == 0) return false;
      throw SocketError("the other process ended in the middle of a record");
    }
    got += static_cast<std::size_t>(received);
  }
  return true;
}

inline void send_record(int socket, RecordKind kind, std::string_view body) {
  const RecordHeader header{kind, 0, body.size()};
  send_bytes(socket, &header, sizeof header);
  send_bytes(socket, body.data(), body.size());
}

/// Returns false where the other end has closed the socket. Throws SocketError, or DamagedRecord for a body of impossible length.
inline bool receive_record(int socket, RecordKind& kind, std::string& body) {
  RecordHeader header;
  if (!receive_bytes(socket, &header, sizeof header)) return false;
  if (header.zero != 0 || header.body_bytes > kLongestRecord) throw DamagedRecord("a record's header is damaged");
  kind = header.kind;
  body.resize(header.body_bytes);
  if (header.body_bytes != 0 && !receive_bytes(socket, body.data(), body.size()))
    throw SocketError("the other process ended in the middle of a record");
  return true;
}

}  // namespace wharf::cuda
