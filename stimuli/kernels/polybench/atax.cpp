// ATAX and BICG, PolyBench/GPU 1.0 (workloads sections 1.1 and 1.2): a row walk and a column walk of one matrix. ATAX: tmp = A x, y = A^T
// tmp. BICG: s = A^T r, q = A p, with the kernels in the opposite order. ATAX in one launch: a CTA's second walk goes down its own 256
// rows, whose tmp it has computed. Only its sums meet those of other CTAs. So a kernel has both phases, with a barrier of the CTA between
// them and none of the grid.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/polybench/matrix_walks.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace atax {
namespace {
constexpr double kPi = 3.14159;
constexpr int kThreads = 256;

/// Both walks over one matrix of nx rows and ny columns, without their vectors.
struct Shape {
  int nx, ny;
  Walk rows{}, columns{};
  Shape(const Arguments& arguments, Memory& memory, bool adds_to_y) : nx(arguments("nx")), ny(arguments("ny")) {
    const int pitch = arguments("pitch");
    arguments.require(pitch >= ny, "pitch is the distance between rows and must be at least ny");
    arguments.require(arguments("row_trip") <= ny, "row_trip must be at most ny");
    arguments.require(arguments("column_trip") <= nx, "column_trip must be at most nx");
    const auto a = memory.array<float>("A", std::uint64_t(nx) * std::uint64_t(pitch));
    const bool promote = arguments("promote") != 0;
    rows = {a, {}, {}, nx, arguments("row_trip"), pitch, adds_to_y, promote};
    columns = {a, {}, {}, ny, arguments("column_trip"), pitch, adds_to_y, promote};
    fill_walked(a, nx, rows, columns);
  }
};

Array<float> filled(Memory& memory, const std::string& name, int count, double factor) {
  const auto array = memory.array<float>(name, static_cast<std::uint64_t>(count));
  for (int i = 0; i < count; ++i) array[static_cast<std::uint64_t>(i)] = static_cast<float>(i * factor);
  return array;
}

/// Both walks of a CTA. partial: [CTA][column] its sums.
void both_walks(Warp& w, const Walk& rows, const Walk& columns, const Array<float>& partial) {
  row_walk(w, rows);
  w.barrier();
  const int first = w.block_x() * kThreads, last = std::min(first + kThreads, columns.trips);
  for (int chunk = 0; chunk < columns.threads; chunk += kThreads) {
    const auto j = w.thread_x() + chunk, own = w.block_x() * columns.threads + j;
    w.where(j < columns.threads, [&] {
      Lanes<float> sum = 0.0f;
      for (const int i : w.trips(first, last)) {
        const auto a = w.load(columns.a, i * columns.pitch + j);
        const auto x = w.load(columns.x, i);
        w.update(sum, 1.8, sum + a * x);
        if (!columns.promote) w.store(partial, own, sum);
      }
      w.reduce(columns.y, j, sum, std::plus<>());
    });
  }
}

class Atax final : public Workload {
 public:
  Atax(const Arguments& arguments, Memory& memory, std::uint64_t) : shape_(arguments, memory, true) {
    mark_source_elsewhere();
    shape_.rows.x = filled(memory, "x", shape_.ny, kPi);
    shape_.rows.y = shape_.columns.x = filled(memory, "tmp", shape_.nx, 0);
    shape_.columns.y = filled(memory, "y", shape_.ny, 0);
    one_launch_ = arguments("one_launch") != 0;
    if (one_launch_) {
      const std::uint32_t ctas = ctas_for(shape_.nx, kThreads);
      const auto partial = memory.array<float>("partial", std::uint64_t(ctas) * std::uint64_t(shape_.ny));
      add_launch("atax", {ctas}, {kThreads}, 18,
                 [rows = shape_.rows, columns = shape_.columns, partial](Warp& w) { both_walks(w, rows, columns, partial); });
      return;
    }
    add_launch("atax_k1", {ctas_for(shape_.rows.threads, 256)}, {256}, 14, [walk = shape_.rows](Warp& w) { row_walk(w, walk); });
    add_launch("atax_k2", {ctas_for(shape_.columns.threads, 256)}, {256}, 18, [walk = shape_.columns](Warp& w) { column_walk(w, walk); });
  }
  bool check(std::string& why) const override {
    const auto tmp = expected_row_walk(shape_.rows, shape_.rows.x.data, std::vector<float>(shape_.rows.y.size));
    const auto y = expected_column_walk(shape_.columns, tmp.data(), std::vector<float>(shape_.columns.y.size));
    if (!equal("tmp", shape_.rows.y, tmp, why)) return false;
    return one_launch_ ? close("y", shape_.columns.y, y, why) : equal("y", shape_.columns.y, y, why);
  }

