// ALEXNET, Tango (workloads sections 5.1 and 5.2): conv1 over an interleaved RGB image in four launches, conv2 in two groups, conv3 (conv4
// and conv5 have its shape), fc6. Each layer has its own input, without normalisation and pooling between layers. Fewer channels or inputs
// than in the network shorten the loops. The distances between rows of weights and between groups of channels do not change.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/kernels/tango/first_layers.h"
#include "stimuli/kernels/tango/layers.h"

namespace wharf::spmd {
namespace {

/// A convolution of the network, pad kernel / 2 and stride 1.
struct Shape {
  int side, kernel, channels;
};
constexpr Shape kConv2{27, 5, 48}, kConv3{13, 3, 256};
constexpr int kFc6Inputs = 9216;

class Alexnet final : public Workload {
 public:
  Alexnet(const Arguments& arguments, Memory& memory, std::uint64_t seed) : weights_(seed), activations_(seed) {
    mark_source_elsewhere();
    const int conv1 = arguments("conv1"), conv2 = arguments("conv2"), conv3 = arguments("conv3"), fc6 = arguments("fc6");
    arguments.require(conv1 + conv2 + conv3 + fc6 > 0, "a layer must have outputs: conv1, conv2, conv3 or fc6");
    if (conv1 > 0) add_conv1(memory, conv1, arguments("conv1_rows"), arguments("conv1_launches"));
    const int groups = arguments("conv2_groups");
    if (conv2 > 0) add_convolution(memory, "conv2", kConv2, conv2, arguments("conv2_channels"), groups);
    if (conv3 > 0) add_convolution(memory, "conv3", kConv3, conv3, arguments("conv3_channels"), 1);
    if (fc6 > 0) add_fc6(memory, fc6, arguments("fc6_inputs"));
  }

  bool check(std::string& why) const override {
    for (const auto& [name, out, groups] : convolutions_) {
      std::vector<float> expected(out.size);
      for (const auto& group : groups) convolve_on_host(group, expected.data() + (group.out.data - out.data));
      if (!equal(name, out, expected, why)) return false;
    }
    if (!conv1_.empty()) {
      std::vector<float> conv1(conv1_.front().out.size);
      for (const ColourConvolution& launch : conv1_) convolve_colours_on_host(launch, conv1);
      if (!equal("conv1", conv1_.front().out, conv1, why)) return false;
    }
    std::vector<float> fc6(fc6_.out.size);
    connect_on_host(fc6_, fc6);
    return equal("fc6", fc6_.out, fc6, why);
  }

 private:
  struct Layer {
    std::string name;
    Array<float> out;
    std::vector<Convolution<float>> groups;
  };

  void add_conv1(Memory& memory, int outputs, int kernel_rows, int count) {
    using C = ColourConvolution;
    ColourConvolution k{};
    k.outputs = outputs, k.kernel_rows = kernel_rows;
    k.in = activations_array<float>(memory, "image", 1, C::kSideIn * C::kRowIn, activations_);
    k.weights = weights_array<float>(memory, "conv1_weights", outputs, C::kColours * C::kTaps, C::kColours * C::kTaps, weights_);
    k.bias = weights_array<float>(memory, "conv1_bias", outputs, 1, 1, weights_);
    k.out = memory.array<float>("conv1", std::uint64_t(outputs) * C::kPlaneOut);
    constexpr int kCut = 32;  // the threads of a CTA limit the tile
    for (int launch = 0; launch < count; ++launch) {
      k.first_row = launch / 2 * kCut, k.first_column = launch % 2 * kCut;
      const auto side = [](int first) { return first == 0 ? kCut : C::kSideOut - kCut; };
      k.rows = side(k.first_row), k.columns = side(k.first_column);
      const Dim3 block{std::uint32_t(k.rows), std::uint32_t(k.columns)};
      const std::string name = "conv1_" + std::to_string(k.first_row) + "_" + std::to_string(k.first_column);
      add_launch(name, {std::uint32_t(outputs)}, block, layer_registers(block.x * block.y), [k](Warp& w) { convolve_colours(w, k); });
      conv1_.push_back(k);
    }
  }

