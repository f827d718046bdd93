#pragma once
// Copies from global to shared memory that the thread does not wait for, barriers in shared memory that count arrivals and bytes, and
// clusters of blocks: the instructions of sm_80 and sm_90 under C++ names.

#define WHARF_DEVICE static __inline__ __device__

namespace wharf_asynchronous {

typedef unsigned long long State;  // of an mbarrier

WHARF_DEVICE unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

/// `bytes`: 4, 8 or 16, of which the first `read` come from `from`, and zeros follow.
WHARF_DEVICE void copy(void* to, const void* from, size_t bytes, size_t read) {
  const unsigned place = shared_address(to), count = static_cast<unsigned>(read);
  if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(place), "l"(from), "r"(count) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(place), "l"(from), "r"(count) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(place), "l"(from), "r"(count) : "memory");
}
WHARF_DEVICE void commit_copies() { asm volatile("cp.async.commit_group;" : : : "memory"); }
WHARF_DEVICE void await_all_copies() { asm volatile("cp.async.wait_all;" : : : "memory"); }
/// Waits for all groups of copies but the latest `open`, or the latest 7 where it is more.
WHARF_DEVICE void await_copies(size_t open) {
#define WHARF_WAIT(number)                                           \
  case number:                                                       \
    asm volatile("cp.async.wait_group " #number ";" : : : "memory"); \
    break;
  switch (open < 7 ? open : 7) {
    WHARF_WAIT(0)
    WHARF_WAIT(1)
    WHARF_WAIT(2)
    WHARF_WAIT(3)
    WHARF_WAIT(4)
    WHARF_WAIT(5)
    WHARF_WAIT(6)
    WHARF_WAIT(7)
  }
#undef WHARF_WAIT
}

/// What the types of a copy say of the alignment of both places.
template <class T>
struct AlignmentOf {
  static constexpr size_t value = alignof(T);
};
template <>
struct AlignmentOf<void> {
  static constexpr size_t value = 1;
};
/// What a type of counts says of the alignment of both places and of the count.
template <class Size>
struct AlignmentBy {
  static constexpr size_t value = 1;
};
template <class To, class From, class Size>
constexpr __device__ size_t known_alignment() {
  constexpr size_t to = AlignmentOf<To>::value, from = AlignmentOf<From>::value, by = AlignmentBy<Size>::value;
  constexpr size_t of_types = to < from ? to : from;
  return of_types > by ? of_types : by;
}

template <size_t piece>
WHARF_DEVICE void copy_pieces(char* to, const char* from, size_t bytes, size_t rank, size_t threads) {
  for (size_t at = rank * piece; at < bytes; at += threads * piece) copy(to + at, from + at, piece, piece);
}

/// Thread `rank` of `threads` copies its share of `bytes` bytes, in the largest pieces that alignment and count allow. What no asynchronous
/// copy can move is stored at once. `known`: an alignment of both places, as far as types say.
template <size_t known>
WHARF_DEVICE void copy_share(void* to, const void* from, size_t bytes, size_t rank, size_t threads) {
  char* const out = static_cast<char*>(to);
  const char* const in = static_cast<const char*>(from);
  const bool is_asynchronous = __isShared(to) != 0 && __isGlobal(from) != 0;
  const size_t bits = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
  if (is_asynchronous && (known >= 16 ? bytes : bits) % 16 == 0) return copy_pieces<16>(out, in, bytes, rank, threads);
  if (is_asynchronous && (known >= 8 ? bytes : bits) % 8 == 0) return copy_pieces<8>(out, in, bytes, rank, threads);
  if (is_asynchronous && (known >= 4 ? bytes : bits) % 4 == 0) return copy_pieces<4>(out, in, bytes, rank, threads);
  for (size_t at = rank; at < bytes; at += threads) out[at] = in[at];
}

WHARF_DEVICE void init(State* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
WHARF_DEVICE void invalidate(State* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}
WHARF_DEVICE State arrive(State* barrier, unsigned arrivals = 1) {
  State state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(shared_address(barrier)), "r"(arrivals) : "memory");
  return state;
}
/// One arrival; the phases that follow need one less.
WHARF_DEVICE State arrive_and_drop(State* barrier) {
  State state;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(barrier)) : "memory");
  return state;
}
/// One arrival; the phase waits for `bytes` more.
WHARF_DEVICE State arrive_and_expect(State* barrier, unsigned bytes) {
  State state;
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], %2;" : "=l"(state) : "r"(shared_address(barrier)), "r"(bytes) : "memory");
  return state;
}
/// The barrier waits for the thread's copies so far, besides the arrivals that it expects.
WHARF_DEVICE void count_copies(State* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}
/// As arrive(), when the thread's copies so far have ended.
WHARF_DEVICE void arrive_after_copies(State* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" : : "r"(shared_address(barrier)) : "memory");
}

#define WHARF_TEST(name, instruction, Value, constraint)                                                    \
  WHARF_DEVICE bool name(State* barrier, Value value) {                                                     \
    unsigned ended;                                                                                         \
    asm volatile("{ .reg .pred p; mbarrier." instruction ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(ended)                                                                              \
                 : "r"(shared_address(barrier)), constraint(value)                                          \
                 : "memory");                                                                               \
    return ended != 0;                                                                                      \
  }
WHARF_TEST(test, "test_wait", State, "l")
WHARF_TEST(test_parity, "test_wait.parity", unsigned, "r")
WHARF_TEST(try_wait, "try_wait", State, "l")
WHARF_TEST(try_wait_parity, "try_wait.parity", unsigned, "r")
#undef WHARF_TEST

/// The fields of a special register of three dimensions.
#define WHARF_DIMENSIONS(name, reg)                                                                                           \
  WHARF_DEVICE dim3 name() {                                                                                                  \
    unsigned across, down, deep;                                                                                              \
    asm("mov.u32 %0, %%" reg ".x; mov.u32 %1, %%" reg ".y; mov.u32 %2, %%" reg ".z;" : "=r"(across), "=r"(down), "=r"(deep)); \
    return dim3(across, down, deep);                                                                                          \
  }
WHARF_DIMENSIONS(block_in_cluster, "cluster_ctaid")
WHARF_DIMENSIONS(blocks_of_cluster, "cluster_nctaid")
#undef WHARF_DIMENSIONS
WHARF_DEVICE unsigned rank_in_cluster() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
WHARF_DEVICE unsigned ranks_of_cluster() {
  unsigned ranks;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  return ranks;
}
WHARF_DEVICE void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release;" : : : "memory"); }
WHARF_DEVICE void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire;" : : : "memory"); }

}  // namespace wharf_asynchronous

#undef WHARF_DEVICE
