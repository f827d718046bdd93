// Accuracy of the device mathematics against the host's long double. The limits are the CUDA programming guide's for each function, plus
// one unit in the last place (CU-12).

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/cuda/accuracy.h"
#include "tests/cuda/device_math_functions.h"

using namespace wharf::cuda::test;

namespace {

long double exp10_exact(long double x) { return std::pow(10.0L, x); }
long double rsqrt_exact(long double x) { return 1 / std::sqrt(x); }
long double rcbrt_exact(long double x) { return 1 / std::cbrt(x); }
long double normcdf_exact(long double x) { return 0.5L * std::erfc(-x * 0.707106781186547524400844362104849039L); }
long double sinpi_exact(long double x) { return std::sin(3.14159265358979323846264338327950288L * std::remainder(x, 2.0L)); }
long double cospi_exact(long double x) {
  const long double r = std::fabs(std::remainder(x, 2.0L));
  constexpr long double kPi = 3.14159265358979323846264338327950288L;
  return r > 0.25L && r < 0.75L ? std::sin(kPi * (0.5L - r)) : std::cos(kPi * r);
}

}  // namespace

TEST_CASE("Exponentials and logarithms in single precision are as accurate as documented") {
  WITHIN(1, __nv_expf, std::exp, -104, 89);
  WITHIN(2, __nv_exp2f, std::exp2, -150, 128);
  WITHIN(2, __nv_exp10f, exp10_exact, -45, 38.5f);
  WITHIN(1, __nv_expm1f, std::expm1, -20, 89);
  WITHIN(1, __nv_expm1f, std::expm1, -1, 1);
  WITHIN(1, __nv_logf, std::log, 1e-40f, 3e38f);
  WITHIN(1, __nv_logf, std::log, 0.5f, 2);
  WITHIN(1, __nv_log2f, std::log2, 1e-38f, 3e38f);
  WITHIN(1, __nv_log2f, std::log2, 0.5f, 2);
  WITHIN(2, __nv_log10f, std::log10, 1e-38f, 3e38f);
  WITHIN(2, __nv_log10f, std::log10, 0.5f, 2);
  WITHIN(1, __nv_log1pf, std::log1p, -0.999f, 1e6f);
  WITHIN(1, __nv_log1pf, std::log1p, -0.5f, 1);
  WITHIN_TWO(4, __nv_powf, std::pow, 0, 100, -20, 20);
  WITHIN_TWO(4, __nv_powf, std::pow, 0.9f, 1.1f, -900, 900);
  WITHIN_TWO(4, __nv_powf, std::pow, 0, 1e38f, -1.1f, 1);
}

TEST_CASE("Hyperbolic functions in single precision are as accurate as documented") {
  WITHIN(3, __nv_sinhf, std::sinh, -90, 90);
  WITHIN(2, __nv_coshf, std::cosh, -90, 90);
  WITHIN(2, __nv_tanhf, std::tanh, -10, 10);
  WITHIN(3, __nv_asinhf, std::asinh, -1e10f, 1e10f);
  WITHIN(3, __nv_asinhf, std::asinh, -2, 2);
  WITHIN(4, __nv_acoshf, std::acosh, 1, 1e10f);
  WITHIN(4, __nv_acoshf, std::acosh, 1, 2);
  WITHIN(3, __nv_atanhf, std::atanh, -0.9999f, 0.9999f);
}

TEST_CASE("Trigonometric functions in single precision are as accurate as documented, for arguments of any size") {
  for (const float range : {0.8f, 10.0f, 1e5f, 1e10f, 3e38f}) {
    INFO("range " << range);
    WITHIN(2, __nv_sinf, std::sin, -range, range);
    WITHIN(2, __nv_cosf, std::cos, -range, range);
    WITHIN(4, __nv_tanf, std::tan, -range, range);
  }
  WITHIN(1, __nv_sinpif, sinpi_exact, -100, 100);
  WITHIN(1, __nv_cospif, cospi_exact, -100, 100);
  WITHIN(2, __nv_asinf, std::asin, -1, 1);
  WITHIN(2, __nv_acosf, std::acos, -1, 1);
  WITHIN(2, __nv_atanf, std::atan, -1000, 1000);
  WITHIN_TWO(3, __nv_atan2f, std::atan2, -10, 10, -10, 10);
}

