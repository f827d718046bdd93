#pragma once
// How busy the L2 slices' access ports and the DRAM data buses are, window by window, for warp filters that ask (ciao section 3.4).
//
// The counts are read when all edges up to the window's end are over, of whichever clock; who hears of them sees them in the next cycle.

#include <cstdint>
#include <functional>
#include <systemc>

#include "model/tlm/clock_domain.h"

namespace wharf {

class BandwidthMeter final : public sc_core::sc_module, public Clocked {
 public:
  /// Something of which `units` can each be busy in every cycle of a clock.
  struct Resource {
    std::function<std::uint64_t()> busy_cycles;  // so far, summed over the units
    unsigned units;
    const ClockDomain* clock;
  };
  struct Machine {
    Resource l2, dram;
    std::function<bool()> done;                  // the last kernel is over
    std::function<void(double l2, double dram)> tell;
  };

  SC_HAS_PROCESS(BandwidthMeter);
  /// `core`: the clock in whose cycles the window is given, >= 1.
  BandwidthMeter(sc_core::sc_module_name name, Cycle window, ClockDomain& core, Machine machine);

  void act(Cycle now) override;

 private:
  struct Mark {
    std::uint64_t busy = 0;
    Cycle cycle = 0;
  };
  void measure();
  static double fraction(const Resource& resource, Mark& last);

  Cycle window_;
  ClockDomain& core_;
  Machine machine_;
  ClockDomain::BlockId block_;
  Mark l2_, dram_;
  sc_core::sc_event after_edges_;
};

}  // namespace wharf
