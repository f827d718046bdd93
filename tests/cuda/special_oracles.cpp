#include "tests/cuda/special_oracles.h"

#include <cmath>
#include <limits>

namespace wharf::cuda::test {

namespace {

__extension__ typedef __float128 Quad;  // the compiler's arithmetic; its library of functions is not needed

const Quad kPi = Quad(0x1.921fb54442d18p+1) + 0x1.1a62633145c07p-53 + -0x1.f1976b7ed8fbcp-109;
const Quad kEuler = Quad(0x1.2788cfc6fb619p-1) + -0x1.6cb90701fbfabp-58 + -0x1.34a95e3133c51p-112;
constexpr long double kLongInfinity = std::numeric_limits<long double>::infinity();

Quad magnitude(Quad x) { return x < 0 ? -x : x; }
Quad exp_quad(Quad x) {
  Quad term = 1, sum = 1;
  x /= 1024;
  for (int k = 1; k < 30; ++k) sum += term *= x / k;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return sum;
}
Quad log_quad(Quad x) {
  const Quad near = std::log(static_cast<long double>(x)), power = exp_quad(near);
  return near + 2 * (x - power) / (x + power);  // the remaining error is the cube of 2^-64
}

/// The sum of sign^k (x/2)^(2k+n) / (k! (k+n)!) * weight(k), where weight is called for k = 0, 1, 2, ...
template <class Weight>
Quad series(int n, Quad x, int sign, Weight weight) {
  Quad term = 1, sum = 0;
  for (int k = 1; k <= n; ++k) term *= x / 2 / k;
  const Quad square = sign * x * x / 4;
  for (int k = 0; k < 2000; ++k) {
    const Quad next = term * weight(k);
    sum += next;
    if (k > 4 && magnitude(next) <= magnitude(sum) * 0x1p-120) break;
    term *= square / (Quad(k + 1) * (k + 1 + n));
  }
  return sum;
}
Quad one(int) { return 1; }

Quad bessel_y_quad(int n, Quad x) {
  Quad harmonic = 0;  // 1 + 1/2 + ... + 1/k
  if (n == 0) {
    const auto weight = [&](int k) { return harmonic += k == 0 ? 0 : Quad(1) / k; };
    return 2 / kPi * ((log_quad(x / 2) + kEuler) * series(0, x, -1, one) - series(0, x, -1, weight));
  }
  if (n == 1) {
    const auto weight = [&](int k) {
      harmonic += k == 0 ? 0 : Quad(1) / k;
      return 2 * (harmonic - kEuler) + Quad(1) / (k + 1);
    };
    return (2 * log_quad(x / 2) * series(1, x, -1, one) - series(1, x, -1, weight) - 2 / x) / kPi;
  }
  return 2 * (n - 1) / x * bessel_y_quad(n - 1, x) - bessel_y_quad(n - 2, x);
}

constexpr long double kTwoByRootPi = 1.12837916709551257389615890312154517L;

}  // namespace

long double bessel_j(int n, long double x) { return static_cast<long double>(series(n, x, -1, one)); }
long double bessel_y(int n, long double x) { return static_cast<long double>(bessel_y_quad(n, x)); }
long double bessel_i(int n, long double x) { return static_cast<long double>(series(n, x, 1, one)); }

long double erfinv(long double x) {
  if (std::fabs(x) > 0.5L) return std::copysign(erfcinv(1 - std::fabs(x)), x);
  long double y = x / kTwoByRootPi;  // nearer to 0 than the result, so that Newton's method approaches from one side
  for (int i = 0; i < 8; ++i) y -= (std::erf(y) - x) * std::exp(y * y) / kTwoByRootPi;
  return y;
}
long double erfcinv(long double x) {
  if (x < 0 || x > 2) return std::numeric_limits<long double>::quiet_NaN();
  if (x == 0) return kLongInfinity;
  if (x > 1) return -erfcinv(2 - x);
  if (x >= 0.5L) return erfinv(1 - x);
  long double y = std::sqrt(-std::log(x));  // beyond the result, where the logarithm of erfc is concave
  for (int i = 0; i < 12; ++i) y += std::log(std::erfc(y) / x) * std::erfc(y) * std::exp(y * y) / kTwoByRootPi;
  return y;
}
long double normcdfinv(long double p) { return -1.41421356237309504880168872420969808L * erfcinv(2 * p); }

}  // namespace wharf::cuda::test
