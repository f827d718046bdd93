#pragma once
// XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003, p. 5. A shift register of 160 bits, plus a counter.
//
// A jump of n numbers multiplies the register by A^n, where A is its 160 x 160 matrix over GF(2). Because p(A) = 0 for the characteristic
// polynomial p of A, A^n is a sum of the powers A^0 to A^159, whose coefficients are those of x^n mod p (H. Haramoto et al., "Efficient Jump
// Ahead for F2-Linear Random Number Generators", INFORMS Journal on Computing 20(3), 2008). So a table of x^(2^k) mod p suffices, of 20 bytes per
// power, and each bit of n that is set costs 160 steps of the register, some 2,500 instructions. cuRAND multiplies by matrices instead,
// which take more loads.

/// Moves the register by one number.
static __forceinline__ __device__ void wharf_step_xorwow(unsigned (&words)[5]) {
  const unsigned oldest = words[0] ^ words[0] >> 2, newest = words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) words[i] = words[i + 1];
  words[4] = newest ^ newest << 4 ^ oldest ^ oldest << 1;
}

/// value ^ (word & mask), which is one machine instruction.
static __forceinline__ __device__ unsigned wharf_add_masked(unsigned value, unsigned word, unsigned mask) {
  asm("lop3.b32 %0, %0, %1, %2, 0x78;" : "+r"(value) : "r"(word), "r"(mask));
  return value;
}
/// Moves the register by `count` * 2^exponent numbers; exponent 0 to 67. The lanes of a warp go through the bits of their counts together,
/// so that the warp stays whole.
static __forceinline__ __device__ void wharf_jump_xorwow(unsigned long long count, int exponent, unsigned (&words)[5]) {
  // x^(2^k) mod p for k up to 130, the last bit of a number of sequences. Bit m of word n is the coefficient of x^(32 n + m).
  static constexpr unsigned kPowers[131][5] = {
#include <wharf/random/xorwow_powers.inc>
  };
  const unsigned active = __activemask();
  for (int power = exponent; __any_sync(active, count != 0); count >>= 1, ++power) {
    if (!__any_sync(active, count & 1)) continue;
    unsigned sum[5] = {};
    for (int word = 4; word >= 0; --word)
      for (unsigned rest = kPowers[power][word], bit = 0; bit < 32; ++bit, rest <<= 1) {
        wharf_step_xorwow(sum);
        const unsigned mask = static_cast<unsigned>(static_cast<int>(rest) >> 31);
#pragma unroll
        for (int i = 0; i < 5; ++i) sum[i] = wharf_add_masked(sum[i], words[i], mask);
      }
#pragma unroll
    for (int i = 0; i < 5; ++i) words[i] = (count & 1) != 0 ? sum[i] : words[i];
  }
}

/// Skips `count` numbers.
static __forceinline__ __device__ void skipahead(unsigned long long count, curandStateXORWOW_t* state) {
  wharf_jump_xorwow(count, 0, state->words);
  state->weyl += 362437u * static_cast<unsigned>(count);
}
/// Skips `count` sequences of 2^67 numbers, after which the counter is where it was.
static __forceinline__ __device__ void skipahead_sequence(unsigned long long count, curandStateXORWOW_t* state) {
  wharf_jump_xorwow(count, 67, state->words);
}

/// Starts at number `offset` of sequence `sequence`. The bits of the seed change Marsaglia's start.
static __forceinline__ __device__ void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                                                   curandStateXORWOW_t* state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  curandStateXORWOW_t start = {
      6615241u + low + high, {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}, 0, 0, 0, 0};
  skipahead_sequence(sequence, &start);
  skipahead(offset, &start);
  *state = start;
}

/// The next 32 bits.
static __forceinline__ __device__ unsigned curand(curandStateXORWOW_t* state) {
  wharf_step_xorwow(state->words);
  state->weyl += 362437;
  return state->words[4] + state->weyl;
}
