// RESNET-50, Tango (workloads sections 5.1 and 5.3): the first layer's convolution, and a bottleneck block of stages 3 to 5 without change
// of size, each with its own input. The block has convolutions 1x1, 3x3, 1x1. Normalisation, scale and rectifier follow each as kernels of
// their own that work in place. The sum with the block's input comes last. Fewer channels than in the network shorten the loops and leave
// out CTAs. Rows of weights stay as far apart as in the network.

#include <cmath>
#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/kernels/tango/first_layers.h"
#include "stimuli/kernels/tango/layers.h"

namespace wharf::spmd {
namespace {

constexpr std::uint32_t kElementwiseRegisters = 12;
constexpr float kEpsilon = 1e-5f;

/// A layer's activations and the operands of the elementwise kernels. One CTA per channel.
struct Maps {
  Array<float> x, mean, variance, scale, bias;
  int side, channels;

  /// Position of a thread's element. Lanes are a row apart here too.
  Lanes<int> place(const Warp& w) const { return w.block_x() * side * side + w.thread_x() * side + w.thread_y(); }
};

float normalised(float x, float mean, float variance) { return (x - mean) / std::sqrt(variance + kEpsilon); }

void normalise(Warp& w, const Maps& k) {
  const auto at = k.place(w);
  w.alu(8);
  const auto x = w.load(k.x, at);
  const auto mean = w.load(k.mean, w.block_x());
  const auto variance = w.load(k.variance, w.block_x());
  const auto deviation = w.sfu(2, lanewise([](float v) { return std::sqrt(v + kEpsilon); }, variance));
  const auto result = w.compute(8, lanewise([](float difference, float by) { return difference / by; }, x - mean, deviation));
  w.store(k.x, at, result);
}

void rescale(Warp& w, const Maps& k) {
  const auto at = k.place(w);
  w.alu(8);
  const auto x = w.load(k.x, at);
  const auto scale = w.load(k.scale, w.block_x());
  const auto bias = w.load(k.bias, w.block_x());
  const auto result = w.compute(2, x * scale + bias);
  w.store(k.x, at, result);
}

void rectify(Warp& w, const Maps& k) {
  const auto at = k.place(w);
  w.alu(8);
  const auto x = w.load(k.x, at);
  w.where(x < 0.0f, [&] {
    const Lanes<float> zero = 0.0f;
    w.store(k.x, at, zero);
  });
}

void add_input(Warp& w, const Maps& k, const Array<float>& in) {
  const auto at = k.place(w);
  w.alu(8);
  const auto x = w.load(k.x, at);
  const auto y = w.load(in, at);
  const auto sum = w.compute(1, x + y);
  w.store(k.x, at, sum);
}

class Resnet final : public Workload {
 public:
  Resnet(const Arguments& arguments, Memory& memory, std::uint64_t seed) : weights_(seed), activations_(seed) {
    mark_source_elsewhere();
    const int side = arguments("side"), narrow = arguments("narrow"), wide = arguments("wide");
    const int full = 3584 / side;  // channels of the stage's narrow layers; its wide ones have four times as many
    arguments.require(side == 28 || side == 14 || side == 7, "side must be 28, 14 or 7: stages 3, 4 and 5");
    arguments.require(narrow <= full, "narrow must be at most 3584 / side, the channels of the stage");
    arguments.require(wide <= 4 * full, "wide must be at most 14336 / side, the channels of the stage");
    const int conv1 = arguments("conv1");
    const bool block = arguments("block") == 1;
    arguments.require(conv1 > 0 || block, "a layer must have outputs: conv1, or block=1");
    if (conv1 > 0) add_conv1(memory, conv1, arguments("conv1_patch_rows"), arguments("conv1_rows"));
    if (!block) return;
    in_ = activations_array<float>(memory, "in", wide, side * side, activations_);
    const auto a = add_layer(memory, "a", {in_, {}, {}, {}, side, side, 1, 1, 0, wide, narrow, 4 * full}, true);
    const auto b = add_layer(memory, "b", {a, {}, {}, {}, side, side, 3, 1, 1, narrow, narrow, 9 * full}, true);
    add_layer(memory, "c", {b, {}, {}, {}, side, side, 1, 1, 0, narrow, wide, full}, false);
  }

  bool check(std::string& why) const override {
    std::vector<float> conv1(conv1_.out.size);
    convolve_patches_on_host(conv1_, conv1);
    if (!equal("conv1", conv1_.out, conv1, why)) return false;
    for (const Layer& layer : layers_) {
      const Convolution<float>& k = layer.convolution;
      std::vector<float> x(k.out.size);
      convolve_on_host(k, x.data());
      const bool last = &layer == &layers_.back();
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto o = i / std::size_t(k.plane_out());
        const Maps& m = layer.maps;
        x[i] = normalised(x[i], m.mean[o], m.variance[o]) * m.scale[o] + m.bias[o];
        if (last) x[i] += in_[i];
        if (x[i] < 0.0f) x[i] = 0.0f;
      }
      if (!equal(layer.name, k.out, x, why)) return false;
    }
    return true;
  }

