// BACKPROP, Rodinia 3.1 (workloads section 2.3): one training step of a network with 16 hidden units. Rows of 17 weights make every access
// to them unaligned. The second kernel reads the weights that the first kernel wrote back.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace backprop {
namespace {
constexpr int kHidden = 16, kPitch = kHidden + 1, kRows = 16;  // kRows: input units per CTA
constexpr float kRate = 0.3f, kMomentum = 0.3f, kTarget = 0.1f;

struct Data {
  Array<float> input;                 // [in + 1], element 0 is the bias
  Array<float> weights, old_weights;  // [in + 1][17]
  Array<float> partial;               // [CTA][16]
  Array<float> delta;                 // [17]
};

void layer_forward(Warp& w, const Data& k) {
  const auto node = w.shared<float>(0, kRows), matrix = w.shared<float>(4 * kRows, kRows * kHidden);
  const auto tx = w.thread_x(), ty = w.thread_y();
  const auto row = kRows * w.block_y() + ty;
  const auto index = kPitch * row + tx + (kPitch + 1), cell = ty * kHidden + tx;
  w.alu(24);
  w.where(tx == 0, [&] {
    const auto input = w.load(k.input, row + 1);
    w.store(node, ty, input);
  });
  w.barrier();
  const auto weight = w.load(k.weights, index);
  w.store(matrix, cell, weight);
  w.barrier();
  const auto own = w.load(matrix, cell);
  const auto input = w.load(node, ty);
  const auto product = w.compute(8, own * input);
  w.store(matrix, cell, product);
  w.barrier();
  for (int half = 1; half < kRows; half *= 2) {
    w.alu(4);
    const auto group = lanewise([half](int y) { return y % (2 * half); }, ty);
    w.where(group == 0, [&] {
      const auto upper = w.load(matrix, cell);
      const auto lower = w.load(matrix, cell + half * kHidden);
      const auto sum = w.compute(6, upper + lower);
      w.store(matrix, cell, sum);
    });
    w.barrier();
  }
  const auto summed = w.load(matrix, cell);
  w.store(k.weights, index, summed);
  w.barrier();
  w.alu(10);
  w.where(tx == 0, [&] {
    const auto sum = w.load(matrix, ty);  // row 0 of the matrix has the sums
    w.store(k.partial, w.block_y() * kHidden + ty, sum);
  });
}

void adjust_weights(Warp& w, const Data& k) {
  const auto tx = w.thread_x(), ty = w.thread_y();
  const auto row = kRows * w.block_y() + ty;
  const auto index = kPitch * row + tx + (kPitch + 1);
  w.alu(28);
  const auto weight = w.load(k.weights, index);
  const auto delta = w.load(k.delta, tx + 1);
  const auto input = w.load(k.input, row + 1);
  const auto old = w.load(k.old_weights, index);
  const auto adjusted = w.compute(20, weight + (kRate * delta * input + kMomentum * old));
  w.store(k.weights, index, adjusted);
  // The compiler loads all three again, because the store might have changed them.
  const auto delta_again = w.load(k.delta, tx + 1);
  const auto input_again = w.load(k.input, row + 1);
  const auto old_again = w.load(k.old_weights, index);
  const auto change = w.compute(18, kRate * delta_again * input_again + kMomentum * old_again);
  w.store(k.old_weights, index, change);
  w.barrier();
  w.where(ty == 0 && w.block_y() == 0, [&] {
    const auto bias = w.load(k.weights, tx + 1);
    const auto bias_delta = w.load(k.delta, tx + 1);
    const auto bias_old = w.load(k.old_weights, tx + 1);
    const auto bias_adjusted = w.compute(6, bias + (kRate * bias_delta + kMomentum * bias_old));
    w.store(k.weights, tx + 1, bias_adjusted);
    const auto bias_delta_again = w.load(k.delta, tx + 1);
    const auto bias_old_again = w.load(k.old_weights, tx + 1);
    const auto bias_change = w.compute(6, kRate * bias_delta_again + kMomentum * bias_old_again);
    w.store(k.old_weights, tx + 1, bias_change);
  });
}

float squash(float x) { return static_cast<float>(1.0 / (1.0 + std::exp(-double(x)))); }

class Backprop final : public Workload {
 public:
  Backprop(const Arguments& arguments, Memory& memory, std::uint64_t seed) : inputs_(arguments("in")) {
    arguments.require(inputs_ % kRows == 0, "in must be a multiple of 16, the rows of a CTA");
    const auto units = std::uint64_t(inputs_) + 1;
    auto& d = data_;
    d.input = memory.array<float>("input", units);
    d.weights = memory.array<float>("weights", units * kPitch);
    d.old_weights = memory.array<float>("old_weights", units * kPitch);
    d.partial = memory.array<float>("partial", units / kRows * kHidden);
    d.delta = memory.array<float>("delta", kPitch);
    Rng random(seed);
    d.input[0] = 1.0f;
    for (std::uint64_t i = 1; i < units; ++i) d.input[i] = static_cast<float>(random.unit());
    for (std::uint32_t i = 0; i < d.weights.size; ++i) d.weights[i] = static_cast<float>(random.unit());
    initial_.assign(d.weights.data, d.weights.data + d.weights.size);
    for (float& weight : output_weights_) weight = static_cast<float>(random.unit());
    const Dim3 grid{1, ctas_for(inputs_, kRows)}, block{kHidden, kRows};
    add_launch(
        "backprop_forward", grid, block, 20, [d](Warp& w) { layer_forward(w, d); }, 4 * (kRows + kRows * kHidden));
    add_launch("backprop_adjust", grid, block, 28, [d](Warp& w) { adjust_weights(w, d); });
  }

