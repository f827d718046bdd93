// LLM_DECODE (workloads section 7): attention of one new token per sequence over a paged KV cache, as in PagedAttention (Kwon et al., SOSP
// 2023). A CTA computes one head of a sequence. Its four warps take every fourth page each and combine their results in shared memory. The
// cache is read once, so only the page table is reused, by the heads of a sequence.

#include <array>
#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

constexpr int kTokensAtOnce = 2;               // in a load
constexpr int kAhead = kPage / kTokensAtOnce;  // loads for a page

/// Half of a lane's sums: the 16 B of one access to shared memory.
struct Float4 {
  std::array<float, 4> v;
};

float product_of(const Half8& a, const Half8& b) {
  float all = 0;
  for (std::size_t i = 0; i < kGroup; ++i) all += float_of_half(a.v[i]) * float_of_half(b.v[i]);
  return all;
}

/// A warp's softmax so far. Lane l has elements 8 (l % 16) and up of the tokens of its half-warp.
struct Partial {
  Lanes<Float8> sums = Float8{};
  Lanes<float> greatest = kNone, total = 0.0f;
};

/// Scores of a page: element i of lane l is the score of token 2 i + l / 16. They are -infinity after the sequence's end.
[[gnu::noinline]] Lanes<Float8> scores(Warp& w, const Decode& d, const Lanes<Half8>& q, const Lanes<int>& place, const Lanes<int>& left) {
  Lanes<Float8> dots = Float8{};
  const auto k0 = w.load(d.keys, place);
  const auto k1 = w.load(d.keys, place + 1 * kTokensAtOnce * kHeadGroups);
  const auto k2 = w.load(d.keys, place + 2 * kTokensAtOnce * kHeadGroups);
  const auto k3 = w.load(d.keys, place + 3 * kTokensAtOnce * kHeadGroups);
  const auto k4 = w.load(d.keys, place + 4 * kTokensAtOnce * kHeadGroups);
  const auto k5 = w.load(d.keys, place + 5 * kTokensAtOnce * kHeadGroups);
  const auto k6 = w.load(d.keys, place + 6 * kTokensAtOnce * kHeadGroups);
  const auto k7 = w.load(d.keys, place + 7 * kTokensAtOnce * kHeadGroups);
  const std::array<const Lanes<Half8>*, kAhead> keys = {&k0, &k1, &k2, &k3, &k4, &k5, &k6, &k7};
  for (const int i : w.unrolled(kAhead)) {
    const auto with_dot = [i](Float8 all, const Half8& a, const Half8& b) {
      all.v[std::size_t(i)] = product_of(a, b);
      return all;
    };
    w.update(dots, 8, lanewise(with_dot, dots, q, *keys[std::size_t(i)]));
  }
  const auto all = butterfly(w, dots, sum, 16, kAhead);
  const auto slot = quotient(remainder(w.thread_x(), kLanes), 16);
  const auto masked = [](Float8 s, int first, int end) {
    for (int i = 0; i < kAhead; ++i) s.v[std::size_t(i)] = kTokensAtOnce * i + first < end ? s.v[std::size_t(i)] * kScale : kNone;
    return s;
  };
  return w.compute(16, lanewise(masked, all, slot, left));
}

[[gnu::noinline]] void add_values(Warp& w, const Decode& d, Partial& p, const Lanes<Float8>& weights, const Lanes<int>& place) {
  const auto v0 = w.load(d.values, place);
  const auto v1 = w.load(d.values, place + 1 * kTokensAtOnce * kHeadGroups);
  const auto v2 = w.load(d.values, place + 2 * kTokensAtOnce * kHeadGroups);
  const auto v3 = w.load(d.values, place + 3 * kTokensAtOnce * kHeadGroups);
  const auto v4 = w.load(d.values, place + 4 * kTokensAtOnce * kHeadGroups);
  const auto v5 = w.load(d.values, place + 5 * kTokensAtOnce * kHeadGroups);
  const auto v6 = w.load(d.values, place + 6 * kTokensAtOnce * kHeadGroups);
  const auto v7 = w.load(d.values, place + 7 * kTokensAtOnce * kHeadGroups);
  const std::array<const Lanes<Half8>*, kAhead> values = {&v0, &v1, &v2, &v3, &v4, &v5, &v6, &v7};
  for (const int i : w.unrolled(kAhead)) {
    const auto added = [i](const Float8& all, const Float8& weight, const Half8& value) {
      return sum(all, scaled(widened(value), weight.v[std::size_t(i)]));
    };
    w.update(p.sums, 8, lanewise(added, p.sums, weights, *values[std::size_t(i)]));
  }
}

