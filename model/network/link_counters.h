#pragma once
// The busy cycles of a network's links, one instance of the prefix per link.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"

namespace wharf::network {

class LinkCounters {
 public:
  /// `between` completes the help text "cycles in which a flit passed".
  stats::Counter& add(stats::Registry& registry, const std::string& prefix, unsigned instance, const std::string& between = "") {
    stats::Group& group = groups_.emplace_back(registry, prefix, static_cast<int>(instance));
    by_index_.push_back(&busy_.emplace_back(group, "busy", "cycles in which a flit passed" + between, stats::Unit::cycles));
    return *by_index_.back();
  }
  std::size_t size() const { return busy_.size(); }
  stats::Counter& operator[](std::size_t i) { return *by_index_[i]; }
  std::uint64_t sum() const {
    std::uint64_t sum = 0;
    for (const stats::Counter& busy : busy_) sum += busy.value();
    return sum;
  }

 private:
  // Deques, because registered counters must not move, and contiguous blocks, because a network updates all of them.
  std::deque<stats::Group> groups_;
  std::deque<stats::Counter> busy_;
  std::vector<stats::Counter*> by_index_;  // indexing a deque takes a division
};

}  // namespace wharf::network
