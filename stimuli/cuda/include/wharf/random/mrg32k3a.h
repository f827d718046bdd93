#pragma once
// MRG32k3a: P. L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random Number Generators", Operations Research
// 47(1), 1999, figure I. The difference of two linear recurrences of order 3.
//
// A jump works as in xorwow.h. Its polynomials have 3 coefficients, few enough to square on the way, so there is no table. Each bit of a jump
// costs some 1,600 instructions.

/// next = middle_factor * middle + newest_factor * newest - oldest_factor * oldest, modulo 2^32 - gap.
struct wharf_mrg_recurrence {
  unsigned gap, oldest_factor, middle_factor, newest_factor;
};
/// x^(2^k) modulo the characteristic polynomials of both recurrences, lowest coefficient first.
struct wharf_mrg_powers {
  unsigned first[3], second[3];
};

/// `value` modulo 2^32 - gap, where 2^32 is as much as the gap.
static __forceinline__ __device__ unsigned wharf_mrg_modulo(unsigned long long value, unsigned gap) {
  value = (value >> 32) * gap + (value & 0xffffffffu);
  value = (value >> 32) * gap + (value & 0xffffffffu);
  const unsigned long long modulus = 0x100000000ull - gap;
  return static_cast<unsigned>(value >= modulus ? value - modulus : value);
}
static __forceinline__ __device__ unsigned wharf_mrg_product(unsigned long long left, unsigned right, unsigned gap) {
  return wharf_mrg_modulo(left * right, gap);
}
/// Moves three numbers, oldest first, by one.
static __forceinline__ __device__ void wharf_step_mrg(const wharf_mrg_recurrence& recurrence, unsigned (&numbers)[3]) {
  const unsigned long long minus_oldest = 0x100000000ull - recurrence.gap - numbers[0];
  const unsigned next =
      wharf_mrg_modulo(recurrence.oldest_factor * minus_oldest + static_cast<unsigned long long>(recurrence.middle_factor) * numbers[1] +
                           static_cast<unsigned long long>(recurrence.newest_factor) * numbers[2],
                       recurrence.gap);
  numbers[0] = numbers[1], numbers[1] = numbers[2], numbers[2] = next;
}
/// Squares a polynomial modulo the characteristic one.
static __forceinline__ __device__ void wharf_square_mrg(const wharf_mrg_recurrence& recurrence, unsigned (&power)[3]) {
  const unsigned gap = recurrence.gap;
  unsigned long long square[5] = {wharf_mrg_product(power[0], power[0], gap), 2ull * wharf_mrg_product(power[0], power[1], gap),
                                  2ull * wharf_mrg_product(power[0], power[2], gap) + wharf_mrg_product(power[1], power[1], gap),
                                  2ull * wharf_mrg_product(power[1], power[2], gap), wharf_mrg_product(power[2], power[2], gap)};
#pragma unroll
  for (int degree = 4; degree >= 3; --degree) {  // x^3 = newest_factor x^2 + middle_factor x - oldest_factor
    const unsigned long long leading = wharf_mrg_modulo(square[degree], gap);
    square[degree - 1] += recurrence.newest_factor * leading;
    square[degree - 2] += recurrence.middle_factor * leading;
    square[degree - 3] += recurrence.oldest_factor * (0x100000000ull - gap - leading);
  }
#pragma unroll
  for (int i = 0; i < 3; ++i) power[i] = wharf_mrg_modulo(square[i], gap);
}
/// Moves three numbers by `count` * 2^k, where `start` is x^(2^k). The lanes of a warp stay together, as in xorwow.h.
static __forceinline__ __device__ void wharf_jump_recurrence(unsigned long long count, const wharf_mrg_recurrence& recurrence,
                                                             const unsigned (&start)[3], unsigned (&numbers)[3]) {
  unsigned power[3] = {start[0], start[1], start[2]};
  for (const unsigned active = __activemask(); __any_sync(active, count != 0); count >>= 1) {
    unsigned long long sum[3] = {};  // power[degree] times the numbers moved by the degree, for all degrees
    unsigned moved[3] = {numbers[0], numbers[1], numbers[2]};
#pragma unroll
    for (int degree = 0; degree < 3; ++degree) {
#pragma unroll
      for (int i = 0; i < 3; ++i) sum[i] += wharf_mrg_product(power[degree], moved[i], recurrence.gap);
      wharf_step_mrg(recurrence, moved);
    }
#pragma unroll
    for (int i = 0; i < 3; ++i) numbers[i] = (count & 1) != 0 ? wharf_mrg_modulo(sum[i], recurrence.gap) : numbers[i];
    wharf_square_mrg(recurrence, power);
  }
}

