#pragma once
// Normal and log-normal numbers by G. Box and M. Muller, "A Note on the Generation of Random Normal Deviates", Annals of Mathematical Statistics
// 29(2), 1958: two uniform numbers become a radius and an angle, whose sine and cosine give two normal ones.

static __forceinline__ __device__ float2 wharf_normals_of(float uniform, float angle) {
  const float radius = sqrtf(-2.0f * logf(uniform));
  float sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return make_float2(radius * sine, radius * cosine);
}
/// The angle is 2 pi times `turn`.
static __forceinline__ __device__ double2 wharf_double_normals_of(double uniform, double turn) {
  const double radius = sqrt(-2.0 * log(uniform));
  double sine, cosine;
  sincospi(2.0 * turn, &sine, &cosine);
  return make_double2(radius * sine, radius * cosine);
}
/// An angle in (0, 2 pi] of 32 bits.
static __forceinline__ __device__ float wharf_angle_of(unsigned bits) {
  const float unit = 2 * 3.14159265358979323846 * 0x1p-32;
  return bits * unit + unit / 2;
}

template <typename State>
static __forceinline__ __device__ float2 curand_normal2(State* state) {
  const float uniform = curand_uniform(state);
  return wharf_normals_of(uniform, wharf_angle_of(curand(state)));
}
static __forceinline__ __device__ float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float uniform = curand_uniform(state);
  return wharf_normals_of(uniform, curand_uniform(state) * 6.2831853071795860f);
}
template <typename State>
static __forceinline__ __device__ double2 curand_normal2_double(State* state) {
  const double uniform = curand_uniform_double(state);
  return wharf_double_normals_of(uniform, curand_uniform_double(state));
}

// One at a time: every other call returns the second number of the pair before.
template <typename State>
static __forceinline__ __device__ float curand_normal(State* state) {
  state->has_normal ^= 1;
  if (state->has_normal == 0) return state->second_normal;
  const float2 pair = curand_normal2(state);
  state->second_normal = pair.y;
  return pair.x;
}
template <typename State>
static __forceinline__ __device__ double curand_normal_double(State* state) {
  state->has_normal_double ^= 1;
  if (state->has_normal_double == 0) return state->second_normal_double;
  const double2 pair = curand_normal2_double(state);
  state->second_normal_double = pair.y;
  return pair.x;
}

static __forceinline__ __device__ float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  const float2 first = wharf_normals_of(wharf_uniform_of(bits.x), wharf_angle_of(bits.y));
  const float2 second = wharf_normals_of(wharf_uniform_of(bits.z), wharf_angle_of(bits.w));
  return make_float4(first.x, first.y, second.x, second.y);
}
static __forceinline__ __device__ double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  return make_double4(first.x, first.y, second.x, second.y);
}

// Log-normal: e to the power of a normal number with that mean and standard deviation.
template <typename State>
static __forceinline__ __device__ float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State>
static __forceinline__ __device__ double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <typename State>
static __forceinline__ __device__ float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
template <typename State>
static __forceinline__ __device__ double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}
static __forceinline__ __device__ float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float4 four = curand_normal4(state);
  return make_float4(expf(mean + deviation * four.x), expf(mean + deviation * four.y), expf(mean + deviation * four.z),
                     expf(mean + deviation * four.w));
}
