#pragma once
// Detects that the machine has stopped before it is done, and reports which access waits for which.
//
// It uses an event of its own instead of the clock domain's wheel. A wake in the wheel cannot be cancelled (CM-3), so it would keep a
// finished simulation alive, and the ticking oracle busy, until the next check.

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "model/monitor/watchdog_logic.h"
#include "model/monitor/watchdog_params.h"
#include "model/tlm/clock_domain.h"

namespace wharf {

/// A block that can report what its accesses wait for.
class Inspectable {
 public:
  virtual ~Inspectable() = default;
  /// Appends the block's waits. Called only when the simulation has failed.
  virtual void inspect(std::vector<Wait>& waits) const = 0;
};

class Watchdog final : public sc_core::sc_module {
 public:
  struct Machine {
    std::function<std::uint64_t()> progress;  // grows with every issued instruction and completed access
    std::function<bool()> busy;               // an access is in flight, or a warp waits and no passage of time lets it go on
  };

  SC_HAS_PROCESS(Watchdog);
  /// `clock` is the core domain, whose cycles the interval counts.
  Watchdog(sc_core::sc_module_name name, const ClockDomain& clock, const WatchdogParams& params, Machine machine);

  /// Call before simulation starts.
  void watch(const Inspectable& block) { blocks_.push_back(&block); }

  /// From now on, an interval without progress in a busy machine throws SimulationError with the report, one to two intervals after the
  /// last progress.
  void arm();
  /// Stops checking until the next arm(), and leaves no event in the kernel's queue.
  void disarm();

  /// Throws SimulationError with the report: the simulation ran out of events before the stimulus was done.
  [[noreturn]] void report_now() const;

 private:
  void check();
  void schedule();
  [[noreturn]] void report(const std::string& what) const;

  const ClockDomain& clock_;
  Cycle interval_;
  Machine machine_;
  std::vector<const Inspectable*> blocks_;
  sc_core::sc_event event_;
  std::uint64_t last_progress_ = 0;
  Picoseconds due_ = kNever;  // time of the next check. An event of this instant can no longer be cancelled.
};

}  // namespace wharf
