// HOTSPOT3D, Rodinia 3.1 (workloads section 2.5): a thermal simulation in three dimensions, one launch per step. A thread walks up a column
// and keeps three cells in registers. Its own and neighbouring warps load the cell above again one plane later. Assumed of the compiler:
// the six loads of a cell are issued before the first is used. The store then holds back the next cell's loads.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stimuli/inputs/thermal_map.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/rodinia/thermal_chip.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace hotspot3d {
namespace {
constexpr int kWidth = 64, kHeight = 4;  // CTA size

/// Weights of a cell, its neighbours in x, y and z, and its power.
struct Weights {
  float centre, x, y, z, power;
};

Weights weights_of(int nx, int ny) {
  const ThermalCoefficients c = thermal_coefficients(ny, nx);
  const float x = c.step * c.rx, y = c.step * c.ry, z = c.step * c.rz;
  return {1.0f - (2.0f * x + 2.0f * y + 3.0f * z), x, y, z, c.step};
}

struct Data {
  Array<float> power, from, to;
  int nx, ny, nz;
  Weights weight;
};

void hotspot3d(Warp& w, const Data& k) {
  const auto i = w.global_x(), j = w.global_y();
  const int plane = k.nx * k.ny;
  auto c = i + j * k.nx;
  const auto west = select(i == 0, Lanes<int>(0), Lanes<int>(-1)), east = select(i == k.nx - 1, Lanes<int>(0), Lanes<int>(1));
  const auto north = select(j == 0, Lanes<int>(0), Lanes<int>(-k.nx)), south = select(j == k.ny - 1, Lanes<int>(0), Lanes<int>(k.nx));
  w.alu(14);
  auto centre = w.load(k.from, c);
  auto below = w.compute(1, centre);
  for (const int z : w.trips(k.nz)) {
    auto above = centre;
    if (z < k.nz - 1) above = w.load(k.from, c + plane);
    const auto at_west = w.load(k.from, c + west);
    const auto at_east = w.load(k.from, c + east);
    const auto at_south = w.load(k.from, c + south);
    const auto at_north = w.load(k.from, c + north);
    const auto power = w.load(k.power, c);
    const auto along_x = w.compute(5, k.weight.centre * centre + k.weight.x * at_west + k.weight.x * at_east);
    const auto in_plane = w.compute(4, along_x + k.weight.y * at_south + k.weight.y * at_north);
    const auto warmed = w.compute(4, in_plane + k.weight.z * below + k.weight.z * above + k.weight.power * power);
    const auto result = w.compute(1, warmed + k.weight.z * kAmbient);
    w.store(k.to, c, result);
    w.update(below, 1, centre);
    w.update(centre, 1, above);
    c = c + plane;
    w.alu(6);
  }
}

class Hotspot3d final : public Workload {
 public:
  Hotspot3d(const Arguments& arguments, Memory& memory, std::uint64_t seed) : steps_(arguments("steps")) {
    auto& d = data_;
    d.nx = arguments("nx"), d.ny = arguments("ny"), d.nz = arguments("nz");
    d.weight = weights_of(d.nx, d.ny);
    arguments.require(d.nx % kWidth == 0 && d.ny % kHeight == 0, "nx must be a multiple of 64 and ny of 4, the threads of a CTA");
    const auto cells = std::uint64_t(d.nx) * std::uint64_t(d.ny) * std::uint64_t(d.nz);
    d.power = memory.array<float>("power", cells);
    d.from = memory.array<float>("tIn", cells);
    d.to = memory.array<float>("tOut", cells);
    initial_ = temperature_map(d.ny * d.nz, d.nx, seed);
    const auto power = power_map(d.ny * d.nz, d.nx, seed);
    for (std::size_t i = 0; i < cells; ++i) d.from[i] = initial_[i], d.power[i] = power[i];
    const Dim3 grid{ctas_for(d.nx, kWidth), ctas_for(d.ny, kHeight)};
    for (int step = 0; step < steps_; ++step) {
      add_launch("hotspot3d", grid, {kWidth, kHeight}, 40, [d](Warp& w) { hotspot3d(w, d); });
      std::swap(d.from, d.to);  // the next launch reads this launch's result
    }
  }

  bool check(std::string& why) const override {
    std::vector<float> now = initial_, then(now.size());
    for (int step = 0; step < steps_; ++step, now.swap(then)) simulate_step(now, then);
    return equal("the result", data_.from, now, why);  // the last launch's result, after the swap
  }

 private:
  void simulate_step(const std::vector<float>& now, std::vector<float>& then) const {
    const auto& d = data_;
    const Weights& weight = d.weight;
    const int row = d.nx, plane = d.nx * d.ny;
    for (int z = 0, c = 0; z < d.nz; ++z) {
      for (int y = 0; y < d.ny; ++y) {
        for (int x = 0; x < d.nx; ++x, ++c) {
          const float* const at = now.data() + c;
          float sum = weight.centre * at[0] + weight.x * at[x == 0 ? 0 : -1] + weight.x * at[x == d.nx - 1 ? 0 : 1];
          sum = sum + weight.y * at[y == d.ny - 1 ? 0 : row] + weight.y * at[y == 0 ? 0 : -row];
          sum = sum + weight.z * at[z == 0 ? 0 : -plane] + weight.z * at[z == d.nz - 1 ? 0 : plane] + weight.power * d.power.data[c];
          then[std::size_t(c)] = sum + weight.z * kAmbient;
        }
      }
    }
  }

  int steps_;
  Data data_{};
  std::vector<float> initial_;
};

}  // namespace
}  // namespace hotspot3d

Entry hotspot3d_entry() {
  return {{"hotspot3d",
           "thermal simulation in three dimensions (Rodinia): short inter-warp reuse between planes",
           {{"nx", "512", 64, 4096, "cells in x, a multiple of 64"},
            {"ny", "512", 4, 4096, "cells in y, a multiple of 4"},
            {"nz", "8", 1, 1024, "planes"},
            {"steps", "1", 1, 1000, "time steps, one per launch"}},
           {},
           {{"tiny", {{"nx", 512}, {"ny", 16}, {"nz", 8}}},
            {"std", {{"nx", 512}, {"ny", 512}, {"nz", 8}}},
            {"paper", {{"nx", 512}, {"ny", 512}, {"nz", 8}, {"steps", 100}}}}},
          make_workload<hotspot3d::Hotspot3d>};
}

}  // namespace wharf::spmd
