#pragma once
// Weights and activations of neural networks (workloads section 5): what matters is that weights have both signs and no pattern, and
// that about half of the activations are zeros, clustered, as a rectifier leaves them.

#include <cstdint>

#include "model/base/rng.h"

namespace wharf {

/// Weights with mean 0 and standard deviation 0.03, bell-shaped.
class WeightSource {
 public:
  explicit WeightSource(std::uint64_t seed) : random_(seed, 1) {}
  double draw();

 private:
  Rng random_;
};

/// Activations of one feature map after the other: runs of zeros and of values in [0, 1), 12 elements long on average. One map in 14 is
/// zero altogether.
class ActivationSource {
 public:
  explicit ActivationSource(std::uint64_t seed) : random_(seed, 2) {}
  void start_map();
  double draw();

 private:
  Rng random_;
  bool dead_ = false, zero_ = false;
};

}  // namespace wharf
