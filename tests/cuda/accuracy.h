#pragma once
// Errors of the device mathematics in units of the last place, over samples of an interval.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace wharf::cuda::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Distance of `value` from the exact result in units of the last place of T at the exact result.
template <class T>
double ulps(T value, long double exact) {
  if (std::isnan(exact)) return std::isnan(value) ? 0 : 1e9;
  const auto rounded = static_cast<T>(exact);
  if (std::isinf(rounded) || std::isinf(value)) return value == rounded ? 0 : 1e9;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const int lowest = std::numeric_limits<T>::min_exponent;
  const long double unit = std::ldexp(1.0L, std::max(exponent, lowest) - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs((value - exact) / unit));
}

/// A value between the bounds: half of them uniform, half uniform in the exponent.
template <class T>
T sample(std::mt19937_64& random, T low, T high) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  if (random() % 2 == 0) return static_cast<T>(low + (static_cast<double>(high) - low) * u);
  const double most = std::max(std::fabs(static_cast<double>(low)), std::fabs(static_cast<double>(high)));
  const double least = std::max(most * 1e-12, static_cast<double>(std::numeric_limits<T>::min()));
  const double magnitude = least * std::pow(most / least, u);
  const auto value = static_cast<T>(low < 0 && (high <= 0 || random() % 2 == 0) ? -magnitude : magnitude);
  return std::min(std::max(value, low), high);
}

template <class T>
double worst_of(T (*function)(T), long double (*exact)(long double), T low, T high) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const T x = sample(random, low, high);
    const double distance = ulps(function(x), exact(x));
    if (distance > worst) {
      worst = distance;
      UNSCOPED_INFO("x = " << x << ": " << function(x) << " instead of " << exact(x));
    }
  }
  return worst;
}

template <class T>
double worst_of_two(T (*function)(T, T), long double (*exact)(long double, long double), T low, T high, T low2, T high2) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < 40000; ++i) {
    const T x = sample(random, low, high), y = sample(random, low2, high2);
    worst = std::max(worst, ulps(function(x, y), exact(x, y)));
  }
  return worst;
}

}  // namespace wharf::cuda::test

/// The limit is the CUDA programming guide's for the function; the tests allow one unit more (CU-12).
#define WITHIN(limit, function, exact, low, high) CHECK(worst_of<decltype(function(0))>(function, exact, low, high) <= (limit) + 1)
#define WITHIN_TWO(limit, function, exact, low, high, low2, high2) \
  CHECK(worst_of_two<decltype(function(0, 0))>(function, exact, low, high, low2, high2) <= (limit) + 1)
