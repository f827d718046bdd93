// Accuracy and special values of the gamma, inverse error and Bessel functions. The limits are the CUDA programming guide's.

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/cuda/accuracy.h"
#include "tests/cuda/device_math_functions.h"
#include "tests/cuda/special_oracles.h"

using namespace wharf::cuda::test;

namespace {

long double lgamma_exact(long double x) { return std::lgamma(x); }
long double j0_exact(long double x) { return bessel_j(0, x); }
long double j1_exact(long double x) { return bessel_j(1, x); }
long double y0_exact(long double x) { return bessel_y(0, x); }
long double y1_exact(long double x) { return bessel_y(1, x); }
long double i0_exact(long double x) { return bessel_i(0, x); }
long double i1_exact(long double x) { return bessel_i(1, x); }

/// The largest difference over a sample of the interval.
template <class T, class Function, class Exact>
double worst_difference(Function function, Exact exact, T low, T high, int samples = 4000) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < samples; ++i) {
    const T x = sample(random, low, high);
    const auto difference = static_cast<double>(std::fabs(function(x) - exact(static_cast<long double>(x))));
    if (difference > worst) UNSCOPED_INFO("x = " << x << ": " << function(x) << " instead of " << exact(static_cast<long double>(x)));
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

/// The largest error in units of the last place near `zero`, on both sides and at distances of all sizes.
template <class T>
double worst_around(double zero, T (*function)(T), long double (*exact)(long double)) {
  double worst = 0;
  for (double distance = 0.25; distance > zero * std::numeric_limits<T>::epsilon() / 2; distance /= 1.5)
    for (const double x : {zero - distance, zero + distance})
      worst = std::max(worst, ulps(function(static_cast<T>(x)), exact(static_cast<long double>(static_cast<T>(x)))));
  return worst;
}

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }

}  // namespace

TEST_CASE("The gamma function is as accurate as documented") {
  WITHIN(5, __nv_tgammaf, std::tgamma, 1e-38f, 35.0f);
  WITHIN(5, __nv_tgammaf, std::tgamma, -41.9f, -1e-37f);
  WITHIN(5, __nv_tgammaf, std::tgamma, -3, 3);
  WITHIN(10, __nv_tgamma, std::tgamma, 1e-300, 171.6);
  WITHIN(10, __nv_tgamma, std::tgamma, -183, -1e-300);
  WITHIN(10, __nv_tgamma, std::tgamma, -3, 3);
}

TEST_CASE("The logarithm of the gamma function is as accurate as documented") {
  WITHIN(6, __nv_lgammaf, lgamma_exact, 1e-38f, 4e36f);
  WITHIN(6, __nv_lgammaf, lgamma_exact, 0.25f, 4);
  WITHIN(6, __nv_lgammaf, lgamma_exact, -2.264f, -1e-30f);
  WITHIN(6, __nv_lgammaf, lgamma_exact, -1000, -10.001f);
  WITHIN(4, __nv_lgamma, lgamma_exact, 1e-308, 2.5e305);
  WITHIN(4, __nv_lgamma, lgamma_exact, 0.25, 4);
  WITHIN(4, __nv_lgamma, lgamma_exact, -2.2637, -1e-300);
  WITHIN(4, __nv_lgamma, lgamma_exact, -10000, -23.0001);
  // The zeros are between these intervals. There the error is one of the terms': some 10 units of the last place of log(10!).
  CHECK(worst_difference<float>(__nv_lgammaf, lgamma_exact, -10.001f, -2.264f) < 1e-5);
  CHECK(worst_difference<double>(__nv_lgamma, lgamma_exact, -23.0001, -2.2637) < 4e-14);
}

