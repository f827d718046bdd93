// LLM_GEMM (workloads section 7): a linear layer y = x Wᵀ by tiles of 32 rows and 64 columns in shared memory. It is double buffered: while
// the tensor cores multiply one buffer, the loads of the next are in flight. LLM_GEMV: the same layer for few rows. The weights are read
// once, and only x is reused.

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/llm/llm.h"

namespace wharf::spmd {
namespace llm {
namespace {

constexpr int kTilePitch = kTileDepth / kGroup + 1;  // Half8 from row to row of a tile; the extra one avoids bank conflicts
constexpr int kBuffer = (kTileRows + kTileColumns) * kTilePitch;
constexpr int kRowsAtOnce = int(kGemmThreads) * kGroup / kTileDepth;  // rows that the CTA loads with one instruction per warp

/// A thread's loaded part of the next tiles.
struct Staged {
  Lanes<Half8> x0, x1, w0, w1, w2, w3;
};

}  // namespace

void gemm(Warp& w, const Linear& d, int row_tile, int column_tile) {
  const auto buffers = w.shared<Half8>(0, 2 * kBuffer);
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int warp = t[0] / int(kLanes), groups = d.k / kGroup, steps = d.k / kTileDepth;
  const auto row = quotient(t, kTileDepth / kGroup), column = remainder(t, kTileDepth / kGroup);
  const auto x_row = row_tile * kTileRows + row;
  Staged next;
  const auto fetch = [&](int step) {
    w.alu(4);
    const auto x = x_row * groups + step * (kTileDepth / kGroup) + column;
    const auto weights = (column_tile * kTileColumns + row) * groups + step * (kTileDepth / kGroup) + column;
    next.x0 = next.x1 = Half8{};
    w.where(x_row < d.rows, [&] { next.x0 = w.load(d.x, x); });
    w.where(x_row + kRowsAtOnce < d.rows, [&] { next.x1 = w.load(d.x, x + kRowsAtOnce * groups); });
    next.w0 = w.load(d.weights, weights);
    next.w1 = w.load(d.weights, weights + kRowsAtOnce * groups);
    next.w2 = w.load(d.weights, weights + 2 * kRowsAtOnce * groups);
    next.w3 = w.load(d.weights, weights + 3 * kRowsAtOnce * groups);
  };
  const auto put = [&](int buffer) {
    const auto at = buffer * kBuffer + row * kTilePitch + column;
    w.store(buffers, at, next.x0);
    w.store(buffers, at + kRowsAtOnce * kTilePitch, next.x1);
    w.store(buffers, at + 2 * kRowsAtOnce * kTilePitch, next.w0);
    w.store(buffers, at + 3 * kRowsAtOnce * kTilePitch, next.w1);
    w.store(buffers, at + 4 * kRowsAtOnce * kTilePitch, next.w2);
    w.store(buffers, at + 5 * kRowsAtOnce * kTilePitch, next.w3);
  };
  Lanes<Float8> left = Float8{}, right = Float8{};  // 16 x 16 elements each, side by side
  const auto multiply = [&](int buffer) {
    const auto x = buffer * kBuffer + (16 * (warp % 2) + remainder(lane, 16)) * kTilePitch + quotient(lane, 16);
    const auto weights = buffer * kBuffer + (kTileRows + 32 * (warp / 2) + remainder(lane, 16)) * kTilePitch + quotient(lane, 16);
    for (const int k : w.unrolled(kTileDepth / 16)) {
      const auto a = w.load(buffers, x + 2 * k);
      const auto b = w.load(buffers, weights + 2 * k);
      const auto c = w.load(buffers, weights + 16 * kTilePitch + 2 * k);
      multiply_add(w, left, a, b, Right::by_columns);
      multiply_add(w, right, a, c, Right::by_columns);
    }
  };
  fetch(0);
  put(0);
  w.barrier();
  for (const int step : w.trips(steps)) {
    if (step + 1 < steps) fetch(step + 1);
    multiply(step % 2);
    if (step + 1 < steps) put((step + 1) % 2);
    w.barrier();
  }
  const auto out_row = row_tile * kTileRows + 16 * (warp % 2) + remainder(lane, 16);
  const auto out = out_row * (d.n / kGroup) + (column_tile * kTileColumns + 32 * (warp / 2)) / kGroup + quotient(lane, 16);
  w.where(out_row < d.rows, [&] {
    if (d.residual.data != nullptr) {
      const auto before = w.load(d.residual, out);
      const auto beside = w.load(d.residual, out + 2);
      const auto add = [](const Float8& a, const Half8& b) { return sum(a, widened(b)); };
      w.update(left, 8, lanewise(add, left, before));
      w.update(right, 8, lanewise(add, right, beside));
    }
    const auto first = w.compute(4, narrowed(left));
    const auto second = w.compute(4, narrowed(right));
    w.store(d.out, out, first);
    w.store(d.out, out + 2, second);
  });
}

namespace {

Float8 with_products(Float8 sums, const Half8& a, const Half8& b) {
  for (std::size_t i = 0; i < kGroup; ++i) sums.v[i] += float_of_half(a.v[i]) * float_of_half(b.v[i]);
  return sums;
}

}  // namespace

void gemv(Warp& w, const Linear& d) {
  const auto t = w.thread_x(), lane = remainder(t, kLanes);
  const int column = w.block_x() * int(kGemvThreads / kLanes) + t[0] / int(kLanes), groups = d.k / kGroup;
  std::array<Lanes<Float8>, kMostGemvRows> sums;
  for (int row = 0; row < d.rows; ++row) sums[std::size_t(row)] = Float8{};
  w.alu(10);
  w.batched_trips<Lanes<Half8>>(
      groups / int(kLanes), Warp::kMostAhead,
      [&](int i, Lanes<Half8>& weights) { weights = w.load(d.weights, column * groups + i * int(kLanes) + lane); },
      [&](int i, const Lanes<Half8>& weights) {
        w.alu(1);
        for (const int row : w.unrolled(d.rows)) {
          const auto x = w.load(d.x, row * groups + i * int(kLanes) + lane);
          w.update(sums[std::size_t(row)], 8, lanewise(with_products, sums[std::size_t(row)], weights, x));
        }
      });
  for (const int row : w.unrolled(d.rows)) {
    const auto own = w.compute(7, lanewise(total, sums[std::size_t(row)]));
    auto all = butterfly(w, own, [](float a, float b) { return a + b; });
    w.where(lane == 0, [&] {
      const int out = row * d.n + column;
      if (d.residual.data != nullptr) {
        const auto before = w.load(in_parts_of<std::uint16_t>(d.residual), out);
        w.update(all, 1, all + lanewise(float_of_half, before));
      }
      const auto result = w.compute(1, lanewise(half_of_float, all));
      w.store(in_parts_of<std::uint16_t>(d.out), out, result);
    });
  }
}

bool check_gemm(const std::string& name, const Linear& d, std::string& why) {
  const auto rows = std::size_t(d.rows), k = std::size_t(d.k), n = std::size_t(d.n);
  std::vector<float> transposed(k * rows), sums(rows), out(rows * n);
  for (std::size_t i = 0; i < rows * k; ++i) transposed[i % k * rows + i / k] = value(d.x, i);
  for (std::size_t column = 0; column < n; ++column) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t i = 0; i < k; ++i) {
      const float weight = value(d.weights, column * k + i);
      for (std::size_t row = 0; row < rows; ++row) sums[row] += transposed[i * rows + row] * weight;
    }
    for (std::size_t row = 0; row < rows; ++row)
      out[row * n + column] = sums[row] + (d.residual.data != nullptr ? value(d.residual, row * n + column) : 0.0f);
  }
  return equal_halves(name, d.out, out, why);
}

