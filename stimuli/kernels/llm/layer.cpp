// LLM_LAYER (workloads section 7): a decoder layer like Llama's except for its norms, in ten launches: norm, projection to q, k and v,
// rotary embedding, append to the KV cache, attention, projection with residual, norm, gate and up, SiLU, down with residual. It prefills
// one prompt, or decodes a token of each of up to eight sequences. Launches find earlier stores in the L2. Weights are read once.

#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

/// Copies new keys and values into the pages of their tokens. One thread per Half8.
struct Append {
  Array<Half8> k, v, keys, values;
  Array<int> table;
  int tokens, heads, pages, pitch_k, pitch_v;
  int first_position;
  bool one_sequence;  // true: token i is at first_position + i of one sequence; false: at first_position of sequence i

  int position(int token) const { return first_position + (one_sequence ? token : 0); }
  int page_entry(int token) const { return (one_sequence ? 0 : token) * pages + position(token) / kPage; }
};

void append(Warp& w, const Append& d) {
  const int groups = d.heads * kHeadGroups;
  const auto thread = w.global_x(), token = quotient(thread, groups), group = remainder(thread, groups);
  w.alu(10);
  w.where(token < d.tokens, [&] {
    const auto page = w.load(d.table, lanewise([&d](int t) { return d.page_entry(t); }, token));
    const auto k = w.load(d.k, token * d.pitch_k + group);
    const auto v = w.load(d.v, token * d.pitch_v + group);
    const auto slot = lanewise([&d](int t) { return d.position(t) % kPage; }, token);
    const auto place = ((page * d.heads + quotient(group, kHeadGroups)) * kPage + slot) * kHeadGroups + remainder(group, kHeadGroups);
    w.store(d.keys, place, k);
    w.store(d.values, place, v);
  });
}

bool check_append(const Append& d, std::string& why) {
  for (int i = 0; i < d.tokens * d.heads * kHeadGroups; ++i) {
    const int token = i / (d.heads * kHeadGroups), group = i % (d.heads * kHeadGroups);
    const int page = d.table[std::uint64_t(d.page_entry(token))], head = group / kHeadGroups;
    const int place = ((page * d.heads + head) * kPage + d.position(token) % kPage) * kHeadGroups + group % kHeadGroups;
    const bool same = d.keys[std::uint64_t(place)].v == d.k[std::uint64_t(token * d.pitch_k + group)].v &&
                      d.values[std::uint64_t(place)].v == d.v[std::uint64_t(token * d.pitch_v + group)].v;
    if (same) continue;
    why = "the KV cache lacks token " + std::to_string(token) + " of head " + std::to_string(head);
    return false;
  }
  return true;
}

/// out = silu(gate) up. A row of `gate_up` is a gate of n elements and n elements that it scales. One thread per Half8.
struct Silu {
  Array<Half8> gate_up, out;
  int rows, n;
};

float silu(float gate, float up) { return gate / (1.0f + std::exp(-gate)) * up; }

void silu(Warp& w, const Silu& d) {
  const int groups = d.n / kGroup;
  const auto thread = w.global_x(), row = quotient(thread, groups), group = remainder(thread, groups);
  w.alu(8);
  w.where(row < d.rows, [&] {
    const auto gate = w.load(d.gate_up, row * (2 * groups) + group);
    const auto up = w.load(d.gate_up, row * (2 * groups) + groups + group);
    const auto passed = [](const Half8& g, const Half8& u) {
      Half8 out;
      for (std::size_t i = 0; i < kGroup; ++i) out.v[i] = half_of_float(silu(float_of_half(g.v[i]), float_of_half(u.v[i])));
      return out;
    };
    const auto out = w.sfu(16, lanewise(passed, gate, up));  // an exponential and a reciprocal per element
    w.store(d.out, thread, out);
  });
}

bool check_silu(const Silu& d, std::string& why) {
  const auto n = std::size_t(d.n);
  std::vector<float> out(std::size_t(d.rows) * n);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = silu(value(d.gate_up, i / n * 2 * n + i % n), value(d.gate_up, i / n * 2 * n + n + i % n));
  return equal_halves("activation", d.out, out, why);
}

