#pragma once
// The C functions of cuda_pipeline_primitives.h and cuda_awbarrier_primitives.h.

#define WHARF_DEVICE static __inline__ __device__

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

/// Copies `bytes` (4, 8 or 16, the alignment of both) to shared memory; the last `zeros` of them are zeros.
WHARF_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  wharf_asynchronous::copy(to, from, bytes, bytes - zeros);
}
WHARF_DEVICE void __pipeline_commit() { wharf_asynchronous::commit_copies(); }
WHARF_DEVICE void __pipeline_wait_prior(size_t open) { wharf_asynchronous::await_copies(open); }
WHARF_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) { wharf_asynchronous::count_copies(barrier); }

WHARF_DEVICE unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
WHARF_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned arrivals) { wharf_asynchronous::init(barrier, arrivals); }
WHARF_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) { wharf_asynchronous::invalidate(barrier); }
WHARF_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return wharf_asynchronous::arrive(barrier); }
WHARF_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) { return wharf_asynchronous::arrive_and_drop(barrier); }
WHARF_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) { return wharf_asynchronous::test(barrier, token); }
WHARF_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return wharf_asynchronous::test_parity(barrier, parity ? 1 : 0);
}
WHARF_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, unsigned = 0) {
  return wharf_asynchronous::try_wait(barrier, token);
}
WHARF_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, unsigned = 0) {
  return wharf_asynchronous::try_wait_parity(barrier, parity ? 1 : 0);
}
WHARF_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#undef WHARF_DEVICE
