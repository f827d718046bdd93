#pragma once
// Stacks for warp coroutines: one slot a warp that has started and not ended, reused without system calls. Below each stack
// lies an inaccessible page: a kernel that needs more than its stack stops there instead of overwriting its neighbour.

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace wharf::spmd {

class StackPool {
 public:
  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  /// Throws std::bad_alloc when the system has no more address space.
  boost::context::stack_context take();
  void give_back(const boost::context::stack_context& stack);

 private:
  void add_slab();

  std::vector<boost::context::stack_context> free_;
  std::vector<void*> slabs_;
};

/// What boost::context::fiber wants of a stack allocator. It shares the pool, which thus outlives every coroutine.
struct PooledStack {
  std::shared_ptr<StackPool> pool;
  boost::context::stack_context allocate() { return pool->take(); }
  void deallocate(boost::context::stack_context& stack) { pool->give_back(stack); }
};

}  // namespace wharf::spmd
