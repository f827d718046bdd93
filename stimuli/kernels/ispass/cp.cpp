// CP, ISPASS-2009 and Parboil 1 (workloads section 3.9): the electric potential of atoms on a plane of grid points. Atoms are broadcast
// from constant memory. A thread's points are 16 apart. Bound by arithmetic: each launch reads and writes the plane once.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace cp {
namespace {
constexpr int kWidth = 16, kHeight = 8, kMostPoints = 8;  // CTA size; points per thread
constexpr int kMostAtoms = 4000;                          // in constant memory, and so per launch
constexpr float kSpacing = 0.1f;

struct Atom {
  float x, y, z_square, charge;
};

struct Data {
  Array<float> energy;
  const Atom* atoms;  // all atoms
  int width, points;
};

/// Energy that an atom contributes to a point at distance dx along x; yz is the sum of the other squared distances.
float share_of(const Atom& atom, float dx, float yz) { return atom.charge * (1.0f / std::sqrt(dx * dx + yz)); }

void potential(Warp& w, const Data& k, int first, int end) {
  const auto x = w.block_x() * kWidth * k.points + w.thread_x(), y = w.global_y();
  const auto real = [](int i) { return kSpacing * static_cast<float>(i); };
  const auto at_x = lanewise(real, x), at_y = lanewise(real, y);
  Lanes<float> energy[kMostPoints];
  std::fill_n(energy, k.points, 0.0f);
  w.alu(20);
  for (const int a : w.trips(first, end)) {
    const Atom& atom = k.atoms[a];
    w.alu(6);
    const auto yz = w.compute(2, (at_y - atom.y) * (at_y - atom.y) + atom.z_square);
    for (const int p : w.unrolled(k.points)) {
      const auto dx = at_x + real(p * kWidth) - atom.x;
      const auto share = w.sfu(1, lanewise([&atom](float across, float along) { return share_of(atom, along, across); }, yz, dx));
      w.update(energy[p], 10, energy[p] + share);
    }
  }
  for (const int p : w.unrolled(k.points)) {
    const auto before = w.load(k.energy, y * k.width + x + p * kWidth);
    const auto sum = w.compute(2, before + energy[p]);
    w.store(k.energy, y * k.width + x + p * kWidth, sum);
  }
}

class Cp final : public Workload {
 public:
  Cp(const Arguments& arguments, Memory& memory, std::uint64_t seed) : height_(arguments("height")) {
    auto& d = data_;
    const int count = arguments("atoms");
    d.width = arguments("width"), d.points = arguments("points");
    arguments.require(d.width % (kWidth * d.points) == 0 && height_ % kHeight == 0,
                      "width must be a multiple of 16 * points and height of 8, the points of a CTA");
    d.energy = memory.array<float>("energy", std::uint64_t(d.width) * std::uint64_t(height_));
    Rng random(seed);
    const auto drawn = [&random](double low, double high) { return static_cast<float>(low + (high - low) * random.unit()); };
    for (int i = 0; i < count; ++i) {
      const float x = drawn(0, kSpacing * d.width), y = drawn(0, kSpacing * height_), z = drawn(0.5, 2), charge = drawn(-1, 1);
      atoms_.push_back({x, y, z * z, charge});
    }
    d.atoms = atoms_.data();
    const Dim3 grid{std::uint32_t(d.width / (kWidth * d.points)), std::uint32_t(height_ / kHeight)};
    for (int first = 0; first < count; first += kMostAtoms) {
      const int end = std::min(count, first + kMostAtoms);
      add_launch(
          "cp_potential", grid, {kWidth, kHeight}, 20, [d, first, end](Warp& w) { potential(w, d, first, end); }, 0,
          std::uint32_t(d.points));
    }
  }

  bool check(std::string& why) const override {
    std::vector<float> energy;
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < data_.width; ++x) energy.push_back(energy_at(x, y));
    }
    return equal("energy", data_.energy, energy, why);
  }

 private:
  /// Adds the atoms in the order of the launches: each launch adds the sum over its own atoms.
  float energy_at(int x, int y) const {
    const int offset = x / kWidth % data_.points * kWidth;  // distance of the point from its thread's first point
    const float begin = kSpacing * static_cast<float>(x - offset) + kSpacing * static_cast<float>(offset);
    float total = 0.0f, sum = 0.0f;
    for (std::size_t a = 0; a < atoms_.size(); ++a) {
      const Atom& atom = atoms_[a];
      const float across = kSpacing * static_cast<float>(y) - atom.y;
      sum += share_of(atom, begin - atom.x, across * across + atom.z_square);
      if ((a + 1) % kMostAtoms != 0 && a + 1 != atoms_.size()) continue;
      total += sum;
      sum = 0.0f;
    }
    return total;
  }

  int height_;
  Data data_{};
  std::vector<Atom> atoms_;
};

}  // namespace
}  // namespace cp

Entry cp_entry() {
  return {{"cp",
           "electric potential of atoms on a plane (ISPASS): arithmetic, memory sees the plane once",
           {{"width", "256", cp::kWidth, 4096, "points in x"},
            {"height", "256", cp::kHeight, 4096, "points in y"},
            {"points", "2", 1, cp::kMostPoints, "points of a thread: 2 in the short version, 8 in the long one"},
            {"atoms", "200", 1, 1 << 20, "atoms: 200 in the short version, 40000 in the long one; a launch for every 4000"}},
           {},
           {{"tiny", {{"width", 64}, {"height", 64}, {"atoms", 50}}}, {"std", {{"atoms", 100}}}, {"paper", {{"atoms", 200}}}}},
          make_workload<cp::Cp>};
}

}  // namespace wharf::spmd
