#pragma once
// Stacks for warp coroutines: one slot per warp that has started and not ended, reused without system calls. An inaccessible page lies
// below each stack, so that a kernel that overflows its stack stops instead of overwriting another one.

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace wharf::spmd {

class StackPool {
 public:
  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  /// Throws std::bad_alloc when the system has no more address space.
  boost::context::stack_context acquire();
  void release(const boost::context::stack_context& stack);

 private:
  void add_slab();

  std::mutex mutex_;
  std::vector<boost::context::stack_context> free_;
  std::vector<void*> slabs_;
};

/// The stack allocator for boost::context::fiber. It shares ownership of the pool, which thus outlives every coroutine.
struct PooledStack {
  std::shared_ptr<StackPool> pool;
  boost::context::stack_context allocate() { return pool->acquire(); }
  void deallocate(boost::context::stack_context& stack) { pool->release(stack); }
};

}  // namespace wharf::spmd
