#pragma once
// Poisson-distributed numbers. cuRAND documents no algorithm, so the numbers and their cost are our own.

/// Below a mean of 10 the number of uniform factors until their product falls below e^-mean, else rejection: W. Hoermann, "The Transformed
/// Rejection Method for Generating Poisson Random Variables", Insurance: Mathematics and Economics 12(1), 1993, algorithm PTRS.
template <typename State>
static __inline__ __device__ unsigned curand_poisson(State* state, double mean) {
  if (!(mean >= 10)) {
    const double limit = exp(-mean);
    unsigned count = 0;
    for (double product = curand_uniform_double(state); product > limit; product *= curand_uniform_double(state)) ++count;
    return count;
  }
  const double width = 0.931 + 2.53 * sqrt(mean), slope = -0.059 + 0.02483 * width;
  const double inverse = 1.1239 + 1.1328 / (width - 3.4), inside = 0.9277 - 3.6224 / (width - 2);
  for (;;) {
    const double place = curand_uniform_double(state) - 0.5, height = curand_uniform_double(state);
    const double distance = 0.5 - fabs(place);
    const double count = floor((2 * slope / distance + width) * place + mean + 0.43);
    if (distance >= 0.07 && height <= inside) return static_cast<unsigned>(count);
    if (count < 0 || (distance < 0.013 && height > distance)) continue;
    const double bound = log(height * inverse / (slope / (distance * distance) + width));
    if (bound <= count * log(mean) - mean - lgamma(count + 1)) return static_cast<unsigned>(count);
  }
}
static __inline__ __device__ uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
  const unsigned first = curand_poisson(state, mean), second = curand_poisson(state, mean), third = curand_poisson(state, mean);
  return make_uint4(first, second, third, curand_poisson(state, mean));
}