TEST_CASE("The inverse error functions are as accurate as documented") {
  WITHIN(2, __nv_erfinvf, erfinv, -1, 1);
  WITHIN(2, __nv_erfinvf, erfinv, 0.9f, 1);
  WITHIN(4, __nv_erfcinvf, erfcinv, 0, 2);
  WITHIN(4, __nv_erfcinvf, erfcinv, 0, 1e-20f);
  WITHIN(5, __nv_normcdfinvf, normcdfinv, 0, 1);
  WITHIN(5, __nv_normcdfinvf, normcdfinv, 0.49f, 0.51f);
  WITHIN(5, __nv_erfinv, erfinv, -1, 1);
  WITHIN(5, __nv_erfinv, erfinv, 0.99999, 1);
  WITHIN(6, __nv_erfcinv, erfcinv, 0, 2);
  WITHIN(6, __nv_erfcinv, erfcinv, 0, 1e-200);
  WITHIN(8, __nv_normcdfinv, normcdfinv, 0, 1);
  WITHIN(8, __nv_normcdfinv, normcdfinv, 0.49, 0.51);
  for (int exponent = -1; exponent >= -53; --exponent) {
    const double x = 1 - std::ldexp(1.0, exponent);
    INFO("1 - 2^" << exponent);
    CHECK(ulps(__nv_erfinv(x), erfinv(x)) <= 6);
    if (exponent >= -24) CHECK(ulps(__nv_erfinvf(static_cast<float>(x)), erfinv(x)) <= 3);
  }
  for (int exponent = -1; exponent >= -1074; --exponent) {
    INFO("2^" << exponent);
    CHECK(ulps(__nv_erfcinv(std::ldexp(1.0, exponent)), erfcinv(std::ldexp(1.0L, exponent))) <= 7);
    if (exponent >= -149) CHECK(ulps(__nv_erfcinvf(std::ldexp(1.0f, exponent)), erfcinv(std::ldexp(1.0L, exponent))) <= 5);
  }
}

TEST_CASE("The Bessel functions of orders 0 and 1 are as accurate as documented below 8, around their zeros too") {
  WITHIN(9, __nv_j0f, j0_exact, -7.9999f, 7.9999f);
  WITHIN(9, __nv_j1f, j1_exact, -7.9999f, 7.9999f);
  WITHIN(9, __nv_y0f, y0_exact, 1e-30f, 7.9999f);
  WITHIN(9, __nv_y1f, y1_exact, 1e-30f, 7.9999f);
  WITHIN(7, __nv_j0, j0_exact, -7.9999, 7.9999);
  WITHIN(7, __nv_j1, j1_exact, -7.9999, 7.9999);
  WITHIN(7, __nv_y0, y0_exact, 1e-300, 7.9999);
  WITHIN(7, __nv_y1, y1_exact, 1e-300, 7.9999);
  for (const double zero : {2.404825557695773, 5.520078110286311}) {
    CHECK(worst_around<float>(zero, __nv_j0f, j0_exact) <= 10);
    CHECK(worst_around<double>(zero, __nv_j0, j0_exact) <= 8);
  }
  for (const double zero : {3.8317059702075125, 7.015586669815619}) {
    CHECK(worst_around<float>(zero, __nv_j1f, j1_exact) <= 10);
    CHECK(worst_around<double>(zero, __nv_j1, j1_exact) <= 8);
  }
  for (const double zero : {0.8935769662791675, 3.957678419314858, 7.086051060301773}) {
    CHECK(worst_around<float>(zero, __nv_y0f, y0_exact) <= 10);
    CHECK(worst_around<double>(zero, __nv_y0, y0_exact) <= 8);
  }
  for (const double zero : {2.197141326031017, 5.429681040794135}) {
    CHECK(worst_around<float>(zero, __nv_y1f, y1_exact) <= 10);
    CHECK(worst_around<double>(zero, __nv_y1, y1_exact) <= 8);
  }
}

TEST_CASE("The Bessel functions of orders 0 and 1 are as accurate as documented from 8 on") {
  CHECK(worst_difference<float>(__nv_j0f, j0_exact, 8, 40) < 2.2e-6);
  CHECK(worst_difference<float>(__nv_j1f, j1_exact, 8, 40) < 2.2e-6);
  CHECK(worst_difference<float>(__nv_y0f, y0_exact, 8, 40, 400) < 2.2e-6);
  CHECK(worst_difference<float>(__nv_y1f, y1_exact, 8, 40, 400) < 2.2e-6);
  CHECK(worst_difference<double>(__nv_j0, j0_exact, 8, 40) < 5e-12);
  CHECK(worst_difference<double>(__nv_j1, j1_exact, 8, 40) < 5e-12);
  CHECK(worst_difference<double>(__nv_y0, y0_exact, 8, 40, 400) < 5e-12);
  CHECK(worst_difference<double>(__nv_y1, y1_exact, 8, 40, 400) < 5e-12);
  // Beyond that, the host's functions are accurate enough.
  CHECK(worst_difference<float>(__nv_j0f, ::j0l, 8, 1e10f) < 2.2e-6);
  CHECK(worst_difference<float>(__nv_y1f, ::y1l, 8, 1e10f) < 2.2e-6);
  CHECK(worst_difference<double>(__nv_j1, ::j1l, 8, 1e15) < 5e-12);
  CHECK(worst_difference<double>(__nv_y0, ::y0l, 8, 1e15) < 5e-12);
}

