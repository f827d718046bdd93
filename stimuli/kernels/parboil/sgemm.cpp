// SGEMM, Parboil, optimised version (workloads section 3.2): C = alpha A B + beta C, all column-major and B transposed. A thread keeps 16
// columns of one row in registers. A tile of B is in shared memory. A is read directly from memory, and only other CTAs read a line of it
// again.

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace sgemm {
namespace {
constexpr float kAlpha = 1.25f, kBeta = 0.75f;
constexpr int kWidth = 16, kHeight = 8;              // of a CTA and of its tile of B: columns of C, steps of k
constexpr int kRows = kWidth * kHeight;              // rows of C per CTA
constexpr int kPairs = kWidth / 2;                   // a thread's accumulators, two per vector
// Sites of the unrolled code; their registers (modulo 120) are 0 to 23.
constexpr std::uint32_t kTile = 1080, kSums = 2048, kColumn = 3016;

struct Pair {
  float x, y;
};

struct Data {
  Array<float> a, b, c;
  int lda, ldb, ldc, k;
};

/// The 16 products of one step.
void multiply(Warp& w, const SharedArray<Pair>& tile, const Lanes<float>& a, Lanes<Pair> (&sums)[kPairs], int step) {
  Lanes<Pair> b[kPairs];
  for (int c = 0; c < kPairs; ++c) b[c] = w.load(tile, step * kPairs + c, Site(kTile + std::uint32_t(c)));
  const auto add = [](Pair sum, float x, Pair y) { return Pair{sum.x + x * y.x, sum.y + x * y.y}; };
  for (int c = 0; c < kPairs; ++c) w.update(sums[c], 2, lanewise(add, sums[c], a, b[c]), Site(kSums + std::uint32_t(c)));
}

void sgemm(Warp& w, const Data& d) {
  const auto tile = w.shared<float>(0, kRows);
  const auto pairs = w.shared<Pair>(0, kRows / 2);
  const auto tx = w.thread_x(), ty = w.thread_y();
  const auto thread = ty * kWidth + tx;
  const auto row = w.block_x() * kRows + thread;
  Lanes<Pair> sums[kPairs];
  for (auto& sum : sums) sum = Pair{0.0f, 0.0f};
  w.alu(22);
  for (int i = 0; i < d.k; i += kHeight) {
    const auto b = w.load(d.b, w.block_y() * kWidth + tx + (i + ty) * d.ldb);
    w.store(tile, thread, b);
    w.barrier();
    w.alu(4);
    // The compiler unrolls the steps and issues all their loads of A before it uses the first.
    Lanes<float> a[kHeight];
    for (int j = 0; j < kHeight; ++j) a[j] = w.load(d.a, row + (i + j) * d.lda, Site(kColumn + std::uint32_t(j)));
    for (const int j : w.unrolled(kHeight)) {
      w.alu(1);
      multiply(w, pairs, a[j], sums, j);
    }
    w.barrier();
  }
  for (const int column : w.unrolled(kWidth)) {
    const auto at = row + (w.block_y() * kWidth + column) * d.ldc;
    const auto c = w.load(d.c, at);
    const auto sum = lanewise([column](Pair p) { return column % 2 == 0 ? p.x : p.y; }, sums[column / 2]);
    const auto result = w.compute(2, c * kBeta + kAlpha * sum);
    w.store(d.c, at, result);
  }
}

class Sgemm final : public Workload {
 public:
  Sgemm(const Arguments& arguments, Memory& memory, std::uint64_t seed) : m_(arguments("m")), n_(arguments("n")) {
    auto& d = data_;
    d.k = arguments("k");
    arguments.require(m_ % kRows == 0 && n_ % kWidth == 0 && d.k % kHeight == 0, "m must be a multiple of 128, n of 16 and k of 8");
    d.lda = d.ldc = m_, d.ldb = n_;
    d.a = memory.array<float>("A", std::uint64_t(m_) * std::uint64_t(d.k));
    d.b = memory.array<float>("B", std::uint64_t(n_) * std::uint64_t(d.k));
    d.c = memory.array<float>("C", std::uint64_t(m_) * std::uint64_t(n_));
    Rng random(seed);
    for (const auto& array : {d.a, d.b, d.c}) {
      for (std::uint32_t i = 0; i < array.size; ++i) array[i] = static_cast<float>(random.unit());
    }
    initial_.assign(d.c.data, d.c.data + d.c.size);
    const Dim3 grid{std::uint32_t(m_ / kRows), std::uint32_t(n_ / kWidth)};
    add_launch(
        "sgemm", grid, {kWidth, kHeight}, 63, [d](Warp& w) { sgemm(w, d); }, 4 * kRows, kWidth);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    auto c = initial_;
    for (int column = 0; column < n_; ++column) {
      std::vector<float> sums(static_cast<std::size_t>(m_));
      for (int k = 0; k < d.k; ++k) {
        const float* const a = d.a.data + std::int64_t(k) * d.lda;
        const float b = d.b.data[std::int64_t(k) * d.ldb + column];
        for (std::size_t row = 0; row < sums.size(); ++row) sums[row] += a[row] * b;
      }
      float* const result = c.data() + std::int64_t(column) * d.ldc;
      for (std::size_t row = 0; row < sums.size(); ++row) result[row] = result[row] * kBeta + kAlpha * sums[row];
    }
    return equal("C", d.c, c, why);
  }

 private:
  int m_, n_;
  Data data_{};
  std::vector<float> initial_;
};

}  // namespace
}  // namespace sgemm

Entry sgemm_entry() {
  return {{"sgemm",
           "matrix product with a tile of B in shared memory (Parboil): panels of A and B shared by CTAs",
           {{"m", "1024", 128, 16384, "rows of A and C, a multiple of 128"},
            {"n", "992", 16, 16384, "columns of B and C, a multiple of 16"},
            {"k", "1056", 8, 16384, "columns of A, a multiple of 8"}},
           {},
           {{"tiny", {{"m", 128}, {"n", 96}, {"k", 64}}}, {"std", {{"m", 1024}, {"n", 992}, {"k", 128}}}, {"paper", {{"k", 1056}}}}},
          make_workload<sgemm::Sgemm>};
}

}  // namespace wharf::spmd
