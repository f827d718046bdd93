#pragma once
// Uniform numbers in (0, 1], with 2^-32 or 2^-53 between two of them.

static __forceinline__ __device__ float wharf_uniform_of(unsigned bits) { return bits * 0x1p-32f + 0x1p-33f; }
static __forceinline__ __device__ double wharf_uniform_double_of(unsigned low, unsigned high) {
  return (low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
}

template <typename State>
static __forceinline__ __device__ float curand_uniform(State* state) {
  return wharf_uniform_of(curand(state));
}
/// Takes two numbers of the generator.
template <typename State>
static __forceinline__ __device__ double curand_uniform_double(State* state) {
  const unsigned low = curand(state);
  return wharf_uniform_double_of(low, curand(state));
}

/// MRG32k3a's numbers divided by its modulus: 32 bits, for doubles too.
static __forceinline__ __device__ double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return wharf_next_of_mrg(state) * (1.0 / 4294967087.0);
}
static __forceinline__ __device__ float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(curand_uniform_double(state));
}

// Several at a time, of Philox only.
static __forceinline__ __device__ float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return make_float4(wharf_uniform_of(bits.x), wharf_uniform_of(bits.y), wharf_uniform_of(bits.z), wharf_uniform_of(bits.w));
}
static __forceinline__ __device__ double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return make_double2(wharf_uniform_double_of(bits.x, bits.y), wharf_uniform_double_of(bits.z, bits.w));
}
static __forceinline__ __device__ double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}
