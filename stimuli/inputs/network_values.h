#pragma once
// Weights and activations of neural networks (workloads section 5). Weights have both signs and no pattern; about half of the activations
// are zeros, in clusters, as a rectifier leaves them.

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

/// Activations of consecutive feature maps: runs of zeros and of values in [0, 1), 12 elements long on average. One map in 14 is entirely
/// zero.
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