TEST_CASE("Roots in single precision are as accurate as documented") {
  WITHIN(0, __nv_sqrtf, std::sqrt, 0, 1e38f);
  WITHIN(2, __nv_rsqrtf, rsqrt_exact, 1e-30f, 1e38f);
  WITHIN(1, __nv_cbrtf, std::cbrt, -1e30f, 1e30f);
  WITHIN(1, __nv_rcbrtf, rcbrt_exact, 1e-30f, 1e30f);
  WITHIN_TWO(3, __nv_hypotf, std::hypot, -3e38f, 3e38f, -1e38f, 1e38f);
}

TEST_CASE("Exponentials and logarithms in double precision are as accurate as documented") {
  WITHIN(1, __nv_exp, std::exp, -745, 710);
  WITHIN(1, __nv_exp2, std::exp2, -1070, 1024);
  WITHIN(1, __nv_exp10, exp10_exact, -320, 308.5);
  WITHIN(1, __nv_expm1, std::expm1, -40, 710);
  WITHIN(1, __nv_expm1, std::expm1, -1, 1);
  WITHIN(1, __nv_log, std::log, 1e-310, 1e308);
  WITHIN(1, __nv_log, std::log, 0.5, 2);
  WITHIN(1, __nv_log2, std::log2, 1e-300, 1e308);
  WITHIN(1, __nv_log2, std::log2, 0.5, 2);
  WITHIN(1, __nv_log10, std::log10, 1e-300, 1e308);
  WITHIN(1, __nv_log10, std::log10, 0.5, 2);
  WITHIN(1, __nv_log1p, std::log1p, -0.999, 1e6);
  WITHIN(1, __nv_log1p, std::log1p, -0.5, 1);
  WITHIN_TWO(2, __nv_pow, std::pow, 0, 100, -150, 150);
  WITHIN_TWO(2, __nv_pow, std::pow, 0.9, 1.1, -7000, 7000);
  WITHIN_TWO(2, __nv_pow, std::pow, 0, 1e300, -1, 1);
}

TEST_CASE("Hyperbolic functions in double precision are as accurate as documented") {
  WITHIN(2, __nv_sinh, std::sinh, -711, 711);
  WITHIN(1, __nv_cosh, std::cosh, -711, 711);
  WITHIN(1, __nv_tanh, std::tanh, -20, 20);
  WITHIN(3, __nv_asinh, std::asinh, -1e10, 1e10);
  WITHIN(3, __nv_asinh, std::asinh, -2, 2);
  WITHIN(3, __nv_acosh, std::acosh, 1, 1e10);
  WITHIN(2, __nv_atanh, std::atanh, -0.9999, 0.9999);
}

TEST_CASE("Trigonometric functions in double precision are as accurate as documented, for arguments of any size") {
  for (const double range : {0.8, 10.0, 1e9, 1e20, 1e300}) {
    INFO("range " << range);
    WITHIN(2, __nv_sin, std::sin, -range, range);
    WITHIN(2, __nv_cos, std::cos, -range, range);
    WITHIN(2, __nv_tan, std::tan, -range, range);
  }
  WITHIN(2, __nv_sinpi, sinpi_exact, -100, 100);
  WITHIN(2, __nv_cospi, cospi_exact, -100, 100);
  WITHIN(2, __nv_asin, std::asin, -1, 1);
  WITHIN(2, __nv_acos, std::acos, -1, 1);
  WITHIN(2, __nv_atan, std::atan, -1000, 1000);
  WITHIN_TWO(2, __nv_atan2, std::atan2, -10, 10, -10, 10);
}

TEST_CASE("Roots in double precision are as accurate as documented") {
  WITHIN(0, __nv_sqrt, std::sqrt, 0, 1e308);
  WITHIN(1, __nv_cbrt, std::cbrt, -1e300, 1e300);
  WITHIN(1, __nv_rcbrt, rcbrt_exact, 1e-300, 1e300);
  WITHIN_TWO(2, __nv_hypot, std::hypot, -1e308, 1e308, -1e308, 1e308);
}

TEST_CASE("Error functions are as accurate as documented") {
  WITHIN(2, __nv_erff, std::erf, -5, 5);
  WITHIN(5, __nv_erfcf, std::erfc, -4, 10.5f);  // the guide documents 4
  WITHIN(5, __nv_normcdff, normcdf_exact, -14.5f, 5);
  WITHIN(2, __nv_erf, std::erf, -6, 6);
  WITHIN(5, __nv_erfc, std::erfc, -6, 27);
  WITHIN(5, __nv_normcdf, normcdf_exact, -38, 8);
  // The result where erfc underflows: the leading terms of the asymptotic series.
  CHECK(__nv_erfcx(1e8) == Approx(5.6418958354775628e-9).epsilon(1e-15));
  CHECK(__nv_erfcxf(1e30f) == Approx(5.6418958e-31).epsilon(1e-6));
  CHECK(__nv_erfcx(-2.0) == Approx(std::exp(4.0) * std::erfc(-2.0)).epsilon(1e-15));
  CHECK(std::isinf(__nv_erfcxf(-1e30f)));
}

