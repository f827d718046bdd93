// SRAD_V1, Rodinia 3.1 (workloads section 2.11): speckle-reducing diffusion of an image that is stored column by column. An iteration sums
// the image and its squares in a tree, from which the host computes the speckle scale. Then it computes every cell's derivatives and
// coefficient, and updates the image. West and east neighbours are a column away: in the neighbouring CTA. Assumed of the compiler: no
// store precedes a cell's derivatives, so the loads of its four indices are issued together, then those of the cells at these indices.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace srad_v1 {
namespace {
constexpr int kThreads = 512;
constexpr float kLambda = 0.5f;
constexpr const char* kSradKernel = "srad_v1_srad";

struct Data {
  Array<float> image, sums, sums2;
  Array<float> d_north, d_south, d_west, d_east, c;
  Array<std::int32_t> north, south, west, east;  // rows above and below, columns left and right
  int rows, columns, cells;
};

void extract(Warp& w, const Data& k) {
  const auto e = w.global_x();
  w.alu(6);
  w.where(e < k.cells, [&] {
    const auto x = w.load(k.image, e);
    const auto scaled = w.sfu(3, lanewise([](float v) { return std::exp(v / 255.0f); }, x));
    w.store(k.image, e, scaled);
  });
}

void compress(Warp& w, const Data& k) {
  const auto e = w.global_x();
  w.alu(6);
  w.where(e < k.cells, [&] {
    const auto x = w.load(k.image, e);
    const auto scaled = w.sfu(3, lanewise([](float v) { return std::log(v) * 255.0f; }, x));
    w.store(k.image, e, scaled);
  });
}

void prepare(Warp& w, const Data& k) {
  const auto e = w.global_x();
  w.alu(18);
  w.where(e < k.cells, [&] {
    const auto x = w.load(k.image, e);
    w.store(k.sums, e, x);
    const auto x_again = w.load(k.image, e);  // the compiler loads it again, because the store might have changed it
    const auto square = w.compute(1, x_again * x_again);
    w.store(k.sums2, e, square);
  });
}

/// The largest power of two that is at most `count`.
int whole_tree(int count) {
  int whole = 1;
  while (2 * whole <= count) whole *= 2;
  return whole;
}

/// Sums `count` elements that are `apart` from each other; each CTA stores its sum in its first element. If the last CTA has fewer elements
/// than a tree is wide, one thread adds the rest.
void reduce(Warp& w, const Data& k, int count, int apart) {
  const auto tree = w.shared<float>(0, kThreads), tree2 = w.shared<float>(4 * kThreads, kThreads);
  const auto tx = w.thread_x(), e = w.global_x();
  const int first = w.block_x() * kThreads, here = std::min(kThreads, count - first), whole = whole_tree(here);
  w.alu(12);
  w.where(e < count, [&] {
    const auto x = w.load(k.sums, e * apart);
    w.store(tree, tx, x);
    const auto x2 = w.load(k.sums2, e * apart);
    w.store(tree2, tx, x2);
  });
  w.barrier();
  for (int step = 2; step <= whole; step *= 2) {
    w.alu(5);
    const auto place = lanewise([step](int t) { return (t + 1) % step; }, tx);
    w.where(place == 0 && tx < whole, [&] {
      const auto right = w.load(tree, tx);
      const auto left = w.load(tree, tx - step / 2);
      const auto sum = w.compute(1, right + left);
      w.store(tree, tx, sum);
      const auto right2 = w.load(tree2, tx);
      const auto left2 = w.load(tree2, tx - step / 2);
      const auto sum2 = w.compute(1, right2 + left2);
      w.store(tree2, tx, sum2);
    });
    w.barrier();
  }
  w.where(tx == whole - 1, [&] {
    auto total = w.load(tree, tx);
    auto total2 = w.load(tree2, tx);
    for (int i = first + whole; i < first + here; ++i) {
      const auto x = w.load(k.sums, i * apart);
      w.update(total, 1, total + x);
      const auto x2 = w.load(k.sums2, i * apart);
      w.update(total2, 1, total2 + x2);
    }
    w.store(k.sums, first * apart, total);
    w.store(k.sums2, first * apart, total2);
  });
}

Lanes<int> row_of(const Lanes<int>& e, int rows) {
  return lanewise([rows](int v) { return v % rows; }, e);
}
Lanes<int> column_of(const Lanes<int>& e, int rows) {
  return lanewise([rows](int v) { return v / rows; }, e);
}

void srad(Warp& w, const Data& k, float q0) {
  const auto e = w.global_x();
  w.alu(6);
  w.where(e < k.cells, [&] {
    const auto row = row_of(e, k.rows), column = column_of(e, k.rows);
    w.alu(50);  // includes an integer division
    const auto x = w.load(k.image, e);
    const auto north = w.load(k.north, row);
    const auto south = w.load(k.south, row);
    const auto west = w.load(k.west, column);
    const auto east = w.load(k.east, column);
    const auto at_north = w.load(k.image, north + k.rows * column);
    const auto at_south = w.load(k.image, south + k.rows * column);
    const auto at_west = w.load(k.image, row + k.rows * west);
    const auto at_east = w.load(k.image, row + k.rows * east);
    const auto d_north = w.compute(1, at_north - x);
    const auto d_south = w.compute(1, at_south - x);
    const auto d_west = w.compute(1, at_west - x);
    const auto d_east = w.compute(1, at_east - x);
    const auto squares = w.compute(7, d_north * d_north + d_south * d_south + d_west * d_west + d_east * d_east);
    const auto gradient = w.sfu(1, squares / (x * x));
    const auto sum = w.compute(3, d_north + d_south + d_west + d_east);
    const auto laplacian = w.sfu(1, sum / x);
    const auto numerator = w.compute(6, 0.5f * gradient - (1.0f / 16.0f) * (laplacian * laplacian));
    const auto denominator = w.compute(4, 1.0f + 0.25f * laplacian);
    const auto q = w.sfu(2, numerator / (denominator * denominator));
    const auto excess = w.sfu(1, (q - q0) / (q0 * (1.0f + q0)));
    const auto c = w.sfu(1, 1.0f / (1.0f + excess));
    const auto at_most_one = w.compute(8, select(c > 1.0f, Lanes<float>(1.0f), c));
    const auto clamped = w.compute(8, select(c < 0.0f, Lanes<float>(0.0f), at_most_one));
    w.store(k.d_north, e, d_north);
    w.store(k.d_south, e, d_south);
    w.store(k.d_west, e, d_west);
    w.store(k.d_east, e, d_east);
    w.store(k.c, e, clamped);
  });
}

void srad2(Warp& w, const Data& k) {
  const auto e = w.global_x();
  w.alu(6);
  w.where(e < k.cells, [&] {
    const auto row = row_of(e, k.rows), column = column_of(e, k.rows);
    w.alu(42);  // includes an integer division
    const auto c = w.load(k.c, e);  // also the coefficient of the north and west faces
    const auto south = w.load(k.south, row);
    const auto east = w.load(k.east, column);
    const auto d_north = w.load(k.d_north, e);
    const auto d_south = w.load(k.d_south, e);
    const auto d_west = w.load(k.d_west, e);
    const auto d_east = w.load(k.d_east, e);
    const auto x = w.load(k.image, e);
    const auto c_south = w.load(k.c, south + k.rows * column);
    const auto c_east = w.load(k.c, row + k.rows * east);
    const auto vertical = w.compute(4, c * d_north + c_south * d_south);
    const auto three = w.compute(3, vertical + c * d_west);
    const auto divergence = w.compute(4, three + c_east * d_east);
    const auto diffused = w.compute(3, x + 0.25f * kLambda * divergence);
    w.store(k.image, e, diffused);
  });
}

/// The squared speckle scale, from the sums over all cells.
float scale_of(float sum, float sum2, int cells) {
  const float count = static_cast<float>(cells), mean = sum / count;
  return (sum2 / count - mean * mean) / (mean * mean);
}

class SradV1 final : public Workload {
 public:
  SradV1(const Arguments& arguments, Memory& memory, std::uint64_t seed) : iterations_(arguments("iterations")) {
    auto& d = data_;
    d.rows = arguments("rows"), d.columns = arguments("columns");
    d.cells = d.rows * d.columns;
    const auto cells = [&](const char* name) { return memory.array<float>(name, std::uint64_t(d.cells)); };
    d.image = cells("image"), d.sums = cells("sums"), d.sums2 = cells("sums2"), d.c = cells("c");
    d.d_north = cells("dN"), d.d_south = cells("dS"), d.d_west = cells("dW"), d.d_east = cells("dE");
    Rng random(seed);
    for (int e = 0; e < d.cells; ++e) d.image.data[e] = static_cast<float>(random.below(256));
    initial_.assign(d.image.data, d.image.data + d.cells);
    d.north = neighbours(memory, "iN", d.rows, -1), d.south = neighbours(memory, "iS", d.rows, 1);
    d.west = neighbours(memory, "jW", d.columns, -1), d.east = neighbours(memory, "jE", d.columns, 1);
    add_for_all_cells("srad_v1_extract", 10, [d](Warp& w) { extract(w, d); });
    for (int i = 0; i < iterations_; ++i) add_iteration();
    add_for_all_cells("srad_v1_compress", 10, [d](Warp& w) { compress(w, d); });
  }

