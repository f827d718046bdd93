#pragma once
// The one kernel event behind all clock domains of a simulation: edges of several clocks at one time cost one activation of the kernel, and
// its queue of timed events has one entry.

#include <memory>
#include <systemc>
#include <vector>

#include "model/base/types.h"

namespace wharf {

class ClockDomain;

class ClockEdges final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockEdges);
  explicit ClockEdges(sc_core::sc_module_name name);
  /// Those of the simulation: made for its first clock domain, gone with the last.
  static std::shared_ptr<ClockEdges> of_simulation();

  using Number = std::size_t;
  Number add(ClockDomain& domain);
  void remove(Number domain);
  /// The next edge of this domain is due at `time`, in ps, not before the present; kNever: it has none. Only the last call counts.
  void due(Number domain, Picoseconds time) {
    domains_[domain].due = time;
    if (time < notified_) notify(time);
  }

 private:
  struct Domain {
    ClockDomain* domain;
    Picoseconds due;
  };

  void on_edges();
  void notify(Picoseconds time);

  std::vector<Domain> domains_;
  Picoseconds notified_ = kNever;  // for which event_ is; 0 while edges are processed, which notify at their end
  sc_core::sc_event event_;
};

}  // namespace wharf
