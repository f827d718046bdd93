#pragma once
// A snapshot that is kept for the whole run, such as those of each kernel, in as few bytes as its values need.

#include <cstdint>
#include <memory>
#include <vector>

namespace wharf::stats {

/// Values of all counters at one instant, in order of registration.
using Snapshot = std::vector<std::uint64_t>;

/// An immutable copy of a snapshot. Copies share their bytes. A value takes a byte for each seven of its bits; zeros in sequence take two or more
/// bytes in all.
class KeptSnapshot {
 public:
  KeptSnapshot() = default;
  KeptSnapshot(const Snapshot& values);  // NOLINT(google-explicit-constructor): it is the same snapshot
  Snapshot values() const;

 private:
  std::shared_ptr<const std::vector<std::uint8_t>> bytes_;  // null: empty
};

}  // namespace wharf::stats
