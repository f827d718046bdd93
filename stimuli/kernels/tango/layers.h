#pragma once
// The layers of the Tango networks after their first ones (workloads section 5): direct convolutions, one thread per output pixel, without
// shared memory. The lane-fast thread index is the output row, so lanes are an image row apart. All CTAs of a layer read the same
// activations in the same order.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "stimuli/inputs/network_values.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

/// A convolution of one image. Activations are [channel][row][column], weights [output][channel][row][column] with weight_pitch elements
/// from one output to the next.
template <class T>
struct Convolution {
  Array<T> in, weights, bias, out;  // bias: of size 0 if the layer has no bias
  int side_in, side_out;
  int kernel, stride, pad;
  int channels, outputs;
  int weight_pitch;
  bool relu = false;
  bool column_slip = false;  // AlexNet reads columns one pad too far to the right

  int plane_in() const { return side_in * side_in; }
  int plane_out() const { return side_out * side_out; }
};

/// AlexNet, ResNet (workloads section 5.1): CTA bx of side_out x side_out threads computes output bx. Kernel rows and columns outside the
/// image are skipped, so lanes and warps at the border run shorter loops.
void convolve_by_output(Warp& w, const Convolution<float>& k);

/// SqueezeNet (workloads section 5.4): CTA bx of side_out threads computes column bx of all outputs in turn. Kernel 1 or 3, pad 0 or 1.
void convolve_by_column(Warp& w, const Convolution<double>& k);

/// out[o] = row o of the weights times in. A CTA is one thread (workloads section 5.2).
struct FullyConnected {
  Array<float> in, weights, out;
  int inputs, weight_pitch;
};
void fully_connected(Warp& w, const FullyConnected& k);

/// Registers per thread of these kernels: 60 (workloads section 5), or as many as let a CTA of `threads` fit into the 32768 of the smaller
/// machines. There the compiler must be given this limit, or the launch fails.
constexpr std::uint32_t layer_registers(std::uint32_t threads) {
  const std::uint32_t of_cta = (threads + kLanes - 1) / kLanes * kLanes;
  return std::min(60u, 32768 / of_cta);
}

/// The layer on the host, into `out` instead of k.out.
template <class T>
void convolve_on_host(const Convolution<T>& k, T* out);
void connect_on_host(const FullyConnected& k, std::vector<float>& out);

/// Weights for the first `used` elements of every `pitch`.
template <class T>
Array<T> weights_array(Memory& memory, const std::string& name, int outputs, int used, int pitch, WeightSource& values) {
  const auto array = memory.array<T>(name, std::uint64_t(outputs) * std::uint64_t(pitch));
  for (int o = 0; o < outputs; ++o) {
    for (int i = 0; i < used; ++i) array[std::uint64_t(o) * std::uint64_t(pitch) + std::uint64_t(i)] = static_cast<T>(values.draw());
  }
  return array;
}

/// Activations of `maps` feature maps, and `slack` elements after them.
template <class T>
Array<T> activations_array(Memory& memory, const std::string& name, int maps, int plane, ActivationSource& values, int slack = 0) {
  const auto array = memory.array<T>(name, std::uint64_t(maps) * std::uint64_t(plane) + std::uint64_t(slack));
  for (int map = 0; map < maps; ++map) {
    values.start_map();
    for (int i = 0; i < plane; ++i) array[std::uint64_t(map) * std::uint64_t(plane) + std::uint64_t(i)] = static_cast<T>(values.draw());
  }
  return array;
}

}  // namespace wharf::spmd
