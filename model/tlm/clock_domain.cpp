#include "model/tlm/clock_domain.h"

#include <algorithm>

namespace wharf {

ClockDomain::ClockDomain(sc_core::sc_module_name name, std::uint32_t mhz, ClockOptions options)
    : sc_module(name),
      next_delay_(1'000'000 / mhz),
      wheels_(Islands::parts(), [](std::size_t) { return BlockWheel(); }),
      edges_of_all_(ClockEdges::of_simulation()),
      number_(edges_of_all_->add(*this, mhz)),
      commits_(Islands::parts(), [](std::size_t) { return std::vector<Committed*>(); }),
      mhz_(mhz),
      options_(options) {}

void ClockDomain::end_of_elaboration() {
  const Cycle first = next_cycle();
  if (first != kNever) schedule(first);
}

void ClockDomain::begin_edge() {
  now_ = scheduled_;
  now_ps_ = present();
  next_delay_ = edge(now_ + 1) - now_ps_;
  scheduled_ = 0;
  ++edges_;
  for (BlockWheel& wheel : wheels_) wheel.turn_to(now_);
}

void ClockDomain::act_all() {
  for (BlockWheel& wheel : wheels_) wheel.act(now_, options_);
}

void ClockDomain::end_edge() {
  // A commit may request further commits, which are appended to those of the mainland.
  for (std::size_t island = commits_.size(); island-- != 0;) {
    std::vector<Committed*>& commits = commits_[island];
    for (std::size_t i = 0; i < commits.size(); ++i) commits[i]->commit();
    commits.clear();
  }
  scheduled_ = kNever;
  Cycle next = next_cycle();
  if (options_.ticking && next != kNever) next = now_ + 1;
  if (next != kNever)
    schedule(next);
  else
    edges_of_all_->due(number_, kNever);
}

void ClockDomain::look_for_wakes() {
  const Cycle next = next_cycle();
  if (next < scheduled_) schedule(next);
}

[[gnu::noinline]] void ClockDomain::schedule(Cycle cycle) {
  if (Islands::here() != Islands::kMainland) return;  // look_for_wakes() follows
  scheduled_ = cycle;
  edges_of_all_->due(number_, now_ps_ + delay(cycle - now_));
}

Cycle ClockDomain::next_cycle() const {
  Cycle next = kNever;
  for (const BlockWheel& wheel : wheels_) next = std::min(next, wheel.next_cycle(now_));
  return next;
}

}  // namespace wharf
