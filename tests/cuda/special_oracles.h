#pragma once
// Special functions to 64 bits or more, by definitions that the device mathematics does not use: power series in 113 bits and Newton's
// method.

namespace wharf::cuda::test {

/// Bessel functions of order n >= 0 by their power series. For |x| up to 20 they are exact to an ulp of long double, also near zeros.
long double bessel_j(int n, long double x);
long double bessel_y(int n, long double x);
/// The modified Bessel function of order n, for |x| up to 800.
long double bessel_i(int n, long double x);

long double erfinv(long double x);
long double erfcinv(long double x);
long double normcdfinv(long double p);

}  // namespace wharf::cuda::test
