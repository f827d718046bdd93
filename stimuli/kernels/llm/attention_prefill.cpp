// LLM_PREFILL (workloads section 7): causal attention by tiles, like FlashAttention-2 (Dao, ICLR 2024). A CTA has 64 queries of a head, 16
// per warp, and walks over tiles of 32 keys and values in shared memory with an online softmax. All CTAs of a head read the same keys and
// values.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

constexpr int kPitch = kHeadGroups + 1;      // Half8 from row to row of a tile; the extra one avoids bank conflicts
constexpr int kBlocks = kHead / 16;          // blocks of 16 x 16 elements in a row of 16 queries

/// Stores the warp's 16 queries in shared memory, after the tiles. No other warp reads them.
[[gnu::noinline]] void keep_queries(Warp& w, const Prefill& d, const SharedArray<Half8>& queries, int first) {
  const auto lane = remainder(w.thread_x(), kLanes), row = quotient(lane, kHeadGroups), column = remainder(lane, kHeadGroups);
  const auto from = (first + row) * d.pitch_q + w.block_x() * kHeadGroups + column;
  const auto to = (first % kQueries + row) * kPitch + column;
  w.batched_trips<Lanes<Half8>>(
      16 / 2, Warp::kMostAhead, [&](int i, Lanes<Half8>& q) { q = w.load(d.q, from + 2 * i * d.pitch_q); },
      [&](int i, const Lanes<Half8>& q) { w.store(queries, to + 2 * i * kPitch, q); });
}

/// Loads a tile of keys and one of values into shared memory, four Half8 of each per thread.
[[gnu::noinline]] void stage(Warp& w, const Prefill& d, const SharedArray<Half8>& tiles, int tile) {
  const auto t = w.thread_x(), row = quotient(t, kHeadGroups), column = remainder(t, kHeadGroups);
  const auto key = (tile * kKeys + row) * d.pitch_k + w.block_x() * kHeadGroups + column;
  const auto value = (tile * kKeys + row) * d.pitch_v + w.block_x() * kHeadGroups + column;
  const auto at = row * kPitch + column;
  const auto k0 = w.load(d.k, key);
  const auto k1 = w.load(d.k, key + 8 * d.pitch_k);
  const auto k2 = w.load(d.k, key + 16 * d.pitch_k);
  const auto k3 = w.load(d.k, key + 24 * d.pitch_k);
  const auto v0 = w.load(d.v, value);
  const auto v1 = w.load(d.v, value + 8 * d.pitch_v);
  const auto v2 = w.load(d.v, value + 16 * d.pitch_v);
  const auto v3 = w.load(d.v, value + 24 * d.pitch_v);
  w.store(tiles, at, k0);
  w.store(tiles, at + 8 * kPitch, k1);
  w.store(tiles, at + 16 * kPitch, k2);
  w.store(tiles, at + 24 * kPitch, k3);
  w.store(tiles, at + 32 * kPitch, v0);
  w.store(tiles, at + 40 * kPitch, v1);
  w.store(tiles, at + 48 * kPitch, v2);
  w.store(tiles, at + 56 * kPitch, v3);
}

/// A warp's state for its 16 queries.
struct Rows {
  std::array<Lanes<Float8>, kBlocks> out;
  Lanes<float> greatest = kNone, total = 0.0f;
};

/// Scores of 16 keys from `first_key` on; -infinity for keys later than the query.
[[gnu::noinline]] Lanes<Float8> tile_scores(Warp& w, const SharedArray<Half8>& queries, const SharedArray<Half8>& tiles, int block, const Lanes<int>& query,
                                       int first_key) {
  const auto lane = remainder(w.thread_x(), kLanes), row = remainder(lane, 16), half = quotient(lane, 16);
  Lanes<Float8> sums = Float8{};
  for (const int i : w.unrolled(kBlocks)) {
    const auto q = w.load(queries, remainder(query, kQueries) * kPitch + 2 * i + half);
    const auto k = w.load(tiles, (16 * block + row) * kPitch + 2 * i + half);
    multiply_add(w, sums, q, k, Right::by_columns);
  }
  const auto masked = [first_key](const Float8& s, int q, int h) {
    Float8 out;
    for (int i = 0; i < kGroup; ++i) out.v[std::size_t(i)] = first_key + kGroup * h + i <= q ? s.v[std::size_t(i)] * kScale : kNone;
    return out;
  };
  w.update(sums, 16, lanewise(masked, sums, query, half));
  return sums;
}

