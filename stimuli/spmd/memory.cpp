#include "stimuli/spmd/memory.h"

#include <algorithm>
#include <cstdlib>

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf::spmd {
namespace {

constexpr Address kFirstBase = Address{1} << 32;  // beyond 32 bits, to expose narrow address arithmetic in a model
constexpr std::uint64_t kGap = 4096, kSmallAlignment = 256, kLargeAlignment = 2u << 20, kLarge = 1u << 20;

}  // namespace

void Memory::Free::operator()(std::byte* memory) const { std::free(memory); }

Address Memory::allocate(const std::string& name, std::uint64_t count, std::uint64_t element_bytes) {
  if (count > kMostElements) {
    throw InputError("array '" + name + "' would have " + std::to_string(count) + " elements, at most " + std::to_string(kMostElements) +
                     " are possible; choose smaller sizes");
  }
  const std::uint64_t bytes = std::max<std::uint64_t>(count, 1) * element_bytes;
  if (bytes_ + bytes > kMostBytes) throw InputError("the arrays up to '" + name + "' need more than 4 GiB; choose smaller sizes");
  // The operating system zeroes pages when they are touched: rows that a scaled run never reads cost nothing.
  auto* memory = static_cast<std::byte*>(std::calloc(bytes, 1));
  if (memory == nullptr)
    throw InputError("no memory for array '" + name + "' of " + std::to_string(bytes) + " bytes; choose smaller sizes");
  storage_.emplace_back(memory);
  bytes_ += bytes;
  const Address lowest = regions_.empty() ? kFirstBase : regions_.back().base + regions_.back().bytes + kGap;
  const Address base = round_up(lowest, bytes >= kLarge ? kLargeAlignment : kSmallAlignment);
  regions_.push_back({name, base, bytes, memory});
  return base;
}

void Memory::map(const std::string& name, Address base, std::uint64_t bytes, std::byte* data) {
  const auto behind =
      std::find_if(regions_.begin(), regions_.end(), [base](const Region& region) { return base < region.base + region.bytes; });
  if (behind != regions_.end() && behind->base < base + bytes)
    throw InputError("memory '" + name + "' would overlap '" + behind->name + "'; give it another place");
  regions_.insert(behind, {name, base, bytes, data});
}

const Memory::Region* Memory::region_of(Address address) const {
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), address, [](Address a, const Region& r) { return a < r.base; });
  return after == regions_.begin() || address - (after - 1)->base >= (after - 1)->bytes ? nullptr : &*(after - 1);
}

std::byte* Memory::find(Address address) {
  const Region* region = region_of(address);
  return region == nullptr ? nullptr : region->data + (address - region->base);
}

void Memory::read(Address address, std::byte* to, std::size_t count) const {
  const Region* region = region_of(address);
  const std::uint64_t available = region == nullptr ? 0 : region->bytes - (address - region->base);
  const auto copied = static_cast<std::size_t>(std::min<std::uint64_t>(count, available));
  if (copied != 0) std::copy_n(region->data + (address - region->base), copied, to);
  std::fill(to + copied, to + count, std::byte{0});
}

}  // namespace wharf::spmd
