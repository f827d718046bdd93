// MRI-GRIDDING, Parboil (workloads section 3.7): samples of k-space onto a regular grid. Samples are sorted by the cell that contains them
// (counts by atomics, radix sort in passes of four bits) and gathered into that order. Every grid point adds up the samples of the cells
// around it. All CTAs near a row of cells read it. Most samples are in the middle, few outside. Assumed of the compiler: a sample's values
// are loaded from shared memory before the first of its tests, and its place after them; a thread loads its elements of a row or tile
// before it uses any. Barriers separate the rows, and branches the samples.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/radix_sort.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace mri_gridding {
namespace {
constexpr int kSampleThreads = 512;
constexpr int kBlockX = 8, kBlockY = 4, kBlockZ = 2, kPoints = 4, kGridThreads = kBlockX * kBlockY * kBlockZ;  // kPoints per thread, in z
constexpr int kReach = 3;  // cells around a block whose samples can lie within the cutoff
constexpr float kCutoff2 = 2.5f * 2.5f, kShape = 1.6f;
constexpr std::uint32_t kSums = 1120;  // sites of a point's two sums; their registers (modulo 120) are 40 to 47

struct Sample {
  float real, imaginary, x, y, z, density;
};
struct Complex {
  float real, imaginary;
};
struct Location {
  float x, y, z, density;
};
struct Data {
  Array<Sample> samples;
  Array<std::int32_t> cell_start;  // first the counts, which a scan turns into starts
  Array<std::int32_t> keys[2], values[2], digits;
  Array<Complex> values_in_order, grid;
  Array<Location> locations;
  Array<float> density;
  int count, padded, nx, ny, nz, fullest;

