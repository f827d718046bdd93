#pragma once
// The allocations of the program (CU-26): where each lies and what it is. Addresses depend on the order of calls alone.

#include <cstdint>
#include <map>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda::runtime {

struct Allocation {
  std::uint64_t number = 0, address = 0, bytes = 0;
  AllocationKind kind = AllocationKind::device;
};

class DeviceHeap {
 public:
  explicit DeviceHeap(std::uint64_t capacity) : capacity_(capacity) {}

  /// Places `bytes` bytes (at least 1): aligned to 256 bytes, to 2 MiB from 1 MiB on, at least 4 KiB from its neighbours, and never where
  /// an allocation was before, so that a dangling pointer always faults. The first one lies 2 MiB above the base, so that a load just below
  /// it stays in the range. Returns nullptr where the memory is used up.
  const Allocation* allocate(std::uint64_t bytes, AllocationKind kind);
  /// Returns false where no allocation begins there.
  bool release(std::uint64_t address);
  /// The allocation that holds `address`, or nullptr.
  const Allocation* find(std::uint64_t address) const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }

 private:
  static constexpr std::uint64_t kLargePage = 2u << 20;

  std::uint64_t capacity_, used_ = 0;
  std::uint64_t next_ = kMemoryBase + kLargePage, number_ = 0;
  std::map<std::uint64_t, Allocation> allocations_;
};

}  // namespace wharf::cuda::runtime
