#pragma once
// One client of `wharf serve`: the standard streams, or a connection of the socket.

#include <poll.h>

#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/cli/serve/line_buffer.h"

namespace wharf::cli {

class Client {
 public:
  /// The standard streams, which stay open.
  static Client standard_streams();
  /// Owns `connection`, which must not block.
  static Client of_connection(int connection);
  ~Client();
  Client(Client&& other) noexcept;
  Client& operator=(Client&&) = delete;

  /// Reads the available bytes and returns the lines that they complete.
  std::vector<Line> read();
  /// Queues an answer. Drops progress while the client has not read earlier answers.
  void send(const Json& answer);
  void send_progress(const Json& progress);

  /// Appends one entry per stream to wait for.
  void add_to(std::vector<pollfd>& polled) const;
  /// True where read() has something to do. `polled` begins with this client's entries, which are taken off.
  bool take_events(const pollfd*& polled);
  /// Writes what the client takes without waiting.
  void write();

  /// It will ask nothing more.
  bool at_end() const { return at_end_; }
  /// Nobody reads the answers any more.
  bool gone() const { return gone_; }
  bool all_written() const { return pending_.size() == written_; }

 private:
  Client(int in, int out, bool owned) : in_(in), out_(out), owned_(owned) {}

  int in_, out_;
  bool owned_;
  bool at_end_ = false, gone_ = false;
  bool can_write_ = false;  // by the last poll
  LineBuffer lines_;
  std::string pending_;  // answers, of which the first `written_` bytes are done with
  std::size_t written_ = 0;
};

}  // namespace wharf::cli