  int cells() const { return nx * ny * nz; }
  int sort_ctas() const { return padded / kSortElements; }
};

/// A bell over the cutoff: a Bessel function of the squared distance.
float bell(float distance2) {
  const float q = kShape * (1.0f - distance2 / kCutoff2);
  float term = 1.0f, sum = 1.0f;
  for (int k = 1; k <= 6; ++k) {
    term *= q / static_cast<float>(k * k);
    sum += term;
  }
  return sum;
}

void bin_samples(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.alu(5);
  w.where(i < k.count, [&] {
    const auto x = w.load(k.samples, i, &Sample::x);
    const auto y = w.load(k.samples, i, &Sample::y);
    const auto z = w.load(k.samples, i, &Sample::z);
    const auto cell_of = [&k](float px, float py, float pz) { return int(px) + k.nx * (int(py) + k.ny * int(pz)); };
    const auto cell = w.compute(6, lanewise(cell_of, x, y, z));
    const auto so_far = w.load(k.cell_start, cell);
    w.where(so_far < k.fullest, [&] {  // the host would process the samples above the limit
      w.reduce(k.cell_start, cell, 1, std::plus<>());
    });
    w.store(k.keys[0], i, cell);
    w.store(k.values[0], i, i);
  });
}

void reorder(Warp& w, const Data& k, const Array<std::int32_t>& order) {
  const auto i = w.global_x();
  w.alu(5);
  w.where(i < k.count, [&] {
    const auto from = w.load(order, i);
    const auto real = w.load(k.samples, from, &Sample::real);
    const auto imaginary = w.load(k.samples, from, &Sample::imaginary);
    const auto x = w.load(k.samples, from, &Sample::x);
    const auto y = w.load(k.samples, from, &Sample::y);
    const auto z = w.load(k.samples, from, &Sample::z);
    const auto density = w.load(k.samples, from, &Sample::density);
    w.store(k.values_in_order, i, lanewise([](float r, float m) { return Complex{r, m}; }, real, imaginary));
    w.store(k.locations, i, lanewise([](float a, float b, float c, float d) { return Location{a, b, c, d}; }, x, y, z, density));
  });
}

/// Shared memory of a gridding CTA: 64 samples.
struct Tile {
  SharedArray<float> real, imaginary, x, y, z, density;
};

/// A thread's sums, one per point.
struct Sums {
  Lanes<Complex> value[kPoints];
  Lanes<float> density[kPoints];
};

/// Adds a sample of the tile. All threads process the same sample.
void add_sample(Warp& w, const Tile& tile, int s, const Lanes<int>& x, const Lanes<int>& y, const Lanes<int>& z, Sums& sums) {
  const auto real = w.load(tile.real, s);
  const auto imaginary = w.load(tile.imaginary, s);
  const auto density = w.load(tile.density, s);
  const auto value = w.compute(2, lanewise([](float r, float m, float d) { return Complex{r * d, m * d}; }, real, imaginary, density));
  const auto sx = w.load(tile.x, s);
  const auto sy = w.load(tile.y, s);
  const auto sz = w.load(tile.z, s);
  const auto square = [](float a, int b) { return (a - static_cast<float>(b)) * (a - static_cast<float>(b)); };
  const auto in_plane = w.compute(4, lanewise(square, sx, x) + lanewise(square, sy, y));
  for (const int p : w.unrolled(kPoints)) {
    const auto distance2 = w.compute(2, in_plane + lanewise(square, sz, z + kBlockZ * p));
    w.where(distance2 < kCutoff2, [&] {
      const auto argument = w.sfu(2, distance2 + 0.0f);
      const auto weight = w.compute(40, lanewise(bell, argument));
      const auto add = [](Complex a, Complex b, float factor) {
        return Complex{a.real + b.real * factor, a.imaginary + b.imaginary * factor};
      };
      const Site site(kSums + 2 * std::uint32_t(p));
      w.update(sums.value[p], 2, lanewise(add, sums.value[p], value, weight), site);
      w.update(sums.density[p], 1, sums.density[p] + weight, site.line + 1);
    });
  }
}

void gridding(Warp& w, const Data& k) {
  SharedArray<float> parts[6];
  for (std::uint32_t i = 0; i < 6; ++i) parts[i] = w.shared<float>(4 * kGridThreads * i, kGridThreads);
  const Tile tile{parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]};
  const int blocks_y = k.ny / kBlockY;
  const int x0 = w.block_x() * kBlockX, y0 = w.block_y() % blocks_y * kBlockY, z0 = w.block_y() / blocks_y * kBlockZ * kPoints;
  const auto x = w.thread_x() + x0, y = w.thread_y() + y0, z = w.thread_z() + z0;
  const auto thread = (w.thread_z() * kBlockY + w.thread_y()) * kBlockX + w.thread_x();
  Sums sums;
  for (int p = 0; p < kPoints; ++p) sums.value[p] = Complex{}, sums.density[p] = 0.0f;
  w.alu(30);
  const int from_x = std::max(x0 - kReach, 0), to_x = std::min(x0 + kBlockX - 1 + kReach, k.nx - 1);
  for (int row_z = std::max(z0 - kReach, 0); row_z < std::min(z0 + kBlockZ * kPoints + kReach, k.nz); ++row_z) {
    for (int row_y = std::max(y0 - kReach, 0); row_y < std::min(y0 + kBlockY + kReach, k.ny); ++row_y) {
      const int row = k.nx * (row_y + k.ny * row_z);
      const auto start = w.load(k.cell_start, row + from_x);
      const auto end = w.load(k.cell_start, row + to_x + 1);
      Lanes<int> first = w.compute(3, start + 0);
      w.while_any([&] { return first < end; },
                  [&] {
                    w.barrier();
                    w.where(first + thread < end, [&] {
                      const auto value = w.load(k.values_in_order, first + thread);
                      const auto at = w.load(k.locations, first + thread);
                      w.store(tile.real, thread, lanewise([](Complex c) { return c.real; }, value));
                      w.store(tile.imaginary, thread, lanewise([](Complex c) { return c.imaginary; }, value));
                      w.store(tile.x, thread, lanewise([](Location l) { return l.x; }, at));
                      w.store(tile.y, thread, lanewise([](Location l) { return l.y; }, at));
                      w.store(tile.z, thread, lanewise([](Location l) { return l.z; }, at));
                      w.store(tile.density, thread, lanewise([](Location l) { return l.density; }, at));
                    });
                    w.barrier();
                    for (int s = 0; s < std::min(kGridThreads, end[0] - first[0]); ++s) add_sample(w, tile, s, x, y, z, sums);
                    w.update(first, 2, first + kGridThreads);
                  });
    }
  }
  for (const int p : w.unrolled(kPoints)) {
    const auto point = x + k.nx * (y + k.ny * (z + kBlockZ * p));
    w.store(k.grid, point, sums.value[p]);
    w.store(k.density, point, sums.density[p]);
  }
}