 private:
  Shape shape_;
  bool one_launch_;
};

class Bicg final : public Workload {
 public:
  Bicg(const Arguments& arguments, Memory& memory, std::uint64_t) : shape_(arguments, memory, false) {
    mark_source_elsewhere();
    shape_.columns.x = filled(memory, "r", shape_.nx, kPi);
    shape_.columns.y = filled(memory, "s", shape_.ny, 0);
    shape_.rows.x = filled(memory, "p", shape_.ny, kPi);
    shape_.rows.y = filled(memory, "q", shape_.nx, 0);
    add_launch("bicg_k1", {ctas_for(shape_.columns.threads, 256)}, {256}, 18, [walk = shape_.columns](Warp& w) { column_walk(w, walk); });
    add_launch("bicg_k2", {ctas_for(shape_.rows.threads, 256)}, {256}, 14, [walk = shape_.rows](Warp& w) { row_walk(w, walk); });
  }
  bool check(std::string& why) const override {
    const auto s = expected_column_walk(shape_.columns, shape_.columns.x.data, std::vector<float>(shape_.columns.y.size));
    const auto q = expected_row_walk(shape_.rows, shape_.rows.x.data, std::vector<float>(shape_.rows.y.size));
    return equal("s", shape_.columns.y, s, why) && equal("q", shape_.rows.y, q, why);
  }

 private:
  Shape shape_;
};

WorkloadInfo info_of(const std::string& name, const std::string& help, const WorkloadSize& ciao) {
  return {name,
          help,
          {{"nx", "4096", 1, 32768, "rows of A, threads of the row walk"},
           {"ny", "4096", 1, 32768, "columns of A, threads of the column walk"},
           {"pitch", "ny", 1, 32768, "elements from one row of A to the next"},
           {"row_trip", "ny", 1, 32768, "iterations of the row walk"},
           {"column_trip", "nx", 1, 32768, "iterations of the column walk"},
           promote_argument()},
          {{"n", {"nx", "ny"}}, {"trip", {"row_trip", "column_trip"}}},
          {{"tiny", {{"nx", 1024}, {"ny", 1024}, {"pitch", 4096}, {"row_trip", 256}, {"column_trip", 256}}},
           {"std", {{"nx", 4096}, {"ny", 4096}, {"pitch", 4096}, {"row_trip", 1024}, {"column_trip", 1024}}},
           {"paper", {{"nx", 4096}, {"ny", 4096}}},
           ciao}};
}

}  // namespace
}  // namespace atax

Entry atax_entry() {
  auto info = atax::info_of("atax", "tmp = A x, y = A^T tmp (PolyBench/GPU): diverged row walk, then streaming",
                      {"ciao", {{"nx", 4096}, {"ny", 4096}, {"alu", 4}}});
  info.arguments.push_back({"one_launch", "0", 0, 1, "1: both walks in one launch, the second in the rows of the CTA"});
  return {std::move(info), make_workload<atax::Atax>};
}
Entry bicg_entry() {
  return {atax::info_of("bicg", "s = A^T r, q = A p (PolyBench/GPU): streaming, then diverged row walk",
                  {"ciao", {{"nx", 4096}, {"ny", 4096}, {"alu", 4}}}),
          make_workload<atax::Bicg>};
}

}  // namespace wharf::spmd
