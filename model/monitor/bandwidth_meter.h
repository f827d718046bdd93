#pragma once
// How busy L2 and DRAM are, window by window, for warp filters that ask (ciao section 3.4): the units of each on average, or the busiest.
//
// The counts are read when all edges up to the window's end are over, of whichever clock; who hears of them sees them in the next cycle.

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "model/tlm/clock_domain.h"

namespace wharf {

class BandwidthMeter final : public sc_core::sc_module, public Clocked {
 public:
  /// Something that can be busy in every cycle of a clock.
  struct Unit {
    std::function<std::uint64_t()> busy_cycles;  // so far
    const ClockDomain* clock;
  };
  /// Which of the units' fractions counts.
  enum class Of { mean, busiest };
  struct Machine {
    std::vector<Unit> l2, dram;
    Of of;
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
  double fraction(const std::vector<Unit>& units, std::vector<Mark>& last) const;

  Cycle window_;
  ClockDomain& core_;
  Machine machine_;
  ClockDomain::BlockId block_;
  std::vector<Mark> l2_, dram_;
  sc_core::sc_event after_edges_;
};

}  // namespace wharf
