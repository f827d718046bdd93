#pragma once
// The inverses of the error functions and of the distribution function of the normal distribution.

#include "stimuli/cuda/device_math/by_type.h"

namespace wharf_math {

/// erfinv(z) / z as a function of w = -log(1 - z^2): polynomials in w, in its root s, and in 1 / s where s exceeds what erfinv can have.
inline float inverse_erf_ratio(float w) {
  constexpr float kCentral[] = {1.50140929f,      0.24664028f,     -0.00417732494f, -0.00125270791f,  0.000218264118f, -4.99599992e-06f,
                                -3.42626618e-06f, 4.78689685e-07f, 1.65036447e-08f, -1.08617613e-08f, 4.34062675e-10f, 1.23465765e-10f};
  constexpr float kTail[] = {2.83297682f,    1.00167525f,      0.00944529288f,   -0.00764341373f, 0.0056878631f,   -0.00356367044f,
                             0.00147385651f, -0.000126806568f, -0.000274069695f, 0.000165083242f, -3.24101202e-05f};
  constexpr float kFar[] = {1.0002929f, -0.0263521913f, -1.24905837f, 5.1476655f, -15.8427782f, 38.484684f, -58.4057388f, 39.9334373f};
  if (w < 5) return polynomial(kCentral, w - 2.5f);
  const float s = __builtin_sqrtf(w);
  return s < 4 ? polynomial(kTail, s - 3) : polynomial(kFar, 1 / s) * s;
}
inline double inverse_erf_ratio(double w) {
  constexpr double kCentral[] = {1.6235420064648298,      0.24163040416615827,     -0.005738135221005968,   -0.0008361817769093166,
                                 0.00019506132441372799,  -1.2716422638720585e-05, -1.7480020967030342e-06, 4.4998542545718333e-07,
                                 -2.368872626492295e-08,  -5.4671789842189004e-09, 1.1107974232037305e-09,  -3.1425551279949383e-11,
                                 -1.7328538731928835e-11, 2.6989652309090837e-12,  6.190781479406349e-15,   -5.292972044721015e-14,
                                 6.339002394406591e-15,   2.7405937576493665e-16,  -1.62547328079684e-16,   1.2874404438465058e-17,
                                 2.0411289874716924e-18,  -3.916147418354864e-19,  -1.0208579184069643e-20, 4.3365108728076584e-21};
  constexpr double kTail[] = {3.0838856104922208,     1.0052589676941655,     0.005370914553553881,    -0.0037512085082319633,
                              0.0024914420980189844,  -0.001688275535215576,  0.0009532893402871068,   -0.0003550378172006582,
                              2.4031526506765463e-05, 6.828714442990638e-05,  -4.732076315115092e-05,  1.2464902716445514e-05,
                              2.9328812097504744e-06, -3.985354413270131e-06, 1.480912336081477e-06,   -2.820135209233643e-08,
                              -2.445639705843782e-07, 1.3211674352112298e-07, -2.1616327329582457e-08, -1.5507642368566876e-08,
                              7.903091248849997e-09};
  constexpr double kLongTail[] = {4.849906401408584,      1.0103004648645448,      -0.00013871931838013957, -0.00021503011979940174,
                                  7.599527809692454e-05,  -1.9681771191991438e-05, 4.526052520405248e-06,   -9.93025529798686e-07,
                                  2.2905287270496998e-07, -6.757256426337207e-08,  2.9018406533613478e-08,  -1.521417226765335e-08,
                                  7.821994906152886e-09,  -3.5332506247565212e-09, 1.3153009075187734e-09,  -3.816885889574006e-10,
                                  7.000301397926548e-11,  1.5230016974576057e-11,  -2.0500209315219763e-11, 5.7677877671123546e-12};
  constexpr double kFar[] = {
      0.9890609132540967,     -0.16908702367111214, -0.3498085085816979, 1.6380160858121438, -4.203305405296564,     16.294549610393414,
      -83.19562089240605,     477.8435373329707,    -2984.747239326371,  19886.18551526345,  -139104.50130514408,    1012295.1497551248,
      -7641539.054594374,     58026424.20479142,    -420276825.4843058,  3764657689.3045325, -47549601148.910446,    243936874575.60846,
      3532234387101.0205,     6326448298198.172,    -1288386340749086.0, 5412427145305799.0, 1.3027754073648208e+17, -6.250433066464923e+17,
      -9.338318898193863e+18, 6.205017350626979e+19};
  if (w < 6) return polynomial(kCentral, w - 3);
  const double s = __builtin_sqrt(w);
  if (s < 4) return polynomial(kTail, s - 3.25);
  return s < 6.015625 ? polynomial(kLongTail, s - 5) : polynomial(kFar, 1 / s - 0.1) * s;
}

template <class T>
inline T inverse_erf(T x) {
  if (magnitude(x) == 1) return x * static_cast<T>(kInfinity);
  return x * inverse_erf_ratio(-natural_log(fused(-x, x, T(1))));  // NaN beyond 1, by the logarithm
}
template <class T>
inline T inverse_erfc(T x) {
  if (x == 0 || x == 2) return (1 - x) * static_cast<T>(kInfinity);
  return (1 - x) * inverse_erf_ratio(-natural_log(x * (2 - x)));
}

}  // namespace wharf_math

WHARF_DEVICE float __nv_erfinvf(float x) { return wharf_math::inverse_erf(x); }
WHARF_DEVICE double __nv_erfinv(double x) { return wharf_math::inverse_erf(x); }
WHARF_DEVICE float __nv_erfcinvf(float x) { return wharf_math::inverse_erfc(x); }
WHARF_DEVICE double __nv_erfcinv(double x) { return wharf_math::inverse_erfc(x); }
WHARF_DEVICE float __nv_normcdfinvf(float x) { return -0x1.6a09e6p+0f * wharf_math::inverse_erfc(2 * x); }
WHARF_DEVICE double __nv_normcdfinv(double x) { return -0x1.6a09e667f3bcdp+0 * wharf_math::inverse_erfc(2 * x); }