/// One step of the online softmax: turns scores into weights, scaled so that the greatest so far would be 1, and scales the earlier sums.
[[gnu::noinline]] void renormalise_rows(Warp& w, Rows& rows, Lanes<Float8>& left, Lanes<Float8>& right) {
  const auto most = [](float before, const Float8& a, const Float8& b) {
    for (std::size_t i = 0; i < kGroup; ++i) before = std::max({before, a.v[i], b.v[i]});
    return before;
  };
  const auto own = w.compute(16, lanewise(most, rows.greatest, left, right));
  const auto greatest = combined_halves(w, own, [](float a, float b) { return std::max(a, b); });
  const auto factor = w.sfu(1, lanewise([](float before, float now) { return std::exp(before - now); }, rows.greatest, greatest));
  const auto weights = [](Float8 s, float top) {
    for (float& x : s.v) x = std::exp(x - top);
    return s;
  };
  left = w.sfu(8, lanewise(weights, left, greatest));
  right = w.sfu(8, lanewise(weights, right, greatest));
  const auto added = [](const Float8& a, const Float8& b) {
    float all = 0;
    for (std::size_t i = 0; i < kGroup; ++i) all += a.v[i] + b.v[i];
    return all;
  };
  const auto here = w.compute(15, lanewise(added, left, right));
  const auto both = combined_halves(w, here, [](float a, float b) { return a + b; });
  w.update(rows.total, 1, rows.total * factor + both);
  rows.greatest = greatest;
  for (const int i : w.unrolled(kBlocks)) {
    w.update(rows.out[std::size_t(i)], 8, lanewise(scaled, rows.out[std::size_t(i)], factor));
  }
}

[[gnu::noinline]] void add_tile_values(Warp& w, Rows& rows, const SharedArray<Half8>& tiles, const Lanes<Float8>& left, const Lanes<Float8>& right) {
  const auto lane = remainder(w.thread_x(), kLanes), at = (kKeys + remainder(lane, 16)) * kPitch + quotient(lane, 16);
  const auto first = w.compute(4, narrowed(left));
  const auto second = w.compute(4, narrowed(right));
  for (const int i : w.unrolled(kBlocks)) {
    const auto a = w.load(tiles, at + 2 * i);
    const auto b = w.load(tiles, at + 16 * kPitch + 2 * i);
    multiply_add(w, rows.out[std::size_t(i)], first, a, Right::by_rows);
    multiply_add(w, rows.out[std::size_t(i)], second, b, Right::by_rows);
  }
}

}  // namespace

void attention_prefill(Warp& w, const Prefill& d) {
  const auto tiles = w.shared<Half8>(0, 2 * kKeys * kPitch);
  const auto queries = w.shared<Half8>(2 * kKeys * kPitch * sizeof(Half8), kQueries * kPitch);
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int first = w.block_y() * kQueries + t[0] / int(kLanes) * 16;
  const auto query = first + remainder(lane, 16);
  Rows rows;
  rows.out.fill(Float8{});
  w.alu(16);
  keep_queries(w, d, queries, first);
  for (const int tile : w.trips((w.block_y() + 1) * kQueries / kKeys)) {
    w.alu(4);
    stage(w, d, tiles, tile);
    w.barrier();
    if (tile * kKeys < first + 16) {  // otherwise all keys are later than the warp's queries
      auto left = tile_scores(w, queries, tiles, 0, query, tile * kKeys);
      auto right = tile_scores(w, queries, tiles, 1, query, tile * kKeys + 16);
      renormalise_rows(w, rows, left, right);
      add_tile_values(w, rows, tiles, left, right);
    }
    w.barrier();
  }
  const auto inverse = w.sfu(1, 1.0f / rows.total);
  const auto at = (query * (d.heads * kHeadGroups) + w.block_x() * kHeadGroups) + quotient(lane, 16);
  for (const int i : w.unrolled(kBlocks)) {
    const auto scaled_out = w.compute(8, lanewise(scaled, rows.out[std::size_t(i)], inverse));
    const auto halves = w.compute(4, narrowed(scaled_out));
    w.store(d.out, at + 2 * i, halves);
  }
}

