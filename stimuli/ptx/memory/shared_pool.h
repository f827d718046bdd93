#pragma once
// Host memory for the registers of warps, which several threads may advance.

#include <cstddef>
#include <memory_resource>
#include <mutex>

#include "model/base/host/islands.h"
#include "stimuli/ptx/memory/huge_pages.h"

namespace wharf::ptx {

/// A pool whose lock costs nothing while one thread advances all warps, unlike std::pmr::synchronized_pool_resource.
class SharedPool final : public std::pmr::memory_resource {
 public:
  /// Larger pieces than `largest` bytes are not pooled.
  explicit SharedPool(std::size_t largest) : pool_({0, largest}, &huge_pages()) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const Islands::Lock lock(mutex_);
    return pool_.allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    const Islands::Lock lock(mutex_);
    pool_.deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::mutex mutex_;
  std::pmr::unsynchronized_pool_resource pool_;
};

}  // namespace wharf::ptx
