// STENCIL, Parboil (workloads section 3.1): 7-point Jacobi. Optimised: a warp is a row of 64 cells. A CTA marches through the planes with
// the current one in shared memory and loads only its halo again. Simple (ST3D, workloads section 4.12): a CTA is a row of cells. Assumed
// of the compiler, optimised version: a cell's loads (the plane above, the halo, the tile) are issued before the first is used. The store
// after them holds back the loads of the lane's other cell, because its pointer may alias; a barrier holds back the next plane's.

#include <cstdint>
#include <utility>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace stencil {
namespace {
constexpr float kC0 = 1.0f / 6.0f, kC1 = 1.0f / 6.0f / 6.0f;
constexpr int kWidth = 64, kHeight = 4;  // size of a CTA's tile

struct Data {
  Array<float> from, to;
  int nx, ny, nz;
};

/// One of the two cells of each lane.
struct Half {
  Lanes<int> cell;    // in the shared tile
  Lanes<int> column;  // index of (i, j) in plane 0
  Mask inside;        // on the grid
  Mask computes;      // not on the grid's border
  Mask at_edge;       // its outer neighbour in x is in another CTA
  int outward;        // -1: the outer neighbour is to the left, +1: to the right
};

struct Rows {
  Mask first, last;  // rows of the tile whose neighbour above or below is in another CTA
};

Lanes<float> new_value(Warp& w, const Data& k, const SharedArray<float>& tile, const Half& half, const Rows& rows, int z,
                       const Lanes<float>& top, const Lanes<float>& bottom) {
  const auto at = half.column + z * k.nx * k.ny;
  Lanes<float> up = 0.0f, down = 0.0f, outer = 0.0f;
  const auto up_in_memory = [&] { w.set(up, w.load(k.from, at + k.nx)); };
  const auto up_in_tile = [&] { w.set(up, w.load(tile, half.cell + kWidth)); };
  const auto down_in_memory = [&] { w.set(down, w.load(k.from, at - k.nx)); };
  const auto down_in_tile = [&] { w.set(down, w.load(tile, half.cell - kWidth)); };
  const auto outer_in_memory = [&] { w.set(outer, w.load(k.from, at + half.outward)); };
  const auto outer_in_tile = [&] { w.set(outer, w.load(tile, half.cell + half.outward)); };
  w.where(half.at_edge, outer_in_memory, outer_in_tile);
  w.where(rows.first, down_in_memory, down_in_tile);
  w.where(rows.last, up_in_memory, up_in_tile);
  const auto inner = w.load(tile, half.cell - half.outward);
  const auto centre = w.load(tile, half.cell);
  const auto above = w.compute(8, top + bottom + up);
  const auto partly = w.compute(8, above + down + inner);
  const auto sum = w.compute(8, partly + outer);
  return w.compute(8, sum * kC1 - centre * kC0);
}

void stencil(Warp& w, const Data& k) {
  const auto tile = w.shared<float>(0, kWidth * kHeight);
  const auto tx = w.thread_x(), ty = w.thread_y();
  const auto j = kHeight * w.block_y() + ty, i = kWidth * w.block_x() + tx, i2 = i + 32;
  const Mask row_computes = j > 0 && j < k.ny - 1;
  const Rows rows{ty == 0, ty == kHeight - 1};
  const Half halves[2] = {{ty * kWidth + tx, i + k.nx * j, i < k.nx && j < k.ny, row_computes && i > 0 && i < k.nx - 1, tx == 0, -1},
                          {ty * kWidth + tx + 32, i2 + k.nx * j, i2 < k.nx && j < k.ny, row_computes && i2 < k.nx - 1, tx == 31, 1}};
  const int plane = k.nx * k.ny;
  Lanes<float> bottom[2] = {0.0f, 0.0f}, top[2] = {0.0f, 0.0f};
  w.alu(20);
  for (const int h : w.unrolled(2)) {
    const Half& half = halves[h];
    w.where(half.inside, [&] {
      w.set(bottom[h], w.load(k.from, half.column));
      const auto current = w.load(k.from, half.column + plane);
      w.store(tile, half.cell, current);
    });
  }
  w.barrier();
  for (const int z : w.trips(1, k.nz - 1)) {
    w.alu(10);
    for (const int h : w.unrolled(2)) {
      const Half& half = halves[h];
      w.where(half.inside, [&] { w.set(top[h], w.load(k.from, half.column + (z + 1) * plane)); });
      w.where(half.computes, [&] {
        const auto value = new_value(w, k, tile, half, rows, z, top[h], bottom[h]);
        w.store(k.to, half.column + z * plane, value);
      });
    }
    w.barrier();
    for (const int h : w.unrolled(2)) {
      bottom[h] = w.load(tile, halves[h].cell);
      w.store(tile, halves[h].cell, top[h]);
    }
    w.barrier();
  }
}

/// The simple version. CTAs of the neighbouring rows read a line at about the same time. Those of the planes above and below read it a
/// plane of CTAs earlier and later.
void stencil3d(Warp& w, const Data& k) {
  const auto i = w.thread_x();
  const int row = k.nx, plane = k.nx * k.ny;
  const auto at = i + (w.block_x() + 1) * row + (w.block_y() + 1) * plane;
  w.alu(14);
  w.where(i > 0, [&] {
    const auto above = w.load(k.from, at + plane);
    const auto below = w.load(k.from, at - plane);
    const auto north = w.load(k.from, at + row);
    const auto south = w.load(k.from, at - row);
    const auto east = w.load(k.from, at + 1);
    const auto west = w.load(k.from, at - 1);
    const auto centre = w.load(k.from, at);
    const auto outer = w.compute(15, above + below + north + south);
    const auto sum = w.compute(6, outer + east + west);
    const auto next = w.compute(6, sum * kC1 - centre * kC0);
    w.store(k.to, at, next);
  });
}

enum class Version { optimised, simple };

template <Version V>
class Stencil final : public Workload {
 public:
  Stencil(const Arguments& arguments, Memory& memory, std::uint64_t seed) : steps_(arguments("steps")) {
    auto& d = data_;
    d.nx = arguments("nx"), d.ny = arguments("ny"), d.nz = arguments("nz");
    const auto cells = std::uint64_t(d.nx) * std::uint64_t(d.ny) * std::uint64_t(d.nz);
    d.from = memory.array<float>("A0", cells);
    d.to = memory.array<float>("Anext", cells);
    Rng random(seed);
    for (std::uint64_t i = 0; i < cells; ++i) d.from[i] = d.to[i] = static_cast<float>(random.unit());
    initial_.assign(d.from.data, d.from.data + cells);
    for (int step = 0; step < steps_; ++step) {
      launch_step();
      std::swap(d.from, d.to);
    }
  }

