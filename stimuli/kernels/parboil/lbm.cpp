// LBM, Parboil (workloads section 3.4): lattice-Boltzmann with 19 velocities (D3Q19), a lid-driven cavity. A cell reads its own 19
// distributions, collides them and sends each to the neighbour in its direction: 20 streams in, 19 out, no reuse. Assumed of the compiler:
// all 20 loads are issued before the first is used, in the source's order.

#include <array>
#include <cstdint>
#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace lbm {
namespace {
constexpr int kVelocities = 19, kPitch = 128, kMargin = 2;  // planes below and above the grid, for what the border streams out
// Sites of the code that the source repeats 19 times. Their registers (sites modulo 120) are 20 to 68, which no other line of these kernels
// uses. Each load and each result has a register of its own; the steps in between share a few.
constexpr std::uint32_t kLoads = 1100, kResults = 2079, kSteps = 3058, kMomenta = 5346, kDensities = 6000, kStores = 7000;
constexpr float kOmega = 1.95f;
constexpr std::int32_t kObstacle = 1, kAccelerate = 2;  // flags
constexpr float kLidX = 0.005f, kLidY = 0.002f;

struct Velocity {
  int x, y, z;
  float weight;
};
constexpr float kRest = 1.0f / 3, kAxis = 1.0f / 18, kDiagonal = 1.0f / 36;
constexpr std::array<Velocity, kVelocities> kDirections = {{{0, 0, 0, kRest},
                                                            {0, 1, 0, kAxis},
                                                            {0, -1, 0, kAxis},
                                                            {1, 0, 0, kAxis},
                                                            {-1, 0, 0, kAxis},
                                                            {0, 0, 1, kAxis},
                                                            {0, 0, -1, kAxis},
                                                            {1, 1, 0, kDiagonal},
                                                            {-1, 1, 0, kDiagonal},
                                                            {1, -1, 0, kDiagonal},
                                                            {-1, -1, 0, kDiagonal},
                                                            {0, 1, 1, kDiagonal},
                                                            {0, 1, -1, kDiagonal},
                                                            {0, -1, 1, kDiagonal},
                                                            {0, -1, -1, kDiagonal},
                                                            {1, 0, 1, kDiagonal},
                                                            {1, 0, -1, kDiagonal},
                                                            {-1, 0, 1, kDiagonal},
                                                            {-1, 0, -1, kDiagonal}}};

std::size_t opposite(std::size_t e) {
  const Velocity& v = kDirections[e];
  for (std::size_t o = 0; o < kDirections.size(); ++o) {
    if (kDirections[o].x == -v.x && kDirections[o].y == -v.y && kDirections[o].z == -v.z) return o;
  }
  return e;
}

struct Data {
  Array<float> from, to;  // [velocity][plane][row][x], and a twentieth block of flags
  Array<std::int32_t> flags;
  int nx, ny, nz;

