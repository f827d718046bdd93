// The watchdog with two blocks that pass accesses to each other through finite queues.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/request_queue.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

/// Forwards the accesses that it receives, one per cycle, and keeps each until the next block has taken it.
class Relay final : public sc_core::sc_module, public Clocked, public Inspectable, MemoryTarget, MemoryInitiator {
 public:
  Relay(sc_core::sc_module_name name, std::string next, ClockDomain& clock, std::uint32_t capacity)
      : sc_module(name), next_(std::move(next)), clock_(clock), id_(clock.add(*this)), queue_(capacity) {}

  MemoryTargetPort in{"in", *this, 0};
  MemoryInitiatorPort out{"out", *this, 0};
  bool accepts = true;
  std::uint64_t passed_on = 0;

  void put(Payload& payload) {
    queue_.offer(payload, 1, 0, 0);
    clock_.wake(id_, 1);
  }

  void act(Cycle now) override {
    Cycle end;
    if (Payload* admitted = queue_.admit_pending(now, end)) in.accept(*admitted, 0);
    if (!blocked_ && queue_.ready(now)) {
      if (out.send(queue_.front(), 0) == Acceptance::accepted) {
        queue_.pop(now);
        ++passed_on;
      } else {
        blocked_ = true;
      }
    }
    if (!queue_.empty() && !blocked_) clock_.wake(id_, now + 1);
  }

  void inspect(std::vector<Wait>& waits) const override {
    if (!blocked_) return;
    const Access& access = queue_.front().access();
    waits.push_back({std::string(name()) + ".queue", next_ + ".queue", access.id, access.line.byte_address(), access.issue_cycle});
  }

 private:
  Acceptance request(unsigned, Payload& payload, Picoseconds) override {
    if (!accepts) return Acceptance::pending;
    clock_.wake(id_, clock_.now() + 1);
    return queue_.offer(payload, clock_.now() + 1, 0, clock_.now());
  }
  void request_accepted(unsigned, Picoseconds) override {
    blocked_ = false;
    queue_.pop(clock_.now());
    ++passed_on;
    clock_.wake(id_, clock_.now() + 1);
  }
  void response_accepted(unsigned, Picoseconds) override {}
  bool response(unsigned, Payload&, Picoseconds) override { return true; }
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 0; }

  std::string next_;
  ClockDomain& clock_;
  ClockDomain::BlockId id_;
  RequestQueue queue_;
  bool blocked_ = false;
};

/// Two relays in a ring, with one access each.
struct WaitCycle {
  static constexpr Cycle kInterval = 200;
  ClockDomain clock{"core", 1000, {}};
  PayloadPool pool;
  Relay left, right;
  Watchdog watchdog;
  bool busy = true;

  explicit WaitCycle(std::uint32_t capacity)
      : left("left", "right", clock, capacity),
        right("right", "left", clock, capacity),
        watchdog("watchdog", clock, params(), {[this] { return left.passed_on + right.passed_on; }, [this] { return busy; }}) {
    left.out.socket.bind(right.in.socket);
    right.out.socket.bind(left.in.socket);
    watchdog.watch(left);
    watchdog.watch(right);
  }
  static WatchdogParams params() {
    WatchdogParams params;
    params.interval_cycles = kInterval;
    return params;
  }
  Payload& make(std::uint64_t id, Cycle since) {
    Access access;
    access.id = id;
    access.line = {id};
    access.issue_cycle = since;
    return pool.acquire(access);
  }
  void fill() {
    left.put(make(41, 6));
    right.put(make(42, 5));
  }
  std::string failure() {
    try {
      run_kernel(1'000'000);
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }
};

constexpr const char* kCircle =
    "circular wait:"
    "\n  access 42 (0x1500) holds right.queue and waits for left.queue since cycle 5"
    "\n  access 41 (0x1480) holds left.queue and waits for right.queue since cycle 6";

}  // namespace

TEST_CASE("watchdog: two blocks with full queues that wait for each other are reported with the circle by name") {
  WaitCycle wait_cycle(1);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK(wait_cycle.failure() == std::string("deadlock in cycle 200: nothing has moved in the last 200 cycles; ") + kCircle);
  CHECK(present() == wait_cycle.clock.edge(0 + WaitCycle::kInterval));
}

TEST_CASE("watchdog: a ring with room keeps moving and is left alone") {
  WaitCycle wait_cycle(2);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK(wait_cycle.failure().empty());
  CHECK(wait_cycle.left.passed_on > 5 * WaitCycle::kInterval / 2);
  CHECK(present() == 1'000'000);
}

TEST_CASE("watchdog: a stop after movement is noticed at the second check") {
  WaitCycle wait_cycle(2);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK_NOTHROW(run_kernel(50'500));  // up to cycle 50
  wait_cycle.left.accepts = false;    // accesses sent to it from now on wait for ever
  CHECK_THAT(wait_cycle.failure(), Contains("deadlock in cycle 400: ") && Contains("no circular wait") &&
                                       Contains("holds right.queue and waits for left.queue") && Contains("left.queue (1 wait)"));
}

TEST_CASE("watchdog: a machine that is not busy may stand still") {
  WaitCycle wait_cycle(1);
  wait_cycle.busy = false;
  wait_cycle.watchdog.arm();
  CHECK(wait_cycle.failure().empty());
  wait_cycle.busy = true;
  CHECK_THAT(wait_cycle.failure(), Contains("no block reports an access that waits"));
}

TEST_CASE("watchdog: disarmed it leaves nothing in the kernel, and a dead stop is reported on demand") {
  WaitCycle wait_cycle(1);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK_NOTHROW(run_kernel(20'500));
  wait_cycle.watchdog.disarm();
  CHECK_FALSE(sc_core::sc_pending_activity());
  CHECK_NOTHROW(run_kernel());
  CHECK(present() == 20'500);
  CHECK_THROWS_WITH(wait_cycle.watchdog.report_now(),
                    std::string("deadlock in cycle 20: nothing is left to happen, but the stimulus is not done; ") + kCircle);
}

TEST_CASE("watchdog: disarmed or armed again in the instant of a check, it does not check then") {
  WaitCycle wait_cycle(1);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK_NOTHROW(run_kernel(200'000));  // the check of cycle 200 is due and has not run
  wait_cycle.watchdog.arm();
  CHECK_NOTHROW(run_kernel(200'000));  // so is that of cycle 400
  wait_cycle.watchdog.disarm();
  CHECK_NOTHROW(run_kernel());
  CHECK(present() == 400'000);
  CHECK_FALSE(sc_core::sc_pending_activity());
}

TEST_CASE("watchdog: arming again starts a whole interval") {
  WaitCycle wait_cycle(1);
  wait_cycle.fill();
  wait_cycle.watchdog.arm();
  CHECK_NOTHROW(run_kernel(150'000));
  wait_cycle.watchdog.arm();
  CHECK_THAT(wait_cycle.failure(), Contains("deadlock in cycle 350: "));  // 150 + 200
}
