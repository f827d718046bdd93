// Functions of half and bfloat16 on both sides, against plain code that looks results up in the table of all values. A missing name does not
// compile.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

typedef unsigned long long Bits;

// What differs between the types: names and the format.
template <class T>
struct Names;
#define FROM(word, source, type)                                       \
  *out++ = bits(__##source##2##word##_rn(static_cast<type>(integer))); \
  *out++ = bits(__##source##2##word##_rz(static_cast<type>(integer))); \
  *out++ = bits(__##source##2##word##_rd(static_cast<type>(integer))); \
  *out++ = bits(__##source##2##word##_ru(static_cast<type>(integer)));
#define TO(word, target)                                       \
  *out++ = static_cast<Bits>(__##word##2##target##_rn(value)); \
  *out++ = static_cast<Bits>(__##word##2##target##_rz(value)); \
  *out++ = static_cast<Bits>(__##word##2##target##_rd(value)); \
  *out++ = static_cast<Bits>(__##word##2##target##_ru(value));
#define NAMES(type, pair, word, suffix, explicit_bits)                                                             \
  __host__ __device__ inline unsigned short bits(type value) { return __##word##_as_ushort(value); }               \
  template <>                                                                                                      \
  struct Names<type> {                                                                                             \
    typedef pair Pair;                                                                                             \
    static constexpr int kDigits = explicit_bits;                                                                  \
    static constexpr unsigned kInfinity = 0x7fff >> explicit_bits << explicit_bits;                                \
    static constexpr const char* kName = #word;                                                                    \
    static __host__ __device__ type of(unsigned short bits) { return __ushort_as_##word(bits); }                   \
    static __host__ __device__ void from_real(double real, Bits* out) {                                            \
      const float single = static_cast<float>(real);                                                               \
      *out++ = bits(__double2##word(real));                                                                        \
      *out++ = bits(__float2##word##_rn(single));                                                                  \
      *out++ = bits(__float2##word##_rz(single));                                                                  \
      *out++ = bits(__float2##word##_rd(single));                                                                  \
      *out++ = bits(__float2##word##_ru(single));                                                                  \
    }                                                                                                              \
    static __host__ __device__ void from_integer(long long integer, Bits* out) {                                   \
      FROM(word, short, short)                                                                                     \
      FROM(word, ushort, unsigned short)                                                                           \
      FROM(word, int, int)                                                                                         \
      FROM(word, uint, unsigned)                                                                                   \
      FROM(word, ll, long long)                                                                                    \
      FROM(word, ull, unsigned long long)                                                                          \
    }                                                                                                              \
    static __host__ __device__ void to_integer(type value, Bits* out) {                                            \
      TO(word, short)                                                                                              \
      TO(word, ushort)                                                                                             \
      TO(word, int)                                                                                                \
      TO(word, uint)                                                                                               \
      TO(word, ll)                                                                                                 \
      TO(word, ull)                                                                                                \
      *out++ = static_cast<Bits>(__##word##2char_rz(value));                                                       \
      *out++ = static_cast<Bits>(__##word##2uchar_rz(value));                                                      \
    }                                                                                                              \
    static __host__ __device__ void constants(Bits* out) {                                                         \
      *out++ = bits(CUDART_ONE_##suffix), *out++ = bits(CUDART_INF_##suffix), *out++ = bits(CUDART_ZERO_##suffix); \
      *out++ = bits(CUDART_NEG_ZERO_##suffix), *out++ = bits(CUDART_NAN_##suffix);                                 \
      *out++ = bits(CUDART_MAX_NORMAL_##suffix), *out++ = bits(CUDART_MIN_DENORM_##suffix);                        \
    }                                                                                                              \
  };
NAMES(__nv_half, __nv_half2, half, FP16, 10)
NAMES(nv_bfloat16, nv_bfloat162, bfloat16, BF16, 7)
constexpr int kReals = 5, kFromIntegers = 24, kToIntegers = 26, kConstants = 7;

#define COMPARE(name)                \
  *out++ = __h##name(a, b);          \
  *out++ = both(__h##name##2(p, q)); \
  *out++ = __hb##name##2(p, q);      \
  *out++ = __h##name##2_mask(p, q);
template <class Pair>
__host__ __device__ Bits both(Pair pair) {
  return bits(pair.x) | static_cast<Bits>(bits(pair.y)) << 16;
}
constexpr int kComparisons = 12 * 4 + 9;
/// Of a and b, and of the pairs (a, b) and (b, b).
template <class T>
__host__ __device__ void comparisons(T a, T b, Bits* out) {
  const typename Names<T>::Pair p(a, b), q(b, b);
  COMPARE(eq)
  COMPARE(ne)
  COMPARE(lt)
  COMPARE(le)
  COMPARE(gt)
  COMPARE(ge)
  COMPARE(equ)
  COMPARE(neu)
  COMPARE(ltu)
  COMPARE(leu)
  COMPARE(gtu)
  COMPARE(geu)
  *out++ = p == q, *out++ = p != q, *out++ = p<q, *out++ = p <= q, *out++ = p> q, *out++ = p >= q;
  *out++ = both(__hisnan2(p));
  *out++ = a != b, *out++ = a < b;
}

constexpr int kSums = 30;
template <class T>
__host__ __device__ void sums(T a, T b, Bits* out) {
  typedef typename Names<T>::Pair Pair;
  const Pair p(a, b), q(b, a);
  *out++ = bits(__hadd_rn(a, b)), *out++ = bits(__hsub_rn(a, b)), *out++ = bits(__hmul_rn(a, b));
  *out++ = both(__hadd2_rn(p, q)), *out++ = both(__hsub2_rn(p, q)), *out++ = both(__hmul2_rn(p, q));
  *out++ = bits(__hadd_sat(a, b)), *out++ = bits(__hsub_sat(a, b)), *out++ = bits(__hmul_sat(a, b));
  *out++ = both(__hadd2_sat(p, q)), *out++ = both(__hsub2_sat(p, q)), *out++ = both(__hmul2_sat(p, q));
  *out++ = bits(__hmin_nan(a, b)), *out++ = bits(__hmax_nan(a, b));
  *out++ = both(__hmin2_nan(p, q)), *out++ = both(__hmax2_nan(p, q));
  Pair sum = p, difference = p, product = p, quotient = p;
  *out++ = both(sum += q), *out++ = both(difference -= q), *out++ = both(product *= q), *out++ = both(quotient /= q);
  T up = a, down = a;
  *out++ = bits(up++), *out++ = bits(up), *out++ = bits(down--), *out++ = bits(down);
  T up_first = a, down_first = a;
  *out++ = bits(++up_first), *out++ = bits(--down_first);
  T scalar = a;
  *out++ = bits(scalar += b), *out++ = bits(a - b), *out++ = bits(-a), *out++ = both(-p);
}

constexpr int kDeviceOnly = 13;
template <class T>
__device__ void device_only(T a, T b, T c, Bits* out) {
  const typename Names<T>::Pair p(a, b), q(b, a), r(c, c);
  *out++ = bits(__hfma_relu(a, b, c)), *out++ = bits(__hfma_sat(a, b, c));
  *out++ = both(__hfma2_relu(p, q, r)), *out++ = both(__hfma2_sat(p, q, r));
  *out++ = both(__hcmadd(p, q, r));
  *out++ = bits(htanh(a)), *out++ = bits(htanh_approx(a)), *out++ = bits(hexp10(a)), *out++ = bits(hexp2(a));
  *out++ = both(h2tanh(p)), *out++ = both(h2tanh_approx(p)), *out++ = both(h2exp10(p)), *out++ = both(h2exp2(p));
}

// The oracle.
template <class T>
long double value_of(unsigned bits) {
  const int digits = Names<T>::kDigits, bias = (1 << (14 - digits)) - 1, exponent = static_cast<int>((bits & 0x7fff) >> digits);
  const long double mantissa = bits & ((1u << digits) - 1), sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 2 * bias + 1) return mantissa == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(mantissa, 1 - bias - digits) : std::ldexp(mantissa + (1u << digits), exponent - bias - digits));
}
/// 'n' to nearest even, 'z' toward zero, 'd' down, 'u' up.
template <class T>
unsigned rounded(long double real, char direction = 'n') {
  const unsigned infinity = Names<T>::kInfinity;
  if (real != real) return 0x7fff;
  if (std::signbit(real)) return 0x8000 | rounded<T>(-real, direction == 'd' ? 'u' : direction == 'u' ? 'd' : direction);
  if (std::isinf(real)) return infinity;
  unsigned below = 0, above = infinity;
  while (above - below > 1) (value_of<T>((below + above) / 2) <= real ? below : above) = (below + above) / 2;
  const long double low = value_of<T>(below);
  if (low == real || direction == 'z' || direction == 'd') return below;
  if (direction == 'u') return above;
  const long double high = above < infinity ? value_of<T>(above) : 2 * low - value_of<T>(below - 1);
  if (real - low == high - real) return (below & 1) == 0 ? below : above;
  return real - low < high - real ? below : above;
}
/// product + c with the last bit set if it is inexact, so that it rounds to a shorter type as the exact sum does.
double odd_sum(double product, double c) {
  const double sum = product + c, part = sum - product, error = (product - (sum - part)) + (c - part);
  Bits bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  return std::isfinite(sum) && error != 0 && (bits & 1) == 0 ? std::nextafter(sum, error > 0 ? INFINITY : -INFINITY) : sum;
}
template <class I>
Bits integer(long double integral) {
  if (integral != integral) return sizeof(I) == 8 ? Bits{1} << 63 : 0;
  if (integral <= static_cast<long double>(std::numeric_limits<I>::min())) return static_cast<Bits>(std::numeric_limits<I>::min());
  const I most = std::numeric_limits<I>::max();
  return static_cast<Bits>(integral >= static_cast<long double>(most) ? most : static_cast<I>(integral));
}

// Expected results, in the order of the functions above.
template <class T>
std::vector<Bits> expected_reals(double real) {
  const float single = static_cast<float>(real);
  return {rounded<T>(real), rounded<T>(single), rounded<T>(single, 'z'), rounded<T>(single, 'd'), rounded<T>(single, 'u')};
}
template <class T>
std::vector<Bits> expected_from_integer(long long value) {
  std::vector<Bits> all;
  for (const long double exact :
       {static_cast<long double>(static_cast<short>(value)), static_cast<long double>(static_cast<unsigned short>(value)),
        static_cast<long double>(static_cast<int>(value)), static_cast<long double>(static_cast<unsigned>(value)),
        static_cast<long double>(value), static_cast<long double>(static_cast<Bits>(value))})
    for (const char direction : {'n', 'z', 'd', 'u'}) all.push_back(rounded<T>(exact, direction));
  return all;
}
template <class T>
std::vector<Bits> expected_to_integer(unsigned bits) {
  const long double value = value_of<T>(bits);
  const long double integral[] = {std::rint(value), std::trunc(value), std::floor(value), std::ceil(value)};
  std::vector<Bits> all;
  for (const long double one : integral) all.push_back(integer<short>(one));
  for (const long double one : integral) all.push_back(integer<unsigned short>(one));
  for (const long double one : integral) all.push_back(integer<int>(one));
  for (const long double one : integral) all.push_back(integer<unsigned>(one));
  for (const long double one : integral) all.push_back(integer<long long>(one));
  for (const long double one : integral) all.push_back(integer<Bits>(one));
  all.push_back(integer<signed char>(std::trunc(value)));
  all.push_back(integer<unsigned char>(std::trunc(value)));
  return all;
}
Bits both(Bits low, Bits high) { return low | high << 16; }
template <class T>
std::vector<Bits> expected_comparisons(unsigned a, unsigned b) {
  const long double x = value_of<T>(a), y = value_of<T>(b);
  const bool unordered = x != x || y != y, self = y == y, one = true;
  const bool of_scalars[] = {x == y,
                             !unordered && x != y,
                             x<y, x <= y, x>
                                 y,
                             x >= y,
                             x == y || unordered,
                             x != y,
                             x < y || unordered,
                             x <= y || unordered,
                             x > y || unordered,
                             x >= y || unordered};
  const bool of_b[] = {self, false, false, self, false, self, one, !self, !self, one, !self, one};
  std::vector<Bits> all;
  for (int i = 0; i < 12; ++i) {
    all.push_back(of_scalars[i]);
    all.push_back(both(rounded<T>(of_scalars[i]), rounded<T>(of_b[i])));
    all.push_back(of_scalars[i] && of_b[i]);
    all.push_back(both(of_scalars[i] ? 0xffff : 0, of_b[i] ? 0xffff : 0));
  }
  for (const int i : {0, 7, 2, 3, 4, 5}) all.push_back(of_scalars[i] && of_b[i]);
  all.push_back(both(rounded<T>(x != x), rounded<T>(y != y)));
  all.push_back(x != y);
  all.push_back(x < y);
  return all;
}
double saturated(double value) { return value > 0 ? std::fmin(value, 1.0) : 0.0; }
template <class T>
std::vector<Bits> expected_sums(unsigned a, unsigned b) {
  const double x = static_cast<double>(value_of<T>(a)), y = static_cast<double>(value_of<T>(b));
  const Bits sum = rounded<T>(x + y), difference = rounded<T>(x - y), reverse = rounded<T>(y - x), product = rounded<T>(x * y);
  const Bits sum_sat = rounded<T>(saturated(x + y)), difference_sat = rounded<T>(saturated(x - y)),
             reverse_sat = rounded<T>(saturated(y - x)), product_sat = rounded<T>(saturated(x * y));
  const bool nan = x != x || y != y, less = x < y || (x == y && (a & 0x8000) != 0);
  const Bits least = nan ? 0x7fff : less ? a : b, most = nan ? 0x7fff : less ? b : a;
  const Bits up = rounded<T>(x + 1), down = rounded<T>(x - 1);
  return {sum,
          difference,
          product,
          both(sum, sum),
          both(difference, reverse),
          both(product, product),
          sum_sat,
          difference_sat,
          product_sat,
          both(sum_sat, sum_sat),
          both(difference_sat, reverse_sat),
          both(product_sat, product_sat),
          least,
          most,
          both(least, least),
          both(most, most),
          both(sum, sum),
          both(difference, reverse),
          both(product, product),
          both(rounded<T>(x / y), rounded<T>(y / x)),
          a,
          up,
          a,
          down,
          up,
          down,
          sum,
          difference,
          a ^ 0x8000,
          both(a ^ 0x8000, b ^ 0x8000)};
}
template <class T>
std::vector<Bits> expected_device_only(unsigned a, unsigned b, unsigned c) {
  const double x = static_cast<double>(value_of<T>(a)), y = static_cast<double>(value_of<T>(b)), z = static_cast<double>(value_of<T>(c));
  const double sum = odd_sum(x * y, z);
  const Bits relu = sum <= 0 ? 0 : rounded<T>(sum), sat = rounded<T>(saturated(sum));
  const auto fma = [](double left, double right, double addend) { return rounded<T>(odd_sum(left * right, addend)); };
  const auto value = [](unsigned bits) { return static_cast<double>(value_of<T>(bits)); };
  // (x + iy)(y + ix) + (z + iz)
  const Bits real = fma(y, -x, value(fma(x, y, z))), imaginary = fma(y, y, value(fma(x, x, z)));
  const Bits tanh_x = rounded<T>(std::tanh(x)), ten_x = rounded<T>(std::pow(10.0, x)), two_x = rounded<T>(std::exp2(x));
  return {relu,
          sat,
          both(relu, relu),
          both(sat, sat),
          both(real, imaginary),
          tanh_x,
          tanh_x,
          ten_x,
          two_x,
          both(tanh_x, rounded<T>(std::tanh(y))),
          both(tanh_x, rounded<T>(std::tanh(y))),
          both(ten_x, rounded<T>(std::pow(10.0, y))),
          both(two_x, rounded<T>(std::exp2(y)))};
}

int wrong = 0;
/// `functions` says that each half may be off by one bit.
void expect(const char* what, const char* type, int result, Bits input, Bits actual, Bits expected, bool functions = false) {
  const auto apart = [actual, expected](int shift) {
    return std::abs(static_cast<int>(actual >> shift & 0xffff) - static_cast<int>(expected >> shift & 0xffff));
  };
  if (actual == expected || (functions && actual >> 32 == 0 && apart(0) <= 1 && apart(16) <= 1)) return;
  if (++wrong <= 30)
    std::printf("%s of %s: result %d of input %llx is %llx instead of %llx\n", what, type, result, input, actual, expected);
}

template <class T>
__global__ void real_kernel(const double* in, Bits* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) Names<T>::from_real(in[i], out + i * kReals);
}
template <class T>
__global__ void integer_kernel(const long long* in, Bits* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) Names<T>::from_integer(in[i], out + i * kFromIntegers);
}
/// Of in[0], in[1] and in[2].
template <class T>
__host__ __device__ void of_both_sides(const unsigned short* in, Bits* out) {
  const T a = Names<T>::of(in[0]), b = Names<T>::of(in[1]);
  Names<T>::to_integer(a, out);
  Names<T>::constants(out + kToIntegers);
  comparisons(a, b, out + kToIntegers + kConstants);
  sums(a, b, out + kToIntegers + kConstants + kComparisons);
}
constexpr int kBothSides = kToIntegers + kConstants + kComparisons + kSums, kResults = kBothSides + kDeviceOnly;
template <class T>
__global__ void value_kernel(const unsigned short* in, Bits* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  of_both_sides<T>(in + 3 * i, out + i * kResults);
  device_only(Names<T>::of(in[3 * i]), Names<T>::of(in[3 * i + 1]), Names<T>::of(in[3 * i + 2]), out + i * kResults + kBothSides);
}

template <class E>
E* managed(const std::vector<E>& values) {
  E* copy;
  cudaMallocManaged(&copy, values.size() * sizeof(E));
  for (std::size_t i = 0; i < values.size(); ++i) copy[i] = values[i];
  return copy;
}

/// Runs `kernel` on the device and `host` here for `count` inputs; both must give what `oracle` does.
template <class E, class Kernel, class Host, class Oracle>
void check(const char* type, const std::vector<E>& inputs, int per_input, int per_output, Kernel kernel, Host host, Oracle oracle) {
  const int count = static_cast<int>(inputs.size()) / per_input;
  const E* in = managed(inputs);
  Bits* out = managed(std::vector<Bits>(static_cast<std::size_t>(count * per_output)));
  kernel<<<(count + 127) / 128, 128>>>(in, out, count);
  if (cudaDeviceSynchronize() != cudaSuccess) ++wrong;
  for (int i = 0; i < count; ++i) {
    const std::vector<Bits> expected = oracle(in + i * per_input);
    std::vector<Bits> here(static_cast<std::size_t>(per_output), 0);
    host(in + i * per_input, here.data());
    Bits input;
    __builtin_memcpy(&input, in + i * per_input, sizeof input);
    if (expected.size() != here.size()) ++wrong;
    for (int j = 0; j < per_output; ++j) {
      const Bits right = expected[static_cast<std::size_t>(j)];
      const bool functions = per_output == kResults && j >= kBothSides + 5;
      expect("device", type, j, input, out[i * per_output + j], right, functions);
      if (per_output != kResults || j < kBothSides) expect("host", type, j, input, here[static_cast<std::size_t>(j)], right);
    }
  }
}

template <class T>
void check_type() {
  const unsigned infinity = Names<T>::kInfinity, one = rounded<T>(1), hidden = 1u << Names<T>::kDigits;
  std::vector<unsigned short> values;
  for (const unsigned magnitude : {0u,
                                   1u,
                                   2u,
                                   3u,
                                   hidden - 1,
                                   hidden,
                                   hidden + 1,
                                   one - hidden,
                                   one - 1,
                                   one,
                                   one + 1,
                                   one + 3,
                                   one + 17,
                                   one + 2 * hidden - 1,
                                   one + 6 * hidden + 5,
                                   one + 7 * hidden,
                                   one + 8 * hidden,
                                   one + 15 * hidden,
                                   infinity - 2,
                                   infinity - 1,
                                   infinity,
                                   infinity + 1,
                                   0x7fffu,
                                   rounded<T>(2147483648.0L),
                                   rounded<T>(9223372036854775808.0L),
                                   rounded<T>(18446744073709551616.0L)}) {
    values.push_back(static_cast<unsigned short>(magnitude));
    values.push_back(static_cast<unsigned short>(magnitude | 0x8000));
  }
  std::vector<double> reals;
  std::vector<long long> integers;
  std::vector<unsigned short> triples;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = static_cast<double>(value_of<T>(values[i])), next = static_cast<double>(value_of<T>(values[i] + 1u));
    for (const double real : {value, (value + next) / 2})  // ties, and their neighbours as floats and doubles
      for (const double towards : {-INFINITY, INFINITY}) {
        reals.push_back(real);
        reals.push_back(std::nextafter(real, towards));
        reals.push_back(static_cast<double>(std::nextafter(static_cast<float>(real), static_cast<float>(towards))));
      }
    for (std::size_t j = 0; j < values.size(); ++j)
      triples.insert(triples.end(), {values[i], values[j], values[(i + 3 * j) % values.size()]});
  }
  reals.insert(reals.end(), {1e300, -1e300, 1e-300, -1e-300, 1e39, 1e-46});
  for (int shift = 0; shift < 64; ++shift)
    for (const Bits pattern : {1ull, 3ull, 0x101ull, 0x801ull, 0x1001ull, 0x8010000000001ull})
      for (const long long offset : {-1ll, 0ll, 1ll}) {
        const Bits shifted = (pattern << shift) + static_cast<Bits>(offset);
        integers.insert(integers.end(), {static_cast<long long>(shifted), static_cast<long long>(0 - shifted)});
      }
  const char* const name = Names<T>::kName;
  check(
      name, reals, 1, kReals, real_kernel<T>, [](const double* in, Bits* out) { Names<T>::from_real(*in, out); },
      [](const double* in) { return expected_reals<T>(*in); });
  check(
      name, integers, 1, kFromIntegers, integer_kernel<T>, [](const long long* in, Bits* out) { Names<T>::from_integer(*in, out); },
      [](const long long* in) { return expected_from_integer<T>(*in); });
  check(name, triples, 3, kResults, value_kernel<T>, of_both_sides<T>, [one](const unsigned short* in) {
    std::vector<Bits> all = expected_to_integer<T>(in[0]);
    for (const std::vector<Bits>& more :
         {std::vector<Bits>{one, Names<T>::kInfinity, 0, 0x8000, 0x7fff, Names<T>::kInfinity - 1, 1}, expected_comparisons<T>(in[0], in[1]),
          expected_sums<T>(in[0], in[1]), expected_device_only<T>(in[0], in[1], in[2])})
      all.insert(all.end(), more.begin(), more.end());
    return all;
  });
}

int main() {
  check_type<__half>();
  check_type<__nv_bfloat16>();
  std::printf("half and bfloat16: %s, %d wrong\n", wrong == 0 ? "PASS" : "FAIL", wrong);
  return wrong != 0;
}
