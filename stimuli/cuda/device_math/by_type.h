#pragma once
// One name for a function of both precisions, for the templates of other files.

#include "stimuli/cuda/device_math/double_exponential.h"
#include "stimuli/cuda/device_math/double_trigonometric.h"
#include "stimuli/cuda/device_math/float_exponential.h"
#include "stimuli/cuda/device_math/float_trigonometric.h"
#include "stimuli/cuda/device_math/roots.h"

namespace wharf_math {

inline float natural_log(float x) { return __nv_logf(x); }
inline double natural_log(double x) { return __nv_log(x); }
inline float log_of_one_plus(float x) { return __nv_log1pf(x); }
inline double log_of_one_plus(double x) { return __nv_log1p(x); }
inline float sine_of_pi_times(float x) { return __nv_sinpif(x); }
inline double sine_of_pi_times(double x) { return __nv_sinpi(x); }
inline float smaller(float a, float b) { return __builtin_fminf(a, b); }
inline double smaller(double a, double b) { return __builtin_fmin(a, b); }
inline bool is_integer(float x) { return x == __builtin_truncf(x); }
inline bool is_integer(double x) { return x == __builtin_trunc(x); }

}  // namespace wharf_math
