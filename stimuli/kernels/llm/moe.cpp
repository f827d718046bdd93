// LLM_MOE (workloads section 7): a mixture of experts in four launches. The router's softmax chooses experts. Dispatch allocates slots of
// their buffers by atomics and copies rows there. Each expert multiplies its rows by its matrix. Combine gathers a token's rows and adds
// them by weight. Timing decides which slot a row gets, but not a token's result.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

struct Mixture {
  TopK router;
  Array<Half8> x, sent, matrices, returned, out;  // sent, returned: `tokens` slots per expert
  Array<int> counts, slots;                       // rows per expert; slot of a token's row, one per choice
  int tokens, hidden;

  int groups() const { return hidden / kGroup; }
  int row_tiles() const { return (tokens + kTileRows - 1) / kTileRows; }
};

/// One warp per token and choice.
void dispatch(Warp& w, const Mixture& d) {
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int choice = w.block_x() * kWarps + t[0] / int(kLanes), token = choice / d.router.k;
  if (token >= d.tokens) return;
  w.alu(8);
  const auto expert = w.load(d.router.chosen, choice);
  Lanes<int> taken = 0;
  w.where(lane == 0, [&] {
    const auto before = w.atomic(d.counts, expert, 1, [](int a, int b) { return a + b; });
    w.set(taken, before);
    w.store(d.slots, choice, taken);
  });
  const auto slot = w.compute(1, lanewise([first = taken[0]](int) { return first; }, taken));
  const auto to = w.compute(1, (expert * d.tokens + slot) * d.groups() + lane);
  for (const int i : w.trips(d.groups() / int(kLanes))) {
    const auto row = w.load(d.x, token * d.groups() + i * int(kLanes) + lane);
    w.store(d.sent, to + i * int(kLanes), row);
  }
}

/// One warp per token.
void combine(Warp& w, const Mixture& d) {
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int token = w.block_x() * kWarps + t[0] / int(kLanes), k = d.router.k;
  if (token >= d.tokens) return;
  w.alu(8);
  for (const int i : w.trips(d.groups() / int(kLanes))) {
    Lanes<Float8> sums = Float8{};
    for (const int choice : w.unrolled(k)) {
      const auto expert = w.load(d.router.chosen, token * k + choice);
      const auto slot = w.load(d.slots, token * k + choice);
      const auto weight = w.load(d.router.weights, token * k + choice);
      const auto row = w.load(d.returned, (expert * d.tokens + slot) * d.groups() + i * int(kLanes) + lane);
      const auto added = [](const Float8& all, const Half8& y, float factor) { return sum(all, scaled(widened(y), factor)); };
      w.update(sums, 8, lanewise(added, sums, row, weight));
    }
    const auto out = w.compute(4, narrowed(sums));
    w.store(d.out, token * d.groups() + i * int(kLanes) + lane, out);
  }
}

/// Checks that each choice has a slot of its own among its expert's rows, and that the slot has the token's row.
bool check_dispatch(const Mixture& d, std::string& why) {
  std::vector<int> rows(d.counts.size);
  std::vector<bool> taken(std::size_t(d.sent.size / std::uint32_t(d.groups())));
  for (std::uint32_t i = 0; i < d.slots.size; ++i) ++rows[std::size_t(d.router.chosen[i])];
  if (!equal("counts", d.counts, rows, why)) return false;
  for (std::uint32_t i = 0; i < d.slots.size; ++i) {
    const auto expert = std::size_t(d.router.chosen[i]), place = expert * std::size_t(d.tokens) + std::size_t(d.slots[i]);
    bool right = d.slots[i] >= 0 && d.slots[i] < rows[expert] && !taken[place];
    for (std::size_t g = 0; right && g < std::size_t(d.groups()); ++g)
      right = d.sent[place * std::size_t(d.groups()) + g].v == d.x[std::size_t(i) / std::size_t(d.router.k) * std::size_t(d.groups()) + g].v;
    if (!right) {
      why = "slots[" + std::to_string(i) + "] is " + std::to_string(d.slots[i]) + ", where the token's row is not, or which is taken";
      return false;
    }
    taken[place] = true;
  }
  return true;
}

bool check_combine(const Mixture& d, std::string& why) {
  const auto hidden = std::size_t(d.hidden), k = std::size_t(d.router.k);
  std::vector<float> out(std::size_t(d.tokens) * hidden);
  for (std::size_t i = 0; i < out.size() * k; ++i) {  // element by element, choice by choice
    const std::size_t element = i / k, choice = element / hidden * k + i % k;
    const auto place = std::size_t(d.router.chosen[choice]) * std::size_t(d.tokens) + std::size_t(d.slots[choice]);
    out[element] += value(d.returned, place * hidden + element % hidden) * d.router.weights[choice];
  }
  return equal_halves("out", d.out, out, why);
}

