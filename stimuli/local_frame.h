#pragma once
// The local arrays of a kernel, twice: as a stimulus gives their addresses, and as a thread's stack holds them.
//
// A stimulus has the elements of all threads of the grid in one array. Element i of a warp's 32 threads are neighbours, its element i + 1
// follows, then the next warp's elements. A stack has the elements of one thread, one array behind the other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/types.h"

namespace wharf {

class LocalFrame {
 public:
  /// Adds an array of `elements` elements a thread, which all threads together have in the `bytes` bytes from `base` on. It lies behind
  /// those that are here, at a multiple of its element: 1, 2, 4, 8 or 16 bytes.
  void add(Address base, std::uint64_t bytes, std::uint32_t element_bytes, std::uint32_t elements);

  /// Size of a thread's frame in bytes, a multiple of 16.
  std::uint64_t bytes() const;

  /// Offset in its thread's stack of an access of `access_bytes` at `address`. Throws SimulationError, which names `kernel`, unless the
  /// access lies in one element of the arrays.
  Address offset_of(Address address, std::uint32_t access_bytes, const std::string& kernel) const;

 private:
  struct Array {
    Address base;
    std::uint64_t bytes;
    std::uint32_t element_bytes, elements;
    std::uint64_t offset;
  };
  std::vector<Array> arrays_;
  std::uint64_t end_ = 0;
};

}  // namespace wharf