TEST_CASE("The Bessel functions of higher orders are as accurate as documented") {
  for (const int n : {2, 3, 7, 20, 128}) {
    INFO("order " << n);
    const auto j_exact = [n](long double x) { return x <= 40 ? bessel_j(n, x) : ::jnl(n, x); };
    const auto y_exact = [n](long double x) { return ::ynl(n, x); };
    CHECK(worst_difference<float>([n](float x) { return __nv_jnf(n, x); }, j_exact, -40, 40) < 2.2e-6);
    CHECK(worst_difference<float>([n](float x) { return __nv_jnf(n, x); }, j_exact, 40, 500) < 2.2e-6);
    CHECK(worst_difference<double>([n](double x) { return __nv_jn(n, x); }, j_exact, -40, 40) < 5e-12);
    CHECK(worst_difference<double>([n](double x) { return __nv_jn(n, x); }, j_exact, 40, 500) < 5e-12);
    CHECK(worst_difference<float>([n](float x) { return __nv_ynf(n, x); }, y_exact, static_cast<float>(n), 500) < 2.2e-6);
    CHECK(worst_difference<double>([n](double x) { return __nv_yn(n, x); }, y_exact, 1.5 * n, 500) < 5e-12);
  }
  for (const int n : {2, 3, 7}) {
    std::mt19937_64 random(1);
    double worst = 0;
    for (int i = 0; i < 400; ++i) {
      const auto x = sample<float>(random, 1e-3f, static_cast<float>(n));
      worst = std::max(worst, ulps(__nv_ynf(n, x), bessel_y(n, x)));
    }
    CHECK(worst <= std::ceil(2 + 2.5 * n) + 1);
  }
  // Only the leading term (x/2)^n / n! matters, or it underflows.
  CHECK(__nv_jn(3, 1e-100) == Approx(1e-300 / 48).epsilon(1e-15));
  CHECK(__nv_jnf(2, -1e-10f) == Approx(1.25e-21f).epsilon(1e-6));
  CHECK(__nv_jn(3, -1e-100) < 0);
  CHECK(__nv_jn(128, 1e-10) == 0);
  CHECK(__nv_yn(128, 1e-10) == -kInfinity);
}

TEST_CASE("The modified Bessel functions are as accurate as documented") {
  WITHIN(6, __nv_cyl_bessel_i0f, i0_exact, -91.9f, 91.9f);
  WITHIN(6, __nv_cyl_bessel_i1f, i1_exact, -91.9f, 91.9f);
  for (double x = -713.75; x <= 713.75; x += 0.625) {
    INFO(x);
    CHECK(ulps(__nv_cyl_bessel_i0(x), i0_exact(x)) <= 7);
    CHECK(ulps(__nv_cyl_bessel_i1(x), i1_exact(x)) <= 7);
  }
  for (const double x : {720.0, 1e10, kInfinity}) {
    CHECK(__nv_cyl_bessel_i0(-x) == kInfinity);
    CHECK(__nv_cyl_bessel_i1(-x) == -kInfinity);
    CHECK(__nv_cyl_bessel_i0f(static_cast<float>(x)) == INFINITY);
    CHECK(__nv_cyl_bessel_i1f(static_cast<float>(x)) == INFINITY);
  }
}