bool check_gemv(const std::string& name, const Linear& d, std::string& why) {
  const auto groups = std::size_t(d.k / kGroup), n = std::size_t(d.n);
  std::vector<float> out(std::size_t(d.rows) * n);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::array<float, kLanes> lanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      Float8 sums{};
      for (std::size_t g = lane; g < groups; g += kLanes) sums = with_products(sums, d.weights[i % n * groups + g], d.x[i / n * groups + g]);
      lanes[lane] = total(sums);
    }
    for (std::size_t distance = kLanes / 2; distance > 0; distance /= 2) {
      for (std::size_t lane = 0; lane < distance; ++lane) lanes[lane] += lanes[lane + distance];
    }
    out[i] = lanes[0] + (d.residual.data != nullptr ? value(d.residual, i) : 0.0f);
  }
  return equal_halves(name, d.out, out, why);
}

namespace {

class LinearLayer final : public Workload {
 public:
  LinearLayer(const Arguments& arguments, Memory& memory, std::uint64_t seed) : few_(arguments("few") != 0) {
    auto& d = data_;
    d.rows = arguments("m"), d.n = arguments("n"), d.k = arguments("k");
    if (few_) {
      arguments.require(d.rows <= kMostGemvRows, "with few=1, m must be at most 8, the rows that a warp computes at once");
      arguments.require(d.n % 8 == 0 && d.k % 256 == 0, "with few=1, n must be a multiple of 8 and k of 256");
    } else {
      arguments.require(d.n % kTileColumns == 0 && d.k % kTileDepth == 0, "n and k must be multiples of 64, the side of a tile");
    }
    const auto groups = [](int rows, int columns) { return std::uint64_t(rows) * std::uint64_t(columns / kGroup); };
    d.x = memory.array<Half8>("x", groups(d.rows, d.k));
    d.weights = memory.array<Half8>("weights", groups(d.n, d.k));
    d.out = memory.array<Half8>("out", groups(d.rows, d.n));
    Rng random(seed);
    fill(d.x, random, 1);
    fill(d.weights, random, 0.1f);
    mark_source_elsewhere();
    if (few_)
      add_launch("llm_gemv", {ctas_for(d.n, 8)}, {kGemvThreads}, 40, [d](Warp& w) { gemv(w, d); }, 0, kMostGemvRows);
    else
      add_launch(
          "llm_gemm", {ctas_for(d.n, kTileColumns), ctas_for(d.rows, kTileRows)}, {kGemmThreads}, 64,
          [d](Warp& w) { gemm(w, d, w.block_y(), w.block_x()); }, kGemmShared, 8);
  }
  bool check(std::string& why) const override { return few_ ? check_gemv("out", data_, why) : check_gemm("out", data_, why); }

 private:
  bool few_;
  Linear data_{};
};

}  // namespace
}  // namespace llm

Entry llm_gemm_entry() {
  return {{"llm_gemm",
           "y = x W' of halves by tiles in shared memory, double buffered: inter-CTA sharing",
           {{"m", "128", 1, 8192, "rows of x and y: tokens"},
            {"n", "4096", 8, 32768, "columns of y, a multiple of 64"},
            {"k", "4096", 64, 32768, "inner dimension, a multiple of 64"},
            {"few", "0", 0, 1, "1: a warp per column, for up to 8 rows: streams the weights"}},
           {},
           {{"tiny", {{"m", 48}, {"n", 128}, {"k", 192}}},
            {"std", {{"m", 128}, {"n", 4096}, {"k", 1024}}},
            {"paper", {{"m", 512}, {"n", 4096}, {"k", 4096}}}}},
          make_workload<llm::LinearLayer>};
}

}  // namespace wharf::spmd