  void add_convolution(Memory& memory, const std::string& name, const Shape& shape, int outputs, int channels, int groups) {
    Convolution<float> k;
    k.side_in = k.side_out = shape.side;
    k.kernel = shape.kernel, k.stride = 1, k.pad = shape.kernel / 2;
    k.channels = channels, k.outputs = outputs;
    k.relu = k.column_slip = true;
    const int taps = k.kernel * k.kernel;
    k.weight_pitch = shape.channels * taps;
    // The slip reads up to `pad` elements after the last row.
    const auto in = activations_array<float>(memory, name + "_in", groups * shape.channels, k.plane_in(), activations_, k.pad);
    const auto weights = weights_array<float>(memory, name + "_weights", groups * outputs, channels * taps, k.weight_pitch, weights_);
    const auto bias = weights_array<float>(memory, name + "_bias", groups * outputs, 1, 1, weights_);
    const auto out = memory.array<float>(name, std::uint64_t(groups) * std::uint64_t(outputs) * std::uint64_t(k.plane_out()));
    Layer& layer = convolutions_.emplace_back(Layer{name, out, {}});
    const auto side = std::uint32_t(shape.side);
    for (int group = 0; group < groups; ++group) {
      const auto first = std::uint64_t(group) * std::uint64_t(outputs);
      k.in = in.from(std::uint64_t(group) * std::uint64_t(shape.channels * k.plane_in()));
      k.weights = weights.from(first * std::uint64_t(k.weight_pitch));
      k.bias = bias.from(first);
      k.out = out.from(first * std::uint64_t(k.plane_out()));
      layer.groups.push_back(k);
      add_launch(name, {std::uint32_t(outputs)}, {side, side}, layer_registers(side * side), [k](Warp& w) { convolve_by_output(w, k); });
    }
  }

  void add_fc6(Memory& memory, int outputs, int inputs) {
    auto& k = fc6_;
    k.inputs = inputs, k.weight_pitch = kFc6Inputs;
    k.in = activations_array<float>(memory, "fc6_in", 256, kFc6Inputs / 256, activations_);
    k.weights = weights_array<float>(memory, "fc6_weights", outputs, inputs, k.weight_pitch, weights_);
    k.out = memory.array<float>("fc6", std::uint64_t(outputs));
    add_launch("fc6", {std::uint32_t(outputs)}, {1}, layer_registers(1), [k](Warp& w) { fully_connected(w, k); });
  }

  WeightSource weights_;
  ActivationSource activations_;
  std::vector<ColourConvolution> conv1_;  // the launches of conv1
  std::vector<Layer> convolutions_;
  FullyConnected fc6_{};
};

}  // namespace

Entry alexnet_entry() {
  return {{"alexnet",
           "layers of AlexNet (Tango): direct convolutions whose CTAs all read the same activations",
           {{"conv1", "96", 0, 96, "outputs of conv1; 0 leaves a layer out"},
            {"conv1_rows", "11", 1, 11, "rows of its kernel that conv1 sums over"},
            {"conv1_launches", "4", 1, 4, "launches of conv1, of the four that cover an output: 32 x 32 of its 55 x 55 pixels and the rest"},
            {"conv2", "128", 0, 128, "outputs of each group of conv2"},
            {"conv2_groups", "2", 1, 2, "groups of conv2, one per launch"},
            {"conv2_channels", "48", 1, 48, "input channels that conv2 sums over"},
            {"conv3", "384", 0, 384, "outputs of conv3"},
            {"conv3_channels", "256", 1, 256, "input channels that conv3 sums over"},
            {"fc6", "4096", 0, 4096, "outputs of fc6"},
            {"fc6_inputs", "9216", 1, kFc6Inputs, "inputs that fc6 sums over"}},
           {},
           {{"tiny",
             {{"conv1", 0}, {"conv2", 4}, {"conv2_channels", 1}, {"conv3", 16}, {"conv3_channels", 2}, {"fc6", 64}, {"fc6_inputs", 128}}},
            {"std", {{"conv1", 96}, {"conv1_rows", 4}, {"conv1_launches", 1}, {"conv2", 0}, {"conv3", 0}, {"fc6", 0}}},
            {"paper", {{"conv1", 96}}},
            {"wide", {{"conv1", 96}, {"conv1_rows", 8}, {"conv1_launches", 1}, {"conv2", 0}, {"conv3", 0}, {"fc6", 0}}}}},
          make_workload<Alexnet>};
}

}  // namespace wharf::spmd
