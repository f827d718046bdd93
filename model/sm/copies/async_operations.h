#pragma once
// Asynchronous operations of one kind of a warp: loads that copy from global to shared memory and have no destination register (LDGSTS of
// sm_80 and later), or bulk copies to global memory. The program commits them in groups and waits for groups, or lets an mbarrier count the
// end of loads (PTX ISA, cp.async).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/base/barriers/mbarriers.h"

namespace wharf {

class AsyncOperations {
 public:
  /// One is issued. Returns the name by which finished() knows it.
  std::uint8_t issued() {
    ++unfinished_.back();
    return static_cast<std::uint8_t>(first_ + unfinished_.size() - 1);
  }
  /// Those since the last call are a group.
  void commit() {
    if (!all_finished()) groups_.push_back(close());
  }
  /// Returns false if all groups but the latest `most` have finished; else the warp waits until they have.
  bool wait(std::uint32_t most) {
    if (groups_.size() <= most) return false;
    waits_ = true;
    awaited_ = groups_[groups_.size() - 1 - most];
    return true;
  }
  /// The warp waits for a group.
  bool is_awaited() const { return waits_; }
  /// `use` takes place when all so far have finished. Returns false if they have.
  bool arrive_later(const MbarrierUse& use) {
    if (all_finished()) return false;
    arrivals_.push_back({close(), use});
    return true;
  }

  /// What the end of one allows.
  struct Finished {
    bool ends_wait = false;
    std::vector<MbarrierUse> arrivals;
  };
  Finished finished(std::uint8_t name) {
    --unfinished_[static_cast<std::uint8_t>(name - first_)];
    const auto open = unfinished_.end() - 1;
    const auto left = std::find_if(unfinished_.begin(), open, [](std::uint32_t count) { return count != 0; });
    first_ += static_cast<std::uint32_t>(left - unfinished_.begin());
    unfinished_.erase(unfinished_.begin(), left);
    if (all_finished()) ++first_;  // a group that close() did not separate ends with the open part
    Finished result;
    result.ends_wait = waits_ && has_finished(awaited_);
    if (result.ends_wait) waits_ = false;
    const auto is_open = [this](std::uint32_t part) { return !has_finished(part); };
    groups_.erase(groups_.begin(), std::find_if(groups_.begin(), groups_.end(), is_open));
    while (!arrivals_.empty() && has_finished(arrivals_.front().part)) {
      result.arrivals.push_back(arrivals_.front().use);
      arrivals_.erase(arrivals_.begin());
    }
    return result;
  }

 private:
  // Parts end where a group ends or an arrival waits. They have consecutive numbers.
  static constexpr std::size_t kMostParts = 255;  // that a name tells apart
  struct Arrival {
    std::uint32_t part;  // the last one that it awaits
    MbarrierUse use;
  };
  bool all_finished() const { return unfinished_.size() == 1 && unfinished_.back() == 0; }
  bool has_finished(std::uint32_t part) const { return static_cast<std::int32_t>(part - first_) < 0; }
  /// Begins a new part, unless there are too many: then those that follow are also awaited. Returns the number of the one that ends.
  std::uint32_t close() {
    const auto part = static_cast<std::uint32_t>(first_ + unfinished_.size() - 1);
    if (unfinished_.size() < kMostParts) unfinished_.push_back(0);
    return part;
  }

  std::uint32_t first_ = 0;                      // number of the oldest part with unfinished operations, or of the open one
  std::vector<std::uint32_t> unfinished_ = {0};  // operations of each part; the last part is open
  std::vector<std::uint32_t> groups_;            // the last part of each group that has not finished
  std::vector<Arrival> arrivals_;
  bool waits_ = false;
  std::uint32_t awaited_ = 0;  // part
};

/// The bulk copies of a warp to global memory: the reads of shared memory, and the whole copies.
struct BulkGroups {
  AsyncOperations reads, whole;
};

}  // namespace wharf
