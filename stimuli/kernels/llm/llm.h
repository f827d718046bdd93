#pragma once
// Shared by the kernels of language models: halves in groups of 16 bytes, fragments of the tensor cores' matrices, reductions by shuffles,
// and the kernels that make up a layer (layer.cpp). Values are stored as halves and computed as floats.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/base/rng.h"
#include "stimuli/half.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd::llm {

/// Eight halves, the 16 B of one load.
struct Half8 {
  std::array<std::uint16_t, 8> v;
};
struct Float8 {
  std::array<float, 8> v;
};

inline constexpr int kGroup = 8;                       // halves per Half8
inline constexpr int kHead = 128;                      // elements per attention head
inline constexpr int kHeadGroups = kHead / kGroup;     // Half8 per head
inline constexpr float kScale = 0.08838834764831845f;  // scale of the scores: 1 / sqrt(kHead)

inline Float8 widened(const Half8& halves) {
  Float8 out;
  for (std::size_t i = 0; i < kGroup; ++i) out.v[i] = float_of_half(halves.v[i]);
  return out;
}
inline Half8 narrowed(const Float8& floats) {
  Half8 out;
  for (std::size_t i = 0; i < kGroup; ++i) out.v[i] = half_of_float(floats.v[i]);
  return out;
}
inline Float8 sum(Float8 a, const Float8& b) {
  for (std::size_t i = 0; i < kGroup; ++i) a.v[i] += b.v[i];
  return a;
}
inline Float8 scaled(Float8 a, float factor) {
  for (float& x : a.v) x *= factor;
  return a;
}
inline Lanes<Half8> narrowed(const Lanes<Float8>& a) {
  return lanewise([](const Float8& x) { return narrowed(x); }, a);
}
inline Lanes<int> quotient(const Lanes<int>& a, int divisor) {
  return lanewise([divisor](int x) { return x / divisor; }, a);
}
inline Lanes<int> remainder(const Lanes<int>& a, int divisor) {
  return lanewise([divisor](int x) { return x % divisor; }, a);
}

/// The value of the lane whose number differs in the bits of `distance`. Issues no instruction.
template <class T>
Lanes<T> exchanged(const Lanes<T>& a, unsigned distance) {
  Lanes<T> out = a;
  for (unsigned l = 0; l < kLanes; ++l) out.v[l] = a.v[l ^ distance];
  return out;
}

/// Combines the values of each group of `lanes` neighbours, a power of two, by a butterfly. A step is a shuffle and an operation of `count`
/// instructions. All lanes of a group receive the result. All lanes must be active.
template <class T, class Combine>
Lanes<T> butterfly(Warp& w, Lanes<T> value, Combine combine, unsigned lanes = kLanes, double count = 1) {
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
    const auto other = w.compute(count, exchanged(value, distance));
    w.update(value, count, lanewise(combine, value, other));
  }
  return value;
}

/// Combines the values of lanes 16 apart.
template <class T, class Combine>
Lanes<T> combined_halves(Warp& w, Lanes<T> value, Combine combine, double count = 1) {
  const auto other = w.compute(count, exchanged(value, 16));
  w.update(value, count, lanewise(combine, value, other));
  return value;
}

/// The result of the tensor cores, see Warp::unit_of() below.
struct Product {
  Float8 sums;
};

/// A lane's part of b, which ldmatrix can transpose: eight elements of row l % 16, or of column l % 16.
enum class Right : std::uint8_t { by_rows, by_columns };

/// sum + a b of matrices of 16 x 16. Lane l has elements 8 (l / 16) to 8 (l / 16) + 7 of row l % 16 of `sum` and of a. Products are added
/// in ascending order of k.
Lanes<Product> product(const Lanes<Float8>& sum, const Lanes<Half8>& a, const Lanes<Half8>& b, Right right);

/// sum += a b by two instructions of the tensor cores (m16n8k16).
void multiply_add(Warp& w, Lanes<Float8>& sum, const Lanes<Half8>& a, const Lanes<Half8>& b, Right right, Site site = Site());

// ---- Linear layers

/// out = x Wᵀ + residual. Rows of x and W have `k` elements, the others `n`. Without data, there is no residual.
struct Linear {
  Array<Half8> x, weights, residual, out;
  int rows, n, k;
};

inline constexpr int kTileRows = 32, kTileColumns = 64, kTileDepth = 64;  // per CTA of gemm()
inline constexpr std::uint32_t kGemmThreads = 128, kGemvThreads = 256, kGemmShared = 2 * (kTileRows + kTileColumns) * 9 * 16;
inline constexpr int kMostGemvRows = 8;

