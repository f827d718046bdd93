#pragma once
// The loop of `wharf serve`: reads requests of its clients, starts runs, and hands on what they answer.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "platforms/cli/serve/client.h"
#include "platforms/cli/serve/request.h"
#include "platforms/cli/serve/run_process.h"
#include "platforms/cli/serve/stop_signals.h"
#include "platforms/cli/serve/unix_socket.h"

namespace wharf::cli {

inline constexpr std::size_t kMostOpenRuns = 10'000;  // of one client; a further one is refused
inline constexpr std::size_t kMostClients = 256;      // of the socket; further ones wait

/// From its construction on, it catches the signals that ask it to stop. Construct it before a socket listens, because a client may connect
/// and stop the server at once.
class Server {
 public:
  /// At most `jobs` runs at a time.
  Server(RunStore store, unsigned jobs) : store_(std::move(store)), jobs_(jobs) {}

  /// Serves the standard streams until the end of the input; then finishes what is open. Returns false where a signal stopped it, and its
  /// runs with it.
  bool serve_standard_streams();
  /// Serves connections of the socket until a signal comes.
  void serve(UnixSocket& socket);

 private:
  struct Run {
    Client* client;
    Json id;
    RunSpec spec;
    std::unique_ptr<RunProcess> process;  // none while it waits for its turn
  };
  using Runs = std::list<Run>;

  bool loop(UnixSocket* socket);
  void wait_for_events(UnixSocket* socket);
  void handle(Client& client, const Line& line);
  void obey(Client& client, const Json& id, const Request& request);
  void cancel(Client& client, const Json& id, const Json& run);
  void forward_answers(Runs::iterator run);
  void start_waiting();
  void drop_disconnected_clients();
  void stop_runs();

  Runs::iterator find(const Client& client, const Json& id);
  std::size_t open_runs(const Client& client) const;

  StopSignals signals_;
  RunStore store_;
  unsigned jobs_;
  std::list<Client> clients_;
  Runs runs_;                                          // open ones, in the order of their requests
  std::map<const Client*, std::uint64_t> last_turns_;  // in the order of starts, which `turns_` counts
  std::uint64_t turns_ = 0;
};

}  // namespace wharf::cli