bool check_prefill(const std::string& name, const Prefill& d, std::string& why) {
  std::vector<float> out(std::size_t(d.tokens) * std::size_t(d.heads) * kHead);
  const auto element = [](const Array<Half8>& array, int pitch, int token, int head, int i) {
    return value(array, (std::size_t(token) * std::size_t(pitch) + std::size_t(head * kHeadGroups)) * kGroup + std::size_t(i));
  };
  std::vector<float> weights(std::size_t(d.tokens));
  for (int head = 0; head < d.heads; ++head) {
    for (int query = 0; query < d.tokens; ++query) {
      float greatest = kNone, total = 0;
      for (int key = 0; key <= query; ++key) {
        float sum = 0;
        for (int i = 0; i < kHead; ++i) sum += element(d.q, d.pitch_q, query, head, i) * element(d.k, d.pitch_k, key, head, i);
        weights[std::size_t(key)] = sum * kScale;
        greatest = std::max(greatest, sum * kScale);
      }
      for (int key = 0; key <= query; ++key) total += weights[std::size_t(key)] = std::exp(weights[std::size_t(key)] - greatest);
      float* const row = out.data() + (std::size_t(query) * std::size_t(d.heads) + std::size_t(head)) * kHead;
      for (int key = 0; key <= query; ++key) {
        for (int i = 0; i < kHead; ++i) row[i] += weights[std::size_t(key)] / total * element(d.v, d.pitch_v, key, head, i);
      }
    }
  }
  return close_halves(name, d.out, out, why);
}

namespace {

class PrefillAttention final : public Workload {
 public:
  PrefillAttention(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.tokens = arguments("tokens"), d.heads = arguments("heads");
    arguments.require(d.tokens % kQueries == 0, "tokens must be a multiple of 64, the queries of a CTA");
    d.pitch_q = d.pitch_k = d.pitch_v = d.heads * kHeadGroups;
    const auto groups = std::uint64_t(d.tokens) * std::uint64_t(d.pitch_q);
    d.q = memory.array<Half8>("q", groups);
    d.k = memory.array<Half8>("k", groups);
    d.v = memory.array<Half8>("v", groups);
    d.out = memory.array<Half8>("out", groups);
    Rng random(seed);
    for (const auto& array : {d.q, d.k, d.v}) fill(array, random, 1);
    mark_source_elsewhere();
    add_launch(
        "llm_prefill", {std::uint32_t(d.heads), std::uint32_t(d.tokens / kQueries)}, {128}, 128, [d](Warp& w) { attention_prefill(w, d); },
        kPrefillShared, kBlocks);
  }
  bool check(std::string& why) const override { return check_prefill("out", data_, why); }

 private:
  Prefill data_{};
};

}  // namespace
}  // namespace llm

Entry llm_prefill_entry() {
  return {{"llm_prefill",
           "causal attention of a prompt by tiles (FlashAttention): keys and values shared by the CTAs of a head",
           {{"tokens", "512", 64, 16384, "of the prompt, a multiple of 64"}, {"heads", "32", 1, 128, "of 128 elements"}},
           {},
           {{"tiny", {{"tokens", 128}, {"heads", 1}}},
            {"std", {{"tokens", 512}, {"heads", 32}}},
            {"paper", {{"tokens", 2048}, {"heads", 32}}}}},
          make_workload<llm::PrefillAttention>};
}

}  // namespace wharf::spmd
