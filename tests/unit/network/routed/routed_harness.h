#pragma once
// Drives a RoutedLogic from scripted network interfaces: one unbounded queue per node and virtual channel, and destinations that take
// packets when the test says so.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/routed/routed_logic.h"

namespace wharf::network::testing {

struct Ejected {
  std::uint32_t handle;
  unsigned place;
  Cycle cycle;
  friend bool operator==(const Ejected& a, const Ejected& b) { return a.handle == b.handle && a.place == b.place && a.cycle == b.cycle; }
};

inline routing::Topology a_mesh(unsigned columns, unsigned rows) {
  routing::Shape shape;
  shape.columns = columns;
  shape.rows = rows;
  return routing::mesh(shape);
}

inline routing::Topology a_ring(unsigned nodes, bool bidirectional = true) {
  routing::Shape shape;
  shape.nodes = nodes;
  shape.bidirectional = bidirectional;
  return routing::ring(shape);
}

inline routing::Topology a_butterfly(unsigned radix, unsigned stages) {
  routing::Shape shape;
  shape.radix = radix;
  shape.stages = stages;
  return routing::butterfly(shape);
}

inline RouterParams router(unsigned virtual_channels, unsigned buffer_flits, unsigned ejection_flits = 16, unsigned hop_cycles = 2) {
  RouterParams p;
  p.virtual_channels = virtual_channels;
  p.buffer_flits = buffer_flits;
  p.ejection_flits = ejection_flits;
  p.hop_cycles = hop_cycles;
  return p;
}

class RoutedHarness {
 public:
  RoutedHarness(const routing::Topology& topology, const RouterParams& p, unsigned classes = 1)
      : logic(topology, p, classes, registry, "net.request"), vcs_(p.virtual_channels), queues_(topology.nodes * p.virtual_channels) {
    for (unsigned q = 0; q < queues_.size(); ++q) order.push_back(q);
  }

  /// Queues a packet at a node's interface; the cycles of one queue must not decrease. Returns its handle.
  std::uint32_t offer(Cycle cycle, unsigned from, unsigned to, unsigned flits = 1, unsigned vc = 0) {
    const auto handle = static_cast<std::uint32_t>(offered_++);
    queues_[from * vcs_ + vc].push_back(
        {handle, static_cast<std::uint16_t>(to), static_cast<std::uint8_t>(vc), static_cast<std::uint8_t>(flits), cycle});
    return handle;
  }

  /// Runs cycles up to `end` (exclusive), or until all offered packets have been delivered. Returns the next cycle. `every`: runs each
  /// cycle; otherwise only those in which the logic or the outside has something to do.
  Cycle run(Cycle end, bool every = true) {
    while (now_ < end && deliveries.size() < offered_) {
      if (every || called_for()) cycle(every);
      ++now_;
    }
    return now_;
  }

  std::uint64_t count(const std::string& name) const {
    const stats::Snapshot end = registry.snapshot();
    return stats::View(registry, stats::Snapshot(end.size()), end).sum("net.request." + name);
  }
  Cycle delivered_at(std::uint32_t handle) const {
    for (const Ejected& d : deliveries)
      if (d.handle == handle) return d.cycle;
    return kNever;
  }

  stats::Registry registry;
  RoutedLogic logic;
  std::vector<Ejected> deliveries;
  std::vector<unsigned> order;  // the order in which the queues are served within a cycle
  std::function<bool(unsigned place, Cycle)> takes = [](unsigned, Cycle) { return true; };
  unsigned ticks = 0;

 private:
  bool called_for() {
    if (now_ >= wake_ || logic.ejected(now_).any()) return true;
    for (unsigned q = 0; q < queues_.size(); ++q)
      if (ready(q)) return true;
    return false;
  }

  bool ready(unsigned q) const {
    return !queues_[q].empty() && queues_[q].front().enqueued <= now_ && logic.can_inject(q / vcs_, q % vcs_, now_);
  }

  void cycle(bool every) {
    const NodeMask arrived = logic.ejected(now_);
    arrived.for_each([&](unsigned place) {
      if (takes(place, now_)) deliveries.push_back({logic.pop(place, now_), place, now_});
    });
    for (const unsigned q : order) {
      if (!ready(q)) continue;
      logic.inject(q / vcs_, queues_[q].front(), now_);
      queues_[q].pop_front();
    }
    if (every || logic.next_event(now_) == now_) {
      logic.tick(now_);
      ++ticks;
    }
    wake_ = std::min(logic.next_event(now_ + 1), logic.next_ejection());
  }

  unsigned vcs_;
  std::vector<std::deque<RoutedPacket>> queues_;
  std::size_t offered_ = 0;
  Cycle now_ = 0, wake_ = 0;
};

}  // namespace wharf::network::testing
