// GAUSSIAN, Rodinia 3.1 (workloads section 2.9): elimination in a system of equations, two launches per column. The first computes the
// column's multipliers, a diverged walk down it. The second updates the rest of the matrix with CTAs of 4x4 threads, whose fast index is
// the row: four lines per access, each shared by the eight CTAs along it. Every launch has the full grid, so ever more CTAs end at once.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace gaussian {
namespace {
constexpr int kColumnThreads = 512, kTile = 4;

struct Data {
  Array<float> a, m, b;  // rows of a and of the multipliers m are `pitch` elements apart
  int n, pitch;
};

void fan1(Warp& w, const Data& k, int t) {
  const auto row = w.global_x() + (t + 1);
  w.alu(9);
  w.where(row < k.n, [&] {
    const auto element = w.load(k.a, row * k.pitch + t);
    const auto pivot = w.load(k.a, t * k.pitch + t);
    const auto quotient = w.sfu(1, element / pivot);
    const auto multiplier = w.compute(8, quotient);
    w.store(k.m, row * k.pitch + t, multiplier);
  });
}

void fan2(Warp& w, const Data& k, int t) {
  const auto y = w.global_y();
  const auto row = w.global_x() + (t + 1), column = y + t;
  w.alu(9);
  w.where(row < k.n && column < k.n, [&] {
    w.alu(24);
    const auto multiplier = w.load(k.m, row * k.pitch + t);
    const auto above = w.load(k.a, t * k.pitch + column);
    const auto element = w.load(k.a, row * k.pitch + column);
    const auto reduced = w.compute(4, element - multiplier * above);
    w.store(k.a, row * k.pitch + column, reduced);
    w.alu(3);
    w.where(y == 0, [&] {
      const auto right = w.load(k.b, t);
      const auto again = w.load(k.m, row * k.pitch + t);
      const auto own = w.load(k.b, row);
      const auto reduced_right = w.compute(4, own - again * right);
      w.store(k.b, row, reduced_right);
    });
  });
}

class Gaussian final : public Workload {
 public:
  Gaussian(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.n = arguments("n"), d.pitch = arguments("pitch");
    arguments.require(d.pitch >= d.n, "pitch is the distance between rows and must be at least n");
    const auto elements = std::uint64_t(d.n) * std::uint64_t(d.pitch);
    d.a = memory.array<float>("a", elements);
    d.m = memory.array<float>("m", elements);
    d.b = memory.array<float>("b", std::uint64_t(d.n));
    fill(d.a.data, d.b.data);
    const auto tiles = ctas_for(d.n, kTile);
    for (int t = 0; t < d.n - 1; ++t) {
      add_launch("gaussian_fan1", {ctas_for(d.n, kColumnThreads)}, {kColumnThreads}, 15, [d, t](Warp& w) { fan1(w, d, t); });
      add_launch("gaussian_fan2", {tiles, tiles}, {kTile, kTile}, 16, [d, t](Warp& w) { fan2(w, d, t); });
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> a(d.a.size), m(d.m.size), b(d.b.size);
    fill(a.data(), b.data());
    const auto at = [&d](int i, int j) { return std::size_t(i) * std::size_t(d.pitch) + std::size_t(j); };
    for (int t = 0; t < d.n - 1; ++t) {
      for (int i = t + 1; i < d.n; ++i) {
        const float multiplier = m[at(i, t)] = a[at(i, t)] / a[at(t, t)];
        for (int j = t; j < d.n; ++j) a[at(i, j)] -= multiplier * a[at(t, j)];
        b[std::size_t(i)] -= multiplier * b[std::size_t(t)];
      }
    }
    return equal("a", d.a, a, why) && equal("m", d.m, m, why) && equal("b", d.b, b, why);
  }

 private:
  /// The program's own generator: no pivot becomes 0.
  void fill(float* a, float* b) const {
    for (int i = 0; i < data_.n; ++i) {
      b[i] = 1.0f;
      for (int j = 0; j < data_.n; ++j) {
        a[std::int64_t(i) * data_.pitch + j] = static_cast<float>(10.0 * std::exp(-0.01 * std::abs(i - j)));
      }
    }
  }

  Data data_{};
};

}  // namespace
}  // namespace gaussian

Entry gaussian_entry() {
  return {{"gaussian",
           "elimination in a system of equations (Rodinia): half warps, lines shared by neighbouring CTAs, two launches a column",
           {{"n", "208", 2, 4096, "unknowns"}, {"pitch", "n", 2, 8192, "elements from one row to the next"}},
           {},
           {{"tiny", {{"n", 32}, {"pitch", 208}}}, {"std", {{"n", 128}, {"pitch", 208}}}, {"paper", {{"n", 208}}}}},
          make_workload<gaussian::Gaussian>};
}

}  // namespace wharf::spmd
