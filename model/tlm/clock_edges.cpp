#include "model/tlm/clock_edges.h"

#include <algorithm>

#include "model/tlm/clock_domain.h"

namespace wharf {

ClockEdges::ClockEdges(sc_core::sc_module_name name) : sc_module(name) {
  require_picoseconds();
  SC_METHOD(on_edges);
  sensitive << event_;
  dont_initialize();
}

std::shared_ptr<ClockEdges> ClockEdges::of_simulation() {
  static std::weak_ptr<ClockEdges> there;
  std::shared_ptr<ClockEdges> edges = there.lock();
  if (edges == nullptr) there = edges = std::make_shared<ClockEdges>("clock_edges");
  return edges;
}

ClockEdges::Number ClockEdges::add(ClockDomain& domain) {
  domains_.push_back({&domain, kNever});
  return domains_.size() - 1;
}

/// Keeps the numbers of the other domains.
void ClockEdges::remove(Number domain) { domains_[domain] = {nullptr, kNever}; }

void ClockEdges::on_edges() {
  notified_ = 0;
  const Picoseconds now = present();
  for (const Domain& each : domains_)
    if (each.due == now) each.domain->on_edge();
  Picoseconds next = kNever;
  for (const Domain& each : domains_) next = std::min(next, each.due);  // an edge may have woken a domain processed before it
  notified_ = kNever;
  if (next != kNever) notify(next);
}

/// An earlier notification replaces a pending later one. Kernel time may lie between two edges.
void ClockEdges::notify(Picoseconds time) {
  notified_ = time;
  event_.notify(after(time - present()));
}

}  // namespace wharf
