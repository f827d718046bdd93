#pragma once
// The global memory of a workload: named arrays at GPU addresses, backed by host memory. This is the only functional image: loads read it
// and stores change it when the warp issues them. Placement (workloads section 0.1): bases are aligned to 256 B, and for arrays of 1 MB and
// more to 2 MB, as real allocators do; arrays lie at least 4 KB apart, so that no line belongs to two of them.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "stimuli/local_frame.h"
#include "stimuli/spmd/lanes.h"

namespace wharf::spmd {

/// A typed view of `size` elements at GPU address `base`. Element order in memory is the host's (little endian).
template <class T>
struct Array {
  Address base = 0;
  T* data = nullptr;
  std::uint32_t size = 0;

  T& operator[](std::uint64_t i) const { return data[i]; }
  /// The subarray from element `first` on.
  Array from(std::uint64_t first) const { return {base + first * sizeof(T), data + first, size - static_cast<std::uint32_t>(first)}; }
};

/// The same for a CTA's shared memory; addresses are offsets within it.
template <class T>
struct SharedArray : Array<T> {};

/// An array at the same offset in the shared memory of other CTAs of the cluster: each lane accesses that of the CTA with its rank.
template <class T>
struct PeerArray {
  SharedArray<T> own;
  Lanes<int> rank;
};

/// An array per thread, in local memory. Element i of thread l of a warp lies 32 elements behind element i - 1, next to those of its
/// neighbours, so that lanes that access the same element touch consecutive bytes. A machine may lay out local memory itself instead
/// (CM-43); it knows the arrays from the frame of the launch.
template <class T>
struct LocalArray : Array<T> {
  std::uint32_t per_thread = 0;  // elements
};

/// The frame of a kernel that uses these arrays.
template <class... T>
LocalFrame frame_of(const LocalArray<T>&... arrays) {
  LocalFrame frame;
  (frame.add(arrays.base, std::uint64_t{arrays.size} * sizeof(T), sizeof(T), arrays.per_thread), ...);
  return frame;
}

class Memory {
 public:
  struct Region {
    std::string name;
    Address base;
    std::uint64_t bytes;
    std::byte* data;
  };

  /// Allocates `count` elements, all bytes 0. Throws InputError if the workload exceeds the limits below, because arguments set its sizes.
  template <class T>
  Array<T> array(const std::string& name, std::uint64_t count) {
    return {allocate(name, count, sizeof(T)), reinterpret_cast<T*>(regions_.back().data), static_cast<std::uint32_t>(count)};
  }

  /// Allocates `per_thread` elements for each of the `warps` * 32 threads of a launch. Every warp of the grid has its own; hardware reuses
  /// the place of a warp that has ended.
  template <class T>
  LocalArray<T> local_array(const std::string& name, std::uint64_t warps, std::uint32_t per_thread) {
    static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0,
                  "an element is accessed by one instruction: 1, 2, 4, 8 or 16 bytes");
    return {array<T>(name, warps * kLanes * per_thread), per_thread};
  }

  /// Maps foreign memory, such as a host's RAM, which must outlive this object. Throws InputError where it would overlap a region.
  void map(const std::string& name, Address base, std::uint64_t bytes, std::byte* data);

  const std::vector<Region>& regions() const { return regions_; }
  /// The host bytes behind a GPU address, up to the end of its array; nullptr outside all arrays.
  std::byte* find(Address address);

  /// Copies `count` bytes from a GPU address on, with zeros outside all arrays. Arrays begin on line boundaries.
  void read(Address address, std::byte* to, std::size_t count) const;

  static constexpr std::uint64_t kMostElements = (std::uint64_t{1} << 31) - 1;  // per array: indices have 32 bits
  static constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;           // of all arrays

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
