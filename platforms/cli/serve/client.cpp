#include "platforms/cli/serve/client.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>

namespace wharf::cli {
namespace {

constexpr std::size_t kMostPending = std::size_t{256} << 20;  // bytes for a client that does not read

bool must_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Client Client::standard_streams() { return {STDIN_FILENO, STDOUT_FILENO, false}; }

Client Client::of_connection(int connection) { return {connection, connection, true}; }

Client::~Client() {
  if (owned_) close(in_);
}

Client::Client(Client&& other) noexcept
    : in_(other.in_),
      out_(other.out_),
      owned_(std::exchange(other.owned_, false)),
      at_end_(other.at_end_),
      gone_(other.gone_),
      can_write_(other.can_write_),
      lines_(std::move(other.lines_)),
      pending_(std::move(other.pending_)),
      written_(other.written_) {}

std::vector<Line> Client::read() {
  char piece[1 << 16];
  const ssize_t count = ::read(in_, piece, sizeof piece);
  if (count > 0) return lines_.add({piece, static_cast<std::size_t>(count)});
  if (count < 0 && must_wait()) return {};
  at_end_ = true;
  return lines_.finish();
}

void Client::send(const Json& answer) {
  if (gone_) return;
  pending_ += answer.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  if (pending_.size() - written_ > kMostPending) gone_ = true;
}

void Client::send_progress(const Json& progress) {
  if (all_written()) send(progress);
}

void Client::add_to(std::vector<pollfd>& polled) const {
  const short reads = at_end_ ? 0 : POLLIN, writes = all_written() ? 0 : POLLOUT;
  if (in_ == out_) {
    polled.push_back({in_, static_cast<short>(reads | writes), 0});
  } else {
    polled.push_back({at_end_ ? -1 : in_, reads, 0});
    polled.push_back({out_, writes, 0});
  }
}

bool Client::take_events(const pollfd*& polled) {
  const pollfd& in = *polled++;
  const pollfd& out = in_ == out_ ? in : *polled++;
  if ((out.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) gone_ = true;
  can_write_ = (out.revents & POLLOUT) != 0;
  return (in.revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void Client::write() {
  // A pipe that can be written takes PIPE_BUF bytes without waiting; the standard streams are shared with others and stay as they are.
  while (can_write_ && !all_written() && !gone_) {
    const std::size_t left = pending_.size() - written_;
    const ssize_t count = ::write(out_, pending_.data() + written_, owned_ ? left : std::min<std::size_t>(left, PIPE_BUF));
    if (count > 0) written_ += static_cast<std::size_t>(count);
    if (count < 0 && !must_wait()) gone_ = true;
    can_write_ = owned_ && count > 0;
  }
  if (written_ < pending_.size() / 2) return;
  pending_.erase(0, written_);
  written_ = 0;
}

}  // namespace wharf::cli
