#pragma once
// The global memory of a workload: named arrays at GPU addresses, backed by host memory. This is the one functional image:
// loads return what is here, stores change it, at the moment the warp issues them.
// Placement (workloads section 0.1): bases aligned to 256 B, arrays of 1 MB and more to 2 MB as real allocators do,
// at least 4 KB between arrays, so that no line belongs to two of them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf::spmd {

/// A typed view of `size` elements at GPU address `base`. Element order in memory is the host's (little endian).
template <class T>
struct Array {
  Address base = 0;
  T* data = nullptr;
  std::uint32_t size = 0;

  T& operator[](std::uint64_t i) const { return data[i]; }
  /// The part from element `first` on.
  Array from(std::uint64_t first) const { return {base + first * sizeof(T), data + first, size - static_cast<std::uint32_t>(first)}; }
};

/// The same of a CTA's shared memory; addresses are offsets in it.
template <class T>
struct SharedArray : Array<T> {};

/// An array that each thread has for itself (local memory): thread l of a warp finds its element i 32 elements behind element i - 1, beside
/// those of its neighbours, so that lanes which access the same element touch consecutive bytes.
template <class T>
struct LocalArray : Array<T> {
  std::uint32_t per_thread = 0;  // elements
};

class Memory {
 public:
  struct Region {
    std::string name;
    Address base;
    std::uint64_t bytes;
    std::byte* data;
  };

  /// `count` elements, all bytes 0. Throws InputError if the workload becomes larger than the limits below: its sizes are arguments.
  template <class T>
  Array<T> array(const std::string& name, std::uint64_t count) {
    return {allocate(name, count, sizeof(T)), reinterpret_cast<T*>(regions_.back().data), static_cast<std::uint32_t>(count)};
  }

  /// `per_thread` elements for each of `warps` * 32 threads of a launch. Every warp of the grid has its own; hardware gives the place of
  /// a warp that has ended to a later one.
  template <class T>
  LocalArray<T> local_array(const std::string& name, std::uint64_t warps, std::uint32_t per_thread) {
    return {array<T>(name, warps * kLanes * per_thread), per_thread};
  }

  /// Memory that is somebody else's, as a host's RAM: it must outlive this. Throws InputError where it would overlap a region.
  void map(const std::string& name, Address base, std::uint64_t bytes, std::byte* data);

  const std::vector<Region>& regions() const { return regions_; }
  /// The host bytes behind a GPU address, to the end of its array; nullptr outside all arrays.
  std::byte* find(Address address);

  /// Copies `count` bytes from a GPU address on, zeros where no array is. Arrays begin on lines: none begins within a line.
  void read(Address address, std::byte* to, std::size_t count) const;

  static constexpr std::uint64_t kMostElements = (std::uint64_t{1} << 31) - 1;  // of one array: indices are 32 bits
  static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;           // of all arrays together

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  const Region* region_of(Address address) const;
  Address allocate(const std::string& name, std::uint64_t count, std::uint64_t element_bytes);

  std::vector<Region> regions_;  // ascending bases
  std::vector<std::unique_ptr<std::byte[], Free>> storage_;
  std::uint64_t bytes_ = 0;
};

}  // namespace wharf::spmd
