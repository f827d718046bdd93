// Which way of processing edges a trial chooses.

#include "model/tlm/thread_trial.h"

#include <catch2/catch.hpp>
#include <chrono>

namespace wharf {
namespace {

/// A clock that stands still unless it is told to go on.
struct SetClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SetClock>;
  static time_point now() { return time_point(present); }
  inline static duration present{};
};
using Trial = ThreadTrialBy<SetClock>;

/// Processes `edges` edges that take `with_threads` or `with_one` microseconds; returns how many used threads.
unsigned threaded(Trial& trial, unsigned edges, unsigned with_threads, unsigned with_one) {
  unsigned threaded = 0;
  for (unsigned edge = 0; edge < edges; ++edge) {
    const bool threads = trial.uses_threads();
    threaded += threads;
    // One edge in ten takes a hundred times as long, as if the host had something else to do.
    trial.run(4, [&] { SetClock::present += std::chrono::microseconds((threads ? with_threads : with_one) * (edge % 10 == 0 ? 100 : 1)); });
  }
  return threaded;
}

TEST_CASE("thread trial: the first 4,096 edges use threads, and the next 256 do not") {
  Trial trial;
  CHECK(threaded(trial, 4096, 0, 0) == 4096);
  CHECK(threaded(trial, 256, 0, 0) == 0);
}

TEST_CASE("thread trial: the faster way is used until the next trial") {
  Trial trial;
  threaded(trial, 4096 + 256, 20, 5);
  CHECK(threaded(trial, 32'768 - 256, 20, 5) == 0);
  // The next trial finds the opposite.
  CHECK(threaded(trial, 256, 5, 20) == 256);
  CHECK(threaded(trial, 256, 5, 20) == 0);
  CHECK(threaded(trial, 1000, 5, 20) == 1000);
}

}  // namespace
}  // namespace wharf