Linear expert_of(const Mixture& d, int expert, int rows) {
  const auto first = std::uint64_t(expert) * std::uint64_t(d.tokens) * std::uint64_t(d.groups());
  const auto matrix = std::uint64_t(expert) * std::uint64_t(d.hidden) * std::uint64_t(d.groups());
  return {d.sent.from(first), d.matrices.from(matrix), {}, d.returned.from(first), rows, d.hidden, d.hidden};
}

/// One CTA per tile that an expert may have. CTAs beyond the expert's rows end at once. Stands here because gemm() has the lines above, and a
/// line is a pc.
void multiply(Warp& w, const Mixture& d) {
  const int expert = w.block_y() / d.row_tiles(), tile = w.block_y() % d.row_tiles();
  const auto rows = w.load(d.counts, expert);
  bool any = false;
  w.where(rows > tile * kTileRows, [&] { any = true; });
  if (any) gemm(w, expert_of(d, expert, rows[0]), tile, w.block_x());
}

class MixtureOfExperts final : public Workload {
 public:
  MixtureOfExperts(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.tokens = arguments("tokens"), d.hidden = arguments("hidden");
    const int experts = arguments("experts"), k = arguments("k");
    arguments.require(experts % int(kLanes) == 0, "experts must be a multiple of 32, the lanes of a warp");
    arguments.require(d.hidden % 256 == 0, "hidden must be a multiple of 256, the elements that a warp loads at once");
    const auto rows = [&](const char* name, int count) { return memory.array<Half8>(name, std::uint64_t(count) * std::uint64_t(d.groups())); };
    const auto choices = std::uint64_t(d.tokens) * std::uint64_t(k);
    d.router = {memory.array<float>("logits", std::uint64_t(d.tokens) * std::uint64_t(experts)), memory.array<float>("weights", choices),
                memory.array<int>("chosen", choices), d.tokens, experts, k};
    d.x = rows("x", d.tokens);
    d.sent = rows("sent", experts * d.tokens);
    d.matrices = rows("matrices", experts * d.hidden);
    d.returned = rows("returned", experts * d.tokens);
    d.out = rows("out", d.tokens);
    d.counts = memory.array<int>("counts", std::uint64_t(experts));
    d.slots = memory.array<int>("slots", choices);
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.router.logits.size; ++i) d.router.logits[i] = 8 * static_cast<float>(random.unit()) - 4;
    fill(d.x, random, 1);
    fill(d.matrices, random, 0.1f);
    mark_source_elsewhere();
    add_launch("llm_top_k", {ctas_for(d.tokens, kWarps)}, {kThreads}, 40, [r = d.router](Warp& w) { top_k(w, r); }, 0, 8);
    add_launch("llm_dispatch", {ctas_for(std::int64_t(d.tokens) * k, kWarps)}, {kThreads}, 32, [d](Warp& w) { dispatch(w, d); });
    const auto row_tiles = std::uint32_t(experts * d.row_tiles());
    add_launch("llm_expert", {ctas_for(d.hidden, kTileColumns), row_tiles}, {kGemmThreads}, 64, [d](Warp& w) { multiply(w, d); }, kGemmShared, 4);
    add_launch("llm_combine", {ctas_for(d.tokens, kWarps)}, {kThreads}, 40, [d](Warp& w) { combine(w, d); }, 0, 8);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    if (!check_top_k(d.router, why) || !check_dispatch(d, why)) return false;
    for (int expert = 0; expert < int(d.counts.size); ++expert) {
      const std::string name = "rows of expert " + std::to_string(expert);
      if (!check_gemm(name, expert_of(d, expert, d.counts[std::uint64_t(expert)]), why)) return false;
    }
    return check_combine(d, why);
  }

 private:
  Mixture data_{};
};

}  // namespace
}  // namespace llm

Entry llm_moe_entry() {
  return {{"llm_moe",
           "a mixture of experts: dispatch by atomics, a product per expert, combination by gathering",
           {{"tokens", "256", 1, 16384, "rows"},
            {"hidden", "1024", 256, 8192, "elements of a row, a multiple of 256"},
            {"experts", "32", 32, 256, "matrices, a multiple of 32"},
            {"k", "2", 1, 8, "experts of a token"}},
           {},
           {{"tiny", {{"tokens", 20}, {"hidden", 256}, {"experts", 32}, {"k", 2}}},
            {"std", {{"tokens", 256}, {"hidden", 1024}, {"experts", 32}, {"k", 2}}},
            {"paper", {{"tokens", 512}, {"hidden", 2048}, {"experts", 128}, {"k", 8}}}}},
          make_workload<llm::MixtureOfExperts>};
}

}  // namespace wharf::spmd