class Layer final : public Workload {
 public:
  Layer(const Arguments& arguments, Memory& memory, std::uint64_t seed)
      : prefill_(arguments("prefill") != 0),
        tokens_(arguments("tokens")),
        heads_(arguments("heads")),
        hidden_(heads_ * kHead),
        ffn_(arguments("ffn")),
        context_(prefill_ ? 0 : arguments("context")) {
    arguments.require(hidden_ % 256 == 0 && ffn_ % 256 == 0, "heads must be even and ffn a multiple of 256, the elements that a warp loads at once");
    if (prefill_)
      arguments.require(tokens_ % kQueries == 0, "tokens of a prefill must be a multiple of 64, the queries of a CTA");
    else
      arguments.require(tokens_ <= kMostGemvRows, "tokens of a decode must be at most 8, one of each sequence");
    Rng random(seed);
    allocate(memory, random);
    mark_source_elsewhere();
    launch_attention();
    launch_mlp();
  }

  bool check(std::string& why) const override {
    const auto linear = prefill_ ? check_gemm : check_gemv;
    return check_norm("normed", norms_[0], why) && linear("qkv", qkv_, why) && check_rotary("rotated", rotary_, why) &&
           check_append(append_, why) &&
           (prefill_ ? check_prefill("attention", prefill_attention_, why) : check_decode("attention", decode_attention_, why)) &&
           linear("projected", projection_, why) && check_norm("normed again", norms_[1], why) && linear("gate_up", gate_up_, why) &&
           check_silu(silu_, why) && linear("out", down_, why);
  }

 private:
  void allocate(Memory& memory, Rng& random) {
    const auto rows = [&](const char* name, int count, int width) {
      return memory.array<Half8>(name, std::uint64_t(count) * std::uint64_t(width / kGroup));
    };
    const auto random_rows = [&](const char* name, int count, int width, float range) {
      const auto array = rows(name, count, width);
      fill(array, random, range);
      return array;
    };
    constexpr float kWeight = 0.04f;
    const auto x = random_rows("x", tokens_, hidden_, 1);
    norms_[0] = {x, random_rows("gamma1", 1, hidden_, 1), random_rows("beta1", 1, hidden_, 1), rows("normed1", tokens_, hidden_), tokens_, hidden_};
    qkv_ = {norms_[0].out, random_rows("w_qkv", 3 * hidden_, hidden_, kWeight), {}, rows("qkv", tokens_, 3 * hidden_), tokens_, 3 * hidden_, hidden_};
    const int positions = context_ + (prefill_ ? tokens_ : 1), pitch = 3 * hidden_ / kGroup, rotated = 2 * hidden_ / kGroup;
    rotary_ = {qkv_.out, rows("cosines", positions, kHead / 2), rows("sines", positions, kHead / 2), rows("rotated", tokens_, 2 * hidden_), tokens_,
               2 * heads_, pitch, context_, prefill_ ? 1 : 0};
    fill_angles(rotary_.cosines, rotary_.sines, positions);
    const int sequences = prefill_ ? 1 : tokens_, pages = (positions + kPage - 1) / kPage;
    const auto keys = random_rows("keys", sequences * pages * kPage, hidden_, 1), values = random_rows("values", sequences * pages * kPage, hidden_, 1);
    const auto table = memory.array<int>("table", std::uint64_t(sequences * pages)), lengths = memory.array<int>("lengths", std::uint64_t(sequences));
    fill_table(table, random);
    std::fill(lengths.data, lengths.data + lengths.size, positions);
    const auto k = rotary_.out.from(std::uint64_t(hidden_ / kGroup)), v = qkv_.out.from(std::uint64_t(2 * hidden_ / kGroup));
    append_ = {k, v, keys, values, table, tokens_, heads_, pages, rotated, pitch, context_, prefill_};
    const auto attention = rows("attention", tokens_, hidden_);
    prefill_attention_ = {rotary_.out, k, v, attention, tokens_, heads_, rotated, rotated, pitch};
    decode_attention_ = {rotary_.out, keys, values, attention, table, lengths, sequences, heads_, pages, rotated};
    projection_ = {attention, random_rows("w_out", hidden_, hidden_, kWeight), x, rows("projected", tokens_, hidden_), tokens_, hidden_, hidden_};
    norms_[1] = {projection_.out, random_rows("gamma2", 1, hidden_, 1), random_rows("beta2", 1, hidden_, 1), rows("normed2", tokens_, hidden_), tokens_, hidden_};
    gate_up_ = {norms_[1].out, random_rows("w_gate_up", 2 * ffn_, hidden_, kWeight), {}, rows("gate_up", tokens_, 2 * ffn_), tokens_, 2 * ffn_, hidden_};
    silu_ = {gate_up_.out, rows("activation", tokens_, ffn_), tokens_, ffn_};
    down_ = {silu_.out, random_rows("w_down", hidden_, ffn_, kWeight), projection_.out, rows("out", tokens_, hidden_), tokens_, hidden_, ffn_};
  }