  const Kernel* next() override {
    const Kernel* const kernel = Workload::next();
    if (kernel != nullptr && kernel->launch.name == kSradKernel) q0_ = scale_of(data_.sums[0], data_.sums2[0], data_.cells);
    return kernel;
  }

  bool check(std::string& why) const override {
    std::vector<float> image = initial_;
    for (float& x : image) x = std::exp(x / 255.0f);
    std::vector<float> c(image.size());
    for (int i = 0; i < iterations_; ++i) {
      std::vector<float> squares = image;
      for (float& x : squares) x *= x;
      const float q0 = scale_of(tree_sum(image), tree_sum(squares), data_.cells);
      for (int e = 0; e < data_.cells; ++e) c[std::size_t(e)] = coefficient(image, e, q0);
      diffuse(image, c);
    }
    for (float& x : image) x = std::log(x) * 255.0f;
    return equal("c", data_.c, c, why) && equal("image", data_.image, image, why);
  }

 private:
  static Array<std::int32_t> neighbours(Memory& memory, const std::string& name, int count, int step) {
    const auto array = memory.array<std::int32_t>(name, std::uint64_t(count));
    for (int i = 0; i < count; ++i) array.data[i] = std::clamp(i + step, 0, count - 1);
    return array;
  }

  void add_for_all_cells(const std::string& name, std::uint32_t registers, std::function<void(Warp&)> program) {
    add_launch(name, {ctas_for(data_.cells, kThreads)}, {kThreads}, registers, std::move(program));
  }

