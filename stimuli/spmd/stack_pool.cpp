#include "stimuli/spmd/stack_pool.h"

#include <sys/mman.h>

#include <new>

#include "model/base/host/islands.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace wharf::spmd {
namespace {

constexpr std::size_t kGuardBytes = 4096;
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
constexpr std::size_t kStack = 256u << 10;  // for red zones and unoptimised frames
#else
constexpr std::size_t kStack = 32u << 10;  // most kernels touch 8 KB, and cfd 17; untouched pages are not allocated
#endif
constexpr std::size_t kSlot = kGuardBytes + kStack, kSlotsPerSlab = 64, kSlab = kSlot * kSlotsPerSlab;

}  // namespace

StackPool::~StackPool() {
  for (void* slab : slabs_) munmap(slab, kSlab);
}

boost::context::stack_context StackPool::acquire() {
  const Islands::Lock lock(mutex_);
  if (free_.empty()) add_slab();
  const auto stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::release(const boost::context::stack_context& stack) {
#if defined(__SANITIZE_ADDRESS__)
  // An abandoned coroutine leaves the red zones of its frames behind.
  __asan_unpoison_memory_region(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
#endif
  const Islands::Lock lock(mutex_);
  free_.push_back(stack);
}

void StackPool::add_slab() {
  void* const slab = mmap(nullptr, kSlab, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) throw std::bad_alloc();
  slabs_.push_back(slab);
  free_.reserve(slabs_.size() * kSlotsPerSlab);  // so that giving back never allocates
  for (std::size_t i = kSlotsPerSlab; i-- > 0;) {
    std::byte* const slot = static_cast<std::byte*>(slab) + i * kSlot;
    if (mprotect(slot, kGuardBytes, PROT_NONE) != 0) throw std::bad_alloc();
    boost::context::stack_context stack;
    stack.size = kStack;
    stack.sp = slot + kSlot;  // stacks grow down
    free_.push_back(stack);
  }
}

}  // namespace wharf::spmd