class MriGridding final : public SummingWorkload {
 public:
  MriGridding(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.count = arguments("samples"), d.nx = arguments("nx"), d.ny = arguments("ny"), d.nz = arguments("nz");
    arguments.require(d.nx % kBlockX == 0 && d.ny % kBlockY == 0 && d.nz % (kBlockZ * kPoints) == 0,
                      "nx and nz must be multiples of 8 and ny of 4, the grid points of a CTA");
    d.padded = (d.count + kSortElements - 1) / kSortElements * kSortElements;
    const auto samples = std::uint64_t(d.count), padded = std::uint64_t(d.padded), cells = std::uint64_t(d.cells());
    d.samples = memory.array<Sample>("samples", samples);
    d.cell_start = memory.array<std::int32_t>("cells", cells + 1);
    for (std::size_t i : {0u, 1u}) {
      d.keys[i] = memory.array<std::int32_t>("keys" + std::to_string(i), padded);
      d.values[i] = memory.array<std::int32_t>("values" + std::to_string(i), padded);
    }
    d.digits = memory.array<std::int32_t>("digits", std::uint64_t(kDigits * d.sort_ctas()));
    d.values_in_order = memory.array<Complex>("values_in_order", samples);
    d.locations = memory.array<Location>("locations", samples);
    d.grid = memory.array<Complex>("grid", cells);
    d.density = memory.array<float>("density", cells);
    draw(seed);
    add_launches(memory);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<std::int32_t> order(d.samples.size), start(std::size_t(d.cells()) + 1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return cell_of(a) < cell_of(b); });
    for (std::int32_t i = 0; i < d.count; ++i) ++start[std::size_t(cell_of(i)) + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<float> grid(2 * std::size_t(d.cells())), density(std::size_t(d.cells()));
    for (const std::int32_t i : order) add_sample_to(grid, density, d.samples.data[i]);
    const Array<float> parts{d.grid.base, &d.grid.data->real, 2 * d.grid.size};
    return equal("cells", d.cell_start, start, why) && equal("grid", parts, grid, why) && equal("density", d.density, density, why);
  }

 private:
  /// Draws spokes through the middle. Each distance has the same number of samples, so their density falls with its square.
  void draw(std::uint64_t seed) {
    constexpr int kOfSpoke = 64;
    auto& d = data_;
    Rng random(seed);
    const auto within = [&random] { return static_cast<float>(2.0 * random.unit() - 1.0); };
    float direction[3] = {};
    std::vector<std::int32_t> counts(std::size_t(d.cells()));
    for (int i = 0; i < d.count; ++i) {
      for (float length = 2.0f; i % kOfSpoke == 0 && (length > 1.0f || length < 0.1f);) {
        for (float& c : direction) c = within();
        length = std::sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
        for (float& c : direction) c /= length;
      }
      const float distance = within();
      const auto along = [&](std::size_t axis, int cells) {
        const float at = (1.0f + distance * direction[axis]) * 0.5f * static_cast<float>(cells);
        return std::clamp(at, 0.0f, static_cast<float>(cells) - 0.01f);
      };
      Sample& s = d.samples[std::uint64_t(i)];
      s = {within(), within(), along(0, d.nx), along(1, d.ny), along(2, d.nz), distance * distance};
      d.fullest = std::max(d.fullest, ++counts[std::size_t(cell_of(i))]);
    }
    for (int i = d.count; i < d.padded; ++i) d.keys[0][std::uint64_t(i)] = (1 << kDigitBits * passes()) - 1;
  }

  int passes() const {
    int passes = 1;
    while (1ll << kDigitBits * passes < data_.cells()) ++passes;
    return passes;
  }