  void add_iteration() {
    const auto& d = data_;
    add_for_all_cells("srad_v1_prepare", 12, [d](Warp& w) { prepare(w, d); });
    int count = d.cells, apart = 1;
    do {
      const std::uint32_t ctas = ctas_for(count, kThreads);
      add_launch(
          "srad_v1_reduce", {ctas}, {kThreads}, 61, [d, count, apart](Warp& w) { reduce(w, d, count, apart); }, 2 * 4 * kThreads);
      count = static_cast<int>(ctas);
      apart *= kThreads;
    } while (count > 1);
    add_for_all_cells(kSradKernel, 22, [this](Warp& w) { srad(w, data_, q0_); });
    add_for_all_cells("srad_v1_srad2", 17, [d](Warp& w) { srad2(w, d); });
  }

  /// The sum in the order of the kernel's trees.
  static float tree_sum(std::vector<float> values) {
    while (values.size() > 1) {
      std::vector<float> sums;
      for (std::size_t first = 0; first < values.size(); first += kThreads) {
        const auto here = std::min<std::size_t>(kThreads, values.size() - first), whole = std::size_t(whole_tree(int(here)));
        float* const tree = values.data() + first;
        for (std::size_t step = 2; step <= whole; step *= 2) {
          for (std::size_t t = step - 1; t < whole; t += step) tree[t] += tree[t - step / 2];
        }
        sums.push_back(tree[whole - 1]);
        for (std::size_t i = whole; i < here; ++i) sums.back() += tree[i];
      }
      values = std::move(sums);
    }
    return values.front();
  }

  /// A cell and its differences to its neighbours.
  struct Cell {
    float x, north, south, west, east;
  };
  Cell cell(const std::vector<float>& image, int e) const {
    const int rows = data_.rows, row = e % rows, column = e / rows;
    const float* const at = image.data() + e;
    return {at[0], at[row == 0 ? 0 : -1] - at[0], at[row == rows - 1 ? 0 : 1] - at[0], at[column == 0 ? 0 : -rows] - at[0],
            at[column == data_.columns - 1 ? 0 : rows] - at[0]};
  }

  float coefficient(const std::vector<float>& image, int e, float q0) const {
    const Cell d = cell(image, e);
    const float gradient = (d.north * d.north + d.south * d.south + d.west * d.west + d.east * d.east) / (d.x * d.x);
    const float laplacian = (d.north + d.south + d.west + d.east) / d.x;
    const float denominator = 1.0f + 0.25f * laplacian;
    const float q = (0.5f * gradient - (1.0f / 16.0f) * (laplacian * laplacian)) / (denominator * denominator);
    return std::clamp(1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0))), 0.0f, 1.0f);
  }

  void diffuse(std::vector<float>& image, const std::vector<float>& c) const {
    const std::vector<float> before = image;
    for (int e = 0; e < data_.cells; ++e) {
      const Cell d = cell(before, e);
      const float* const at = c.data() + e;
      const float south = at[e % data_.rows == data_.rows - 1 ? 0 : 1], east = at[e / data_.rows == data_.columns - 1 ? 0 : data_.rows];
      const float divergence = at[0] * d.north + south * d.south + at[0] * d.west + east * d.east;
      image[std::size_t(e)] = d.x + 0.25f * kLambda * divergence;
    }
  }

  int iterations_;
  Data data_{};
  float q0_ = 0.0f;
  std::vector<float> initial_;
};

}  // namespace
}  // namespace srad_v1

Entry srad_v1_entry() {
  return {{"srad_v1",
           "speckle-reducing diffusion of an image (Rodinia): streaming, a tree of sums, neighbours in the next CTA",
           {{"rows", "502", 2, 16384, "rows of the image: cells of a column, which lie side by side"},
            {"columns", "458", 2, 16384, "columns of the image"},
            {"iterations", "1", 1, 1000, "iterations"}},
           {},
           {{"tiny", {{"rows", 502}, {"columns", 15}}},
            {"std", {{"rows", 502}, {"columns", 153}, {"iterations", 3}}},
            {"paper", {{"rows", 502}, {"columns", 458}, {"iterations", 100}}},
            {"wide", {{"rows", 502}, {"columns", 458}, {"iterations", 1}}},
            {"loscache", {{"rows", 502}, {"columns", 458}, {"iterations", 1}}}}},
          make_workload<srad_v1::SradV1>};
}

}  // namespace wharf::spmd
