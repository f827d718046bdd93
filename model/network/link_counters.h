#pragma once
// The busy cycles of a network's links, each an instance of its prefix.

#include <cstdint>
#include <deque>
#include <string>

#include "model/base/stats/stats.h"

namespace wharf::network {

class LinkCounters {
 public:
  /// `between`: completes "cycles in which a flit passed".
  stats::Counter& add(stats::Registry& registry, const std::string& prefix, unsigned instance, const std::string& between = "") {
    return links_.emplace_back(registry, prefix, instance, between).busy;
  }
  std::size_t size() const { return links_.size(); }
  stats::Counter& operator[](std::size_t i) { return links_[i].busy; }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const Link& link : links_) sum += link.busy.value();
    return sum;
  }

 private:
  struct Link {
    Link(stats::Registry& registry, const std::string& prefix, unsigned instance, const std::string& between)
        : group(registry, prefix, static_cast<int>(instance)),
          busy(group, "busy", "cycles in which a flit passed" + between, stats::Unit::cycles) {}
    stats::Group group;
    stats::Counter busy;
  };
  // A deque, because counters must not move once they are registered.
  std::deque<Link> links_;
};

}  // namespace wharf::network
