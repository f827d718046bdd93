#pragma once
// cuda::barrier of a block's threads, and copies that it counts. The other scopes would need barriers in global memory.

#include <wharf/typed_atomics/thread_scope.h>

namespace cuda {

/// A count of bytes that is a multiple of `alignment`, as both addresses are.
template <size_t alignment>
struct aligned_size_t {
  static constexpr size_t align = alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t count) : value(count) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

}  // namespace cuda

template <size_t alignment>
struct wharf_asynchronous::AlignmentBy<cuda::aligned_size_t<alignment>> {
  static constexpr size_t value = alignment;
};

namespace cuda {

template <thread_scope scope>
class barrier {
  static_assert(scope == thread_scope_block, "only barriers of thread_scope_block are supported");

 public:
  using arrival_token = wharf_asynchronous::State;

  barrier() = default;
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  __device__ arrival_token arrive(ptrdiff_t arrivals = 1) { return wharf_asynchronous::arrive(&state_, static_cast<unsigned>(arrivals)); }
  __device__ void wait(arrival_token token) {
    while (!wharf_asynchronous::try_wait(&state_, token)) {
    }
  }
  __device__ void wait_parity(bool parity) {
    while (!wharf_asynchronous::try_wait_parity(&state_, parity ? 1 : 0)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { wharf_asynchronous::arrive_and_drop(&state_); }
  static constexpr __device__ ptrdiff_t max() { return (1 << 20) - 1; }

  friend __device__ void init(barrier* one, ptrdiff_t arrivals) { wharf_asynchronous::init(&one->state_, static_cast<unsigned>(arrivals)); }

  /// The mbarrier.
  __device__ wharf_asynchronous::State* native() { return &state_; }

 private:
  wharf_asynchronous::State state_;
};

template <thread_scope scope>
__device__ inline wharf_asynchronous::State* barrier_native_handle(barrier<scope>& one) {
  return one.native();
}

/// The calling thread copies, and the barrier waits for it.
template <class To, class From, class Size, thread_scope scope>
__device__ inline void memcpy_async(To* to, const From* from, Size bytes, barrier<scope>& one) {
  wharf_asynchronous::copy_share<wharf_asynchronous::known_alignment<To, From, Size>()>(to, from, bytes, 0, 1);
  wharf_asynchronous::count_copies(one.native());
}
/// All threads of the group copy together.
template <class Group, class To, class From, class Size, thread_scope scope>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes, barrier<scope>& one) {
  wharf_asynchronous::copy_share<wharf_asynchronous::known_alignment<To, From, Size>()>(to, from, bytes, group.thread_rank(), group.size());
  wharf_asynchronous::count_copies(one.native());
}

namespace device {
/// `arrivals` arrivals; the phase waits for `bytes` more.
template <thread_scope scope>
__device__ inline wharf_asynchronous::State barrier_arrive_tx(barrier<scope>& one, ptrdiff_t arrivals, ptrdiff_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               :
               : "r"(wharf_asynchronous::shared_address(one.native())), "r"(static_cast<unsigned>(bytes))
               : "memory");
  return wharf_asynchronous::arrive(one.native(), static_cast<unsigned>(arrivals));
}
/// One bulk copy, whose bytes the barrier counts.
template <class Size, thread_scope scope>
__device__ inline void memcpy_async_tx(void* to, const void* from, Size bytes, barrier<scope>& one) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :
               : "r"(wharf_asynchronous::shared_address(to)), "l"(from), "r"(static_cast<unsigned>(bytes)),
                 "r"(wharf_asynchronous::shared_address(one.native()))
               : "memory");
}
}  // namespace device

}  // namespace cuda
