#include "model/monitor/watchdog.h"

#include <fmt/format.h>

#include <utility>

#include "model/base/error.h"

namespace wharf {

void WatchdogParams::bind(config::Binder& binder) {
  binder.integer("interval_cycles", interval_cycles, config::Unit::cycles,
                 "the run counts as deadlocked after this many core cycles without an issued instruction or a completed access", 100,
                 1'000'000'000);
}

Watchdog::Watchdog(sc_core::sc_module_name name, const ClockDomain& clock, const WatchdogParams& params, Machine machine)
    : sc_module(name), clock_(clock), interval_(params.interval_cycles), machine_(std::move(machine)) {
  SC_METHOD(check);
  sensitive << event_;
  dont_initialize();
}

void Watchdog::arm() {
  last_progress_ = machine_.progress();
  event_.cancel();  // otherwise the kernel would ignore a later notification of the pending event
  schedule();
}

void Watchdog::disarm() {
  event_.cancel();
  due_ = kNever;
}

void Watchdog::schedule() {
  due_ = clock_.edge(clock_.present_cycle() + interval_);
  event_.notify(sc_core::sc_time::from_value(due_ - sc_core::sc_time_stamp().value()));
}

void Watchdog::check() {
  if (present() != due_) return;
  const std::uint64_t progress = machine_.progress();
  if (progress == last_progress_ && machine_.busy()) report(fmt::format("nothing has moved in the last {} cycles", interval_));
  last_progress_ = progress;
  schedule();
}

void Watchdog::report_now() const { report("nothing is left to happen, but the stimulus is not done"); }

void Watchdog::report(const std::string& what) const {
  std::vector<Wait> waits;
  for (const Inspectable* block : blocks_) block->inspect(waits);
  throw SimulationError(fmt::format("deadlock in cycle {}: {}; {}", clock_.present_cycle(), what, describe_waits(waits)));
}

}  // namespace wharf