  int block() const { return kPitch * ny * (nz + 2 * kMargin); }
  /// Index of the cell's distribution of the first velocity.
  template <class X>
  X cell(const X& x, int y, int z) const {
    return x + kPitch * (y + ny * (z + kMargin));
  }
  int distance(const Velocity& v) const { return v.x + kPitch * (v.y + ny * v.z); }
};

using Distributions = std::array<Lanes<float>, kVelocities>;

/// The signed sum over the velocities that have a component along an axis; the component is the sign.
Lanes<float> momentum(Warp& w, const Distributions& f, int Velocity::*axis, Site first) {
  Lanes<float> sum = 0.0f;
  std::uint32_t site = first.line;
  std::array<std::size_t, 10> along{};
  std::size_t count = 0;
  for (std::size_t e = 0; e < kVelocities; ++e) {
    if (kDirections[e].*axis != 0) along[count++] = e;
  }
  for (std::size_t i = 0; i + 1 < count; i += 2, ++site) {
    const auto sign = [&](std::size_t n) { return static_cast<float>(kDirections[along[n]].*axis); };
    w.update(sum, 2, sum + (sign(i) * f[along[i]] + sign(i + 1) * f[along[i + 1]]), Site(site));
  }
  return sum;
}

/// Bhatnagar-Gross-Krook: relaxes the distributions towards the equilibrium of their density and velocity.
void collide(Warp& w, const Distributions& f, const Lanes<std::int32_t>& flags, Distributions& out) {
  Lanes<float> density = w.compute(1, f[0] + 0.0f);
  for (std::size_t e = 1; e < kVelocities; e += 3) {
    w.update(density, 3, density + (f[e] + f[e + 1] + f[e + 2]), Site(kDensities + std::uint32_t(e)));
  }
  auto ux = w.sfu(1, momentum(w, f, &Velocity::x, kMomenta) / density);
  auto uy = w.sfu(1, momentum(w, f, &Velocity::y, kMomenta + 121) / density);
  auto uz = w.sfu(1, momentum(w, f, &Velocity::z, kMomenta + 242) / density);
  w.where(flags == kAccelerate, [&] {
    w.update(ux, 1, kLidX);
    w.update(uy, 1, kLidY);
    w.update(uz, 1, 0.0f);
  });
  const auto square = w.compute(4, 1.5f * (ux * ux + uy * uy + uz * uz));
  for (std::size_t e = 0; e < kVelocities; ++e) {
    const Velocity& v = kDirections[e];
    const auto number = static_cast<std::uint32_t>(e);
    const Site step(kSteps + 120 * number + 2 * (number % 4));
    Lanes<float> along = 0.0f;
    for (const auto& [component, speed] : {std::pair{v.x, &ux}, {v.y, &uy}, {v.z, &uz}}) {
      if (component != 0) along = along + static_cast<float>(component) * *speed;
    }
    const auto projected = w.compute(1, along, step);
    const auto equilibrium = w.compute(3, projected * (projected * 4.5f + 3.0f) - square + 1.0f, step.line + 1);
    const auto relaxed = w.compute(3, f[e] * (1.0f - kOmega) + equilibrium * (kOmega * v.weight) * density, kResults + number);
    w.set(out[e], relaxed);
  }
}

void stream_and_collide(Warp& w, const Data& k) {
  const auto cell = k.cell(w.thread_x(), w.block_x(), w.block_y());
  Distributions f, out;
  w.alu(44);
  for (std::size_t e = 0; e < kVelocities; ++e) f[e] = w.load(k.from, cell + int(e) * k.block(), Site(kLoads + std::uint32_t(e)));
  const auto flags = w.load(k.flags, cell);
  for (auto& lanes : out) lanes = 0.0f;
  w.where(
      flags == kObstacle,
      [&] {
        w.alu(9);
        for (std::size_t e = 0; e < kVelocities; ++e) w.set(out[e], f[opposite(e)]);
      },
      [&] { collide(w, f, flags, out); });
  for (std::size_t e = 0; e < kVelocities; ++e) {
    const auto target = cell + (int(e) * k.block() + k.distance(kDirections[e]));
    w.store(k.to, target, out[e], Site(kStores + std::uint32_t(e)));
  }
}

class Lbm final : public Workload {
 public:
  Lbm(const Arguments& arguments, Memory& memory, std::uint64_t) : steps_(arguments("steps")) {
    auto& d = data_;
    d.nx = arguments("nx"), d.ny = arguments("ny"), d.nz = arguments("nz");
    const auto elements = std::uint64_t(kVelocities + 1) * kPitch * std::uint64_t(d.ny) * std::uint64_t(d.nz + 2 * kMargin);
    arguments.require(elements < (1u << 30), "20 distributions of 128 * ny * (nz + 4) cells; choose fewer than 2^30");
    for (auto* const grid : {&d.from, &d.to}) {
      *grid = memory.array<float>(grid == &d.from ? "grid0" : "grid1", elements);
      for (std::size_t e = 0; e < kVelocities; ++e) {
        for (int i = 0; i < d.block(); ++i) grid->data[e * std::size_t(d.block()) + std::size_t(i)] = kDirections[e].weight;
      }
    }
    initial_.assign(d.from.data, d.from.data + std::ptrdiff_t(kVelocities) * d.block());
    const Dim3 grid{std::uint32_t(d.ny), std::uint32_t(d.nz)}, block{std::uint32_t(d.nx)};
    for (int step = 0; step < steps_; ++step) {
      d.flags = flags_of(d.from);
      if (step < 2) set_flags();
      add_launch("lbm", grid, block, 49, [d](Warp& w) { stream_and_collide(w, d); });
      std::swap(d.from, d.to);
    }
  }

