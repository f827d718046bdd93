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

TEST_CASE("thread trial: the first 1,024 edges use threads, and the next 256 do not") {
  Trial trial;
  CHECK(threaded(trial, 1024, 0, 0) == 1024);
  CHECK(threaded(trial, 256, 0, 0) == 0);
}

TEST_CASE("thread trial: the faster way is used until the next trial, and longer each time that threads lose") {
  Trial trial;
  CHECK(threaded(trial, 1024 + 2 * 32'768, 20, 5) == 1024);
  CHECK(threaded(trial, 4 * 32'768 + 256, 20, 5) == 256);
  // The next trial finds the opposite.
  CHECK(threaded(trial, 256, 5, 20) == 256);
  CHECK(threaded(trial, 256, 5, 20) == 0);
  CHECK(threaded(trial, 32'768, 5, 20) == 32'768);
  CHECK(threaded(trial, 256, 5, 20) == 0);  // a trial
}

TEST_CASE("thread trial: threads that are faster in most edges, but stop for long in some, lose") {
  Trial trial;
  const auto process = [&](unsigned edges) {
    for (unsigned edge = 0; edge < edges; ++edge) {
      const bool stops = trial.uses_threads() && edge % 100 == 0;
      trial.run(4, [&] { SetClock::present += std::chrono::microseconds(stops ? 2000 : trial.uses_threads() ? 5 : 10); });
    }
  };
  process(1024 + 256);
  CHECK_FALSE(trial.uses_threads());
}

}  // namespace
}  // namespace wharf
