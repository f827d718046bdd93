#pragma once
// Vectors aligned to the host's cache lines, so that members used together occupy as few lines as possible.

#include <cstddef>
#include <new>
#include <vector>

namespace wharf {

inline constexpr std::size_t kHostLineBytes = 64;

template <class T>
struct HostLineAllocator {
  using value_type = T;
  HostLineAllocator() = default;
  template <class Other>
  HostLineAllocator(const HostLineAllocator<Other>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kHostLineBytes})); }
  void deallocate(T* elements, std::size_t) { ::operator delete(elements, std::align_val_t{kHostLineBytes}); }

  friend bool operator==(const HostLineAllocator&, const HostLineAllocator&) { return true; }
  friend bool operator!=(const HostLineAllocator&, const HostLineAllocator&) { return false; }
};

/// A vector whose first element starts a host cache line.
template <class T>
using HostLineVector = std::vector<T, HostLineAllocator<T>>;

}  // namespace wharf
