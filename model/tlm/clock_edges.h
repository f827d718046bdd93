#pragma once
// The single kernel event behind all clock domains of a simulation. Edges of several clocks at one time cost one activation of the kernel,
// whose queue of timed events holds one entry.

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
  /// The instance of the simulation: created for its first clock domain, and destroyed with the last.
  static std::shared_ptr<ClockEdges> of_simulation();

  using Number = std::size_t;
  Number add(ClockDomain& domain);
  void remove(Number domain);
  /// Sets the time of the domain's next edge, in ps, not before the present; kNever: none. The last call holds.
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
  Picoseconds notified_ = kNever;  // time of event_; 0 while edges are processed, which notify at their end
  sc_core::sc_event event_;
};

}  // namespace wharf