 private:
  struct Layer {
    std::string name;
    Convolution<float> convolution;
    Maps maps;
  };

  void add_conv1(Memory& memory, int outputs, int patch_rows, int kernel_rows) {
    using C = PatchConvolution;
    auto& k = conv1_;
    k.outputs = outputs, k.patch_rows = patch_rows, k.kernel_rows = kernel_rows;
    k.in = activations_array<float>(memory, "image", 1, C::kSideIn * C::kRowIn, activations_);
    k.weights = weights_array<float>(memory, "conv1_weights", outputs, C::kColours * C::kTaps, C::kColours * C::kTaps, weights_);
    k.out = memory.array<float>("conv1", std::uint64_t(outputs) * C::kPlaneOut);
    add_launch("conv1", {std::uint32_t(outputs)}, {C::kThreads, C::kThreads}, layer_registers(C::kThreads * C::kThreads),
               [k](Warp& w) { convolve_patches(w, k); });
  }

  /// One value per channel.
  Array<float> per_channel(Memory& memory, const std::string& name, int channels, float around) {
    const auto array = memory.array<float>(name, std::uint64_t(channels));
    for (std::uint32_t i = 0; i < array.size; ++i) array[i] = around + static_cast<float>(weights_.draw());
    return array;
  }

  /// Launches a layer. `k` lacks its weights and its output. Returns the output.
  Array<float> add_layer(Memory& memory, const std::string& name, Convolution<float> k, bool rectified) {
    k.weights = weights_array<float>(memory, name + "_weights", k.outputs, k.channels * k.kernel * k.kernel, k.weight_pitch, weights_);
    k.out = memory.array<float>(name, std::uint64_t(k.outputs) * std::uint64_t(k.plane_out()));
    Maps m{k.out, {}, {}, {}, {}, k.side_out, k.outputs};
    m.mean = per_channel(memory, name + "_mean", k.outputs, 0.0f);
    m.variance = per_channel(memory, name + "_variance", k.outputs, 1.0f);
    m.scale = per_channel(memory, name + "_scale", k.outputs, 1.0f);
    m.bias = per_channel(memory, name + "_bias", k.outputs, 0.0f);
    layers_.push_back({name, k, m});
    const Dim3 grid{std::uint32_t(k.outputs)}, block{std::uint32_t(k.side_out), std::uint32_t(k.side_out)};
    const auto add = [&](const char* kernel, std::uint32_t registers, std::function<void(Warp&)> program) {
      add_launch("conv_" + name + kernel, grid, block, registers, std::move(program));
    };
    add("", layer_registers(block.x * block.y), [k](Warp& w) { convolve_by_output(w, k); });
    add("_normalise", kElementwiseRegisters, [m](Warp& w) { normalise(w, m); });
    add("_rescale", kElementwiseRegisters, [m](Warp& w) { rescale(w, m); });
    if (!rectified) add("_add", kElementwiseRegisters, [m, in = in_](Warp& w) { add_input(w, m, in); });
    add("_rectify", kElementwiseRegisters, [m](Warp& w) { rectify(w, m); });
    return k.out;
  }

  WeightSource weights_;
  ActivationSource activations_;
  PatchConvolution conv1_{};
  Array<float> in_;
  std::vector<Layer> layers_;
};

}  // namespace

Entry resnet_entry() {
  return {
      {"resnet",
       "layers of ResNet-50 (Tango): the first convolution, and a bottleneck block; all CTAs of a convolution read the same activations",
       {{"conv1", "0", 0, 64, "outputs of the first layer; 0 leaves it out"},
        {"conv1_patch_rows", "4", 1, 4, "rows of a thread's 4x4 patch that the first layer computes"},
        {"conv1_rows", "7", 1, 7, "rows of its kernel that the first layer sums over"},
        {"block", "1", 0, 1, "1: the bottleneck block too"},
        {"side", "28", 7, 28, "rows and columns of the block's image: 28 (stage 3), 14 (stage 4) or 7 (stage 5)"},
        {"narrow", "128", 1, 512, "channels of the first and second convolution"},
        {"wide", "512", 1, 2048, "channels of the block's input and output"}},
       {},
       {{"tiny", {{"narrow", 4}, {"wide", 8}}},
        {"std", {{"conv1", 64}, {"conv1_patch_rows", 1}, {"conv1_rows", 3}, {"block", 0}}},
        {"paper", {{"conv1", 64}, {"narrow", 128}, {"wide", 512}}}}},
      make_workload<Resnet>};
}

}  // namespace wharf::spmd
