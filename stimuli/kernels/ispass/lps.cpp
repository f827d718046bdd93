// LPS, ISPASS-2009 (workloads section 4.5): a Jacobi step of the 3-D Laplace equation. A CTA marches through the planes with three tiles of
// 32x4 cells and their halos in shared memory. A halo row is one load of a warp; its columns are 12 lanes with one line each.

#include <cstdint>
#include <utility>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace lps {
namespace {
constexpr float kSixth = 1.0f / 6.0f;
constexpr int kWidth = 32, kHeight = 4;                                     // size of a CTA's tile
constexpr int kTilePitch = kWidth + 2, kTile = kTilePitch * (kHeight + 2);  // tile with its halo
constexpr int kHaloThreads = 2 * (kWidth + kHeight + 2);

struct Data {
  Array<float> u1, u2;
  int nx, ny, nz, pitch;
};

/// A cell of a lane in each plane: its position in the lowest tile, and in plane 0 of the grid.
struct Cell {
  Lanes<int> in_tile, in_plane;
  Mask used;
};

Cell own_cell(const Lanes<int>& tx, const Lanes<int>& ty, const Lanes<int>& i, const Lanes<int>& j, const Data& k) {
  return {tx + 1 + (ty + 1) * kTilePitch, i + j * k.pitch, i < k.nx && j < k.ny};
}

/// The first 64 threads load the rows above and below the tile. 12 more load the columns left and right of it, with their corners.
Cell halo_cell(Warp& w, const Data& k) {
  const auto thread = w.thread_x() + w.thread_y() * kWidth;
  const auto x = lanewise([](int t) { return t < 2 * kWidth ? t % kWidth : t % 2 * (kWidth + 1) - 1; }, thread);
  const auto y = lanewise([](int t) { return t < 2 * kWidth ? t / kWidth * (kHeight + 1) - 1 : t / 2 - kWidth - 1; }, thread);
  const auto i = w.block_x() * kWidth + x, j = w.block_y() * kHeight + y;
  Cell halo = own_cell(x, y, i, j, k);
  halo.used = halo.used && i >= 0 && j >= 0 && thread < kHaloThreads;
  return halo;
}

/// Moves two planes down in shared memory and loads the next plane.
void advance(Warp& w, const Data& k, const SharedArray<float>& tiles, const Cell& cell, int z) {
  const auto middle = w.load(tiles, cell.in_tile + kTile);
  w.store(tiles, cell.in_tile, middle);
  const auto above = w.load(tiles, cell.in_tile + 2 * kTile);
  w.store(tiles, cell.in_tile + kTile, above);
  if (z == k.nz - 1) return;
  const auto next = w.load(k.u1, cell.in_plane + (z + 1) * k.ny * k.pitch);
  w.store(tiles, cell.in_tile + 2 * kTile, next);
}

void first_plane(Warp& w, const Data& k, const SharedArray<float>& tiles, const Cell& cell) {
  const auto value = w.load(k.u1, cell.in_plane);
  w.store(tiles, cell.in_tile + 2 * kTile, value);
}

void laplace(Warp& w, const Data& k) {
  const auto tiles = w.shared<float>(0, 3 * kTile);
  const auto i = w.global_x(), j = w.global_y();
  const Cell cells[2] = {own_cell(w.thread_x(), w.thread_y(), i, j, k), halo_cell(w, k)}, &own = cells[0];
  const Mask at_border = i == 0 || i == k.nx - 1 || j == 0 || j == k.ny - 1;
  w.alu(30);
  for (const int c : w.unrolled(2)) w.where(cells[c].used, [&] { first_plane(w, k, tiles, cells[c]); });
  for (const int z : w.trips(k.nz)) {
    w.alu(7);
    for (const int c : w.unrolled(2)) w.where(cells[c].used, [&] { advance(w, k, tiles, cells[c], z); });
    w.barrier();
    w.where(own.used, [&] {
      const auto at = own.in_tile + kTile;
      Lanes<float> u = 0.0f;
      const auto copy = [&] { w.set(u, w.load(tiles, at)); };
      const auto relax = [&] {
        const auto left = w.load(tiles, at - 1);
        const auto right = w.load(tiles, at + 1);
        const auto up = w.load(tiles, at - kTilePitch);
        const auto in_row = w.compute(2, left + right + up);
        const auto down = w.load(tiles, at + kTilePitch);
        const auto below = w.load(tiles, at - kTile);
        const auto above = w.load(tiles, at + kTile);
        w.set(u, w.compute(4, (in_row + down + below + above) * kSixth));
      };
      w.where(z == 0 || z == k.nz - 1 ? Mask{kAllLanes, {}} : at_border, copy, relax);
      w.store(k.u2, own.in_plane + z * k.ny * k.pitch, u);
    });
    w.barrier();
  }
}

class Lps final : public Workload {
 public:
  Lps(const Arguments& arguments, Memory& memory, std::uint64_t seed) : iterations_(arguments("iterations")) {
    auto& d = data_;
    d.nx = arguments("nx"), d.ny = arguments("ny"), d.nz = arguments("nz");
    d.pitch = (d.nx + 31) / 32 * 32;
    const auto cells = std::uint64_t(d.pitch) * std::uint64_t(d.ny) * std::uint64_t(d.nz);
    d.u1 = memory.array<float>("u1", cells);
    d.u2 = memory.array<float>("u2", cells);
    Rng random(seed);
    for (std::uint64_t i = 0; i < cells; ++i) d.u1[i] = static_cast<float>(random.unit());
    initial_.assign(d.u1.data, d.u1.data + cells);
    const Dim3 grid{ctas_for(d.nx, kWidth), ctas_for(d.ny, kHeight)};
    for (int i = 0; i < iterations_; ++i) {
      add_launch(
          "laplace3d", grid, {kWidth, kHeight}, 24, [d](Warp& w) { laplace(w, d); }, 4 * 3 * kTile, 2);
      std::swap(d.u1, d.u2);
    }
  }

