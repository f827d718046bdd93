// 3DCONV, PolyBench/GPU 1.0 (workloads section 1.11): a 3-D stencil of 11 distinct points, one launch per inner plane. Successive launches
// read two of three planes again, so the only reuse is in the L2.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/polybench/load_order.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace conv3d {
namespace {
constexpr float kC11 = 2, kC21 = 5, kC31 = -8, kC12 = -3, kC22 = 6, kC32 = -9, kC13 = 4, kC23 = 7, kC33 = 10;

struct Data {
  Array<float> a, b;
  int ni, nj, nk, pitch, plane;
};

void conv3d(Warp& w, const Data& d, int i) {
  const auto k = w.global_x();
  const auto j = w.global_y();
  w.alu(14);
  w.where(j > 0 && j < d.nj - 1 && k > 0 && k < d.nk - 1, [&] {
    const auto at = i * d.plane + j * d.pitch + k;
    const auto before = at - d.plane, after = at + d.plane;
    const auto a = w.load(d.a, before - d.pitch - 1);
    const auto b = w.load(d.a, after - d.pitch - 1);
    const auto c = w.load(d.a, at - d.pitch);
    const auto e = w.load(d.a, at);
    const auto f = w.load(d.a, at + d.pitch);
    const auto g = w.load(d.a, before - d.pitch + 1);
    const auto h = w.load(d.a, after - d.pitch + 1);
    const auto l = w.load(d.a, before + 1);
    const auto m = w.load(d.a, after + 1);
    const auto n = w.load(d.a, before + d.pitch + 1);
    const auto o = w.load(d.a, after + d.pitch + 1);
    auto sum = w.compute(12, kC11 * a + kC13 * b + kC21 * a + kC23 * b + kC31 * a + kC33 * b);
    w.update(sum, 9, sum + kC12 * c + kC22 * e + kC32 * f);
    w.update(sum, 9, sum + kC11 * g + kC13 * h + kC21 * l);
    w.update(sum, 9, sum + kC23 * m + kC31 * n + kC33 * o);
    w.store(d.b, at, sum);
  });
}

constexpr int kLoads = 11;

/// The same kernel with each load directly before its use. The two functions share no line, because a line is a pc.
void conv3d_in_order(Warp& w, const Data& d, int i) {
  const auto k = w.global_x();
  const auto j = w.global_y();
  w.alu(14);
  w.where(j > 0 && j < d.nj - 1 && k > 0 && k < d.nk - 1, [&] {
    const auto at = i * d.plane + j * d.pitch + k;
    const auto before = at - d.plane, after = at + d.plane;
    const auto a = w.load(d.a, before - d.pitch - 1);
    auto sum = w.compute(2, kC11 * a);
    const auto b = w.load(d.a, after - d.pitch - 1);
    w.update(sum, 10, sum + kC13 * b + kC21 * a + kC23 * b + kC31 * a + kC33 * b);
    w.update(sum, 3, sum + kC12 * w.load(d.a, at - d.pitch));
    w.update(sum, 3, sum + kC22 * w.load(d.a, at));
    w.update(sum, 3, sum + kC32 * w.load(d.a, at + d.pitch));
    w.update(sum, 3, sum + kC11 * w.load(d.a, before - d.pitch + 1));
    w.update(sum, 3, sum + kC13 * w.load(d.a, after - d.pitch + 1));
    w.update(sum, 3, sum + kC21 * w.load(d.a, before + 1));
    w.update(sum, 3, sum + kC23 * w.load(d.a, after + 1));
    w.update(sum, 3, sum + kC31 * w.load(d.a, before + d.pitch + 1));
    w.update(sum, 3, sum + kC33 * w.load(d.a, after + d.pitch + 1));
    w.store(d.b, at, sum);
  });
}

class Conv3d final : public Workload {
 public:
  Conv3d(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.ni = arguments("ni"), d.nj = arguments("nj"), d.nk = arguments("nk"), d.pitch = arguments("pitch");
    const int plane_rows = arguments("plane_rows");
    arguments.require(d.pitch >= d.nk, "pitch is the distance between rows and must be at least nk");
    arguments.require(plane_rows >= d.nj, "plane_rows is the distance between planes in rows and must be at least nj");
    d.plane = d.pitch * plane_rows;
    const auto elements = std::uint64_t(d.ni) * std::uint64_t(d.plane);
    d.a = memory.array<float>("A", elements);
    d.b = memory.array<float>("B", elements);
    for (int i = 0; i < d.ni; ++i) {
      for (int j = 0; j < d.nj; ++j) {
        for (int k = 0; k < d.nk; ++k) d.a.data[i * d.plane + j * d.pitch + k] = static_cast<float>(i % 12 + 2 * (j % 7) + 3 * (k % 13));
      }
    }
    const bool in_order = in_program_order(arguments, kLoads);
    for (int i = 1; i < d.ni - 1; ++i) {
      add_launch("3dconv", {ctas_for(d.nk, 32), ctas_for(d.nj, 8)}, {32, 8}, 32,
                 [d, i, in_order](Warp& w) { in_order ? conv3d_in_order(w, d, i) : conv3d(w, d, i); });
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> out(d.b.size);
    for (int i = 1; i < d.ni - 1; ++i) {
      for (int j = 1; j < d.nj - 1; ++j) {
        for (int k = 1; k < d.nk - 1; ++k) out[std::size_t(i * d.plane + j * d.pitch + k)] = expected(i, j, k);
      }
    }
    return equal("B", d.b, out, why);
  }

 private:
  float expected(int i, int j, int k) const {
    const auto& d = data_;
    const float* const at = d.a.data + i * d.plane + j * d.pitch + k;
    const auto value = [&](int di, int dj, int dk) { return at[di * d.plane + dj * d.pitch + dk]; };
    const float a = value(-1, -1, -1), b = value(1, -1, -1);
    float sum = kC11 * a + kC13 * b + kC21 * a + kC23 * b + kC31 * a + kC33 * b;
    sum = sum + kC12 * value(0, -1, 0) + kC22 * value(0, 0, 0) + kC32 * value(0, 1, 0);
    sum = sum + kC11 * value(-1, -1, 1) + kC13 * value(1, -1, 1) + kC21 * value(-1, 0, 1);
    return sum + kC23 * value(1, 0, 1) + kC31 * value(-1, 1, 1) + kC33 * value(1, 1, 1);
  }
  Data data_{};
};

}  // namespace
}  // namespace conv3d

Entry conv3d_entry() {
  return {{"3dconv",
           "3-D convolution, one launch a plane (PolyBench/GPU): streaming, L2 reuse between launches",
           {{"ni", "256", 3, 1024, "planes"},
            {"nj", "256", 1, 1024, "rows of a plane"},
            {"nk", "256", 1, 1024, "elements of a row"},
            {"pitch", "nk", 1, 1024, "elements from one row to the next"},
            {"plane_rows", "nj", 1, 1024, "rows from one plane to the next"},
            order_argument(conv3d::kLoads)},
           {{"n", {"ni", "nj", "nk"}}},
           {{"tiny", {{"ni", 8}, {"nj", 64}, {"nk", 64}, {"pitch", 256}, {"plane_rows", 256}}},
            {"std", {{"ni", 16}, {"nj", 256}, {"nk", 256}}},
            {"paper", {{"ni", 256}, {"nj", 256}, {"nk", 256}}},
            {"wide", {{"ni", 18}, {"nj", 256}, {"nk", 256}}}}},
          make_workload<conv3d::Conv3d>};
}

}  // namespace wharf::spmd
