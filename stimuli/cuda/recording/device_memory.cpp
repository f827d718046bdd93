#include "stimuli/cuda/recording/device_memory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/base/error.h"

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kGranule = 256, kGap = 4096;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

void* address_of(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

int DeviceMemory::create_shared() {
  const int descriptor = memfd_create("wharf-device-memory", MFD_CLOEXEC);
  if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(kMemorySpan)) != 0)
    throw InputError(fmt::format("cannot create the device memory: {}; lift limits on file sizes (ulimit -f)", std::strerror(errno)));
  return descriptor;
}

DeviceMemory::DeviceMemory(int descriptor, std::uint64_t capacity) : capacity_(capacity), descriptor_(descriptor) {
  if (map()) return;
  const int error = errno;
  if (descriptor_ != kUnshared) close(descriptor_);
  throw InputError(
      fmt::format("cannot map the device memory at {:#x}: {}; run one CUDA program per process, and lift limits on the address "
                  "space (ulimit -v)",
                  kMemoryBase, std::strerror(error)));
}

bool DeviceMemory::map() const {
  const int backing = descriptor_ == kUnshared ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (mmap(address_of(kMemoryBase), kMemorySpan, PROT_READ | PROT_WRITE, backing | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor_, 0) !=
      address_of(kMemoryBase))
    return false;
  // Programs fill arrays of megabytes: huge pages take one page fault where small ones take 512. Where there are none, nothing changes.
  if (descriptor_ == kUnshared) madvise(address_of(kMemoryBase), kMemorySpan, MADV_HUGEPAGE);
  return true;
}

DeviceMemory::~DeviceMemory() {
  munmap(address_of(kMemoryBase), kMemorySpan);
  if (descriptor_ != kUnshared) close(descriptor_);
}

/// The bytes, of whole pages, are 0 and take no memory from now on.
void DeviceMemory::release_pages(std::uint64_t begin, std::uint64_t end) const {
  if (descriptor_ == kUnshared)
    madvise(address_of(begin), end - begin, MADV_DONTNEED);
  else
    fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin - kMemoryBase),
              static_cast<off_t>(end - begin));
}

void DeviceMemory::allocate(const AllocateRecord& allocation) {
  const std::uint64_t address = allocation.address, bytes = allocation.bytes;
  if (bytes == 0 || address < kMemoryBase || address >= kModuleBase || bytes > kModuleBase - address || address % kGranule != 0)
    throw DamagedRecord(
        fmt::format("allocation {} of {} bytes at {:#x} lies outside the device memory", allocation.number, bytes, address));
  const auto next = allocations_.lower_bound(address);
  const bool overlaps_next = next != allocations_.end() && next->first < address + bytes;
  const AllocateRecord* previous = find_below(address);
  if (overlaps_next || (previous != nullptr && previous->address + previous->bytes > address))
    throw DamagedRecord(fmt::format("allocation {} of {} bytes at {:#x} overlaps another one", allocation.number, bytes, address));
  if (bytes > capacity_ - used_) {
    throw InputError(fmt::format(
        "allocation {} of {} bytes exceeds the device memory of {} MiB, of which {} bytes are used; give more with `--set cuda.memory_mib=N`",
        allocation.number, bytes, capacity_ >> 20, used_));
  }
  used_ += bytes;
  allocations_.emplace(address, allocation);
}

AllocateRecord DeviceMemory::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) throw DamagedRecord(fmt::format("the program frees {:#x}, where no allocation begins", address));
  const AllocateRecord allocation = found->second;
  allocations_.erase(found);
  used_ -= allocation.bytes;
  // Allocations lie at least 4 KiB apart, so the pages of one hold nothing of another.
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  release_pages(address / page * page, rounded_up(address + allocation.bytes, page));
  return allocation;
}

const AllocateRecord* DeviceMemory::find_below(std::uint64_t address) const {
  const auto after = allocations_.upper_bound(address);
  return after == allocations_.begin() ? nullptr : &std::prev(after)->second;
}

bool DeviceMemory::contains(std::uint64_t address, std::uint64_t bytes) const {
  if (address >= kModuleBase) return address <= module_end_ && bytes <= module_end_ - address;
  const AllocateRecord* allocation = find_below(address);
  if (allocation == nullptr) return false;
  const std::uint64_t end = rounded_up(allocation->address + allocation->bytes, kGranule);
  return address <= end && bytes <= end - address;
}

std::uint64_t DeviceMemory::reserve_for_module(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t address = rounded_up(module_end_, std::max<std::uint64_t>(alignment, kGranule));
  const std::uint64_t end = kModuleBase + kModuleSpan;
  if (bytes > end - address || kGap > end - address - bytes)
    throw InputError(fmt::format("the program's modules define more than {} GiB of variables; make them smaller", kModuleSpan >> 30));
  module_end_ = address + bytes + kGap;
  return address;
}

}  // namespace wharf::cuda
