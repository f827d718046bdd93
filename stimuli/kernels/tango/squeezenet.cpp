// SQUEEZENET 1.0, Tango (workloads section 5.4): the first layer, and a fire module (squeeze 1x1, expand 1x1, expand 3x3) in double
// precision with its own input. A CTA computes one column of the image for all outputs, so it reads its inputs again for each output. 16
// neighbouring CTAs share their lines. Fewer outputs than in the network do not change the sizes of the module's arrays.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/kernels/tango/first_layers.h"
#include "stimuli/kernels/tango/layers.h"

namespace wharf::spmd {
namespace {

class Squeezenet final : public Workload {
 public:
  Squeezenet(const Arguments& arguments, Memory& memory, std::uint64_t seed) : weights_(seed) {
    mark_source_elsewhere();
    const int side = arguments("side"), channels = arguments("channels"), between = arguments("between"), each = arguments("expanded");
    const int squeeze = arguments("squeeze"), expand = arguments("expand");
    arguments.require(squeeze <= between, "squeeze must be at most between, the channels that the expanding layers read");
    arguments.require(expand <= each, "expand must be at most expanded, the channels that each expanding layer has room for");
    const int conv1 = arguments("conv1"), plane = side * side;
    const bool fire = arguments("fire") == 1;
    arguments.require(conv1 > 0 || fire, "a layer must have outputs: conv1, or fire=1");
    ActivationSource activations(seed);
    if (conv1 > 0) add_conv1(memory, conv1, activations);
    if (!fire) return;
    const auto in = activations_array<double>(memory, "in", channels, plane, activations);
    squeezed_ = activations_array<double>(memory, "squeezed", between, plane, activations);
    fire_ = memory.array<double>("fire", std::uint64_t(2 * each) * std::uint64_t(plane));
    initial_.assign(squeezed_.data, squeezed_.data + squeezed_.size);
    add_convolution(memory, "fire_squeeze", {in, {}, {}, squeezed_, side, side, 1, 1, 0, channels, squeeze, channels});
    add_convolution(memory, "fire_expand1", {squeezed_, {}, {}, fire_, side, side, 1, 1, 0, between, expand, between});
    const auto upper_half = fire_.from(std::uint64_t(each) * std::uint64_t(plane));
    add_convolution(memory, "fire_expand3", {squeezed_, {}, {}, upper_half, side, side, 3, 1, 1, between, expand, 9 * between});
  }

  bool check(std::string& why) const override {
    std::vector<double> conv1(conv1_.out.size);
    convolve_planes_on_host(conv1_, conv1);
    if (!equal("conv1", conv1_.out, conv1, why)) return false;
    if (layers_.empty()) return true;
    auto squeezed = initial_;
    std::vector<double> fire(fire_.size);
    convolve_on_host(layers_[0], squeezed.data());
    if (!equal("squeezed", squeezed_, squeezed, why)) return false;
    for (std::size_t i = 1; i < layers_.size(); ++i) convolve_on_host(layers_[i], fire.data() + (layers_[i].out.data - fire_.data));
    return equal("fire", fire_, fire, why);
  }

 private:
  void add_conv1(Memory& memory, int outputs, ActivationSource& values) {
    using C = PlaneConvolution;
    auto& k = conv1_;
    k.outputs = outputs;
    const auto plane = [&](const char* name) {
      const auto array = memory.array<int>(name, C::kPlaneIn);
      for (std::uint32_t i = 0; i < array.size; ++i) array[i] = static_cast<int>(values.draw() * 256);
      return array;
    };
    k.red = plane("red"), k.green = plane("green"), k.blue = plane("blue");
    k.weights = weights_array<double>(memory, "conv1_weights", outputs, C::kColours * C::kTaps, C::kColours * C::kTaps, weights_);
    k.out = memory.array<double>("conv1", std::uint64_t(outputs) * C::kPlaneOut);
    constexpr auto kSide = std::uint32_t(C::kSideOut);
    add_launch("conv1", {kSide}, {kSide}, layer_registers(kSide), [k](Warp& w) { convolve_planes(w, k); });
  }

  void add_convolution(Memory& memory, const std::string& name, Convolution<double> k) {
    k.weights = weights_array<double>(memory, name + "_weights", k.outputs, k.weight_pitch, k.weight_pitch, weights_);
    k.relu = true;
    layers_.push_back(k);
    const auto side = std::uint32_t(k.side_out);
    add_launch(name, {side}, {side}, layer_registers(side), [k](Warp& w) { convolve_by_column(w, k); });
  }

  WeightSource weights_;
  PlaneConvolution conv1_{};
  Array<double> squeezed_, fire_;  // fire: outputs of expand1, then those of expand3
  std::vector<Convolution<double>> layers_;
  std::vector<double> initial_;
};

}  // namespace

Entry squeezenet_entry() {
  return {{"squeezenet",
           "layers of SqueezeNet (Tango): the first convolution, and a fire module; inputs are read again for every output and shared by CTAs",
           {{"conv1", "0", 0, 96, "outputs of the first layer; 0 leaves it out"},
            {"fire", "1", 0, 1, "1: the fire module too"},
            {"side", "55", 3, 111, "rows and columns of the image; 55 in fire2 to fire4, 27 in fire5 to fire8, 13 in fire9"},
            {"channels", "96", 1, 512, "input channels"},
            {"between", "16", 1, 64, "channels that the expanding layers read"},
            {"expanded", "64", 1, 256, "channels that each expanding layer has room for"},
            {"squeeze", "between", 1, 64, "outputs that the squeezing layer computes"},
            {"expand", "expanded", 1, 256, "outputs that each expanding layer computes"}},
           {},
           {{"tiny", {{"squeeze", 1}, {"between", 2}, {"expand", 1}}},
            {"std", {{"conv1", 8}, {"fire", 0}}},
            {"paper", {{"conv1", 96}, {"squeeze", 16}, {"expand", 64}}}}},
          make_workload<Squeezenet>};
}

}  // namespace wharf::spmd
