#pragma once
// Drives a CrossbarLogic from scripted network interfaces: one unbounded queue per input and virtual channel, and destinations that take
// packets when the test says so.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/crossbar/crossbar_logic.h"

namespace wharf::network::testing {

struct Delivery {
  std::uint64_t handle;
  unsigned output;
  Cycle cycle;
  friend bool operator==(const Delivery& a, const Delivery& b) {
    return a.handle == b.handle && a.output == b.output && a.cycle == b.cycle;
  }
};

inline CrossbarParams params(unsigned virtual_channels, unsigned buffer_flits, unsigned ejection_flits, unsigned latency) {
  CrossbarParams p;
  p.virtual_channels = virtual_channels;
  p.buffer_flits = buffer_flits;
  p.ejection_flits = ejection_flits;
  p.latency = latency;
  return p;
}

/// When the logic is called: in every cycle, or only in cycles that next_event() or an event outside the logic names.
enum class Drive { ticking, events };

class Harness {
 public:
  Harness(const CrossbarParams& p, unsigned inputs, unsigned outputs, unsigned classes = 1)
      : logic(p, inputs, outputs, registry, "net.request", stats::Group::kOnly, classes),
        vcs_(p.virtual_channels),
        queues_(inputs * p.virtual_channels) {
    for (unsigned q = 0; q < queues_.size(); ++q) order.push_back(q);
  }

  /// Queues a packet at an interface; the cycles of one queue must not decrease. Returns its handle.
  std::uint32_t offer(Cycle cycle, unsigned input, unsigned output, unsigned flits = 1, unsigned vc = 0) {
    const auto handle = static_cast<std::uint32_t>(offered_++);
    queues_[input * vcs_ + vc].push_back(
        {handle, static_cast<std::uint16_t>(output), static_cast<std::uint8_t>(vc), static_cast<std::uint8_t>(flits), cycle});
    return handle;
  }

  /// Runs cycles up to `end` (exclusive), or until all offered packets have been delivered. Returns the next cycle.
  Cycle run(Cycle end, Drive drive = Drive::ticking) {
    while (now_ < end && deliveries.size() < offered_) {
      if (drive == Drive::ticking || called_for()) cycle(drive);
      ++now_;
    }
    return now_;
  }

  std::uint64_t count(const std::string& name) const { return counts(name, false); }
  std::uint64_t most(const std::string& name) const { return counts(name, true); }
  Cycle delivered_at(std::uint32_t handle) const {
    for (const Delivery& d : deliveries)
      if (d.handle == handle) return d.cycle;
    return kNever;
  }

  stats::Registry registry;
  CrossbarLogic logic;
  std::vector<Delivery> deliveries;
  std::vector<unsigned> order;  // the order in which the queues are served within a cycle
  std::function<bool(unsigned output, Cycle)> takes = [](unsigned, Cycle) { return true; };
  unsigned ticks = 0;

 private:
  bool called_for() {
    if (now_ >= wake_ || waiting_.any()) return true;
    for (unsigned q = 0; q < queues_.size(); ++q)
      if (ready(q)) return true;
    return false;
  }

  bool ready(unsigned q) const {
    return !queues_[q].empty() && queues_[q].front().enqueued <= now_ && logic.can_inject(q / vcs_, q % vcs_);
  }

  void cycle(Drive drive) {
    const PlaceMask arrived = logic.ejected(now_);
    arrived.for_each([&](unsigned output) {
      if (takes(output, now_)) deliveries.push_back({logic.pop(output, now_).handle, output, now_});
    });
    waiting_ = logic.ejected(now_);
    for (const unsigned q : order) {
      if (!ready(q)) continue;
      logic.inject(q / vcs_, queues_[q].front(), now_);
      queues_[q].pop_front();
    }
    if (drive == Drive::ticking || logic.next_event(now_) == now_) {
      logic.tick(now_);
      ++ticks;
    }
    wake_ = logic.next_event(now_ + 1);
  }

  std::uint64_t counts(const std::string& name, bool largest) const {
    const stats::Snapshot end = registry.snapshot();
    const stats::View view(registry, stats::Snapshot(end.size()), end);
    return largest ? view.max("net.request." + name) : view.sum("net.request." + name);
  }

  unsigned vcs_;
  std::vector<std::deque<CrossbarPacket>> queues_;
  std::size_t offered_ = 0;
  Cycle now_ = 0;
  Cycle wake_ = 0;
  PlaceMask waiting_;
};

}  // namespace wharf::network::testing
