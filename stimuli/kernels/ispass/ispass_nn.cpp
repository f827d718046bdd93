// NN, ISPASS-2009 (workloads section 4.3): a neural network that recognises digits, in four launches over all images. Two layers of 5x5
// kernels have small CTAs; two fully connected layers have CTAs of one thread. Every image reads the weights, and every output of a layer
// reads the image, so CTAs share much, with one active lane. Assumed of the compiler: loops over taps, maps and inputs store nothing, so
// they are unrolled by four and issue the loads of four iterations together (batch=4; @tiny has 1).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/inputs/network_values.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace ispass_nn {
namespace {
constexpr int kKernel = 5, kTaps = kKernel * kKernel;
constexpr int kSide1 = 29, kSide2 = 13, kSide3 = 5;                  // side of the images and feature maps
constexpr int kMaps2 = 6, kMaps3 = 50, kUnits4 = 100, kUnits5 = 10;  // outputs of the four layers
constexpr int kImage1 = kSide1 * kSide1, kMap2 = kSide2 * kSide2, kMap3 = kSide3 * kSide3;
constexpr int kImage2 = kMaps2 * kMap2, kImage3 = kMaps3 * kMap3;     // elements per image in layers 2 and 3
constexpr int kWeights1 = 1 + kTaps, kWeights2 = kMaps2 * kWeights1;  // per output; the first weight is the bias
constexpr int kWeights3 = 1 + kImage3, kWeights4 = 1 + kUnits4;

struct Data {
  Array<float> in, weights1, n2, weights2, n3, weights3, n4, weights4, n5;
  int batch;
};

/// An input of a unit, and its weight.
struct Input {
  Lanes<float> x, weight;
};

float activated(float x) { return 1.7159f * std::tanh(0.66666667f * x); }

/// Offset of a tap in a map whose rows have `side` elements. The program has a table of these offsets in constant memory.
constexpr int tap_offset(int tap, int side) { return tap / kKernel * side + tap % kKernel; }

Lanes<float> squash(Warp& w, const Lanes<float>& sum) {
  const auto exponential = w.sfu(4, sum);
  return w.compute(36, lanewise(activated, exponential));
}

void first_layer(Warp& w, const Data& k) {
  const int map = w.block_x(), image = w.block_y();
  const auto tx = w.thread_x(), ty = w.thread_y();
  w.alu(12);
  auto sum = w.load(k.weights1, kWeights1 * map);
  const auto load = [&](int tap, Input& i) {
    w.alu(1);
    i.x = w.load(k.in, kImage1 * image + 2 * kSide1 * ty + 2 * tx + tap_offset(tap, kSide1));
    i.weight = w.load(k.weights1, kWeights1 * map + 1 + tap);
  };
  const auto use = [&](int, const Input& i) { w.update(sum, 2, sum + i.x * i.weight); };
  w.batched_trips<Input>(kTaps, k.batch, load, use);
  const auto out = squash(w, sum);
  w.store(k.n2, kImage2 * image + kMap2 * map + kSide2 * ty + tx, out);
}

void second_layer(Warp& w, const Data& k) {
  const int map = w.block_x(), image = w.block_y();
  const auto tx = w.thread_x(), ty = w.thread_y();
  w.alu(12);
  auto sum = w.load(k.weights2, kWeights2 * map);
  for (int tap = 0; tap < kTaps; ++tap) {
    w.alu(1);
    const auto place = kImage2 * image + 2 * kSide2 * ty + 2 * tx + tap_offset(tap, kSide2);
    const auto load = [&](int c, Input& i) {
      i.x = w.load(k.n2, place + kMap2 * c);
      i.weight = w.load(k.weights2, kWeights2 * map + 1 + kMaps2 * tap + c);
    };
    const auto use = [&](int, const Input& i) { w.update(sum, 2, sum + i.x * i.weight); };
    w.batched_trips<Input>(kMaps2, k.batch, load, use);
  }
  const auto out = squash(w, sum);
  w.store(k.n3, kImage3 * image + kMap3 * map + kSide3 * ty + tx, out);
}

/// A fully connected layer: a CTA of one thread per output unit.
struct Connected {
  Array<float> in, weights, out;
  int inputs, trips, weights_each, outputs, batch;
};

void connected_layer(Warp& w, const Connected& k) {
  const int unit = w.block_x(), image = w.block_y();
  w.alu(10);
  auto sum = w.load(k.weights, k.weights_each * unit);
  const auto load = [&](int i, Input& input) {
    input.x = w.load(k.in, k.inputs * image + i);
    input.weight = w.load(k.weights, k.weights_each * unit + 1 + i);
  };
  const auto use = [&](int, const Input& input) { w.update(sum, 2, sum + input.x * input.weight); };
  w.batched_trips<Input>(k.trips, k.batch, load, use);
  const auto out = squash(w, sum);
  w.store(k.out, k.outputs * image + unit, out);
}

class IspassNn final : public Workload {
 public:
  IspassNn(const Arguments& arguments, Memory& memory, std::uint64_t seed) : images_(arguments("images")) {
    auto& d = data_;
    d.batch = arguments("batch");
    const auto images = std::uint64_t(images_);
    d.in = memory.array<float>("in", images * kImage1);
    d.n2 = memory.array<float>("n2", images * kImage2);
    d.n3 = memory.array<float>("n3", images * kImage3);
    d.n4 = memory.array<float>("n4", images * kUnits4);
    d.n5 = memory.array<float>("n5", images * kUnits5);
    WeightSource values(seed);
    const auto weights = [&](const char* name, int outputs, int each) {
      const auto array = memory.array<float>(name, std::uint64_t(outputs) * std::uint64_t(each));
      for (std::uint32_t i = 0; i < array.size; ++i) array[i] = static_cast<float>(values.draw());
      return array;
    };
    d.weights1 = weights("weights1", kMaps2, kWeights1);
    d.weights2 = weights("weights2", kMaps3, kWeights2);
    d.weights3 = weights("weights3", kUnits4, kWeights3);
    d.weights4 = weights("weights4", kUnits5, kWeights4);
    for (int image = 0; image < images_; ++image) draw_digit(d.in.data + image * kImage1, Rng(seed, 3 + std::uint64_t(image)));
    third_ = {d.n3, d.weights3, d.n4, kImage3, arguments("trips3"), kWeights3, kUnits4, d.batch};
    fourth_ = {d.n4, d.weights4, d.n5, kUnits4, kUnits4, kWeights4, kUnits5, d.batch};
    const auto y = std::uint32_t(images_);
    add_launch("nn_first", {kMaps2, y}, {kSide2, kSide2}, 61, [d](Warp& w) { first_layer(w, d); });
    add_launch("nn_second", {kMaps3, y}, {kSide3, kSide3}, 70, [d](Warp& w) { second_layer(w, d); });
    add_launch("nn_third", {kUnits4, y}, {1}, 61, [k = third_](Warp& w) { connected_layer(w, k); });
    add_launch("nn_fourth", {kUnits5, y}, {1}, 61, [k = fourth_](Warp& w) { connected_layer(w, k); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> n2, n3;
    for (int image = 0; image < images_; ++image) {
      add_maps(n2, d.in.data + image * kImage1, {1, kSide1, kMaps2, kSide2}, d.weights1.data, kWeights1);
      add_maps(n3, d.n2.data + image * kImage2, {kMaps2, kSide2, kMaps3, kSide3}, d.weights2.data, kWeights2);
    }
    return equal("n2", d.n2, n2, why) && equal("n3", d.n3, n3, why) && equal("n4", d.n4, connected_on_host(third_), why) &&
           equal("n5", d.n5, connected_on_host(fourth_), why);
  }

 private:
  /// Draws a stroke of 1 on a background of -1.
  static void draw_digit(float* image, Rng random) {
    std::fill_n(image, kImage1, -1.0f);
    auto x = int(random.between(8, 20)), y = int(random.between(8, 20));
    for (int step = 0; step < 60; ++step) {
      image[y * kSide1 + x] = 1.0f;
      x = std::clamp(x + int(random.between(0, 2)) - 1, 5, kSide1 - 6);
      y = std::clamp(y + int(random.between(0, 2)) - 1, 5, kSide1 - 6);
    }
  }

  struct Maps {
    int in, side_in, out, side_out;
  };
  /// Appends one image's maps of a layer: the weight of tap t and input map c is element 1 + in * t + c.
  static void add_maps(std::vector<float>& to, const float* in, const Maps& m, const float* weights, int weights_each) {
    for (int map = 0; map < m.out; ++map, weights += weights_each) {
      for (int y = 0; y < m.side_out; ++y) {
        for (int x = 0; x < m.side_out; ++x) {
          float sum = weights[0];
          for (int tap = 0; tap < kTaps; ++tap) {
            const int row = 2 * y + tap / kKernel, column = 2 * x + tap % kKernel;
            for (int c = 0; c < m.in; ++c) sum += in[(c * m.side_in + row) * m.side_in + column] * weights[1 + m.in * tap + c];
          }
          to.push_back(activated(sum));
        }
      }
    }
  }

  std::vector<float> connected_on_host(const Connected& k) const {
    std::vector<float> out;
    for (int image = 0; image < images_; ++image) {
      for (int unit = 0; unit < k.outputs; ++unit) {
        const float *const in = k.in.data + image * k.inputs, *const weights = k.weights.data + unit * k.weights_each;
        float sum = weights[0];
        for (int i = 0; i < k.trips; ++i) sum += in[i] * weights[1 + i];
        out.push_back(activated(sum));
      }
    }
    return out;
  }

  int images_;
  Data data_{};
  Connected third_{}, fourth_{};
};

}  // namespace
}  // namespace ispass_nn

Entry ispass_nn_entry() {
  return {{"ispass_nn",
           "recognition of digits by a neural network (ISPASS): weights shared by all images, mostly one active lane",
           {{"images", "28", 1, 1024, "images"},
            {"trips3", "1250", 1, ispass_nn::kImage3, "inputs that a unit of the third layer sums over"},
            batch_argument()},
           {},
           {{"tiny", {{"images", 1}, {"trips3", 100}}}, {"std", {{"images", 4}, {"batch", 4}}}, {"paper", {{"images", 28}, {"batch", 4}}}}},
          make_workload<ispass_nn::IspassNn>};
}

}  // namespace wharf::spmd
