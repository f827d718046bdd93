// MVT, PolyBench/GPU 1.0 (workloads section 1.3): x1 += A y1 (row walk), x2 += A^T y2 (column walk).

#include <algorithm>
#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/polybench/matrix_walks.h"
#include "stimuli/kernels/support.h"

namespace wharf::spmd {
namespace {

class Mvt final : public Workload {
 public:
  Mvt(const Arguments& arguments, Memory& memory, std::uint64_t) : n_(arguments("n")) {
    mark_source_elsewhere();
    const int rows = arguments("rows"), columns = arguments("columns");
    const int pitch = arguments("pitch"), row_trip = arguments("row_trip"), column_trip = arguments("column_trip");
    arguments.require(pitch >= columns, "pitch is the distance between rows and must be at least columns");
    arguments.require(row_trip <= columns && column_trip <= rows, "row_trip must be at most columns, column_trip at most rows");
    const bool promote = arguments("promote") != 0;
    const auto a = memory.array<float>("a", std::uint64_t(rows) * std::uint64_t(pitch));
    rows_ = {a, vector(memory, "y1", columns, 3), vector(memory, "x1", rows, 0), rows, row_trip, pitch, true, promote};
    columns_ = {a, vector(memory, "y2", rows, 4), vector(memory, "x2", columns, 1), columns, column_trip, pitch, true, promote};
    fill_walked(a, n_, rows_, columns_);
    add_launch("mvt_k1", {ctas_for(rows_.threads, 256)}, {256}, 14, [walk = rows_](Warp& w) { row_walk(w, walk); });
    add_launch("mvt_k2", {ctas_for(columns_.threads, 256)}, {256}, 18, [walk = columns_](Warp& w) { column_walk(w, walk); });
  }

  bool check(std::string& why) const override {
    return equal("x1", rows_.y, expected_row_walk(rows_, rows_.x.data, initial(rows_.threads, 0)), why) &&
           equal("x2", columns_.y, expected_column_walk(columns_, columns_.x.data, initial(columns_.threads, 1)), why);
  }

 private:
  /// (i + offset) / n
  std::vector<float> initial(int count, int offset) const {
    return vector_of(count, [&](int i) { return static_cast<float>(i + offset) / static_cast<float>(n_); });
  }
  Array<float> vector(Memory& memory, const std::string& name, int count, int offset) const {
    const auto array = memory.array<float>(name, static_cast<std::uint64_t>(count));
    const auto values = initial(count, offset);
    std::copy(values.begin(), values.end(), array.data);
    return array;
  }

  int n_;
  Walk rows_{}, columns_{};
};

}  // namespace

Entry mvt_entry() {
  return {{"mvt",
           "x1 += A y1, x2 += A^T y2 (PolyBench/GPU): diverged row walk, then streaming",
           {{"n", "4096", 1, 32768, "rows and columns of A, and what its elements are divided by"},
            {"rows", "n", 1, 32768, "rows of A, threads of the row walk"},
            {"columns", "n", 1, 32768, "columns of A, threads of the column walk"},
            {"pitch", "columns", 1, 32768, "elements from one row of A to the next"},
            {"row_trip", "columns", 1, 32768, "iterations of the row walk"},
            {"column_trip", "rows", 1, 32768, "iterations of the column walk"},
            promote_argument()},
           {{"trip", {"row_trip", "column_trip"}}},
           {{"tiny", {{"n", 1024}, {"pitch", 4096}, {"row_trip", 256}, {"column_trip", 256}}},
            {"std", {{"n", 4096}, {"row_trip", 1024}, {"column_trip", 1024}}},
            {"paper", {{"n", 4096}}},
            {"ciao", {{"n", 4096}, {"alu", 4}}}}},
          make_workload<Mvt>};
}

}  // namespace wharf::spmd
