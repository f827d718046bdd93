#pragma once
// Measures the utilisation of L2 and DRAM per window, as the mean or the maximum over their units, for warp filters that need it
// (ciao section 3.4).
//
// The counts are read after all clocks' edges at the window's end; listeners see the result in the next cycle.

#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "model/tlm/clock_domain.h"

namespace wharf {

class BandwidthMeter final : public sc_core::sc_module, public Clocked {
 public:
  /// A unit that is busy or idle in every cycle of its clock.
  struct Unit {
    std::function<std::uint64_t()> busy_cycles;  // total so far
    const ClockDomain* clock;
  };
  /// How the fractions of several units combine.
  enum class Of { mean, busiest };
  struct Machine {
    std::vector<Unit> l2, dram;
    Of of;
    std::function<bool()> done;  // true when the last kernel has ended
    std::function<void(double l2, double dram)> report;
  };

  SC_HAS_PROCESS(BandwidthMeter);
  /// `window` >= 1 is in cycles of `core`.
  BandwidthMeter(sc_core::sc_module_name name, Cycle window, ClockDomain& core, Machine machine);

  void act(Cycle now) override;
  /// Saves or loads between kernels (model/base/archive.h). Windows need no saving, because they end at multiples of their length.
  template <class File>
  void archive(File& file) {
    file.elements(l2_);
    file.elements(dram_);
  }

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