/// Turns the scores of a page into weights, scaled so that the greatest so far would be 1, and scales the earlier sums alike.
[[gnu::noinline]] Lanes<Float8> renormalise(Warp& w, Partial& p, const Lanes<Float8>& page) {
  const auto most = [](float before, const Float8& s) { return std::max(before, *std::max_element(s.v.begin(), s.v.end())); };
  const auto own = w.compute(8, lanewise(most, p.greatest, page));
  const auto greatest = combined_halves(w, own, [](float a, float b) { return std::max(a, b); });
  const auto factor = w.sfu(1, lanewise([](float before, float now) { return std::exp(before - now); }, p.greatest, greatest));
  const auto exponentials = [](Float8 s, float top) {
    for (float& x : s.v) x = std::exp(x - top);
    return s;
  };
  const auto weights = w.sfu(kAhead, lanewise(exponentials, page, greatest));
  const auto added = [](float before, float scale, const Float8& s) {
    before *= scale;
    for (const float x : s.v) before += x;
    return before;
  };
  w.update(p.total, 9, lanewise(added, p.total, factor, weights));
  w.update(p.sums, 8, lanewise(scaled, p.sums, factor));
  p.greatest = greatest;
  return weights;
}

/// Combines the four warps' results, which are in shared memory, and stores the head.
[[gnu::noinline]] void join(Warp& w, const Decode& d, const SharedArray<Float4>& sums, const SharedArray<float>& states) {
  const auto t = w.thread_x();
  w.where(t < kHeadGroups, [&] {
    Partial all;
    for (const int i : w.unrolled(kWarps)) {
      const auto greatest = w.load(states, 2 * i);
      const auto total = w.load(states, 2 * i + 1);
      const auto low = w.load(sums, 2 * (i * kHeadGroups + t));
      const auto high = w.load(sums, 2 * (i * kHeadGroups + t) + 1);
      const auto most = w.compute(1, lanewise([](float a, float b) { return std::max(a, b); }, all.greatest, greatest));
      const auto old = w.sfu(1, lanewise([](float a, float top) { return std::exp(a - top); }, all.greatest, most));
      const auto now = w.sfu(1, lanewise([](float a, float top) { return std::exp(a - top); }, greatest, most));
      w.update(all.total, 2, all.total * old + total * now);
      w.update(all.sums, 8, lanewise(scaled, all.sums, old));
      const auto added = [](Float8 a, const Float4& l, const Float4& h, float factor) {
        for (std::size_t e = 0; e < 4; ++e) a.v[e] += l.v[e] * factor, a.v[4 + e] += h.v[e] * factor;
        return a;
      };
      w.update(all.sums, 8, lanewise(added, all.sums, low, high, now));
      w.set(all.greatest, most);
    }
    const auto inverse = w.sfu(1, 1.0f / all.total);
    const auto out = w.compute(8, lanewise(scaled, all.sums, inverse));
    const auto halves = w.compute(4, narrowed(out));
    w.store(d.out, (w.block_y() * d.heads + w.block_x()) * kHeadGroups + t, halves);
  });
}

}  // namespace

void attention_decode(Warp& w, const Decode& d) {
  const auto sums = w.shared<Float4>(0, kWarps * kHeadGroups * 2);
  const auto states = w.shared<float>(kWarps * kHeadGroups * 32, kWarps * 2);
  const auto t = w.thread_x(), lane = remainder(t, kLanes), group = remainder(lane, kHeadGroups);
  const int warp = t[0] / int(kLanes), sequence = w.block_y(), head = w.block_x();
  w.alu(12);
  const auto length = w.load(d.lengths, sequence);
  const auto q = w.load(d.q, sequence * d.pitch_q + head * kHeadGroups + group);
  Partial p;
  for (int first = warp * kPage; first < length[0]; first += kWarps * kPage) {
    w.alu(3);
    const auto page = w.load(d.table, sequence * d.pages + first / kPage);
    const auto place = ((page * d.heads + head) * kPage + quotient(lane, 16)) * kHeadGroups + group;
    const auto page_scores = scores(w, d, q, place, length - first);
    const auto weights = renormalise(w, p, page_scores);
    add_values(w, d, p, weights, place);
  }
  const auto both = combined_halves(w, p.sums, sum, kGroup);
  const auto total = combined_halves(w, p.total, [](float a, float b) { return a + b; });
  const auto part = [](std::size_t from) {
    return [from](const Float8& a) { return Float4{{a.v[from], a.v[from + 1], a.v[from + 2], a.v[from + 3]}}; };
  };
  w.where(lane < kHeadGroups, [&] {
    w.store(sums, 2 * (warp * kHeadGroups + lane), lanewise(part(0), both));
    w.store(sums, 2 * (warp * kHeadGroups + lane) + 1, lanewise(part(4), both));
  });
  w.where(lane == 0, [&] {
    w.store(states, 2 * warp, p.greatest);
    w.store(states, 2 * warp + 1, total);
  });
  w.barrier();
  if (warp == 0) join(w, d, sums, states);
}

