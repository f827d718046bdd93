#pragma once
// The device memory of a CUDA program, mapped at the device's own addresses (CU-14): a device address is also the host address of its
// bytes. A running program shares it; that of a recording is this process's own.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

class DeviceMemory {
 public:
  /// Maps the memory behind `descriptor`, which is closed at the end, or memory that no other process sees. Programs may allocate
  /// `capacity` bytes of it at a time (`cuda.memory_mib`). Throws InputError where the range is taken: one memory per process at a time.
  explicit DeviceMemory(int descriptor = kUnshared, std::uint64_t capacity = kDefaultCapacity);
  /// A descriptor of zeroed memory that another process can map too. Throws InputError where the system refuses it.
  static int create_shared();
  static constexpr int kUnshared = -1;
  static constexpr std::uint64_t kDefaultCapacity = std::uint64_t{4} << 30;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// kUnshared for memory of this process alone.
  int descriptor() const { return descriptor_; }
  static std::byte* at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

  /// Enters an allocation. Throws DamagedRecord where it lies outside the range or overlaps another one, InputError where the capacity is
  /// exceeded.
  void allocate(const AllocateRecord& allocation);
  /// Removes the allocation that begins at `address` and gives its pages back; returns it. Throws DamagedRecord where there is none.
  AllocateRecord release(std::uint64_t address);
  /// The allocation with the highest base not above `address`, or nullptr: a fault's message names it.
  const AllocateRecord* find_below(std::uint64_t address) const;
  /// True where all the bytes belong to one allocation, counted as rounded up to 256 bytes (CU-58), or to what modules define.
  bool contains(std::uint64_t address, std::uint64_t bytes) const;
  const std::map<std::uint64_t, AllocateRecord>& allocations() const { return allocations_; }

  /// Reserves zeroed memory for a module's variables or constants, at least 4 KiB from the others. `alignment` is a power of two. Throws
  /// InputError where the range is used up.
  std::uint64_t reserve_for_module(std::uint64_t bytes, std::uint64_t alignment);

 private:
  bool map() const;
  void release_pages(std::uint64_t begin, std::uint64_t end) const;

  std::uint64_t capacity_, used_ = 0;
  int descriptor_;
  std::uint64_t module_end_ = kModuleBase;
  std::map<std::uint64_t, AllocateRecord> allocations_;
};

}  // namespace wharf::cuda