  std::int32_t cell_of(std::int32_t i) const {
    const Sample& s = data_.samples.data[i];
    return int(s.x) + data_.nx * (int(s.y) + data_.ny * int(s.z));
  }

  void add_launches(Memory& memory) {
    const auto d = data_;
    const std::uint32_t sample_ctas = ctas_for(d.count, kSampleThreads), sort_ctas = std::uint32_t(d.sort_ctas());
    add_launch("mri_binning", {sample_ctas}, {kSampleThreads}, 16, [d](Warp& w) { bin_samples(w, d); });
    const auto sums = memory.array<std::int32_t>("sums", kScanElements), total = memory.array<std::int32_t>("total", 1);
    for (int pass = 0; pass < passes(); ++pass) {
      const auto from = std::size_t(pass % 2);
      const SortPass p{{d.keys[from], d.values[from]}, {d.keys[1 - from], d.values[1 - from]}, d.digits, pass};
      const std::string parity = from == 0 ? "_even" : "_odd";
      add_launch(
          "mri_split" + parity, {sort_ctas}, {kSortThreads}, 30, [p](Warp& w) { split(w, p); }, kSplitBytes, 4);
      add_scan("mri_scan_digits", d.digits, sums, total);
      add_launch(
          "mri_rearrange" + parity, {sort_ctas}, {kSortThreads}, 24, [p](Warp& w) { rearrange(w, p); }, kRearrangeBytes, 4);
    }
    const auto order = d.values[passes() % 2];
    add_launch("mri_reorder", {sample_ctas}, {kSampleThreads}, 16, [d, order](Warp& w) { reorder(w, d, order); });
    add_scan("mri_scan_cells", d.cell_start, sums, total);
    const Dim3 grid{std::uint32_t(d.nx / kBlockX), std::uint32_t(d.ny / kBlockY * (d.nz / (kBlockZ * kPoints)))};
    add_launch(
        "mri_gridding", grid, {kBlockX, kBlockY, kBlockZ}, 47, [d](Warp& w) { gridding(w, d); }, 6 * 4 * kGridThreads, kPoints);
  }

  void add_sample_to(std::vector<float>& grid, std::vector<float>& density, const Sample& s) const {
    const auto& d = data_;
    const auto near = [](float at, int size) { return std::pair{std::max(int(at) - kReach, 0), std::min(int(at) + kReach, size - 1)}; };
    const auto [x0, x1] = near(s.x, d.nx);
    const auto [y0, y1] = near(s.y, d.ny);
    const auto [z0, z1] = near(s.z, d.nz);
    for (int z = z0; z <= z1; ++z) {
      for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
          const float dx = s.x - float(x), dy = s.y - float(y), dz = s.z - float(z), distance2 = dx * dx + dy * dy + dz * dz;
          if (!(distance2 < kCutoff2)) continue;
          const auto point = std::size_t(x + d.nx * (y + d.ny * z));
          grid[2 * point] += s.real * s.density * bell(distance2);
          grid[2 * point + 1] += s.imaginary * s.density * bell(distance2);
          density[point] += bell(distance2);
        }
      }
    }
  }

  Data data_{};
};

}  // namespace
}  // namespace mri_gridding

Entry mri_gridding_entry() {
  return {{"mri_gridding",
           "samples onto a grid (Parboil): counting and radix sort with atomics, rows of cells shared by CTAs",
           {{"samples", "60000", 1, 1 << 20, "of k-space"},
            {"nx", "32", 8, 128, "grid points in x, a multiple of 8"},
            {"ny", "nx", 4, 64, "grid points in y, a multiple of 4"},
            {"nz", "nx", 8, 64, "grid points in z, a multiple of 8"}},
           {},
           {{"tiny", {{"samples", 100}, {"nx", 8}}},
            {"std", {{"samples", 5000}}},
            {"paper", {{"samples", 60000}}},
            {"llc", {{"samples", 4000}, {"nx", 80}, {"ny", 64}, {"nz", 64}}}}},
          make_workload<mri_gridding::MriGridding>};
}

}  // namespace wharf::spmd
