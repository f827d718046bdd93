// LLM_NORM (workloads section 7): layer normalisation, one warp per token. A row is read twice: the second read hits the L1.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

constexpr float kEpsilon = 1e-5f;

Float8 squares_added(Float8 sums, const Float8& x) {
  for (std::size_t i = 0; i < kGroup; ++i) sums.v[i] += x.v[i] * x.v[i];
  return sums;
}
float plus(float a, float b) { return a + b; }

/// mean and 1 / deviation of `n` elements, from their sum and the sum of their squares.
struct Moments {
  float mean, inverse;
};
Moments moments(float sum, float squares, int n) {
  const float mean = sum / static_cast<float>(n);
  return {mean, 1.0f / std::sqrt(squares / static_cast<float>(n) - mean * mean + kEpsilon)};
}

/// gamma (x - mean) / deviation + beta; x is already normalised.
Half8 finished(const Float8& x, const Half8& gamma, const Half8& beta) {
  Half8 out;
  for (std::size_t i = 0; i < kGroup; ++i) out.v[i] = half_of_float(float_of_half(gamma.v[i]) * x.v[i] + float_of_half(beta.v[i]));
  return out;
}
Float8 normalised(const Half8& halves, const Moments& m) {
  Float8 x = widened(halves);
  for (float& value : x.v) value = (value - m.mean) * m.inverse;
  return x;
}

}  // namespace

void norm(Warp& w, const Norm& d) {
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int row = w.block_x() * kWarps + t[0] / int(kLanes), groups = d.n / kGroup;
  if (row >= d.rows) return;
  Lanes<Float8> sums = Float8{}, squares = Float8{};
  w.alu(10);
  w.batched_trips<Lanes<Half8>>(
      groups / int(kLanes), Warp::kMostAhead, [&](int i, Lanes<Half8>& x) { x = w.load(d.x, row * groups + i * int(kLanes) + lane); },
      [&](int, const Lanes<Half8>& x) {
        w.update(sums, 8, lanewise([](const Float8& a, const Half8& b) { return sum(a, widened(b)); }, sums, x));
        w.update(squares, 8, lanewise([](const Float8& a, const Half8& b) { return squares_added(a, widened(b)); }, squares, x));
      });
  const auto own = w.compute(7, lanewise(total, sums));
  const auto own_squares = w.compute(7, lanewise(total, squares));
  const auto all = butterfly(w, own, plus);
  const auto all_squares = butterfly(w, own_squares, plus);
  const auto m = w.sfu(4, lanewise([&d](float a, float b) { return moments(a, b, d.n); }, all, all_squares));
  for (const int i : w.trips(groups / int(kLanes))) {
    const auto x = w.load(d.x, row * groups + i * int(kLanes) + lane);
    const auto gamma = w.load(d.gamma, i * int(kLanes) + lane);
    const auto beta = w.load(d.beta, i * int(kLanes) + lane);
    const auto centred = w.compute(16, lanewise(normalised, x, m));
    const auto out = w.compute(12, lanewise(finished, centred, gamma, beta));
    w.store(d.out, row * groups + i * int(kLanes) + lane, out);
  }
}

bool check_norm(const std::string& name, const Norm& d, std::string& why) {
  const auto n = std::size_t(d.n);
  std::vector<float> out(std::size_t(d.rows) * n);
  for (std::size_t row = 0; row < std::size_t(d.rows); ++row) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = static_cast<double>(value(d.x, row * n + i));
      sum += x, squares += x * x;
    }
    const Moments m = moments(static_cast<float>(sum), static_cast<float>(squares), d.n);
    for (std::size_t i = 0; i < n; ++i)
      out[row * n + i] = value(d.gamma, i) * ((value(d.x, row * n + i) - m.mean) * m.inverse) + value(d.beta, i);
  }
  return close_halves(name, d.out, out, why);
}

namespace {

class LayerNorm final : public Workload {
 public:
  LayerNorm(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.rows = arguments("tokens"), d.n = arguments("hidden");
    arguments.require(d.n % 256 == 0, "hidden must be a multiple of 256, the elements that a warp loads at once");
    const auto groups = std::uint64_t(d.n / kGroup);
    d.x = memory.array<Half8>("x", std::uint64_t(d.rows) * groups);
    d.gamma = memory.array<Half8>("gamma", groups);
    d.beta = memory.array<Half8>("beta", groups);
    d.out = memory.array<Half8>("out", std::uint64_t(d.rows) * groups);
    Rng random(seed);
    for (const auto& array : {d.x, d.gamma, d.beta}) fill(array, random, 1);
    mark_source_elsewhere();
    add_launch("llm_norm", {ctas_for(d.rows, kWarps)}, {kThreads}, 40, [d](Warp& w) { norm(w, d); });
  }
  bool check(std::string& why) const override { return check_norm("out", data_, why); }

 private:
  Norm data_{};
};

}  // namespace
}  // namespace llm

Entry llm_norm_entry() {
  return {{"llm_norm",
           "layer normalisation, a warp per token: streaming, each row twice",
           {{"tokens", "1024", 1, 65536, "rows"}, {"hidden", "4096", 256, 16384, "elements of a row, a multiple of 256"}},
           {},
           {{"tiny", {{"tokens", 30}, {"hidden", 1280}}},
            {"std", {{"tokens", 1024}, {"hidden", 4096}}},
            {"paper", {{"tokens", 4096}, {"hidden", 4096}}}}},
          make_workload<llm::LayerNorm>};
}

}  // namespace wharf::spmd
