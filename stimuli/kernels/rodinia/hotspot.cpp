// HOTSPOT, Rodinia 3.1 (workloads section 2.4): a thermal simulation in pyramids. A CTA loads a 16x16 tile into shared memory and computes
// h steps on it. Each step shrinks the valid part by a ring, so the CTA stores the inner (16-2h)^2 cells. Several CTAs read halos.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "stimuli/inputs/thermal_map.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/rodinia/thermal_chip.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace hotspot {
namespace {
constexpr int kTile = 16, kCells = kTile * kTile;

struct Data {
  Array<float> temperature, power, result;
  int rows, columns, pitch, h;
  ThermalCoefficients c;
};

/// A tile's lanes: position in the tile, clamped neighbours.
struct Place {
  Lanes<int> tx, ty, cell, north, south, west, east;
};

/// Lanes at positions low..high of the tile in both directions.
Mask ring(const Place& at, int low, int high) { return at.tx >= low && at.tx <= high && at.ty >= low && at.ty <= high; }

Place place_in(Warp& w, const Data& k, int top, int left) {
  Place at;
  at.tx = w.thread_x();
  at.ty = w.thread_y();
  at.cell = at.ty * kTile + at.tx;
  // Rows and columns of the tile that lie on the chip.
  const int first_y = std::max(0, -top), last_y = std::min(kTile - 1, k.rows - 1 - top);
  const int first_x = std::max(0, -left), last_x = std::min(kTile - 1, k.columns - 1 - left);
  const auto clamp = [](int low, int high) { return [low, high](int v) { return std::max(low, std::min(v, high)); }; };
  at.north = lanewise(clamp(first_y, kTile - 1), at.ty - 1) * kTile + at.tx;
  at.south = lanewise(clamp(0, last_y), at.ty + 1) * kTile + at.tx;
  at.west = at.ty * kTile + lanewise(clamp(first_x, kTile - 1), at.tx - 1);
  at.east = at.ty * kTile + lanewise(clamp(0, last_x), at.tx + 1);
  return at;
}

void calculate_temp(Warp& w, const Data& k) {
  const auto tile = w.shared<float>(0, kCells), tile_power = w.shared<float>(4 * kCells, kCells),
             next = w.shared<float>(8 * kCells, kCells);
  const int stride = kTile - 2 * k.h, top = stride * w.block_y() - k.h, left = stride * w.block_x() - k.h;
  const Place at = place_in(w, k, top, left);
  const auto y = top + at.ty, x = left + at.tx, index = y * k.pitch + x;
  const Mask on_chip = y >= 0 && y < k.rows && x >= 0 && x < k.columns;
  w.alu(105);
  w.where(on_chip, [&] {
    const auto t = w.load(k.temperature, index);
    const auto p = w.load(k.power, index);
    w.store(tile, at.cell, t);
    w.store(tile_power, at.cell, p);
  });
  w.barrier();
  for (int step = 1; step <= k.h; ++step) {
    const Mask computes = on_chip && ring(at, step, kTile - 1 - step);
    w.where(computes, [&] {
      const auto centre = w.load(tile, at.cell);
      const auto power = w.load(tile_power, at.cell);
      const auto south = w.load(tile, at.south);
      const auto north = w.load(tile, at.north);
      const auto vertical = w.compute(8, (south + north - 2.0f * centre) * k.c.ry);
      const auto east = w.load(tile, at.east);
      const auto west = w.load(tile, at.west);
      const auto horizontal = w.compute(8, (east + west - 2.0f * centre) * k.c.rx);
      const auto centre_again = w.load(tile, at.cell);
      const auto flow = w.compute(12, power + vertical + horizontal + (kAmbient - centre_again) * k.c.rz);
      const auto warmer = w.compute(12, centre + k.c.step * flow);
      w.store(next, at.cell, warmer);
    });
    w.barrier();
    if (step == k.h) break;
    w.where(computes, [&] {
      const auto t = w.load(next, at.cell);
      w.store(tile, at.cell, t);
    });
    w.barrier();
  }
  w.where(on_chip && ring(at, k.h, kTile - 1 - k.h), [&] {
    const auto t = w.load(next, at.cell);
    w.store(k.result, index, t);
  });
}

class Hotspot final : public Workload {
 public:
  Hotspot(const Arguments& arguments, Memory& memory, std::uint64_t seed) : steps_(arguments("steps")) {
    auto& d = data_;
    d.rows = arguments("rows"), d.columns = arguments("columns"), d.pitch = arguments("pitch"), d.h = arguments("h");
    d.c = thermal_coefficients(d.rows, d.columns);
    arguments.require(d.pitch >= d.columns, "pitch is the distance between rows and must be at least columns");
    arguments.require(steps_ % d.h == 0, "steps must be a multiple of h, the steps of one launch");
    const auto elements = std::uint64_t(d.rows) * std::uint64_t(d.pitch);
    d.temperature = memory.array<float>("temperature", elements);
    d.power = memory.array<float>("power", elements);
    d.result = memory.array<float>("result", elements);
    initial_ = temperature_map(d.rows, d.columns, seed);
    power_ = power_map(d.rows, d.columns, seed);
    for (int y = 0; y < d.rows; ++y) {
      std::copy_n(initial_.data() + std::int64_t(y) * d.columns, d.columns, d.temperature.data + std::int64_t(y) * d.pitch);
      std::copy_n(power_.data() + std::int64_t(y) * d.columns, d.columns, d.power.data + std::int64_t(y) * d.pitch);
    }
    const auto inner = static_cast<std::uint32_t>(kTile - 2 * d.h);
    const Dim3 grid{ctas_for(d.columns, inner), ctas_for(d.rows, inner)};
    for (int step = 0; step < steps_; step += d.h) {
      add_launch(
          "hotspot", grid, {kTile, kTile}, 35, [d](Warp& w) { calculate_temp(w, d); }, 3 * 4 * kCells);
      std::swap(d.temperature, d.result);  // the next launch reads this launch's result
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> now = initial_, then(now.size());
    for (int step = 0; step < steps_; ++step, now.swap(then)) simulate_step(now, then);
    std::vector<float> pitched(std::size_t(d.rows) * std::size_t(d.pitch));
    for (int y = 0; y < d.rows; ++y)
      std::copy_n(now.data() + std::int64_t(y) * d.columns, d.columns, pitched.data() + std::int64_t(y) * d.pitch);
    return equal("temperature", d.temperature, pitched, why);  // the last launch's result, after the swap
  }

 private:
  void simulate_step(const std::vector<float>& now, std::vector<float>& then) const {
    const auto& d = data_;
    const auto at = [&](int y, int x) {
      return now[std::size_t(std::clamp(y, 0, d.rows - 1)) * std::size_t(d.columns) + std::size_t(std::clamp(x, 0, d.columns - 1))];
    };
    for (int y = 0; y < d.rows; ++y) {
      for (int x = 0; x < d.columns; ++x) {
        const auto i = std::size_t(y) * std::size_t(d.columns) + std::size_t(x);
        const float centre = now[i];
        const float vertical = (at(y + 1, x) + at(y - 1, x) - 2.0f * centre) * d.c.ry;
        const float horizontal = (at(y, x + 1) + at(y, x - 1) - 2.0f * centre) * d.c.rx;
        then[i] = centre + d.c.step * (power_[i] + vertical + horizontal + (kAmbient - centre) * d.c.rz);
      }
    }
  }

  Data data_{};
  int steps_;
  std::vector<float> initial_, power_;
};

}  // namespace
}  // namespace hotspot

Entry hotspot_entry() {
  return {{"hotspot",
           "thermal simulation in shared-memory pyramids (Rodinia): streaming with inter-CTA halos",
           {{"rows", "512", 1, 8192, "rows of the chip"},
            {"columns", "512", 1, 8192, "columns of the chip"},
            {"pitch", "columns", 1, 8192, "elements from one row to the next"},
            {"h", "2", 1, 7, "steps of one launch"},
            {"steps", "h", 1, 1000, "steps in all, a multiple of h"}},
           {{"n", {"rows", "columns"}}},
           {{"tiny", {{"rows", 64}, {"columns", 64}, {"pitch", 512}}},
            {"std", {{"rows", 512}, {"columns", 512}}},
            {"paper", {{"rows", 512}, {"columns", 512}}},
            {"ciao", {{"rows", 256}, {"columns", 512}}}}},
          make_workload<hotspot::Hotspot>};
}

}  // namespace wharf::spmd
