#include "stimuli/cuda/process/host_visible_memory.h"

#include <algorithm>
#include <cstring>

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kBlock = 256;

}  // namespace

void HostVisibleMemory::add(std::uint64_t address, std::uint64_t bytes) {
  const std::byte* memory = DeviceMemory::at(address);
  copies_.emplace(address, std::vector<std::byte>(memory, memory + bytes));
}

void HostVisibleMemory::find_changes(const Changed& changed) {
  for (auto& [base, copy] : copies_) {
    const std::byte* memory = DeviceMemory::at(base);
    std::uint64_t begin = 0, end = 0;  // of the present run
    const auto report = [&, base = base] {
      if (end != begin) changed(base + begin, end - begin);
    };
    for (std::uint64_t at = 0; at < copy.size(); at += kBlock) {
      const std::uint64_t size = std::min<std::uint64_t>(kBlock, copy.size() - at);
      if (std::memcmp(copy.data() + at, memory + at, size) == 0) continue;
      std::memcpy(copy.data() + at, memory + at, size);
      if (at != end) {
        report();
        begin = at;
      }
      end = at + size;
    }
    report();
  }
}

void HostVisibleMemory::accept_changes() {
  for (auto& [base, copy] : copies_) std::memcpy(copy.data(), DeviceMemory::at(base), copy.size());
}

void HostVisibleMemory::accept_changes(std::uint64_t address, std::uint64_t bytes) {
  auto after = copies_.upper_bound(address);
  if (after == copies_.begin()) return;
  auto& [base, copy] = *std::prev(after);
  if (address - base >= copy.size()) return;
  const std::uint64_t size = std::min<std::uint64_t>(bytes, copy.size() - (address - base));
  std::memcpy(copy.data() + (address - base), DeviceMemory::at(address), size);
}

}  // namespace wharf::cuda
