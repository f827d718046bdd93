// SpMV, SHOC, scalar CSR kernel (workloads section 4.11): one row per lane. Columns and values are diverged loads; a lane uses the rest of
// a line in its next iterations. All warps share x. Lanes leave the loop when their rows end. Assumed of the compiler: the loop stores
// nothing, so it is unrolled by four: columns and values of four elements, then their x (batch=4; @tiny has 1).

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/inputs/random_matrix.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace spmv {
namespace {
struct Data {
  Array<std::int32_t> row_start, columns;
  Array<float> values, x, out;
  int rows, batch;
  bool texture;
};

/// A lane's data for one element of its row.
struct Element {
  Lanes<int> column;
  Lanes<float> value, x;
};

void csr_scalar(Warp& w, const Data& k) {
  const auto row = w.global_x();
  w.where(row < k.rows, [&] {
    const auto start = w.load(k.row_start, row);
    const auto end = w.load(k.row_start, row + 1);
    Lanes<float> sum = 0.0f;
    const auto load = [&](const Lanes<int>& j, Element& e) {
      e.column = w.load(k.columns, j);
      e.value = w.load(k.values, j);
    };
    const auto gather = [&](const Lanes<int>&, Element& e) { e.x = k.texture ? w.texture(k.x, e.column) : w.load(k.x, e.column); };
    const auto use = [&](const Lanes<int>&, const Element& e) { w.update(sum, 3, sum + e.value * e.x); };
    w.batched_lanes<Element>(start, end, k.batch, load, gather, use);
    w.store(k.out, row, sum);
  });
}

Kernel kernel_of(const Data& d) {
  return {{"spmv_csr_scalar", {ctas_for(d.rows, 128)}, {128}, 20, 0, false, {}}, [d](Warp& w) { csr_scalar(w, d); }, 1, __builtin_FILE()};
}

Kernel launch_of(const DeviceArguments& arguments) {
  Data d;
  d.row_start = arguments.array<std::int32_t>("row_start"), d.columns = arguments.array<std::int32_t>("columns");
  d.values = arguments.array<float>("values"), d.x = arguments.array<float>("x"), d.out = arguments.array<float>("out");
  d.rows = arguments.integer("rows");
  d.batch = 1;
  d.texture = arguments.integer("texture") != 0;
  arguments.require_elements("row_start", std::uint64_t(d.rows) + 1);
  arguments.require_elements("out", std::uint64_t(d.rows));
  return kernel_of(d);
}

class Spmv final : public Workload {
 public:
  Spmv(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.rows = arguments("rows"), d.batch = arguments("batch");
    d.texture = arguments("texture") != 0;
    const double density = arguments.real("density");
    arguments.require(double(d.rows) * d.rows * density < 1e9, "rows^2 * density is the number of elements; choose fewer than 10^9");
    const SparseMatrix matrix = random_matrix(d.rows, density, seed);
    d.row_start = copied(memory, "row_start", matrix.row_start);
    d.columns = copied(memory, "columns", matrix.columns);
    d.values = copied(memory, "values", matrix.values);
    d.x = memory.array<float>("x", std::uint64_t(d.rows));
    d.out = memory.array<float>("out", std::uint64_t(d.rows));
    Rng random(seed, 1);
    for (int i = 0; i < d.rows; ++i) d.x.data[i] = static_cast<float>(random.unit() * 10.0);
    for (int i = 0; i < arguments("launches"); ++i) {
      launches.push_back(kernel_of(d));
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> out(d.out.size);
    for (std::size_t row = 0; row < out.size(); ++row) {
      for (auto j = d.row_start[row]; j < d.row_start[row + 1]; ++j) out[row] += d.values.data[j] * d.x.data[d.columns.data[j]];
    }
    return equal("out", d.out, out, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace spmv

Entry spmv_entry() {
  return {{"spmv",
           "sparse matrix times vector, CSR scalar (SHOC): diverged rows, random gather of x",
           {{"rows", "8192", 1, 1 << 20, "rows and columns"},
            {"density", "0.01", 0.0001, 1, "probability of an element", Argument::Kind::real},
            {"launches", "1", 1, 1000, "times the product is computed"},
            {"texture", "0", 0, 1, "1: x is read through the texture path, as in the original"},
            batch_argument()},
           {},
           {{"tiny", {{"rows", 4096}}},
            {"std", {{"rows", 8192}, {"launches", 4}, {"batch", 4}}},
            {"paper", {{"rows", 16384}, {"launches", 100}, {"batch", 4}}}}},
          make_workload<spmv::Spmv>};
}

DeviceKernel spmv_kernel() {
  using Kind = DeviceParameter::Kind;
  return {"spmv",
          "out = matrix times x, the matrix in compressed sparse rows; a thread has one row",
          {{"row_start", Kind::array, sizeof(std::int32_t), 0, 0, "of each row its first element, and one more: rows + 1 in all"},
           {"columns", Kind::array, sizeof(std::int32_t), 0, 0, "of each element its column"},
           {"values", Kind::array, sizeof(float), 0, 0, "of each element its value"},
           {"x", Kind::array, sizeof(float), 0, 0, "the vector, an element a column"},
           {"out", Kind::array, sizeof(float), 0, 0, "the product, one element per row, written"},
           {"rows", Kind::integer, 0, 1, 1 << 24, "rows of the matrix"},
           {"texture", Kind::integer, 0, 0, 1, "1: x is read through the texture path"}},
          spmv::launch_of};
}

}  // namespace wharf::spmd
