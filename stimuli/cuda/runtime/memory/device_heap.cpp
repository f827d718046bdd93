#include "stimuli/cuda/runtime/memory/device_heap.h"

namespace wharf::cuda::runtime {
namespace {

constexpr std::uint64_t kGap = 4096, kSmallAlignment = 256, kLarge = 1u << 20;

std::uint64_t aligned(std::uint64_t value, std::uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

}  // namespace

const Allocation* DeviceHeap::allocate(std::uint64_t bytes, AllocationKind kind) {
  if (bytes > capacity_ - used_) return nullptr;
  const std::uint64_t address = aligned(next_, bytes >= kLarge ? kLargePage : kSmallAlignment);
  if (address + bytes + kGap > kMemoryBase + kAllocationSpan) return nullptr;
  next_ = address + bytes + kGap;
  used_ += bytes;
  Allocation& allocation = allocations_[address];
  allocation = {++number_, address, bytes, kind};
  return &allocation;
}

bool DeviceHeap::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  used_ -= found->second.bytes;
  allocations_.erase(found);
  return true;
}

const Allocation* DeviceHeap::find(std::uint64_t address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& allocation = std::prev(after)->second;
  return address < allocation.address + allocation.bytes ? &allocation : nullptr;
}

}  // namespace wharf::cuda::runtime
