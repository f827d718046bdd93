#pragma once
// The busy cycles of a network's links, each an instance of its prefix.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"

namespace wharf::network {

class LinkCounters {
 public:
  /// `between`: completes "cycles in which a flit passed".
  stats::Counter& add(stats::Registry& registry, const std::string& prefix, unsigned instance, const std::string& between = "") {
    busy_.push_back(&links_.emplace_back(registry, prefix, instance, between).busy);
    return *busy_.back();
  }
  std::size_t size() const { return busy_.size(); }
  stats::Counter& operator[](std::size_t i) { return *busy_[i]; }
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
  std::vector<stats::Counter*> busy_;  // of each
};

}  // namespace wharf::network