void fill_table(const Array<int>& table, Rng& random) {
  for (std::uint32_t i = 0; i < table.size; ++i) table[i] = int(i);
  for (std::uint32_t i = table.size; i > 1; --i) std::swap(table[i - 1], table[random.below(i)]);
}

bool check_decode(const std::string& name, const Decode& d, std::string& why) {
  std::vector<float> out(std::size_t(d.sequences) * std::size_t(d.heads) * kHead), weights;
  for (std::size_t row = 0; row < std::size_t(d.sequences) * std::size_t(d.heads); ++row) {
    const std::size_t sequence = row / std::size_t(d.heads), head = row % std::size_t(d.heads);
    const auto length = std::size_t(d.lengths[sequence]);
    const auto place = [&](std::size_t token) {
      const auto page = std::size_t(d.table[sequence * std::size_t(d.pages) + token / kPage]);
      return ((page * std::size_t(d.heads) + head) * kPage + token % kPage) * kHead;
    };
    float greatest = kNone, total = 0;
    weights.assign(length, 0);
    for (std::size_t token = 0; token < length; ++token) {
      for (std::size_t i = 0; i < kHead; ++i)
        weights[token] += value(d.q, sequence * std::size_t(d.pitch_q) * kGroup + head * kHead + i) * value(d.keys, place(token) + i);
      greatest = std::max(greatest, weights[token] *= kScale);
    }
    for (float& weight : weights) total += weight = std::exp(weight - greatest);
    for (std::size_t token = 0; token < length; ++token) {
      for (std::size_t i = 0; i < kHead; ++i) out[row * kHead + i] += weights[token] / total * value(d.values, place(token) + i);
    }
  }
  return close_halves(name, d.out, out, why);
}

namespace {

class DecodeAttention final : public Workload {
 public:
  DecodeAttention(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.sequences = arguments("sequences"), d.heads = arguments("heads"), d.pitch_q = d.heads * kHeadGroups;
    const int context = arguments("context");
    d.pages = (context + kPage - 1) / kPage;
    const int pages = d.sequences * d.pages;
    const auto cache = std::uint64_t(pages) * std::uint64_t(d.pitch_q) * kPage;
    d.q = memory.array<Half8>("q", std::uint64_t(d.sequences) * std::uint64_t(d.pitch_q));
    d.keys = memory.array<Half8>("keys", cache);
    d.values = memory.array<Half8>("values", cache);
    d.out = memory.array<Half8>("out", d.q.size);
    d.table = memory.array<int>("table", std::uint64_t(pages));
    d.lengths = memory.array<int>("lengths", std::uint64_t(d.sequences));
    Rng random(seed);
    for (const auto& array : {d.q, d.keys, d.values}) fill(array, random, 1);
    fill_table(d.table, random);
    for (int i = 0; i < d.sequences; ++i) d.lengths[std::uint64_t(i)] = context;
    mark_source_elsewhere();
    add_launch(
        "llm_decode", {std::uint32_t(d.heads), std::uint32_t(d.sequences)}, {kWarps * kLanes}, 96, [d](Warp& w) { attention_decode(w, d); },
        kDecodeShared, kAhead);
  }
  bool check(std::string& why) const override { return check_decode("out", data_, why); }

 private:
  Decode data_{};
};

}  // namespace
}  // namespace llm

Entry llm_decode_entry() {
  return {{"llm_decode",
           "attention of a new token over a paged KV cache (PagedAttention): streaming, pages in random order",
           {{"sequences", "8", 1, 1024, "of the batch"},
            {"context", "1024", 1, 65536, "tokens of each sequence"},
            {"heads", "32", 1, 128, "of 128 elements"}},
           {},
           {{"tiny", {{"sequences", 2}, {"context", 100}, {"heads", 3}}},
            {"std", {{"sequences", 8}, {"context", 1024}, {"heads", 32}}},
            {"paper", {{"sequences", 16}, {"context", 4096}, {"heads", 32}}}}},
          make_workload<llm::DecodeAttention>};
}

}  // namespace wharf::spmd