  void launch_attention() {
    launch_norm("llm_norm1", norms_[0]);
    launch_linear("llm_qkv", qkv_);
    const auto elements = std::int64_t(tokens_) * hidden_ / kGroup;  // in Half8
    add_launch("llm_rotary", {ctas_for(elements, kThreads)}, {kThreads}, 40, [d = rotary_](Warp& w) { rotary(w, d); });
    add_launch("llm_append", {ctas_for(elements, kThreads)}, {kThreads}, 32, [d = append_](Warp& w) { append(w, d); });
    const auto heads = std::uint32_t(heads_);
    if (prefill_)
      add_launch(
          "llm_prefill", {heads, std::uint32_t(tokens_ / kQueries)}, {kThreads}, 128, [d = prefill_attention_](Warp& w) { attention_prefill(w, d); },
          kPrefillShared, 8);
    else
      add_launch(
          "llm_decode", {heads, std::uint32_t(tokens_)}, {kThreads}, 96, [d = decode_attention_](Warp& w) { attention_decode(w, d); }, kDecodeShared, 8);
    launch_linear("llm_projection", projection_);
  }

  void launch_mlp() {
    launch_norm("llm_norm2", norms_[1]);
    launch_linear("llm_gate_up", gate_up_);
    add_launch("llm_silu", {ctas_for(std::int64_t(tokens_) * ffn_ / kGroup, kThreads)}, {kThreads}, 32, [d = silu_](Warp& w) { silu(w, d); });
    launch_linear("llm_down", down_);
  }

  void launch_norm(const char* name, const Norm& d) {
    add_launch(name, {ctas_for(d.rows, kWarps)}, {kThreads}, 40, [d](Warp& w) { norm(w, d); });
  }

  void launch_linear(const char* name, const Linear& d) {
    if (prefill_)
      add_launch(
          name, {ctas_for(d.n, kTileColumns), ctas_for(d.rows, kTileRows)}, {kGemmThreads}, 64, [d](Warp& w) { gemm(w, d, w.block_y(), w.block_x()); },
          kGemmShared, 4);
    else
      add_launch(name, {ctas_for(d.n, int(kGemvThreads / kLanes))}, {kGemvThreads}, 40, [d](Warp& w) { gemv(w, d); }, 0, kMostGemvRows);
  }

  bool prefill_;
  int tokens_, heads_, hidden_, ffn_;
  int context_;  // tokens already in the cache
  std::array<Norm, 2> norms_{};
  Linear qkv_{}, projection_{}, gate_up_{}, down_{};
  Rotary rotary_{};
  Append append_{};
  Prefill prefill_attention_{};
  Decode decode_attention_{};
  Silu silu_{};
};

}  // namespace
}  // namespace llm

Entry llm_layer_entry() {
  return {{"llm_layer",
           "a layer of a decoder in ten launches: weights once, activations through the L2",
           {{"prefill", "0", 0, 1, "1: all tokens of one prompt; 0: a token of each sequence"},
            {"tokens", "1", 1, 16384, "of the prompt, a multiple of 64; or sequences, up to 8"},
            {"context", "512", 0, 65536, "tokens of each sequence before; a prefill has none"},
            {"heads", "32", 2, 128, "of 128 elements, an even number; their product is the hidden size"},
            {"ffn", "11008", 256, 65536, "elements between gate and down, a multiple of 256"}},
           {},
           {{"tiny", {{"tokens", 1}, {"context", 40}, {"heads", 2}, {"ffn", 256}}},
            {"std", {{"tokens", 1}, {"context", 512}, {"heads", 32}, {"ffn", 11008}}},
            {"paper", {{"tokens", 8}, {"context", 4096}, {"heads", 32}, {"ffn", 11008}}}}},
          make_workload<llm::Layer>};
}

}  // namespace wharf::spmd
