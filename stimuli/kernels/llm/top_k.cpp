// LLM_TOP_K (workloads section 7): the softmax of a router's logits and its greatest values, which choose a token's experts.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

struct Best {
  float value;
  int index;
};
Best better(const Best& a, const Best& b) { return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b; }

}  // namespace

void top_k(Warp& w, const TopK& d) {
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int row = w.block_x() * kWarps + t[0] / int(kLanes), per_lane = d.n / int(kLanes);
  if (row >= d.rows) return;
  w.alu(8);
  Lanes<Float8> own = Float8{{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone}};  // element i is logit 32 i + lane
  for (const int i : w.unrolled(per_lane)) {
    const auto logit = w.load(d.logits, row * d.n + i * int(kLanes) + lane);
    const auto with = [i](Float8 all, float x) {
      all.v[std::size_t(i)] = x;
      return all;
    };
    w.set(own, lanewise(with, own, logit));
    if (i % 2 == 1 || i + 1 == per_lane) w.update(own, 1, own);  // an expression carries four registers
  }
  const auto most = w.compute(per_lane, lanewise([](const Float8& x) { return *std::max_element(x.v.begin(), x.v.end()); }, own));
  const auto greatest = butterfly(w, most, [](float a, float b) { return std::max(a, b); });
  const auto exponentials = [](Float8 x, float top) {
    for (float& value : x.v) value = std::exp(value - top);
    return x;
  };
  w.set(own, w.sfu(per_lane, lanewise(exponentials, own, greatest)));
  const auto added = [](const Float8& x) {
    float all = 0;
    for (const float value : x.v) all += value;
    return all;
  };
  const auto here = w.compute(per_lane, lanewise(added, own));
  const auto total = butterfly(w, here, [](float a, float b) { return a + b; });
  for (const int place : w.trips(d.k)) {
    const auto best_here = [](const Float8& x, int l) {
      const auto at = std::max_element(x.v.begin(), x.v.end());
      return Best{*at, static_cast<int>(at - x.v.begin()) * int(kLanes) + l};
    };
    const auto candidate = w.compute(2 * per_lane, lanewise(best_here, own, lane));
    const auto best = butterfly(w, candidate, better, kLanes, 2);
    const auto weight = w.sfu(1, lanewise([](const Best& b, float all) { return b.value / all; }, best, total));
    w.where(lane == 0, [&] {
      w.store(d.weights, row * d.k + place, weight);
      w.store(d.chosen, row * d.k + place, lanewise([](const Best& b) { return b.index; }, best));
    });
    const auto without = [](Float8 x, int l, const Best& b) {
      if (b.index % int(kLanes) == l) x.v[std::size_t(b.index / int(kLanes))] = kNone;
      return x;
    };
    w.update(own, 1, lanewise(without, own, lane, best));
  }
}

bool check_top_k(const TopK& d, std::string& why) {
  const auto n = std::size_t(d.n), k = std::size_t(d.k), rows = std::size_t(d.rows);
  std::vector<float> weights(rows * k);
  std::vector<int> chosen(rows * k);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const logits = d.logits.data + row * n;
    const float greatest = *std::max_element(logits, logits + n);
    std::vector<Best> all(n);
    float total = 0;
    for (std::size_t i = 0; i < n; ++i) total += (all[i] = {std::exp(logits[i] - greatest), int(i)}).value;
    std::sort(all.begin(), all.end(), [](const Best& a, const Best& b) { return better(a, b).index == a.index && a.index != b.index; });
    for (std::size_t i = 0; i < k; ++i) weights[row * k + i] = all[i].value / total, chosen[row * k + i] = all[i].index;
  }
  return equal("chosen", d.chosen, chosen, why) && close("weights", d.weights, weights, why);
}

namespace {

class Routing final : public Workload {
 public:
  Routing(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.rows = arguments("tokens"), d.n = arguments("experts"), d.k = arguments("k");
    arguments.require(d.n % int(kLanes) == 0, "experts must be a multiple of 32, the lanes of a warp");
    d.logits = memory.array<float>("logits", std::uint64_t(d.rows) * std::uint64_t(d.n));
    d.weights = memory.array<float>("weights", std::uint64_t(d.rows) * std::uint64_t(d.k));
    d.chosen = memory.array<int>("chosen", d.weights.size);
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.logits.size; ++i) d.logits[i] = 8 * static_cast<float>(random.unit()) - 4;
    mark_source_elsewhere();
    add_launch("llm_top_k", {ctas_for(d.rows, kWarps)}, {kThreads}, 40, [d](Warp& w) { top_k(w, d); }, 0, 8);
  }
  bool check(std::string& why) const override { return check_top_k(data_, why); }

 private:
  TopK data_{};
};

}  // namespace
}  // namespace llm

Entry llm_top_k_entry() {
  return {{"llm_top_k",
           "softmax of a router's logits and its greatest: shuffles",
           {{"tokens", "4096", 1, 1 << 20, "rows"},
            {"experts", "128", 32, 256, "logits of a row, a multiple of 32"},
            {"k", "8", 1, 32, "experts of a token"}},
           {},
           {{"tiny", {{"tokens", 50}, {"experts", 96}, {"k", 3}}},
            {"std", {{"tokens", 4096}, {"experts", 128}, {"k", 8}}},
            {"paper", {{"tokens", 16384}, {"experts", 256}, {"k", 8}}}}},
          make_workload<llm::Routing>};
}

}  // namespace wharf::spmd
