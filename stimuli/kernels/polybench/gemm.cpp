// GEMM, PolyBench/GPU 1.0 (workloads section 1.7): C = alpha A B + beta C. One warp is one row of 32 columns of C. All CTAs with the same
// by read the same row of A. The 8 warps of a CTA and all CTAs with the same bx read a line of B.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/polybench/load_order.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace gemm {
namespace {
struct Data {
  Array<float> a, b, c;
  int ni, nj, nk, lda;
  bool promote, in_order = false;  // each load directly before its use
  // PolyBench's values.
  float alpha = 32412.0f, beta = 2123.0f;
};

void gemm(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.ni && j < k.nj, [&] {
    const auto out = i * k.nj + j, row = i * k.lda;
    const auto before = w.load(k.c, out);
    auto c = w.compute(1, before * k.beta);
    w.store(k.c, out, c);
    for (const int kk : w.trips(k.nk)) {
      const auto a = w.load(k.a, row + kk);
      const auto b = w.load(k.b, kk * k.nj + j);
      w.update(c, 3, c + k.alpha * a * b);
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

constexpr int kLoads = 2;  // per iteration

/// The same kernel with each load directly before its use. The two functions share no line, because a line is a pc.
void gemm_in_order(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.ni && j < k.nj, [&] {
    const auto out = i * k.nj + j, row = i * k.lda;
    auto c = w.compute(1, w.load(k.c, out) * k.beta);
    w.store(k.c, out, c);
    for (const int kk : w.trips(k.nk)) {
      const auto scaled = w.compute(1, k.alpha * w.load(k.a, row + kk));
      w.update(c, 2, c + scaled * w.load(k.b, kk * k.nj + j));
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

Kernel kernel_of(const Data& d) {
  return {{"gemm", {ctas_for(d.nj, 32), ctas_for(d.ni, 8)}, {32, 8}, 24, 0, false, {}}, [d](Warp& w) { d.in_order ? gemm_in_order(w, d) : gemm(w, d); }, 1, __builtin_FILE()};
}

Kernel launch_of(const DeviceArguments& arguments) {
  Data d;
  d.a = arguments.array<float>("a"), d.b = arguments.array<float>("b"), d.c = arguments.array<float>("c");
  d.ni = arguments.integer("ni"), d.nj = arguments.integer("nj"), d.nk = arguments.integer("nk"), d.lda = arguments.integer("lda");
  d.alpha = arguments.real("alpha"), d.beta = arguments.real("beta");
  d.promote = arguments.integer("promote") != 0;
  arguments.require(d.lda >= d.nk, "lda", "is the distance between rows of a and must be at least nk");
  arguments.require_elements("a", std::uint64_t(d.ni - 1) * std::uint64_t(d.lda) + std::uint64_t(d.nk));
  arguments.require_elements("b", std::uint64_t(d.nk) * std::uint64_t(d.nj));
  arguments.require_elements("c", std::uint64_t(d.ni) * std::uint64_t(d.nj));
  return kernel_of(d);
}

class Gemm final : public Workload {
 public:
  Gemm(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.ni = arguments("ni"), d.nj = arguments("nj"), d.nk = arguments("nk"), d.lda = arguments("lda");
    d.promote = arguments("promote") != 0, d.in_order = in_program_order(arguments, kLoads);
    arguments.require(d.lda >= d.nk, "lda is the distance between rows of A and must be at least nk");
    d.a = memory.array<float>("a", std::uint64_t(d.ni) * std::uint64_t(d.lda));
    d.b = memory.array<float>("b", std::uint64_t(d.nk) * std::uint64_t(d.nj));
    d.c = memory.array<float>("c", std::uint64_t(d.ni) * std::uint64_t(d.nj));
    for (int i = 0; i < d.ni; ++i) {
      for (int k = 0; k < d.nk; ++k) d.a[i * d.lda + k] = static_cast<float>(i) * static_cast<float>(k) / static_cast<float>(d.ni);
      for (int j = 0; j < d.nj; ++j) d.c[i * d.nj + j] = initial_c(i, j);
    }
    for (int k = 0; k < d.nk; ++k) {
      for (int j = 0; j < d.nj; ++j) d.b[k * d.nj + j] = (static_cast<float>(k) * static_cast<float>(j) + 1.0f) / static_cast<float>(d.nj);
    }
    launches.push_back(kernel_of(d));
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> c(d.c.size);
    for (int i = 0; i < d.ni; ++i) {
      for (int j = 0; j < d.nj; ++j) {
        float sum = initial_c(i, j) * d.beta;
        for (int k = 0; k < d.nk; ++k) sum += d.alpha * d.a[i * d.lda + k] * d.b[k * d.nj + j];
        c[static_cast<std::size_t>(i * d.nj + j)] = sum;
      }
    }
    return equal("c", d.c, c, why);
  }

 private:
  float initial_c(int i, int j) const { return (static_cast<float>(i) * static_cast<float>(j) + 2.0f) / static_cast<float>(data_.nj); }
  Data data_{};
};

}  // namespace
}  // namespace gemm

Entry gemm_entry() {
  return {{"gemm",
           "C = alpha A B + beta C (PolyBench/GPU): inter-warp and inter-CTA sharing",
           {{"ni", "512", 1, 16384, "rows of A and C"},
            {"nj", "512", 1, 16384, "columns of B and C"},
            {"nk", "512", 1, 16384, "inner dimension"},
            {"lda", "nk", 1, 16384, "elements from one row of A to the next"},
            promote_argument(),
            order_argument(gemm::kLoads)},
           {{"n", {"ni", "nj", "nk"}}},
           {{"tiny", {{"ni", 128}, {"nj", 128}, {"nk", 16}, {"lda", 512}}},
            {"std", {{"ni", 168}, {"nj", 512}, {"nk", 512}}},
            {"paper", {{"ni", 512}, {"nj", 512}, {"nk", 512}}}}},
          make_workload<gemm::Gemm>};
}

DeviceKernel gemm_kernel() {
  using Kind = DeviceParameter::Kind;
  return {"gemm",
          "c = alpha a b + beta c, row by row; a thread has one element of c",
          {{"a", Kind::array, sizeof(float), 0, 0, "ni rows of nk floats, lda apart"},
           {"b", Kind::array, sizeof(float), 0, 0, "nk rows of nj floats"},
           {"c", Kind::array, sizeof(float), 0, 0, "ni rows of nj floats, read and written"},
           {"ni", Kind::integer, 0, 1, 16384, "rows of a and c"},
           {"nj", Kind::integer, 0, 1, 16384, "columns of b and c"},
           {"nk", Kind::integer, 0, 1, 16384, "inner dimension"},
           {"lda", Kind::integer, 0, 1, 16384, "elements from one row of a to the next, at least nk"},
           {"alpha", Kind::real, 0, -1e30, 1e30, "factor of the product"},
           {"beta", Kind::real, 0, -1e30, 1e30, "factor of what c was"},
           {"promote", Kind::integer, 0, 0, 1, "1: keep sums in registers and store them once"}},
          gemm::launch_of};
}

}  // namespace wharf::spmd
