// cuRAND's device functions: published numbers, jumps against single steps, and the distributions' moments.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

static_assert(sizeof(curandState) == 48 && sizeof(curandStatePhilox4_32_10_t) == 64 && sizeof(curandStateMRG32k3a_t) == 48, "as cuRAND's");

constexpr int kThreads = 128, kDraws = 256;
int wrong = 0;

void expect(bool right, const char* what, int i = 0) {
  if (!right) std::printf("%s (%d) is wrong\n", what, i), ++wrong;
}
template <typename T>
T* managed(int count) {
  T* values;
  cudaMallocManaged(&values, count * sizeof(T));
  return values;
}
void wait() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error)), ++wrong;
}

struct Published {
  unsigned xorwow[5];               // from Marsaglia's start
  unsigned philox[3][4];            // Random123's vectors
  unsigned first[3], substream[3];  // of MRG32k3a
  float sequences[10];              // of XORWOW with seed 1234
};

__global__ void compute_published(Published* out) {
  const int lane = threadIdx.x;
  curandState state;
  curand_init(1234, lane, 0, &state);
  out->sequences[lane] = curand_uniform(&state);
  if (lane != 0) return;
  state = curandState{6615241, {123456789, 362436069, 521288629, 88675123, 5783321}, 0, 0, 0, 0};
  for (unsigned& number : out->xorwow) number = curand(&state);
  const unsigned vectors[3][6] = {
      {0, 0, 0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0}};
  for (int i = 0; i < 3; ++i) {
    const unsigned* v = vectors[i];
    const uint4 words = curand_Philox4x32_10(make_uint4(v[0], v[1], v[2], v[3]), make_uint2(v[4], v[5]));
    out->philox[i][0] = words.x, out->philox[i][1] = words.y, out->philox[i][2] = words.z, out->philox[i][3] = words.w;
  }
  curandStateMRG32k3a mrg;
  curand_init(0, 0, 0, &mrg);
  for (unsigned& number : out->first) number = wharf_next_of_mrg(&mrg);
  curand_init(0, 1, 0, &mrg);
  for (unsigned& number : out->substream) number = wharf_next_of_mrg(&mrg);
}