  const Kernel* next() override {
    const Kernel* const kernel = Workload::next();
    if (kernel == &launches.back()) train_on_host();
    return kernel;
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> partial(d.partial.size), weights = initial_, old(weights.size());
    for (std::size_t cta = 0; cta < partial.size() / kHidden; ++cta) {
      for (std::size_t hidden = 0; hidden < kHidden; ++hidden) partial[cta * kHidden + hidden] = tree_sum(cta, hidden);
    }
    for (std::size_t unit = 0; unit <= std::size_t(inputs_); ++unit) {
      for (std::size_t j = 1; j < kPitch; ++j) {
        const float change = unit == 0 ? kRate * d.delta[j] + kMomentum * 0.0f : kRate * d.delta[j] * d.input[unit] + kMomentum * 0.0f;
        weights[unit * kPitch + j] += change;
        old[unit * kPitch + j] = change;
      }
    }
    return equal("partial", d.partial, partial, why) && equal("delta", d.delta, delta_of(partial), why) &&
           equal("weights", d.weights, weights, why) && equal("old_weights", d.old_weights, old, why);
  }

 private:
  /// The sum over the CTA's 16 rows, in the order of the kernel's tree.
  float tree_sum(std::size_t cta, std::size_t hidden) const {
    float terms[kRows];
    for (std::size_t y = 0; y < kRows; ++y) {
      const std::size_t unit = cta * kRows + y + 1;
      terms[y] = initial_[unit * kPitch + hidden + 1] * data_.input[unit];
    }
    for (std::size_t half = 1; half < kRows; half *= 2) {
      for (std::size_t y = 0; y < kRows; y += 2 * half) terms[y] += terms[y + half];
    }
    return terms[0];
  }

  /// Computes hidden activations, the output, its error, and the errors of the hidden units.
  std::vector<float> delta_of(const std::vector<float>& partial) const {
    float hidden[kPitch], output = output_weights_[0];
    for (std::size_t j = 1; j < kPitch; ++j) {
      float sum = initial_[j];
      for (std::size_t cta = 0; cta < partial.size() / kHidden; ++cta) sum += partial[cta * kHidden + j - 1];
      hidden[j] = squash(sum);
      output += hidden[j] * output_weights_[j];
    }
    output = squash(output);
    const float error = output * (1.0f - output) * (kTarget - output);
    std::vector<float> delta(kPitch);
    for (std::size_t j = 1; j < kPitch; ++j) delta[j] = hidden[j] * (1.0f - hidden[j]) * error * output_weights_[j];
    return delta;
  }

  /// The host's work between the kernels. It also sends the weights again, which the forward kernel has overwritten.
  void train_on_host() {
    auto& d = data_;
    const auto delta = delta_of({d.partial.data, d.partial.data + d.partial.size});
    std::copy(delta.begin(), delta.end(), d.delta.data);
    std::copy(initial_.begin(), initial_.end(), d.weights.data);
  }

  int inputs_;
  Data data_{};
  std::vector<float> initial_;
  float output_weights_[kPitch] = {};
};

}  // namespace
}  // namespace backprop

Entry backprop_entry() {
  return {{"backprop",
           "one training step of a neural network (Rodinia): streaming over unaligned rows",
           {{"in", "65536", 16, 1 << 22, "input units, a multiple of 16"}},
           {},
           {{"tiny", {{"in", 512}}}, {"std", {{"in", 16384}}}, {"paper", {{"in", 65536}}}, {"llc", {{"in", 65536}}}}},
          make_workload<backprop::Backprop>};
}

}  // namespace wharf::spmd