  bool check(std::string& why) const override {
    auto now = initial_, then = initial_;
    for (int step = 0; step < steps_; ++step, now.swap(then)) simulate_step(now, then);
    return close("the result", data_.from, now, why);  // the last launch's result, after the swap
  }

 private:
  Array<std::int32_t> flags_of(const Array<float>& grid) const {
    const auto first = std::uint64_t(kVelocities) * std::uint64_t(data_.block());
    return {grid.base + first * sizeof(float), reinterpret_cast<std::int32_t*>(grid.data + first), std::uint32_t(data_.block())};
  }

  std::int32_t flag_of(int x, int y, int z) const {
    const auto& d = data_;
    if (x == 0 || x == d.nx - 1 || y == 0 || y == d.ny - 1 || z == 0 || z == d.nz - 1) return kObstacle;
    const bool lid = (z == 1 || z == d.nz - 2) && x > 1 && x < d.nx - 2 && y > 1 && y < d.ny - 2;
    return lid ? kAccelerate : 0;
  }

  void set_flags() {
    const auto& d = data_;
    for (int z = 0; z < d.nz; ++z) {
      for (int y = 0; y < d.ny; ++y) {
        for (int x = 0; x < d.nx; ++x) d.flags[std::uint64_t(d.cell(x, y, z))] = flag_of(x, y, z);
      }
    }
  }

  /// In double precision, from the definition of the equilibrium.
  void simulate_step(const std::vector<float>& now, std::vector<float>& then) const {
    const auto& d = data_;
    for (int z = 0; z < d.nz; ++z) {
      for (int y = 0; y < d.ny; ++y) {
        for (int x = 0; x < d.nx; ++x) {
          const auto place = [&](std::size_t e) { return e * std::size_t(d.block()) + std::size_t(d.cell(x, y, z)); };
          const std::int32_t flag = flag_of(x, y, z);
          double density = 0, u[3] = {};
          for (std::size_t e = 0; e < kVelocities; ++e) {
            const double f = now[place(e)];
            density += f, u[0] += f * kDirections[e].x, u[1] += f * kDirections[e].y, u[2] += f * kDirections[e].z;
          }
          for (double& speed : u) speed /= density;
          if (flag == kAccelerate) u[0] = kLidX, u[1] = kLidY, u[2] = 0;
          const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
          for (std::size_t e = 0; e < kVelocities; ++e) {
            const Velocity& v = kDirections[e];
            const double along = v.x * u[0] + v.y * u[1] + v.z * u[2];
            const double equilibrium = double(v.weight) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
            const double f = now[place(e)], relaxed = f + double(kOmega) * (equilibrium - f);
            const float out = flag == kObstacle ? now[place(opposite(e))] : static_cast<float>(relaxed);
            then[std::size_t(std::int64_t(place(e)) + d.distance(v))] = out;
          }
        }
      }
    }
  }

  int steps_;
  Data data_{};
  std::vector<float> initial_;
};

}  // namespace
}  // namespace lbm

Entry lbm_entry() {
  return {{"lbm",
           "lattice-Boltzmann, 19 velocities (Parboil): 20 streams in and 19 out, half of them unaligned",
           {{"nx", "120", 1, lbm::kPitch - 1, "cells in x, the threads of a CTA; rows are 128 elements apart"},
            {"ny", "120", 1, 1024, "cells in y"},
            {"nz", "150", 1, 1024, "cells in z"},
            {"steps", "1", 1, 3000, "time steps, one per launch"}},
           {},
           {{"tiny", {{"ny", 10}, {"nz", 6}}}, {"std", {{"ny", 40}, {"nz", 25}, {"steps", 2}}}, {"paper", {{"steps", 100}}},
            {"llc", {{"ny", 48}, {"nz", 30}, {"steps", 2}}}}},
          make_workload<lbm::Lbm>};
}

}  // namespace wharf::spmd
