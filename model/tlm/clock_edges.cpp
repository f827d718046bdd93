#include "model/tlm/clock_edges.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/thread_trial.h"

namespace wharf {

namespace {

constexpr const char* kRemedy = "clocks multiply picoseconds by MHz in 64 bits: make the fastest clock slower, or simulate less";

ThreadTrial trial;  // of the one simulation of a process

double seconds(Picoseconds time) { return static_cast<double>(time) * 1e-12; }

}  // namespace

ClockEdges::ClockEdges(sc_core::sc_module_name name) : sc_module(name) {
  require_picoseconds();
  last_time_ = kNever;
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

ClockEdges::Number ClockEdges::add(ClockDomain& domain, std::uint32_t mhz) {
  last_time_ = std::min(last_time_, kNever / mhz / 64 * 63);
  domains_.push_back({&domain, kNever});
  return domains_.size() - 1;
}

/// The other domains keep their numbers.
void ClockEdges::remove(Number domain) { domains_[domain] = {nullptr, kNever}; }

void ClockEdges::on_edges() {
  notified_ = 0;
  const Picoseconds now = present();
  if (now >= last_time_) fail_at_end();
  due_.clear();
  for (const Domain& each : domains_)
    if (each.due == now) due_.push_back(each.domain);
  for (ClockDomain* domain : due_) domain->begin_edge();
  const auto act_all = [this] {
    for (ClockDomain* domain : due_) domain->act_all();
  };
  const auto act_by_islands = [&] {
    const auto act = [this](unsigned island) {
      for (ClockDomain* domain : due_) domain->act(island);
    };
    Islands::act(act);
    act(Islands::last());
    for (const Domain& each : domains_)
      if (each.domain != nullptr && each.due != now) each.domain->look_for_wakes();
  };
  if (Islands::count() == 0 || !are_islands_busy()) {
    act_all();
  } else {
    unsigned blocks = 0;
    for (unsigned island = 1; island <= Islands::count(); ++island)
      for (const ClockDomain* domain : due_) blocks += domain->awake(island);
    trial.uses_threads() ? trial.run(blocks, act_by_islands) : trial.run(blocks, act_all);
  }
  for (ClockDomain* domain : due_) domain->end_edge();
  Picoseconds next = kNever;
  for (const Domain& each : domains_) next = std::min(next, each.due);  // an edge may have woken a domain processed before it
  notified_ = kNever;
  if (next != kNever) notify(next);
}

/// True if no block of the mainland acts in this edge, and so many others that it is worth the meetings of the threads.
bool ClockEdges::are_islands_busy() const {
  constexpr unsigned kEnough = 3;
  unsigned busy = 0;
  for (unsigned island = Islands::kMainland; island <= Islands::count(); ++island) {
    unsigned awake = 0;
    for (const ClockDomain* domain : due_) awake += domain->awake(island);
    if (island == Islands::kMainland && awake != 0) return false;
    if (awake >= kEnough) ++busy;
  }
  return busy > 1;
}

/// An earlier notification replaces a pending later one. The kernel's time may be between two edges.
void ClockEdges::notify(Picoseconds time) {
  expect_in_time();
  notified_ = std::min(time, last_time_);
  event_.notify(after(notified_ - present()));
}

Picoseconds ClockEdges::time_of_call(const sc_core::sc_time& delay, const char* socket) {
  const Picoseconds now = present();
  if (now <= last_time_ && delay.value() <= last_time_ - now) return now + delay.value();
  throw SimulationError(fmt::format("{}: a call at {:.6g} s is annotated with {:.6g} s, and simulated time ends at {:.6g} s; {}", socket,
                                    seconds(now), seconds(delay.value()), seconds(last_time_), kRemedy));
}

void ClockEdges::fail_at_end() {
  throw SimulationError(fmt::format("simulated time has reached its end at {:.6g} s; {}", seconds(last_time_), kRemedy));
}

}  // namespace wharf