static __forceinline__ __device__ wharf_mrg_recurrence wharf_mrg_first() { return {209, 810728, 1403580, 0}; }
static __forceinline__ __device__ wharf_mrg_recurrence wharf_mrg_second() { return {22853, 1370589, 0, 527612}; }

static __forceinline__ __device__ void wharf_jump_mrg(unsigned long long count, const wharf_mrg_powers& powers,
                                                      curandStateMRG32k3a_t* state) {
  wharf_jump_recurrence(count, wharf_mrg_first(), powers.first, state->first);
  wharf_jump_recurrence(count, wharf_mrg_second(), powers.second, state->second);
}

/// Skips `count` numbers.
static __forceinline__ __device__ void skipahead(unsigned long long count, curandStateMRG32k3a_t* state) {
  wharf_jump_mrg(count, {{0, 1, 0}, {0, 1, 0}}, state);
}
/// Skips `count` subsequences of 2^76 numbers.
static __forceinline__ __device__ void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  wharf_jump_mrg(count, {{82758667, 1871391091, 4127413238}, {1511326704, 3759209742, 1610795712}}, state);
}
/// Skips `count` sequences of 2^127 numbers.
static __forceinline__ __device__ void skipahead_sequence(unsigned long long count, curandStateMRG32k3a_t* state) {
  wharf_jump_mrg(count, {{2427906178, 3580155704, 949770784}, {1464411153, 277697599, 1610723613}}, state);
}

/// Starts at number `offset` of subsequence `subsequence`. Seed 0 is L'Ecuyer's start, six times 12345; another one multiplies it.
static __forceinline__ __device__ void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                                   curandStateMRG32k3a_t* state) {
  curandStateMRG32k3a_t start = {{12345, 12345, 12345}, {12345, 12345, 12345}, 0, 0, 0, 0};
  if (seed != 0) {
    const unsigned long long low = static_cast<unsigned>(seed) ^ 0x55555555u, high = static_cast<unsigned>(seed >> 32) ^ 0xaaaaaaaau;
    start.first[0] = start.first[2] = wharf_mrg_modulo(12345 * low, 209);
    start.first[1] = wharf_mrg_modulo(12345 * high, 209);
    start.second[0] = start.second[2] = wharf_mrg_modulo(12345 * high, 22853);
    start.second[1] = wharf_mrg_modulo(12345 * low, 22853);
  }
  skipahead_subsequence(subsequence, &start);
  skipahead(offset, &start);
  *state = start;
}

/// The next number, from 1 to 2^32 - 209.
static __forceinline__ __device__ unsigned wharf_next_of_mrg(curandStateMRG32k3a_t* state) {
  wharf_step_mrg(wharf_mrg_first(), state->first);
  wharf_step_mrg(wharf_mrg_second(), state->second);
  const unsigned first = state->first[2], second = state->second[2];
  return first - second + (first <= second ? 4294967087u : 0);
}
/// The next 32 bits: the number, stretched to all of them.
static __forceinline__ __device__ unsigned curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned>(wharf_next_of_mrg(state) * 1.000000048662);
}
