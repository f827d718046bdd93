// 2MM and 3MM, PolyBench/GPU 1.0 (workloads sections 1.8 and 1.9): E = (A B) D and G = (A B) (C D), one launch per product. One warp is one
// row of 32 columns. Sharing as in GEMM. A launch loads the results of the previous one through the L2.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace matrix_chains {
namespace {
/// c += a b. Rows of all three are `pitch` elements apart.
struct Product {
  Array<float> a, b, c;
  int rows, columns, trips, pitch;
  bool promote;
};

void product(Warp& w, const Product& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.rows && j < k.columns, [&] {
    const auto row = i * k.pitch, out = row + j;
    auto c = w.load(k.c, out);
    for (const int kk : w.trips(k.trips)) {
      const auto a = w.load(k.a, row + kk);
      const auto b = w.load(k.b, kk * k.pitch + j);
      w.update(c, 2, c + a * b);
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

std::vector<float> expected_product(const Product& k, std::vector<float> c) {
  for (std::int64_t i = 0; i < k.rows; ++i) {
    float* const sums = c.data() + i * k.pitch;
    for (std::int64_t kk = 0; kk < k.trips; ++kk) {
      const float a = k.a.data[i * k.pitch + kk];
      const float* const b = k.b.data + kk * k.pitch;
      for (int j = 0; j < k.columns; ++j) sums[j] += a * b[j];
    }
  }
  return c;
}

/// Products of matrices that all have n columns. `rows` rows of each product are computed. The first matrix and the results have only these
/// rows. Right factors have n rows; rows that no launch computes are 0.
class Chain : public Workload {
 public:
  bool check(std::string& why) const override {
    for (const Step& step : steps_) {
      if (!equal(step.result, step.product.c, expected_product(step.product, step.initial), why)) return false;
    }
    return true;
  }

 protected:
  Chain(const Arguments& arguments, Memory& memory)
      : n_(arguments("n")),
        rows_(arguments("rows")),
        trip_(arguments("trip")),
        pitch_(arguments("pitch")),
        promote_(arguments("promote") != 0),
        memory_(memory) {
    arguments.require(pitch_ >= n_, "pitch is the distance between rows and must be at least n");
    arguments.require(trip_ <= n_, "trip must be at most n");
  }

  int n() const { return n_; }
  int rows() const { return rows_; }
  /// Number of rows of a right factor, and of columns of a left factor, that are read.
  int trip() const { return trip_; }

  Array<float> zeros(const std::string& name, int rows) { return memory_.array<float>(name, std::uint64_t(rows) * std::uint64_t(pitch_)); }
  /// i * (j + shift) / n in the first `used_rows` rows and `used_columns` columns. The other elements are never read.
  Array<float> filled(const std::string& name, int rows, int used_rows, int used_columns, int shift) {
    const auto matrix = zeros(name, rows);
    for (int i = 0; i < used_rows; ++i) {
      for (int j = 0; j < used_columns; ++j) {
        matrix.data[std::int64_t(i) * pitch_ + j] = static_cast<float>(i) * static_cast<float>(j + shift) / static_cast<float>(n_);
      }
    }
    return matrix;
  }

  void multiply(const std::string& kernel, const std::string& result, Array<float> a, Array<float> b, Array<float> c, int rows) {
    const Product p{a, b, c, rows, n_, trip_, pitch_, promote_};
    steps_.push_back({result, p, {c.data, c.data + c.size}});
    add_launch(kernel, {ctas_for(n_, 32), ctas_for(rows, 8)}, {32, 8}, 28, [p](Warp& w) { product(w, p); });
  }

 private:
  struct Step {
    std::string result;
    Product product;
    std::vector<float> initial;  // the result's initial values
  };

  int n_, rows_, trip_, pitch_;
  bool promote_;
  Memory& memory_;
  std::vector<Step> steps_;
};

class TwoProducts final : public Chain {
 public:
  TwoProducts(const Arguments& arguments, Memory& memory, std::uint64_t) : Chain(arguments, memory) {
    const auto a = filled("A", rows(), rows(), trip(), 0), b = filled("B", n(), trip(), n(), 1);
    const auto c = filled("C", rows(), rows(), n(), 3), d = filled("D", n(), trip(), n(), 2);
    const auto e = zeros("E", rows());
    multiply("2mm_k1", "C", a, b, c, rows());
    multiply("2mm_k2", "E", c, d, e, rows());
  }
};

class ThreeProducts final : public Chain {
 public:
  ThreeProducts(const Arguments& arguments, Memory& memory, std::uint64_t) : Chain(arguments, memory) {
    const int inner = std::min(rows(), n());
    const auto a = filled("A", rows(), rows(), trip(), 0), b = filled("B", n(), trip(), n(), 1);
    const auto c = filled("C", n(), inner, trip(), 3), d = filled("D", n(), trip(), n(), 2);
    const auto e = zeros("E", rows()), f = zeros("F", n()), g = zeros("G", rows());
    multiply("3mm_k1", "E", a, b, e, rows());
    multiply("3mm_k2", "F", c, d, f, inner);
    multiply("3mm_k3", "G", e, f, g, rows());
  }
};

WorkloadInfo info_of(const std::string& name, const std::string& help, const std::string& n, std::vector<WorkloadSize> sizes) {
  return {name,
          help,
          {{"n", n, 1, 16384, "columns of every matrix, and rows of the inner ones"},
           {"rows", "n", 1, 16384, "rows of every product that are computed"},
           {"trip", "n", 1, 16384, "iterations of every inner loop"},
           {"pitch", "n", 1, 16384, "elements from one row of every matrix to the next"},
           promote_argument()},
          {},
          std::move(sizes)};
}

}  // namespace
}  // namespace matrix_chains

Entry mm2_entry() {
  return {matrix_chains::info_of("2mm", "E = (A B) D (PolyBench/GPU): inter-warp and inter-CTA sharing, twice", "2048",
                  {{"tiny", {{"n", 2048}, {"rows", 16}, {"trip", 8}}},
                   {"std", {{"n", 2048}, {"rows", 48}, {"trip", 512}}},
                   {"paper", {{"n", 2048}}}}),
          make_workload<matrix_chains::TwoProducts>};
}
Entry mm3_entry() {
  return {matrix_chains::info_of("3mm", "G = (A B) (C D) (PolyBench/GPU): inter-warp and inter-CTA sharing, three times", "512",
                  {{"tiny", {{"n", 128}, {"trip", 8}, {"pitch", 512}}}, {"std", {{"n", 512}, {"rows", 80}}}, {"paper", {{"n", 512}}}}),
          make_workload<matrix_chains::ThreeProducts>};
}

}  // namespace wharf::spmd
