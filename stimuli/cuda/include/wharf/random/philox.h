#pragma once
// Philox4x32-10: J. Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. Four words are a function of a counter
// of 128 bits and a key of 64, so that a jump only adds to the counter. The key is the seed, the upper half of the counter the sequence.

/// The four words of `counter`.
static __forceinline__ __device__ uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long even = 0xd2511f53ull * counter.x, odd = 0xcd9e8d57ull * counter.z;
    counter = make_uint4(static_cast<unsigned>(odd >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(odd),
                         static_cast<unsigned>(even >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(even));
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

/// Adds to the counter, and computes its words.
static __forceinline__ __device__ void wharf_advance_philox(unsigned long long low, unsigned long long high,
                                                            curandStatePhilox4_32_10_t* state) {
  const uint4 counter = state->counter;
  const unsigned long long sum = low + (counter.x | static_cast<unsigned long long>(counter.y) << 32);
  const unsigned long long upper = high + (counter.z | static_cast<unsigned long long>(counter.w) << 32) + (sum < low);
  state->counter = make_uint4(static_cast<unsigned>(sum), static_cast<unsigned>(sum >> 32), static_cast<unsigned>(upper),
                              static_cast<unsigned>(upper >> 32));
  state->output = curand_Philox4x32_10(state->counter, state->key);
}

/// Skips `count` numbers.
static __forceinline__ __device__ void skipahead(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  const unsigned used = state->used + static_cast<unsigned>(count & 3);
  state->used = used & 3;
  wharf_advance_philox(count / 4 + used / 4, 0, state);
}
/// Skips `count` sequences of 2^64 counters, which are 2^66 numbers.
static __forceinline__ __device__ void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t* state) {
  wharf_advance_philox(0, count, state);
}

/// Starts at number `offset` of sequence `sequence`.
static __forceinline__ __device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                                   curandStatePhilox4_32_10_t* state) {
  curandStatePhilox4_32_10_t start = {};
  start.counter = make_uint4(0, 0, static_cast<unsigned>(sequence), static_cast<unsigned>(sequence >> 32));
  start.key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  skipahead(offset, &start);
  *state = start;
}

/// The next 32 bits.
static __forceinline__ __device__ unsigned curand(curandStatePhilox4_32_10_t* state) {
  const uint4 output = state->output;
  const unsigned used = state->used++;
  if (used < 3) return used == 0 ? output.x : used == 1 ? output.y : output.z;
  state->used = 0;
  wharf_advance_philox(1, 0, state);
  return output.w;
}
/// The next four, at the cost of one counter.
static __forceinline__ __device__ uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 now = state->output;
  wharf_advance_philox(1, 0, state);
  const uint4 next = state->output;
  switch (state->used) {
    case 0:
      return now;
    case 1:
      return make_uint4(now.y, now.z, now.w, next.x);
    case 2:
      return make_uint4(now.z, now.w, next.x, next.y);
    default:
      return make_uint4(now.w, next.x, next.y, next.z);
  }
}