TEST_CASE("Rounding and remainders are exact") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    std::uint64_t bits = random();
    double x, y;
    std::memcpy(&x, &bits, sizeof x);
    bits = random() % 3 == 0 ? random() : (bits & 0xffff000000000000) | random() >> 16;
    std::memcpy(&y, &bits, sizeof y);
    if (std::isnan(x) || std::isnan(y) || std::isinf(x)) continue;
    const auto fx = static_cast<float>(static_cast<double>(random() >> 11) * 0x1p-30 - 4e6),
               fy = static_cast<float>(random() % 1000 * 0.25);
    INFO(x << " " << y << " " << fx << " " << fy);
    REQUIRE(__nv_round(fx) == std::round(fx));
    REQUIRE(__nv_roundf(fx / 1e6f) == std::round(fx / 1e6f));
    REQUIRE(__nv_rint(x) == std::rint(x));
    REQUIRE(__nv_nextafter(x, y) == std::nextafter(x, y));
    int exponent, expected_exponent;
    REQUIRE(__nv_frexp(x, &exponent) == std::frexp(x, &expected_exponent));
    REQUIRE(exponent == expected_exponent);
    REQUIRE(__nv_ldexp(1.5, static_cast<int>(random() % 2000) - 1000) > 0);
    if (x != 0) REQUIRE(__nv_ilogb(x) == std::ilogb(x));
    if (fy == 0) continue;
    REQUIRE(__nv_fmodf(fx, fy) == std::fmod(fx, fy));
    REQUIRE(__nv_remainderf(fx, fy) == std::remainder(fx, fy));
    int quotient, expected_quotient;
    REQUIRE(__nv_remquof(fx, fy, &quotient) == std::remquo(fx, fy, &expected_quotient));
    REQUIRE((quotient & 7) == (expected_quotient & 7));
    if (y != 0 && !std::isinf(y)) {
      REQUIRE(__nv_fmod(x, y) == std::fmod(x, y));
      REQUIRE(__nv_remainder(x, y) == std::remainder(x, y));
    }
  }
  CHECK(__nv_ldexp(0.75, -1074) == std::ldexp(0.75, -1074));
  CHECK(__nv_ldexpf(1, 300) == INFINITY);
  CHECK(__nv_ldexpf(0x1p-149f, 270) == 0x1p121f);
  CHECK(__nv_ldexp(1, -5000) == 0);
}

TEST_CASE("Special values give what the C standard says") {
  using F = float (*)(float);
  const auto same = [](double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); };
  const std::pair<F, F> singles[] = {
      {__nv_expf, std::exp},     {__nv_exp2f, std::exp2},   {__nv_expm1f, std::expm1}, {__nv_logf, std::log},   {__nv_log2f, std::log2},
      {__nv_log10f, std::log10}, {__nv_log1pf, std::log1p}, {__nv_sinf, std::sin},     {__nv_cosf, std::cos},   {__nv_tanf, std::tan},
      {__nv_asinf, std::asin},   {__nv_atanf, std::atan},   {__nv_sinhf, std::sinh},   {__nv_coshf, std::cosh}, {__nv_tanhf, std::tanh},
      {__nv_asinhf, std::asinh}, {__nv_atanhf, std::atanh}, {__nv_acoshf, std::acosh}, {__nv_cbrtf, std::cbrt}, {__nv_sqrtf, std::sqrt},
      {__nv_roundf, std::round}, {__nv_truncf, std::trunc}};
  for (std::size_t i = 0; i < std::size(singles); ++i)
    for (const double x : {0.0, -0.0, kInfinity, -kInfinity, kNan}) {
      INFO("function " << i << " of " << x << ": " << singles[i].first(static_cast<float>(x)) << ", "
                       << singles[i].second(static_cast<float>(x)));
      CHECK(same(singles[i].first(static_cast<float>(x)), singles[i].second(static_cast<float>(x))));
    }
  using D = double (*)(double);
  const std::pair<D, D> doubles[] = {{__nv_exp, std::exp},     {__nv_exp2, std::exp2},   {__nv_expm1, std::expm1}, {__nv_log, std::log},
                                     {__nv_log2, std::log2},   {__nv_log10, std::log10}, {__nv_log1p, std::log1p}, {__nv_sin, std::sin},
                                     {__nv_cos, std::cos},     {__nv_tan, std::tan},     {__nv_asin, std::asin},   {__nv_atan, std::atan},
                                     {__nv_sinh, std::sinh},   {__nv_cosh, std::cosh},   {__nv_tanh, std::tanh},   {__nv_asinh, std::asinh},
                                     {__nv_atanh, std::atanh}, {__nv_acosh, std::acosh}, {__nv_cbrt, std::cbrt},   {__nv_sqrt, std::sqrt}};
  for (std::size_t i = 0; i < std::size(doubles); ++i)
    for (const double x : {0.0, -0.0, kInfinity, -kInfinity, kNan}) {
      INFO("function " << i << " of " << x << ": " << doubles[i].first(x) << ", " << doubles[i].second(x));
      CHECK(same(doubles[i].first(x), doubles[i].second(x)));
    }
  const double specials[] = {0.0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1e10, -1e10, kInfinity, -kInfinity, kNan};
  for (const double x : specials)
    for (const double y : specials) {
      INFO("(" << x << ", " << y << ")");
      const auto alike = [&](double a, double b) { return same(a, b) || std::fabs(a / b - 1) < 1e-6; };
      CHECK(alike(__nv_pow(x, y), std::pow(x, y)));
      CHECK(alike(__nv_powf(static_cast<float>(x), static_cast<float>(y)), std::pow(static_cast<float>(x), static_cast<float>(y))));
      CHECK(alike(__nv_hypot(x, y), std::hypot(x, y)));
      if (!std::isnan(x) && !std::isnan(y)) CHECK(std::fabs(__nv_atan2(x, y) - std::atan2(x, y)) <= 1e-15);
    }
}

