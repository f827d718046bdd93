// SPMV, Parboil, JDS format (workloads section 3.5): rows are sorted by length, and the k-th elements of all rows are stored one after
// another. So columns and values stream, and the 32 rows of a warp, padded to the longest, never diverge. x is gathered. The source loads
// one element's column, the previous element's value and x, and adds the product of the one before that. Assumed of the compiler: the loop
// stores nothing and is unrolled by four, so four columns and values are in flight, then four x.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>

#include "model/base/rng.h"
#include "stimuli/inputs/mesh_matrix.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace parboil_spmv {
namespace {
constexpr std::uint32_t kThreads = 192;
constexpr int kUnrolled = 4;

/// Jagged diagonals. The two small tables are in constant memory; compute instructions read them.
struct Jagged {
  std::vector<std::int32_t> permutation;     // [sorted row] -> row
  std::vector<std::int32_t> group_length;    // per 32 sorted rows
  std::vector<std::int32_t> diagonal_start;  // start of the k-th elements
  std::vector<std::int32_t> columns;
  std::vector<float> values;
};

Jagged jagged(const SparseMatrix& matrix) {
  const auto rows = matrix.row_start.size() - 1, groups = (rows + kLanes - 1) / kLanes;
  const auto length = [&](std::int32_t row) { return matrix.row_start[std::size_t(row) + 1] - matrix.row_start[std::size_t(row)]; };
  Jagged j;
  j.permutation.resize(rows);
  std::iota(j.permutation.begin(), j.permutation.end(), 0);
  std::stable_sort(j.permutation.begin(), j.permutation.end(), [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  for (std::size_t group = 0; group < groups; ++group) j.group_length.push_back(length(j.permutation[group * kLanes]));
  for (std::int32_t k = 0; k < j.group_length.front(); ++k) {
    j.diagonal_start.push_back(static_cast<std::int32_t>(j.columns.size()));
    for (std::size_t group = 0; group < groups && j.group_length[group] > k; ++group) {
      for (std::size_t i = group * kLanes; i < (group + 1) * kLanes; ++i) {
        const bool present = i < rows && length(j.permutation[i]) > k;
        const auto element = present ? std::size_t(matrix.row_start[std::size_t(j.permutation[i])] + k) : 0;
        j.columns.push_back(present ? matrix.columns[element] : 0);
        j.values.push_back(present ? matrix.values[element] : 0.0f);
      }
    }
  }
  return j;
}

struct Data {
  Array<std::int32_t> columns, permutation;
  Array<float> values, x, y;
  std::shared_ptr<const Jagged> constants;
  int rows;
};

/// The elements of a lane's row that are in flight. Each of the eight places has registers of its own.
class Pipeline {
 public:
  Pipeline(Warp& w, const Data& k, const Lanes<int>& row) : w_(w), k_(k), row_(row) {}

  void load_column(int n) { columns_[n % kPlaces] = w_.load(k_.columns, element(n), site(kColumns, n)); }
  void load_value(int n) { values_[n % kPlaces] = w_.load(k_.values, element(n), site(kValues, n)); }
  void gather(int n) {
    const auto column = w_.compute(3, columns_[n % kPlaces] + 0, site(kAddresses, n));
    x_[n % kPlaces] = w_.load(k_.x, column, site(kGathers, n));
  }
  void add(int n) { w_.update(sum_, 9, sum_ + values_[n % kPlaces] * x_[n % kPlaces]); }
  const Lanes<float>& sum() const { return sum_; }

 private:
  static constexpr int kPlaces = 8;
  // Sites; their registers (modulo 120) are 0 to 31.
  static constexpr std::uint32_t kColumns = 1080, kValues = 1088, kAddresses = 1096, kGathers = 1104;
  static Site site(std::uint32_t first, int n) { return first + std::uint32_t(n % kPlaces); }
  Lanes<int> element(int n) const { return k_.constants->diagonal_start[std::size_t(n)] + row_; }

  Warp& w_;
  const Data& k_;
  const Lanes<int>& row_;
  Lanes<int> columns_[kPlaces];
  Lanes<float> values_[kPlaces], x_[kPlaces], sum_ = 0.0f;
};

void spmv_jds(Warp& w, const Data& k) {
  const auto row = w.global_x();
  w.alu(8);
  w.where(row < k.rows, [&] {
    const int length = k.constants->group_length[std::size_t(row[0]) / kLanes];
    Pipeline elements(w, k, row);
    elements.load_value(0);
    elements.load_column(0);
    elements.gather(0);
    if (length > 1) elements.load_column(1);
    for (int n = 2; n < length;) {
      const int end = n + (n + kUnrolled <= length ? kUnrolled : 1);
      for (int i = n; i < end; ++i) {
        elements.load_value(i - 1);
        elements.load_column(i);
      }
      for (int i = n; i < end; ++i) elements.gather(i - 1);
      for (int i = n; i < end; ++i) elements.add(i - 2);
      n = end;
    }
    if (length > 1) {
      elements.load_value(length - 1);
      elements.gather(length - 1);
      elements.add(length - 2);
    }
    elements.add(length - 1);
    const auto place = w.load(k.permutation, row);
    w.store(k.y, place, elements.sum());
  });
}

class ParboilSpmv final : public Workload {
 public:
  ParboilSpmv(const Arguments& arguments, Memory& memory, std::uint64_t seed) : matrix_(mesh_matrix(arguments("side"), seed)) {
    auto& d = data_;
    d.rows = static_cast<int>(matrix_.row_start.size() - 1);
    const auto constants = std::make_shared<Jagged>(jagged(matrix_));
    d.columns = copied(memory, "columns", constants->columns);
    d.values = copied(memory, "values", constants->values);
    d.x = memory.array<float>("x", std::uint64_t(d.rows));
    d.y = memory.array<float>("y", std::uint64_t(d.rows));
    d.permutation = copied(memory, "permutation", constants->permutation);
    d.constants = constants;
    Rng random(seed, 1);
    for (int i = 0; i < d.rows; ++i) d.x[std::uint64_t(i)] = static_cast<float>(random.unit());
    for (int i = 0; i < arguments("launches"); ++i) {
      add_launch("spmv_jds", {ctas_for(d.rows, kThreads)}, {kThreads}, 28, [d](Warp& w) { spmv_jds(w, d); });
    }
  }

  bool check(std::string& why) const override {
    std::vector<float> y(data_.y.size);
    for (std::size_t row = 0; row < y.size(); ++row) {
      for (auto e = std::size_t(matrix_.row_start[row]); e < std::size_t(matrix_.row_start[row + 1]); ++e) {
        y[row] += matrix_.values[e] * data_.x.data[matrix_.columns[e]];
      }
    }
    return equal("y", data_.y, y, why);
  }

 private:
  SparseMatrix matrix_;
  Data data_{};
};

}  // namespace
}  // namespace parboil_spmv

Entry parboil_spmv_entry() {
  return {{"parboil_spmv",
           "sparse matrix times vector, jagged diagonals (Parboil): streams of columns and values, gather of x",
           {{"side", "383", 1, 2048, "points of the mesh in x and y; each is a row"},
            {"launches", "1", 1, 1000, "times the product is computed"}},
           {},
           {{"tiny", {{"side", 48}}},
            {"std", {{"side", 270}, {"launches", 3}}},
            {"paper", {{"side", 383}, {"launches", 50}}},
            {"llc", {{"side", 250}, {"launches", 4}}}}},
          make_workload<parboil_spmv::ParboilSpmv>};
}

}  // namespace wharf::spmd
