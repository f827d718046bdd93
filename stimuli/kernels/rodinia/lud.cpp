// LUD, Rodinia 3.1 (workloads section 2.6): LU decomposition in place, in blocks of 16. A step factors the diagonal block (half a warp).
// Then it solves the row and the column of blocks next to it (one warp per pair, each half on its own path), and updates all remaining
// blocks. All data are staged in shared memory. Many CTAs read the strips.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace lud {
namespace {
constexpr int kBlock = 16, kCells = kBlock * kBlock, kBlockBytes = 4 * kCells;

struct Data {
  Array<float> m;
  int n, pitch;
};

/// Factors the block at row and column `o`.
void diagonal(Warp& w, const Data& k, int o) {
  const auto block = w.shared<float>(0, kCells);
  const auto t = w.thread_x();
  const int first = o * k.pitch + o;
  w.alu(8);
  for (const int r : w.trips(kBlock)) {
    const auto x = w.load(k.m, first + r * k.pitch + t);
    w.store(block, r * kBlock + t, x);
  }
  w.barrier();
  for (int i = 0; i < kBlock - 1; ++i) {
    w.where(t > i, [&] {
      auto lower = w.load(block, t * kBlock + i);
      for (const int j : w.trips(i)) {
        const auto l = w.load(block, t * kBlock + j);
        const auto u = w.load(block, j * kBlock + i);
        w.update(lower, 1, lower - l * u);
        w.store(block, t * kBlock + i, lower);
        w.alu(1);
      }
      const auto pivot = w.load(block, i * kBlock + i);
      const auto quotient = w.sfu(1, lower / pivot);
      w.store(block, t * kBlock + i, quotient);
    });
    w.barrier();
    w.where(t > i, [&] {
      auto upper = w.load(block, (i + 1) * kBlock + t);
      for (const int j : w.trips(i + 1)) {
        const auto l = w.load(block, (i + 1) * kBlock + j);
        const auto u = w.load(block, j * kBlock + t);
        w.update(upper, 1, upper - l * u);
        w.store(block, (i + 1) * kBlock + t, upper);
        w.alu(1);
      }
    });
    w.barrier();
  }
  for (const int r : w.trips(1, kBlock)) {
    const auto x = w.load(block, r * kBlock + t);
    w.store(k.m, first + r * k.pitch + t, x);
  }
}

using Block = SharedArray<float>;

/// Column x of a block to the right of the diagonal block.
void solve_row(Warp& w, const Block& dia, const Block& row, const Lanes<int>& x) {
  for (int i = 1; i < kBlock; ++i) {
    auto u = w.load(row, i * kBlock + x);
    for (const int j : w.trips(i)) {
      const auto l = w.load(dia, i * kBlock + j);
      const auto above = w.load(row, j * kBlock + x);
      w.update(u, 1, u - l * above);
      w.store(row, i * kBlock + x, u);
    }
  }
}

/// Row x of a block below the diagonal block.
void solve_column(Warp& w, const Block& dia, const Block& column, const Lanes<int>& x) {
  for (int i = 0; i < kBlock; ++i) {
    auto l = w.load(column, x * kBlock + i);
    for (const int j : w.trips(i)) {
      const auto left = w.load(column, x * kBlock + j);
      const auto u = w.load(dia, j * kBlock + i);
      w.update(l, 1, l - left * u);
      w.store(column, x * kBlock + i, l);
    }
    const auto pivot = w.load(dia, i * kBlock + i);
    const auto quotient = w.sfu(1, l / pivot);
    w.store(column, x * kBlock + i, quotient);
  }
}

/// One block of the row and one of the column next to the diagonal block. Each half of the warp solves one.
void perimeter(Warp& w, const Data& k, int o) {
  const auto dia = w.shared<float>(0, kCells), row = w.shared<float>(kBlockBytes, kCells);
  const auto column = w.shared<float>(2 * kBlockBytes, kCells);
  const auto t = w.thread_x();
  const Mask in_row = t < kBlock;
  const auto x = select(in_row, t, t - kBlock);
  const int first = o * k.pitch + o, strip = (w.block_x() + 1) * kBlock;
  const int first_of_row = first + strip, first_of_column = first + strip * k.pitch;
  constexpr int kHalf = kBlock / 2;
  w.alu(12);
  const auto load_row = [&] {
    for (const int r : w.trips(kHalf)) {
      const auto v = w.load(k.m, first + r * k.pitch + x);
      w.store(dia, r * kBlock + x, v);
    }
    for (const int r : w.trips(kBlock)) {
      const auto v = w.load(k.m, first_of_row + r * k.pitch + x);
      w.store(row, r * kBlock + x, v);
    }
  };
  const auto load_column = [&] {
    for (const int r : w.trips(kHalf, kBlock)) {
      const auto v = w.load(k.m, first + r * k.pitch + x);
      w.store(dia, r * kBlock + x, v);
    }
    for (const int r : w.trips(kBlock)) {
      const auto v = w.load(k.m, first_of_column + r * k.pitch + x);
      w.store(column, r * kBlock + x, v);
    }
  };
  w.where(in_row, load_row, load_column);
  w.barrier();
  const auto solve_rows = [&] { solve_row(w, dia, row, x); };
  const auto solve_columns = [&] { solve_column(w, dia, column, x); };
  w.where(in_row, solve_rows, solve_columns);
  w.barrier();
  const auto store_row = [&] {
    for (const int r : w.trips(1, kBlock)) {
      const auto v = w.load(row, r * kBlock + x);
      w.store(k.m, first_of_row + r * k.pitch + x, v);
    }
  };
  const auto store_column = [&] {
    for (const int r : w.trips(kBlock)) {
      const auto v = w.load(column, r * kBlock + x);
      w.store(k.m, first_of_column + r * k.pitch + x, v);
    }
  };
  w.where(in_row, store_row, store_column);
}

/// A block right of and below the diagonal block: subtracts the product of the strips.
void internal(Warp& w, const Data& k, int o) {
  const auto row = w.shared<float>(0, kCells), column = w.shared<float>(kBlockBytes, kCells);
  const auto tx = w.thread_x(), ty = w.thread_y();
  const int right = o + (w.block_x() + 1) * kBlock, below = o + (w.block_y() + 1) * kBlock;
  w.alu(36);
  const auto u = w.load(k.m, (o + ty) * k.pitch + right + tx);
  w.store(row, ty * kBlock + tx, u);
  const auto l = w.load(k.m, (below + ty) * k.pitch + o + tx);
  w.store(column, ty * kBlock + tx, l);
  w.barrier();
  Lanes<float> sum = 0.0f;
  for (const int i : w.trips(kBlock)) {
    const auto left = w.load(column, ty * kBlock + i);
    const auto above = w.load(row, i * kBlock + tx);
    w.update(sum, 1, sum + left * above);
  }
  const auto at = (below + ty) * k.pitch + right + tx;
  const auto x = w.load(k.m, at);
  const auto rest = w.compute(1, x - sum);
  w.store(k.m, at, rest);
}

class Lud final : public Workload {
 public:
  Lud(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.n = arguments("n"), d.pitch = arguments("pitch");
    arguments.require(d.n % kBlock == 0, "n must be a multiple of 16, the rows of a block");
    arguments.require(d.pitch >= d.n, "pitch is the distance between rows and must be at least n");
    d.m = memory.array<float>("m", std::uint64_t(d.n) * std::uint64_t(d.pitch));
    fill(d.m.data);
    for (int o = 0; o < d.n; o += kBlock) {
      const auto blocks = static_cast<std::uint32_t>((d.n - o) / kBlock - 1);
      add_launch(
          "lud_diagonal", {}, {kBlock}, 46, [d, o](Warp& w) { diagonal(w, d, o); }, kBlockBytes);
      if (blocks == 0) break;
      add_launch(
          "lud_perimeter", {blocks}, {2 * kBlock}, 64, [d, o](Warp& w) { perimeter(w, d, o); }, 3 * kBlockBytes);
      add_launch(
          "lud_internal", {blocks, blocks}, {kBlock, kBlock}, 32, [d, o](Warp& w) { internal(w, d, o); }, 2 * kBlockBytes);
    }
  }