TEST_CASE("Integer functions give the documented values") {
  CHECK(__nv_abs(-2147483647 - 1) == -2147483647 - 1);
  CHECK(__nv_clz(0) == 32);
  CHECK(__nv_ffs(0) == 0);
  CHECK(__nv_ffsll(1LL << 40) == 41);
  CHECK(__nv_mulhi(-1, 2) == -1);
  CHECK(__nv_umul64hi(~0ull, ~0ull) == ~0ull - 1);
  CHECK(__nv_hadd(-3, 2) == -1);
  CHECK(__nv_rhadd(-3, 2) == 0);
  CHECK(__nv_sad(-2147483647 - 1, 2147483647, 1) == 0);
  CHECK(__nv_hiloint2double(0x40080000, 0) == 3.0);
  CHECK(__nv_powi(2.0, -3) == 0.125);
}

TEST_CASE("Packed integers are computed part by part") {
  CHECK(__nv_vadd2(0x0001ffff, 0x00020001) == 0x00030000);
  CHECK(__nv_vadd4(0xff01807f, 0x01010101) == 0x00028180);
  CHECK(__nv_vaddss2(0x7fff8000, 0x0001ffff) == 0x7fff8000);
  CHECK(__nv_vaddus4(0xff018001, 0x02027f01) == 0xff03ff02);
  CHECK(__nv_vsubus2(0x00010005, 0x00020003) == 0x00000002);
  CHECK(__nv_vavgs2(0xffff0001, 0xfffe0002) == 0xfffe0002);
  CHECK(__nv_vavgu4(0x01ff0003, 0x02ff0000) == 0x02ff0002);
  CHECK(__nv_vhaddu4(0x01ff0003, 0x02ff0000) == 0x01ff0001);
  CHECK(__nv_vmaxs4(0x80017f00, 0x0000ff01) == 0x00017f01);
  CHECK(__nv_vminu2(0x8000ffff, 0x7fff0001) == 0x7fff0001);
  CHECK(__nv_vabs2(0x8000ffff) == 0x80000001);
  CHECK(__nv_vabsss2(0x8000ffff) == 0x7fff0001);
  CHECK(__nv_vnegss4(0x807f0001) == 0x7f8100ff);
  CHECK(__nv_vabsdiffs2(0x8000ffff, 0x7fff0001) == 0xffff0002);
  CHECK(__nv_vcmpgts4(0x01ff8000, 0x00008001) == 0xff000000);
  CHECK(__nv_vsetgtu4(0x01ff8000, 0x00008001) == 0x01010000);
  CHECK(__nv_vcmpeq2(0x12345678, 0x12340000) == 0xffff0000);
  CHECK(__nv_vsads2(0x8000ffff, 0x7fff0001) == 65537);
  CHECK(__nv_vsadu4(0xff000001, 0x00ff0002) == 511);
}