/// One tile of the result, with CTAs of kGemmThreads. n and k must be multiples of 64; any number of rows.
void gemm(Warp& w, const Linear& d, int row_tile, int column_tile);
/// One warp per column of the result, with CTAs of kGemvThreads, for up to kMostGemvRows rows. n must be a multiple of 8, k of 256.
void gemv(Warp& w, const Linear& d);
bool check_gemm(const std::string& name, const Linear& d, std::string& why);
bool check_gemv(const std::string& name, const Linear& d, std::string& why);

// ---- Row by row

/// out = gamma (x - mean) / deviation + beta for each row of `n` elements, a multiple of 256. One warp per row: CTAs of 128 threads.
struct Norm {
  Array<Half8> x, gamma, beta, out;
  int rows, n;
};
void norm(Warp& w, const Norm& d);
bool check_norm(const std::string& name, const Norm& d, std::string& why);

/// Rotates elements i and i + 64 of each head of a token by the angle of its position: cosines and sines are [position][64]. One thread per
/// eight pairs: CTAs of 128 threads.
struct Rotary {
  Array<Half8> x, cosines, sines, out;
  int tokens, heads, pitch_x;               // pitch_x: Half8 from one token of x to the next; `out` has only the heads
  int first_position = 0, position_step = 1;  // position of token 0; distance from one token to the next
};
void rotary(Warp& w, const Rotary& d);
bool check_rotary(const std::string& name, const Rotary& d, std::string& why);
/// Fills the tables with cosines and sines of `positions` positions, base 10000.
void fill_angles(const Array<Half8>& cosines, const Array<Half8>& sines, int positions);

/// The softmax of rows of `n` logits, a multiple of 32 up to 256, and its `k` greatest values in descending order. Equal values keep their
/// order. One warp per row: CTAs of 128 threads.
struct TopK {
  Array<float> logits, weights;
  Array<int> chosen;
  int rows, n, k;
};
void top_k(Warp& w, const TopK& d);
bool check_top_k(const TopK& d, std::string& why);

// ---- Attention

/// Causal attention of all tokens: grid (heads, tokens / 64), CTAs of 128 threads. Pitches in Half8 per token. tokens: a multiple of 64.
struct Prefill {
  Array<Half8> q, k, v, out;
  int tokens, heads, pitch_q, pitch_k, pitch_v;
};
inline constexpr int kQueries = 64, kKeys = 32;  // per CTA; per tile
inline constexpr std::uint32_t kPrefillShared = (2 * kKeys + kQueries) * (kHeadGroups + 1) * 16;
void attention_prefill(Warp& w, const Prefill& d);
bool check_prefill(const std::string& name, const Prefill& d, std::string& why);

/// Attention of one new token per sequence over pages of kPage tokens: [page][head][token][element]. table: `pages` per sequence.
/// Grid (heads, sequences), CTAs of 128 threads.
struct Decode {
  Array<Half8> q, keys, values, out;
  Array<int> table, lengths;
  int sequences, heads, pages, pitch_q;
};
inline constexpr int kPage = 16;
inline constexpr std::uint32_t kDecodeShared = 4 * (kHeadGroups * 32 + 8);  // per warp: a head's sums, their weight, the greatest score
void attention_decode(Warp& w, const Decode& d);
/// Fills the table with the page numbers in random order.
void fill_table(const Array<int>& table, Rng& random);
bool check_decode(const std::string& name, const Decode& d, std::string& why);

// ---- The host's side

/// Fills the array with uniform numbers in ±`range`.
void fill(const Array<Half8>& array, Rng& random, float range);

/// Half number `i` of an array.
inline float value(const Array<Half8>& array, std::size_t i) { return float_of_half(array.data[i / kGroup].v[i % kGroup]); }

/// True if the array equals the expected values rounded to halves.
bool equal_halves(const std::string& name, const Array<Half8>& actual, const std::vector<float>& expected, std::string& why);
/// True within 1/500 of the value plus 1/1000: for results with an open order of additions or an open intermediate rounding.
bool close_halves(const std::string& name, const Array<Half8>& actual, const std::vector<float>& expected, std::string& why);

// Kernels alone use these. They come last: the pc of an instruction is its line in its file.
inline constexpr std::uint32_t kThreads = 128;  // of a CTA whose warps work each on a row
inline constexpr int kWarps = int(kThreads / kLanes);
inline constexpr float kNone = -HUGE_VALF;  // the score of what is not there
inline float total(const Float8& a) {
  float all = 0;
  for (const float x : a.v) all += x;
  return all;
}

}  // namespace wharf::spmd::llm

namespace wharf::spmd {
template <>
constexpr Unit Warp::unit_of<llm::Product>() {
  return Unit::tensor;
}
}  // namespace wharf::spmd
