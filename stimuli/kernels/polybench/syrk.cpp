// SYRK and SYR2K, PolyBench/GPU 1.0 (workloads sections 1.5 and 1.6): C = alpha A A^T + beta C and C = alpha (A B^T + B A^T) + beta C. The
// 8 warps of a CTA and all CTAs with the same bx read the same 32 diverged lines of a matrix. CTAs with the same by share 8 rows.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace syrk {
namespace {
struct Data {
  Array<float> a, b, c;  // b: SYR2K only
  float alpha, beta;
  int n, m, pitch, rows;  // rows: of C, at most n
  bool promote;
};

void syrk(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.rows && j < k.n, [&] {
    const auto out = i * k.n + j, own_row = i * k.pitch, other_row = j * k.pitch;
    const auto before = w.load(k.c, out);
    auto c = w.compute(1, before * k.beta);
    w.store(k.c, out, c);
    for (const int kk : w.trips(k.m)) {
      const auto a = w.load(k.a, own_row + kk);
      const auto b = w.load(k.a, other_row + kk);
      w.update(c, 3, c + k.alpha * a * b);
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

void syr2k(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.rows && j < k.n, [&] {
    const auto out = i * k.n + j, own_row = i * k.pitch, other_row = j * k.pitch;
    const auto before = w.load(k.c, out);
    auto c = w.compute(1, before * k.beta);
    w.store(k.c, out, c);
    for (const int kk : w.trips(k.m)) {
      const auto own_a = w.load(k.a, own_row + kk);
      const auto other_b = w.load(k.b, other_row + kk);
      w.update(c, 3.3, c + k.alpha * own_a * other_b);
      const auto own_b = w.load(k.b, own_row + kk);
      const auto other_a = w.load(k.a, other_row + kk);
      w.update(c, 3.3, c + k.alpha * own_b * other_a);
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

/// The host side of both. C is n x n, and its first `rows` rows are computed. A and B have n rows of m elements.
class RankUpdate : public Workload {
 protected:
  RankUpdate(const Arguments& arguments, Memory& memory, float alpha, float beta) {
    auto& d = data_;
    d.alpha = alpha, d.beta = beta;
    d.n = arguments("n"), d.m = arguments("m"), d.pitch = arguments("pitch"), d.rows = arguments("rows");
    d.promote = arguments("promote") != 0;
    arguments.require(d.pitch >= d.m, "pitch is the distance between rows of A and must be at least m");
    arguments.require(d.rows <= d.n, "rows must be at most n");
    d.a = filled(memory, "A", 0.0f);
    d.c = memory.array<float>("C", std::uint64_t(d.n) * std::uint64_t(d.n));
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.n; ++j) d.c[std::uint64_t(i * d.n + j)] = initial_c(i, j);
    }
  }

  /// The result. add(sum, own, other) adds the contribution of elements `own` of row i and `other` of row j to element i, j.
  template <class Add>
  std::vector<float> expected(Add add) const {
    const auto& d = data_;
    std::vector<float> c(d.c.size);
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.n; ++j) {
        float& sum = c[std::size_t(i * d.n + j)];
        sum = initial_c(i, j);
        if (i >= d.rows) continue;
        sum *= d.beta;
        for (int k = 0; k < d.m; ++k) add(sum, i * d.pitch + k, j * d.pitch + k);
      }
    }
    return c;
  }

  /// A matrix of n rows of m elements (i * j + shift) / n.
  Array<float> filled(Memory& memory, const std::string& name, float shift) const {
    const auto& d = data_;
    const auto matrix = memory.array<float>(name, std::uint64_t(d.n) * std::uint64_t(d.pitch));
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.m; ++j) {
        matrix[std::uint64_t(i * d.pitch + j)] = (static_cast<float>(i) * static_cast<float>(j) + shift) / static_cast<float>(d.n);
      }
    }
    return matrix;
  }

  Dim3 grid() const { return {ctas_for(data_.n, 32), ctas_for(data_.rows, 8)}; }

  Data data_{};

 private:
  float initial_c(int i, int j) const { return (static_cast<float>(i) * static_cast<float>(j) + 2.0f) / static_cast<float>(data_.n); }
};

class Syrk final : public RankUpdate {
 public:
  Syrk(const Arguments& arguments, Memory& memory, std::uint64_t) : RankUpdate(arguments, memory, 12435.0f, 4546.0f) {
    add_launch("syrk", grid(), {32, 8}, 30, [d = data_](Warp& w) { syrk(w, d); });
  }
  bool check(std::string& why) const override {
    const auto add = [d = data_](float& sum, int own, int other) { sum += d.alpha * d.a.data[own] * d.a.data[other]; };
    return equal("C", data_.c, expected(add), why);
  }
};

class Syr2k final : public RankUpdate {
 public:
  Syr2k(const Arguments& arguments, Memory& memory, std::uint64_t) : RankUpdate(arguments, memory, 1.0f, 1.0f) {
    data_.b = filled(memory, "B", 1.0f);
    add_launch("syr2k", grid(), {32, 8}, 32, [d = data_](Warp& w) { syr2k(w, d); });
  }
  bool check(std::string& why) const override {
    const auto add = [d = data_](float& sum, int own, int other) {
      sum += d.alpha * d.a.data[own] * d.b.data[other];
      sum += d.alpha * d.b.data[own] * d.a.data[other];
    };
    return equal("C", data_.c, expected(add), why);
  }
};

WorkloadInfo info_of(const std::string& name, const std::string& help, const std::string& n, std::vector<WorkloadSize> sizes) {
  return {name,
          help,
          {{"n", n, 1, 16384, "rows of A and C"},
           {"m", "n", 1, 16384, "columns of A"},
           {"pitch", "m", 1, 16384, "elements from one row of A to the next"},
           {"rows", "n", 1, 16384, "rows of C that are computed"},
           promote_argument()},
          {},
          std::move(sizes)};
}

}  // namespace
}  // namespace syrk

Entry syrk_entry() {
  return {syrk::info_of("syrk", "C = alpha A A^T + beta C (PolyBench/GPU): diverged lines shared by 8 warps and many CTAs", "256",
                  {{"tiny", {{"n", 64}, {"m", 64}, {"pitch", 256}}},
                   {"std", {{"n", 256}}},
                   {"paper", {{"n", 256}}},
                   {"ciao", {{"n", 256}, {"alu", 2.6}}}}),
          make_workload<syrk::Syrk>};
}
Entry syr2k_entry() {
  return {syrk::info_of("syr2k", "C = alpha (A B^T + B A^T) + beta C (PolyBench/GPU): syrk with twice the diverged lines", "2048",
                  {{"tiny", {{"n", 64}, {"m", 32}, {"pitch", 256}}},
                   {"std", {{"n", 256}, {"rows", 128}}},
                   {"paper", {{"n", 2048}}},
                   {"ciao", {{"n", 2048}, {"alu", 2.2}}}}),
          make_workload<syrk::Syr2k>};
}

}  // namespace wharf::spmd