  /// Row by row. The contributions of a block to the left are summed before they are subtracted, as in the kernels.
  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> m(d.m.size);
    fill(m.data());
    const auto at = [&](int i, int j) -> float& { return m[std::size_t(i) * std::size_t(d.pitch) + std::size_t(j)]; };
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.n; ++j) {
        float& x = at(i, j);
        const int terms = std::min(i, j), whole = terms / kBlock * kBlock;
        for (int o = 0; o < whole; o += kBlock) {
          float sum = 0.0f;
          for (int k = o; k < o + kBlock; ++k) sum += at(i, k) * at(k, j);
          x -= sum;
        }
        for (int k = whole; k < terms; ++k) x -= at(i, k) * at(k, j);
        if (i > j) x /= at(j, j);
      }
    }
    return equal("m", d.m, m, why);
  }

 private:
  void fill(float* m) const {
    for (int i = 0; i < data_.n; ++i) {
      for (int j = 0; j < data_.n; ++j) {
        m[std::size_t(i) * std::size_t(data_.pitch) + std::size_t(j)] = static_cast<float>(10.0 * std::exp(-0.001 * std::abs(i - j)));
      }
    }
  }
  Data data_{};
};

}  // namespace
}  // namespace lud

Entry lud_entry() {
  return {{"lud",
           "LU decomposition in blocks of 16 (Rodinia): shared-memory staging, strips read by many CTAs",
           {{"n", "256", 16, 4096, "rows and columns, a multiple of 16"}, {"pitch", "n", 16, 4096, "elements from one row to the next"}},
           {},
           {{"tiny", {{"n", 80}, {"pitch", 256}}}, {"std", {{"n", 256}}}, {"paper", {{"n", 80}}}}},
          make_workload<lud::Lud>};
}

}  // namespace wharf::spmd
