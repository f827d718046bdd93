// Allocations of global memory.
#include "stimuli/ptx/memory/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf::ptx {

namespace {

constexpr std::uint64_t kGap = 4096, kLargeAlignment = 2u << 20, kLarge = 1u << 20;

}  // namespace

DeviceMemory::DeviceMemory(Range range) : range_(range) {
  if (range.base < kFirstBase)
    throw InputError(fmt::format("device memory would begin at {:#x}; use {:#x} or higher", range.base, kFirstBase));
}

DeviceMemory::DeviceMemory(std::uint64_t size) : range_{kFirstBase, nullptr, size}, owns_bytes_(true) {
  void* const bytes = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) throw InputError(fmt::format("the host has no room for {} bytes of device memory; choose less", size));
  range_.bytes = static_cast<std::byte*>(bytes);
}

DeviceMemory::~DeviceMemory() {
  if (owns_bytes_) ::munmap(range_.bytes, range_.size);
}

Address DeviceMemory::allocate(std::uint64_t bytes, std::string name) {
  bytes = std::max<std::uint64_t>(bytes, 1);
  const std::uint64_t alignment = bytes >= kLarge ? kLargeAlignment : kGranule;
  const Address lowest = allocations_.empty() ? range_.base : allocations_.back().base + allocations_.back().reach() + kGap;
  const Address base = range_.reserve ? range_.reserve(bytes, alignment) : round_up(lowest, alignment);
  if (bytes > range_.size || !contains(base, round_up(bytes, kGranule)))
    throw InputError(
        fmt::format("{}: {} bytes exceed the device memory of {} bytes; choose a larger memory or smaller data", name, bytes, range_.size));
  place({static_cast<unsigned>(allocations_.size()) + 1, base, bytes, std::move(name)});
  return base;
}

void DeviceMemory::place(Allocation allocation) {
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), allocation.base,
                                      [](Address a, const Allocation& one) { return a < one.base; });
  in_use_ += allocation.bytes;
  allocations_.insert(after, std::move(allocation));
}

void DeviceMemory::protect(Address address) {
  for (Allocation& allocation : allocations_)
    if (allocation.base == address) allocation.is_constant = true;
}

bool DeviceMemory::free(Address address) {
  for (Allocation& allocation : allocations_) {
    if (allocation.base != address || allocation.is_freed) continue;
    allocation.is_freed = true;
    in_use_ -= allocation.bytes;
    return true;
  }
  return false;
}

const DeviceMemory::Allocation* DeviceMemory::nearest_below(Address address) const {
  const auto after =
      std::upper_bound(allocations_.begin(), allocations_.end(), address, [](Address a, const Allocation& one) { return a < one.base; });
  return after == allocations_.begin() ? nullptr : &*(after - 1);
}

const DeviceMemory::Allocation* DeviceMemory::find(Address address) const {
  const Allocation* const below = nearest_below(address);
  return below == nullptr || address - below->base >= below->reach() ? nullptr : below;
}

bool DeviceMemory::is_near_allocation(Address address, std::uint64_t count) const {
  if (!contains(address, count) || find(address) != nullptr || find(address + count - 1) != nullptr) return false;
  const auto above =
      std::upper_bound(allocations_.begin(), allocations_.end(), address, [](Address a, const Allocation& one) { return a < one.base; });
  const auto is_near = [&](const Allocation& one) {
    const std::uint64_t distance = one.base > address ? one.base - address : address - (one.base + one.reach());
    return !one.is_freed && distance < kSmallestPage;
  };
  return (above != allocations_.end() && is_near(*above)) || (above != allocations_.begin() && is_near(*(above - 1)));
}

void DeviceMemory::archive(Archive& file) {
  std::vector<std::pair<Address, std::uint64_t>> here, saved;  // base and bytes
  for (const Allocation& one : allocations_)
    if (!one.is_freed) here.emplace_back(one.base, one.bytes);
  saved = here;
  file(saved);
  if (saved != here)
    throw InputError(
        "checkpoint: the device memory has other allocations than when it was saved, as kernels that call malloc cause; run it from the beginning");
  for (const auto& [base, count] : here) {
    std::vector<std::byte> bytes(at(base), at(base) + count);
    file.elements(bytes);
    std::copy(bytes.begin(), bytes.end(), at(base));
  }
}

void DeviceMemory::read(Address address, std::byte* to, std::size_t count) const {
  std::fill_n(to, count, std::byte{0});
  if (address >= range_.base && address - range_.base < range_.size)
    std::copy_n(at(address), std::min<std::uint64_t>(count, range_.size - (address - range_.base)), to);
}

}  // namespace wharf::ptx
