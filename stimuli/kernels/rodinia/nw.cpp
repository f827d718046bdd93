// NW, Needleman-Wunsch, Rodinia 3.1 (workloads section 2.7): the scores of an alignment, by tiles. A launch is an anti-diagonal of tiles. A
// CTA of 16 threads, half a warp, is one tile. It reads the borders that the previous launch wrote and works in shared memory as a
// wavefront. Assumed of the compiler with hoisted=1 (@llc): the loops over a tile's rows are unrolled, with all loads before the first
// store, which goes to another memory; a cell's four operands are loaded before the first is used. With 0, the code is as written.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "stimuli/inputs/protein.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace nw {
namespace {
constexpr int kTile = 16, kBordered = kTile + 1;
// Sites of the tile rows that are loaded at once; their registers (modulo 120) are 0 to 31.
constexpr std::uint32_t kReferenceRows = 1200, kScoreRows = kReferenceRows + kTile;

struct Data {
  Array<std::int32_t> reference, score;
  int n, pitch, penalty;
  bool hoisted;
};

Lanes<int> larger(const Lanes<int>& a, const Lanes<int>& b) {
  return lanewise([](int x, int y) { return std::max(x, y); }, a, b);
}

/// Calls load(r, site) and store(r, value) for the rows of a tile: in turn, or all loads first.
template <class Load, class Store>
void copy_rows(Warp& w, bool hoisted, std::uint32_t first_site, Load&& load, Store&& store, Site site = Site()) {
  Lanes<int> rows[kTile];
  if (hoisted) {
    for (int r = 0; r < kTile; ++r) rows[r] = load(r, Site(first_site + std::uint32_t(r)));
  }
  for (const int r : w.trips(kTile)) {
    if (!hoisted) rows[r] = load(r, site);
    store(r, rows[r]);
    w.alu(1);
  }
}

/// Computes tile (x, y) of the matrix.
void align(Warp& w, const Data& k, int x, int y) {
  const auto score = w.shared<std::int32_t>(0, kBordered * kBordered);
  const auto reference = w.shared<std::int32_t>(4 * kBordered * kBordered, kTile * kTile);
  const auto t = w.thread_x();
  const int corner = k.pitch * kTile * y + kTile * x, first = corner + k.pitch + 1;
  w.alu(28);
  w.where(t == 0, [&] {
    const auto s = w.load(k.score, t + corner);
    w.store(score, t, s);
  });
  copy_rows(
      w, k.hoisted, kReferenceRows, [&](int r, Site site) { return w.load(k.reference, first + r * k.pitch + t, site); },
      [&](int r, const Lanes<int>& v) { w.store(reference, r * kTile + t, v); });
  w.barrier();
  const auto west_border = w.load(k.score, corner + k.pitch + k.pitch * t);
  w.store(score, (t + 1) * kBordered, west_border);
  w.barrier();
  const auto north_border = w.load(k.score, corner + 1 + t);
  w.store(score, t + 1, north_border);
  w.barrier();
  for (const int step : w.trips(2 * kTile - 1)) {
    const int busy = std::min(step, 2 * kTile - 2 - step);  // lanes 0 to busy have one cell each of the tile's anti-diagonal
    const auto column = t + std::max(0, step - (kTile - 1)), row = step - column;
    w.where(t <= busy, [&] {
      const auto cell = (row + 1) * kBordered + column + 1;
      const auto north_west = w.load(score, cell - kBordered - 1);
      const auto match = w.load(reference, row * kTile + column);
      Lanes<int> west, north;
      if (k.hoisted) {
        west = w.load(score, cell - 1);
        north = w.load(score, cell - kBordered);
      }
      const auto diagonal = w.compute(2, north_west + match);
      if (!k.hoisted) west = w.load(score, cell - 1);
      const auto one_gap = w.compute(3, larger(diagonal, west - k.penalty));
      if (!k.hoisted) north = w.load(score, cell - kBordered);
      const auto best = w.compute(3, larger(one_gap, north - k.penalty));
      w.store(score, cell, best);
    });
    w.barrier();
  }
  copy_rows(
      w, k.hoisted, kScoreRows, [&](int r, Site site) { return w.load(score, (r + 1) * kBordered + t + 1, site); },
      [&](int r, const Lanes<int>& s) { w.store(k.score, first + r * k.pitch + t, s); });
}

class Nw final : public Workload {
 public:
  Nw(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.n = arguments("n"), d.pitch = arguments("width") + 1, d.penalty = arguments("penalty");
    d.hoisted = arguments("hoisted") != 0;
    arguments.require(d.n % kTile == 0, "n must be a multiple of 16, the rows of a tile");
    arguments.require(d.pitch > d.n, "width is the number of symbols that the rows have room for and must be at least n");
    const auto elements = std::uint64_t(d.n + 1) * std::uint64_t(d.pitch);
    d.reference = memory.array<std::int32_t>("reference", elements);
    d.score = memory.array<std::int32_t>("score", elements);
    const auto down = random_protein(d.n + 1, seed, 1), across = random_protein(d.n + 1, seed, 2);
    for (int i = 1; i <= d.n; ++i) {
      for (int j = 1; j <= d.n; ++j) d.reference[at(i, j)] = similarity(down[std::size_t(i)], across[std::size_t(j)]);
      d.score[at(i, 0)] = d.score[at(0, i)] = -i * d.penalty;
    }
    const int tiles = d.n / kTile;
    const std::uint32_t shared_bytes = 4 * (kBordered * kBordered + kTile * kTile);
    for (int alignment = 0; alignment < arguments("alignments"); ++alignment) {
      for (int length = 1; length <= tiles; ++length) {
        const auto program = [d, length](Warp& w) { align(w, d, w.block_x(), length - 1 - w.block_x()); };
        add_launch("nw_upper_left", {std::uint32_t(length)}, {kTile}, 54, program, shared_bytes);
      }
      for (int length = tiles - 1; length >= 1; --length) {
        const auto program = [d, tiles, length](Warp& w) { align(w, d, w.block_x() + tiles - length, tiles - w.block_x() - 1); };
        add_launch("nw_lower_right", {std::uint32_t(length)}, {kTile}, 54, program, shared_bytes);
      }
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<std::int32_t> score(d.score.size);
    for (int i = 1; i <= d.n; ++i) score[at(i, 0)] = score[at(0, i)] = -i * d.penalty;
    for (int i = 1; i <= d.n; ++i) {
      for (int j = 1; j <= d.n; ++j) {
        const int gap = std::max(score[at(i, j - 1)], score[at(i - 1, j)]) - d.penalty;
        score[at(i, j)] = std::max(score[at(i - 1, j - 1)] + d.reference[at(i, j)], gap);
      }
    }
    return equal("score", d.score, score, why);
  }

 private:
  std::size_t at(int i, int j) const { return std::size_t(i) * std::size_t(data_.pitch) + std::size_t(j); }
  Data data_{};
};

}  // namespace
}  // namespace nw

Entry nw_entry() {
  return {{"nw",
           "alignment of two sequences (Rodinia): anti-diagonals of half-warp tiles, unaligned rows, one launch each",
           {{"n", "2048", 16, 16384, "symbols of each sequence, a multiple of 16"},
            {"width", "n", 16, 16384, "symbols that the rows have room for: they are width + 1 elements apart"},
            {"penalty", "10", 0, 1000, "of a gap"},
            {"alignments", "1", 1, 100, "times the two are aligned, one after the other"},
            {"hoisted", "0", 0, 1, "1: loads are issued before their first use, as optimised code has them"}},
           {},
           {{"tiny", {{"n", 192}, {"width", 2048}}},
            {"std", {{"n", 1024}, {"width", 2048}}},
            {"paper", {{"n", 2048}}},
            {"loscache", {{"n", 32}, {"unroll", 16}}},
            {"llc", {{"n", 1024}, {"width", 2048}, {"alignments", 2}, {"hoisted", 1}}}}},
          make_workload<nw::Nw>};
}

}  // namespace wharf::spmd
