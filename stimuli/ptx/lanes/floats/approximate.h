#pragma once
// Elementary functions in double, to more digits than a float has, with the same result on every host (CU-40).

namespace wharf::ptx::approximate {

/// Radians; any finite argument of float range. NaN for infinities and NaN.
double sin(float x);
double cos(float x);
/// 2 to the x, for float results: underflows to 0 below -200, infinity above 200.
double exp2(float x);
/// -infinity for zeros, NaN for negative numbers.
double log2(float x);
double tanh(float x);

}  // namespace wharf::ptx::approximate