  bool check(std::string& why) const override {
    std::vector<float> now = initial_, then = initial_;
    for (int step = 0; step < steps_; ++step, now.swap(then)) simulate_step(now, then);
    return equal("the result", data_.from, now, why);  // the last launch's result, after the swap
  }

 private:
  void launch_step() {
    const Data& d = data_;
    if constexpr (V == Version::optimised) {
      const Dim3 grid{ctas_for(d.nx, kWidth), ctas_for(d.ny, kHeight)};
      add_launch(
          "stencil", grid, {32, kHeight}, 36, [d](Warp& w) { stencil(w, d); }, 4 * kWidth * kHeight, 2);
    } else {
      const Dim3 grid{std::uint32_t(d.ny - 2), std::uint32_t(d.nz - 2)};
      add_launch("stencil3d", grid, {std::uint32_t(d.nx - 1)}, 20, [d](Warp& w) { stencil3d(w, d); });
    }
  }

  void simulate_step(const std::vector<float>& now, std::vector<float>& then) const {
    const int row = data_.nx, plane = data_.nx * data_.ny;
    for (int z = 1; z < data_.nz - 1; ++z) {
      for (int y = 1; y < data_.ny - 1; ++y) {
        for (int x = 1; x < data_.nx - 1; ++x) {
          const float* const at = now.data() + z * plane + y * row + x;
          const int outward = V == Version::simple || x % kWidth < 32 ? -1 : 1;  // the optimised kernel adds the inner neighbour first
          const float sum = at[plane] + at[-plane] + at[row] + at[-row] + at[-outward] + at[outward];
          then[std::size_t(z * plane + y * row + x)] = sum * kC1 - at[0] * kC0;
        }
      }
    }
  }

  int steps_;
  Data data_{};
  std::vector<float> initial_;
};

std::vector<Argument> cells_and_steps() {
  return {{"nx", "512", 3, 1024, "cells in x"},
          {"ny", "512", 3, 1024, "cells in y"},
          {"nz", "64", 3, 1024, "planes"},
          {"steps", "1", 1, 1000, "time steps, one per launch"}};
}

}  // namespace
}  // namespace stencil

Entry stencil_entry() {
  return {{"stencil",
           "7-point Jacobi, planes in shared memory (Parboil): streaming with inter-CTA halos",
           stencil::cells_and_steps(),
           {},
           {{"tiny", {{"nx", 64}, {"ny", 64}, {"nz", 10}}},
            {"std", {{"nx", 256}, {"ny", 256}, {"nz", 24}, {"steps", 2}}},
            {"paper", {{"steps", 100}}}}},
          make_workload<stencil::Stencil<stencil::Version::optimised>>};
}

Entry stencil3d_entry() {
  return {{"stencil3d",
           "7-point Jacobi, one thread a cell (Parboil's simple version): rows shared by neighbouring CTAs",
           stencil::cells_and_steps(),
           {},
           {{"tiny", {{"ny", 32}, {"nz", 6}}}, {"std", {{"nz", 6}}}, {"paper", {{"steps", 100}}}}},
          make_workload<stencil::Stencil<stencil::Version::simple>>};
}

}  // namespace wharf::spmd