TEST_CASE("Special functions have the documented values at poles, at infinity and outside of their domains") {
  struct Value {
    const char* name;
    double (*function)(double);
    float (*single)(float);
    double x, value;
  };
  const Value values[] = {{"tgamma", __nv_tgamma, __nv_tgammaf, 0.0, kInfinity},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, -0.0, -kInfinity},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, 1, 1},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, 6, 120},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, -1, kNan},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, -100, kNan},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, 1e30, kInfinity},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, kInfinity, kInfinity},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, -kInfinity, kNan},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, kNan, kNan},
                          {"tgamma", __nv_tgamma, __nv_tgammaf, -1000.5, -0.0},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, 0.0, kInfinity},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, 1, 0},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, 2, 0},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, -3, kInfinity},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, -1e30, kInfinity},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, kInfinity, kInfinity},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, -kInfinity, kInfinity},
                          {"lgamma", __nv_lgamma, __nv_lgammaf, kNan, kNan},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, 0.0, 0.0},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, -0.0, -0.0},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, 1, kInfinity},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, -1, -kInfinity},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, 1.5, kNan},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, -kInfinity, kNan},
                          {"erfinv", __nv_erfinv, __nv_erfinvf, kNan, kNan},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, 0, kInfinity},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, 1, 0},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, 2, -kInfinity},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, -0.5, kNan},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, 2.5, kNan},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, kInfinity, kNan},
                          {"erfcinv", __nv_erfcinv, __nv_erfcinvf, kNan, kNan},
                          {"normcdfinv", __nv_normcdfinv, __nv_normcdfinvf, 0, -kInfinity},
                          {"normcdfinv", __nv_normcdfinv, __nv_normcdfinvf, 1, kInfinity},
                          {"normcdfinv", __nv_normcdfinv, __nv_normcdfinvf, -0.25, kNan},
                          {"normcdfinv", __nv_normcdfinv, __nv_normcdfinvf, 1.25, kNan},
                          {"normcdfinv", __nv_normcdfinv, __nv_normcdfinvf, kNan, kNan},
                          {"j0", __nv_j0, __nv_j0f, 0, 1},
                          {"j0", __nv_j0, __nv_j0f, kInfinity, 0},
                          {"j0", __nv_j0, __nv_j0f, -kInfinity, 0},
                          {"j0", __nv_j0, __nv_j0f, kNan, kNan},
                          {"j1", __nv_j1, __nv_j1f, 0.0, 0.0},
                          {"j1", __nv_j1, __nv_j1f, -0.0, -0.0},
                          {"j1", __nv_j1, __nv_j1f, kInfinity, 0.0},
                          {"j1", __nv_j1, __nv_j1f, -kInfinity, -0.0},
                          {"j1", __nv_j1, __nv_j1f, kNan, kNan},
                          {"y0", __nv_y0, __nv_y0f, 0.0, -kInfinity},
                          {"y0", __nv_y0, __nv_y0f, -0.0, -kInfinity},
                          {"y0", __nv_y0, __nv_y0f, -1, kNan},
                          {"y0", __nv_y0, __nv_y0f, kInfinity, 0},
                          {"y0", __nv_y0, __nv_y0f, kNan, kNan},
                          {"y1", __nv_y1, __nv_y1f, 0.0, -kInfinity},
                          {"y1", __nv_y1, __nv_y1f, 1e-320, -kInfinity},
                          {"y1", __nv_y1, __nv_y1f, -1, kNan},
                          {"y1", __nv_y1, __nv_y1f, kInfinity, 0},
                          {"y1", __nv_y1, __nv_y1f, kNan, kNan},
                          {"i0", __nv_cyl_bessel_i0, __nv_cyl_bessel_i0f, 0, 1},
                          {"i0", __nv_cyl_bessel_i0, __nv_cyl_bessel_i0f, kNan, kNan},
                          {"i1", __nv_cyl_bessel_i1, __nv_cyl_bessel_i1f, 0.0, 0.0},
                          {"i1", __nv_cyl_bessel_i1, __nv_cyl_bessel_i1f, -0.0, -0.0},
                          {"i1", __nv_cyl_bessel_i1, __nv_cyl_bessel_i1f, kNan, kNan}};
  for (const Value& value : values) {
    const double result = value.function(value.x), single = value.single(static_cast<float>(value.x));
    INFO(value.name << "(" << value.x << "): " << result << " and " << single << " instead of " << value.value);
    CHECK(same(result, value.value));
    CHECK(same(single, value.value));
  }
  for (const int n : {0, 1, 2, 5}) {
    INFO("order " << n);
    CHECK(__nv_jn(n, 0.0) == (n == 0 ? 1 : 0));
    CHECK(__nv_jn(n, kInfinity) == 0);
    CHECK(std::isnan(__nv_jn(n, kNan)));
    CHECK(__nv_yn(n, 0.0) == -kInfinity);
    CHECK(std::isnan(__nv_yn(n, -1.0)));
    CHECK(__nv_ynf(n, INFINITY) == 0);
    CHECK(std::isnan(__nv_ynf(n, NAN)));
  }
  CHECK(std::isnan(__nv_jn(-1, 1.0)));
  CHECK(std::isnan(__nv_jnf(-1, 1.0f)));
  CHECK(std::isnan(__nv_yn(-1, 1.0)));
  CHECK(std::isnan(__nv_ynf(-1, 1.0f)));
}
