#pragma once
// The global memory of a GPU that runs CUDA programs: numbered allocations in one range of addresses, and their bytes (CU-26).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf {
class Archive;
}

namespace wharf::ptx {

class DeviceMemory {
 public:
  /// Addresses [base, base + size) and the host memory behind them, all bytes 0, which must outlive this object.
  struct Range {
    Address base = 0;
    std::byte* bytes = nullptr;
    std::uint64_t size = 0;
    /// Chooses the address of an allocation, where someone else divides the range too; empty: behind the allocation before.
    std::function<Address(std::uint64_t bytes, std::uint64_t alignment)> reserve = {};
  };
  struct Allocation {
    unsigned number = 0;  // from 1, in the order of calls
    Address base = 0;
    std::uint64_t bytes = 0;
    std::string name;  // who asked: "cudaMalloc of 4000 bytes, call 5", "variable table"
    bool is_constant = false;
    bool is_freed = false;
    /// Bytes that an access may reach: rounded up to the granule of 256 B, as GPUs allocate.
    std::uint64_t reach() const { return (bytes + kGranule - 1) / kGranule * kGranule; }
  };

  static constexpr std::uint64_t kGranule = 256;
  static constexpr std::uint64_t kSmallestPage = 64 << 10;  // bytes
  static constexpr Address kFirstBase = Address{1} << 32;   // above the windows of shared and local memory

  /// Takes its bytes from `range`, whose base lies at or above kFirstBase. Throws InputError for another.
  explicit DeviceMemory(Range range);
  /// Has `size` bytes of its own from kFirstBase on; pages that nothing touches occupy no memory. Throws InputError where the host has no
  /// such memory.
  explicit DeviceMemory(std::uint64_t size);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The address of `bytes` new bytes, all 0: a multiple of 256, or of 2 MiB for 1 MB and more, at least 4 KiB behind the allocation
  /// before. Zero bytes are allocated as one. Addresses are never used again. Throws InputError, which names `name`, where the range is
  /// full.
  Address allocate(std::uint64_t bytes, std::string name);
  /// Enters an allocation that someone else has placed, behind or between the others, and overlaps none.
  void place(Allocation allocation);
  /// Marks the allocation that begins at `address` as constant: kernels may not write it.
  void protect(Address address);
  /// Frees the allocation that begins at `address`; returns false where none does.
  bool free(Address address);

  /// The allocation that has the address within its reach, freed ones included, or nullptr.
  const Allocation* find(Address address) const;
  /// The last allocation that begins at or below the address, or nullptr: for messages about addresses outside.
  const Allocation* nearest_below(Address address) const;
  /// True where the bytes belong to no allocation but lie within kSmallestPage of one that is not freed. A GPU maps whole pages, so that it
  /// does not notice an access there.
  bool is_near_allocation(Address address, std::uint64_t count) const;
  const std::vector<Allocation>& allocations() const { return allocations_; }

  Address base() const { return range_.base; }
  /// The host byte behind an address of the range; no check.
  std::byte* at(Address address) const { return range_.bytes + (address - range_.base); }
  bool contains(Address address, std::uint64_t count) const {
    return address >= range_.base && address - range_.base <= range_.size && count <= range_.size - (address - range_.base);
  }
  /// Copies `count` bytes, with zeros outside the range.
  void read(Address address, std::byte* to, std::size_t count) const;
  /// Saves or loads the bytes of all allocations that are not freed; to load, the same allocations are there already. Throws InputError where they
  /// are not, as after kernels that have called malloc.
  void archive(Archive& file);
  /// Bytes of all allocations that are not freed.
  std::uint64_t bytes_in_use() const { return in_use_; }

 private:
  Range range_;
  bool owns_bytes_ = false;
  std::vector<Allocation> allocations_;  // ascending bases
  std::uint64_t in_use_ = 0;
};

}  // namespace wharf::ptx
