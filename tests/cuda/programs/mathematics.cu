// Functions of the device's mathematics, for double and, by the overload, for float, against values of another source. Ends with the number
// of wrong ones.

#include <cmath>
#include <cstdio>

constexpr int kFunctions = 14, kOverloads = 24;

template <class T>
__global__ void special(T* out, T x) {
  const T values[] = {tgamma(x), lgamma(-x), erfinv(x / 8), erfcinv(x / 8),   normcdfinv(x / 8),   j0(x), j1(x), jn(3, x), jn(3, 9 * x),
                      y0(x),     y1(x),      yn(3, x),      cyl_bessel_i0(x), cyl_bessel_i1(9 * x)};
  for (int i = 0; i < kFunctions; ++i) out[i] = values[i];
}

__global__ void overloads(float* out, float x) {
  int quotient;
  float sine, cosine;
  sincospi(x / 14, &sine, &cosine);
  const float values[] = {acosh(x),
                          asinh(x),
                          atanh(x / 7),
                          cbrt(x),
                          exp2(x),
                          expm1(x),
                          log1p(x),
                          log2(x),
                          logb(x),
                          nearbyint(x),
                          round(x),
                          trunc(x),
                          erf(x / 7),
                          erfc(x / 7),
                          fmax(x, 4.0f),
                          fmin(x, 4.0f),
                          hypot(x, 12.0f),
                          copysign(x, -1.0f),
                          fdim(x, 1.0f),
                          remainder(x, 2.0f),
                          fma(x, 2.0f, 1.0f),
                          scalbn(x, 3),
                          remquo(x, 2.0f, &quotient),
                          sine * cosine};
  for (int i = 0; i < kOverloads; ++i) out[i] = values[i] + 0 * static_cast<float>(quotient);
}

template <class T>
int count_wrong(const T* values, const double* expected, int count, double tolerance) {
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    if (std::fabs(values[i] / expected[i] - 1) <= tolerance) continue;
    std::printf("value %d is %.17g instead of %.17g\n", i, static_cast<double>(values[i]), expected[i]);
    ++wrong;
  }
  return wrong;
}

int main() {
  const double expected[kFunctions] = {3.3233509704478426,   -1.309006684993042,   0.40950827913413151, 0.54901309236850149,
                                       -0.1573106846101707,  -0.38012773998726338, 0.13737752736232719, 0.38677011171688137,
                                       0.075971848877167814, 0.1890219439208265,   0.41018841788751187, -0.35833534619702012,
                                       7.3782034322254795,   3363383210948.709};
  const double x = 3.5, third = 1.0 / 3;
  const double overloaded[kOverloads] = {std::acosh(x),
                                         std::asinh(x),
                                         std::atanh(x / 7),
                                         std::pow(x, third),
                                         std::pow(2.0, x),
                                         std::exp(x) - 1,
                                         std::log(4.5),
                                         std::log(x) / std::log(2.0),
                                         1,
                                         4,
                                         4,
                                         3,
                                         std::erf(0.5),
                                         std::erfc(0.5),
                                         4,
                                         3.5,
                                         12.5,
                                         -3.5,
                                         2.5,
                                         -0.5,
                                         8,
                                         28,
                                         -0.5,
                                         0.5};
  double* doubles;
  float* floats;
  cudaMallocManaged(&doubles, kFunctions * sizeof *doubles);
  cudaMallocManaged(&floats, (kFunctions + kOverloads) * sizeof *floats);
  special<<<1, 1>>>(doubles, x);
  special<<<1, 1>>>(floats, static_cast<float>(x));
  overloads<<<1, 1>>>(floats + kFunctions, static_cast<float>(x));
  cudaDeviceSynchronize();
  return count_wrong(doubles, expected, kFunctions, 1e-14) + count_wrong(floats, expected, kFunctions, 2e-6) +
         count_wrong(floats + kFunctions, overloaded, kOverloads, 1e-6);
}