void check_published() {
  Published* out = managed<Published>(1);
  compute_published<<<1, 10>>>(out);
  wait();
  // Marsaglia 2003, as C++ and D libraries test it.
  const unsigned xorwow[5] = {246875399, 3690007200, 1264581005, 3906711041, 1866187943};
  for (int i = 0; i < 5; ++i) expect(out->xorwow[i] == xorwow[i], "Marsaglia's number", i);
  // Random123, tests/kat_vectors, philox4x32 10.
  const unsigned philox[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                 {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                 {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 12; ++i) expect(out->philox[i / 4][i % 4] == philox[i / 4][i % 4], "Random123's word", i);
  // RngStreams (L'Ecuyer et al. 2002): the first numbers of the first stream, and of its next substream.
  const double first[3] = {0.12701112204657714, 0.3185275653967945, 0.3091860155832701};
  const double substream[3] = {0.07939898979733463, 0.4803395047575741, 0.8583222470551328};
  for (int i = 0; i < 3; ++i) {
    expect(std::fabs(out->first[i] / 4294967088.0 - first[i]) < 1e-15, "L'Ecuyer's number", i);
    expect(std::fabs(out->substream[i] / 4294967088.0 - substream[i]) < 1e-15, "L'Ecuyer's number behind 2^76", i);
  }
  // What cuRAND's example of its host functions prints: the first number of one sequence after the other.
  const double sequences[10] = {0.1455, 0.8202, 0.5504, 0.2948, 0.9147, 0.8690, 0.3219, 0.7829, 0.0113, 0.2855};
  for (int i = 0; i < 10; ++i) expect(std::fabs(out->sequences[i] - sequences[i]) < 5.1e-5, "cuRAND's number", i);
}

__device__ bool same(const curandState& a, const curandState& b) {
  bool equal = a.weyl == b.weyl;
  for (int i = 0; i < 5; ++i) equal &= a.words[i] == b.words[i];
  return equal;
}
__device__ bool same(const curandStateMRG32k3a& a, const curandStateMRG32k3a& b) {
  bool equal = true;
  for (int i = 0; i < 3; ++i) equal &= a.first[i] == b.first[i] && a.second[i] == b.second[i];
  return equal;
}
__device__ bool same(const uint4& a, const uint4& b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }
__device__ bool same(const curandStatePhilox4_32_10& a, const curandStatePhilox4_32_10& b) {
  return same(a.counter, b.counter) && same(a.output, b.output) && a.used == b.used;
}

/// Lane n skips n numbers, by every way there is.
template <typename State>
__global__ void skip(bool* right) {
  const int lane = threadIdx.x;
  State called, skipped, begun, twice;
  curand_init(77, 5, 0, &called);
  twice = skipped = called;
  for (int i = 0; i < lane; ++i) curand(&called);
  skipahead(lane, &skipped);
  curand_init(77, 5, lane, &begun);
  skipahead(lane / 2, &twice);
  skipahead(lane - lane / 2, &twice);
  right[lane] = same(called, skipped) && same(called, begun) && same(called, twice);
}
/// A jump of 2^(n + 1) numbers is two of 2^n, for all powers in the table. That of 2^0 is compared with steps above.
__global__ void double_xorwow(bool* right) {
  for (int power = 0; power < 130; ++power) {
    curandState once, twice;
    curand_init(1, 0, 0, &once);
    twice = once;
    wharf_jump_xorwow(1, power + 1, once.words);
    for (int i = 0; i < 2; ++i) wharf_jump_xorwow(1, power, twice.words);
    right[power] = same(once, twice);
  }
}
/// Skips one sequence by shorter jumps; returns the number of the next one.
__device__ unsigned long long walk_sequence(curandState* state) {
  for (int i = 0; i < 16; ++i) skipahead(1ull << 63, state);  // 2^67
  return 1;
}
__device__ unsigned long long walk_sequence(curandStatePhilox4_32_10_t* state) {
  for (int i = 0; i < 8; ++i) skipahead(1ull << 63, state);  // 2^66
  return 1;
}
__device__ unsigned long long walk_sequence(curandStateMRG32k3a_t* state) {
  skipahead_subsequence(1ull << 51, state);  // 2^127
  return 1ull << 51;
}
/// A sequence ends where the next one begins.
template <typename State>
__global__ void join_sequences(bool* right) {
  State jumped, walked, begun;
  curand_init(3, 0, 9, &jumped);
  walked = jumped;
  skipahead_sequence(1, &jumped);
  curand_init(3, walk_sequence(&walked), 9, &begun);
  *right = same(jumped, walked) && same(jumped, begun);
}
/// Lane n takes four numbers behind n others, at once and one after the other.
__global__ void take_four(bool* right) {
  curandStatePhilox4_32_10 four, ones;
  curand_init(8, 8, threadIdx.x, &four);
  ones = four;
  const uint4 together = curand4(&four);
  uint4 apart;
  apart.x = curand(&ones), apart.y = curand(&ones), apart.z = curand(&ones), apart.w = curand(&ones);
  right[threadIdx.x] = same(together, apart) && same(four, ones);
}

void check_jumps() {
  bool* right = managed<bool>(kThreads);
  const auto check = [&](const char* what, int count) {
    wait();
    for (int i = 0; i < count; ++i) expect(right[i], what, i), right[i] = false;
  };
  skip<curandState><<<1, 70>>>(right), check("XORWOW skipped", 70);
  skip<curandStatePhilox4_32_10><<<1, 70>>>(right), check("Philox skipped", 70);
  skip<curandStateMRG32k3a><<<1, 70>>>(right), check("MRG32k3a skipped", 70);
  join_sequences<curandState><<<1, 1>>>(right), check("XORWOW's sequence", 1);
  join_sequences<curandStatePhilox4_32_10><<<1, 1>>>(right), check("Philox' sequence", 1);
  join_sequences<curandStateMRG32k3a><<<1, 1>>>(right), check("MRG32k3a's sequence", 1);
  take_four<<<1, 8>>>(right), check("four of Philox", 8);
  bool* powers = managed<bool>(130);
  double_xorwow<<<1, 1>>>(powers), wait();
  for (int i = 0; i < 130; ++i) expect(powers[i], "XORWOW's power", i);
}

/// Sums of x, x^2 and x^3, and the extremes.
struct Moments {
  double sum, square, cube, least, most;
  __device__ void begin() { sum = square = cube = 0, least = 1e300, most = -1e300; }
  __device__ void add(double x) { sum += x, square += x * x, cube += x * x * x, least = fmin(least, x), most = fmax(most, x); }
};
enum Kind { kUniform, kUniformDouble, kNormal, kNormalDouble, kLogNormal, kLogNormalDouble, kFewEvents, kManyEvents, kKinds };

template <typename State>
__global__ void draw(Moments* out) {
  State state;
  curand_init(2024, threadIdx.x, 0, &state);
  for (int kind = 0; kind < kKinds; ++kind) out[kind * kThreads + threadIdx.x].begin();
  for (int i = 0; i < kDraws; ++i) {
    const double drawn[kKinds] = {curand_uniform(&state),
                                  curand_uniform_double(&state),
                                  curand_normal(&state),
                                  curand_normal_double(&state),
                                  log(static_cast<double>(curand_log_normal(&state, 1.0f, 2.0f))),
                                  log(curand_log_normal_double(&state, 1.0, 2.0)),
                                  static_cast<double>(curand_poisson(&state, 3.0)),
                                  static_cast<double>(curand_poisson(&state, 12.0))};
    for (int kind = 0; kind < kKinds; ++kind) out[kind * kThreads + threadIdx.x].add(drawn[kind]);
  }
}

/// Compares with the mean, variance and third central moment, by four standard errors of each (of the third, the normal one's, generously).
void check_moments(const Moments* all, int kind, double mean, double variance, double third, const char* what) {
  const double count = kThreads * kDraws;
  double sum = 0, square = 0, cube = 0;
  for (int i = 0; i < kThreads; ++i) {
    const Moments& one = all[kind * kThreads + i];
    sum += one.sum, square += one.square, cube += one.cube;
    if (kind <= kUniformDouble) expect(one.least > 0 && one.most <= 1, what, i);
  }
  const double m = sum / count, v = square / count - m * m, t = cube / count - 3 * m * square / count + 2 * m * m * m;
  expect(std::fabs(m - mean) < 4 * std::sqrt(variance / count), what, 1);
  expect(std::fabs(v - variance) < 4 * variance * std::sqrt(2.4 / count), what, 2);
  expect(std::fabs(t - third) < 4 * std::pow(variance, 1.5) * std::sqrt(40 / count), what, 3);
}
template <typename State>
void check_distributions(const char* generator) {
  Moments* moments = managed<Moments>(kKinds * kThreads);
  draw<State><<<1, kThreads>>>(moments);
  wait();
  for (int kind : {kUniform, kUniformDouble}) check_moments(moments, kind, 0.5, 1.0 / 12, 0, generator);
  for (int kind : {kNormal, kNormalDouble}) check_moments(moments, kind, 0, 1, 0, generator);
  for (int kind : {kLogNormal, kLogNormalDouble}) check_moments(moments, kind, 1, 4, 0, generator);
  check_moments(moments, kFewEvents, 3, 3, 3, generator);
  check_moments(moments, kManyEvents, 12, 12, 12, generator);
}

/// Ends of the ranges, pairs of normal numbers, and groups. The seed is an argument, because the compiler rounds what it computes itself otherwise.
__global__ void relate(bool* right, unsigned long long seed) {
  right[0] = wharf_uniform_of(0) == 0x1p-33f && wharf_uniform_of(~0u) == 1;
  right[1] = wharf_uniform_double_of(0, 0) == 0x1p-54 && wharf_uniform_double_of(0x1fffff, ~0u) == 1;
  curandStatePhilox4_32_10 one, other;
  curand_init(seed, 0, 0, &one);
  other = one;
  const float4 normals = curand_normal4(&other);
  right[2] = normals.x == curand_normal(&one) && normals.y == curand_normal(&one) && normals.z == curand_normal(&one) &&
             normals.w == curand_normal(&one);
  const double2 uniforms = curand_uniform2_double(&other);
  right[3] = uniforms.x == curand_uniform_double(&one) && uniforms.y == curand_uniform_double(&one);
  const float4 floats = curand_uniform4(&other);
  right[4] = floats.x == curand_uniform(&one) && floats.y == curand_uniform(&one) && floats.z == curand_uniform(&one) &&
             floats.w == curand_uniform(&one);
  const double2 doubles = curand_normal2_double(&other);
  right[5] = doubles.x == curand_normal_double(&one) && doubles.y == curand_normal_double(&one);
  const float2 logs = curand_log_normal2(&other, 0.0f, 1.0f);
  right[6] = logs.x == curand_log_normal(&one, 0.0f, 1.0f) && logs.y == curand_log_normal(&one, 0.0f, 1.0f);
  const uint4 events = curand_poisson4(&other, 20);
  right[7] = events.x == curand_poisson(&one, 20) && events.y == curand_poisson(&one, 20) && events.z == curand_poisson(&one, 20) &&
             events.w == curand_poisson(&one, 20) && curand_poisson(&one, 0) == 0;
}

int main() {
  check_published();
  check_jumps();
  check_distributions<curandState>("XORWOW's numbers");
  check_distributions<curandStatePhilox4_32_10>("Philox' numbers");
  check_distributions<curandStateMRG32k3a>("MRG32k3a's numbers");
  bool* right = managed<bool>(8);
  relate<<<1, 1>>>(right, 6);
  wait();
  for (int i = 0; i < 8; ++i) expect(right[i], "a relation", i);
  std::printf(wrong == 0 ? "random numbers: PASS\n" : "random numbers: FAIL\n");
  return wrong != 0;
}