  bool check(std::string& why) const override {
    std::vector<float> now = initial_, then(now.size());
    for (int i = 0; i < iterations_; ++i, now.swap(then)) relax_all(now, then);
    return equal("the result", data_.u1, now, why);  // the last launch's result, after the swap
  }

 private:
  void relax_all(const std::vector<float>& now, std::vector<float>& then) const {
    const auto& d = data_;
    const std::int64_t row = d.pitch, plane = row * d.ny;
    for (int z = 0; z < d.nz; ++z) {
      for (int y = 0; y < d.ny; ++y) {
        for (int x = 0; x < d.nx; ++x) {
          const std::int64_t at = z * plane + y * row + x;
          const float* const u = now.data() + at;
          const bool border = x == 0 || x == d.nx - 1 || y == 0 || y == d.ny - 1 || z == 0 || z == d.nz - 1;
          then[std::size_t(at)] = border ? u[0] : (u[-1] + u[1] + u[-row] + u[row] + u[-plane] + u[plane]) * kSixth;
        }
      }
    }
  }

  int iterations_;
  Data data_{};
  std::vector<float> initial_;
};

}  // namespace
}  // namespace lps

Entry lps_entry() {
  return {{"lps",
           "3-D Laplace solver, planes in shared memory (ISPASS): streaming with inter-CTA halos",
           {{"nx", "100", 1, 1024, "cells in x; rows are a multiple of 128 B apart"},
            {"ny", "100", 1, 1024, "cells in y"},
            {"nz", "100", 1, 1024, "planes"},
            {"iterations", "1", 1, 1000, "steps, one per launch"}},
           {{"n", {"nx", "ny", "nz"}}},
           {{"tiny", {{"nx", 100}, {"ny", 100}, {"nz", 5}}},
            {"std", {{"nx", 100}, {"ny", 100}, {"nz", 100}}},
            {"paper", {{"nx", 100}, {"ny", 100}, {"nz", 100}}}}},
          make_workload<lps::Lps>};
}

}  // namespace wharf::spmd
