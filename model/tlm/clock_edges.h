#pragma once
// The single kernel event behind all clock domains of a simulation. Simultaneous edges of several clocks cost one activation of the kernel,
// and the kernel's queue of timed events holds one entry.
//
// Simulated time is limited: a clock multiplies picoseconds by its MHz in 64 bits. The simulation fails at last_time(), so that no product
// overflows.

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/types.h"
#include "model/tlm/kernel_time.h"

namespace wharf {

class ClockDomain;

class ClockEdges final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockEdges);
  explicit ClockEdges(sc_core::sc_module_name name);
  /// The instance of the simulation: created for its first clock domain, and destroyed with the last.
  static std::shared_ptr<ClockEdges> of_simulation();

  using Number = std::size_t;
  Number add(ClockDomain& domain, std::uint32_t mhz);
  void remove(Number domain);
  /// Sets the time of the domain's next edge, in ps, not before the present; kNever: none. A later call overrides an earlier one.
  void due(Number domain, Picoseconds time) {
    domains_[domain].due = time;
    if (time < notified_) notify(time);
  }

  /// The last time that all clocks of the simulation can represent. A 64th of the fastest clock's range is reserved for delays from there.
  static Picoseconds last_time() { return last_time_; }
  /// The time of a foreign module's call with annotated `delay`. Throws SimulationError, naming `socket`, if it is after last_time().
  static Picoseconds time_of_call(const sc_core::sc_time& delay, const char* socket);
  /// Throws SimulationError if the present is after last_time(), which is possible when a foreign module calls.
  static void expect_in_time() {
    if (present() > last_time_) fail_at_end();
  }

 private:
  struct Domain {
    ClockDomain* domain;
    Picoseconds due;
  };

  void on_edges();
  bool are_islands_busy() const;
  void notify(Picoseconds time);
  [[noreturn]] static void fail_at_end();

  inline static Picoseconds last_time_ = kNever;
  std::vector<Domain> domains_;
  std::vector<ClockDomain*> due_;  // in this edge
  Picoseconds notified_ = kNever;  // time of event_; 0 while edges are processed, which notify at their end
  sc_core::sc_event event_;
};

}  // namespace wharf
