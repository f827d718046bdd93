#pragma once
// Sharing by load pc over all SMs (remote_sharing section 19 names PC 80 and PC 288): a table of result.json.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <vector>

#include "model/base/host/islands.h"

namespace wharf {

class PcSharing {
 public:
  struct Row {
    std::uint32_t pc = 0;
    std::uint64_t misses = 0;          // load primary misses; 0: the entry is free
    std::uint64_t held_elsewhere = 0;  // misses whose line another SM held
    std::uint64_t filled_by_peer = 0;  // misses that another SM filled
  };

  void missed(std::uint32_t pc, bool held) {
    const Islands::Lock lock(mutex_);
    Row& row = of(pc);
    if (row.misses++ == 0) row.pc = pc;
    row.held_elsewhere += held;
    if (row.misses == 1 && 2 * ++size_ > rows_.size()) grow();
  }
  /// Counts a miss of this pc that another SM has filled.
  void filled(std::uint32_t pc) {
    const Islands::Lock lock(mutex_);
    ++of(pc).filled_by_peer;
  }

  /// Returns the rows by ascending pc.
  std::vector<Row> rows() const {
    std::vector<Row> used;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(used), [](const Row& row) { return row.misses != 0; });
    std::sort(used.begin(), used.end(), [](const Row& a, const Row& b) { return a.pc < b.pc; });
    return used;
  }
  template <class File>
  void archive(File& file) {
    file(rows_, size_);
  }

 private:
  Row& of(std::uint32_t pc) {
    const std::size_t mask = rows_.size() - 1;
    std::size_t at = (pc * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (rows_[at].misses != 0 && rows_[at].pc != pc) at = (at + 1) & mask;
    return rows_[at];
  }
  void grow() {
    std::vector<Row> old(2 * rows_.size());
    old.swap(rows_);
    for (const Row& row : old)
      if (row.misses != 0) of(row.pc) = row;
  }

  std::mutex mutex_;
  std::vector<Row> rows_ = std::vector<Row>(64);
  std::size_t size_ = 0;
};

}  // namespace wharf
