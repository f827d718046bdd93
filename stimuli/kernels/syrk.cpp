// SYRK, PolyBench/GPU 1.0 (workloads.md 1.5): C = alpha A A^T + beta C. The 8 warps of a CTA and all CTAs of equal bx read the same 32
// diverged lines of A; CTAs of equal by share 8 of its rows.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace {

constexpr float kAlpha = 12435.0f, kBeta = 4546.0f;

struct Data {
  Array<float> a, c;
  int n, m, pitch;
  bool promote;
};

void syrk(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.where(i < k.n && j < k.n, [&] {
    const auto out = i * k.n + j, own_row = i * k.pitch, other_row = j * k.pitch;
    const auto before = w.load(k.c, out);
    auto c = w.compute(1, before * kBeta);
    w.store(k.c, out, c);
    for (const int kk : w.trips(k.m)) {
      const auto a = w.load(k.a, own_row + kk);
      const auto b = w.load(k.a, other_row + kk);
      w.update(c, 3, c + kAlpha * a * b);
      if (!k.promote) w.store(k.c, out, c);
    }
    if (k.promote) w.store(k.c, out, c);
  });
}

class Syrk final : public Workload {
 public:
  Syrk(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.n = arguments("n"), d.m = arguments("m"), d.pitch = arguments("pitch");
    d.promote = arguments("promote") != 0;
    arguments.require(d.pitch >= d.m, "pitch is the distance between rows of A and must be at least m");
    d.a = memory.array<float>("A", std::uint64_t(d.n) * std::uint64_t(d.pitch));
    d.c = memory.array<float>("C", std::uint64_t(d.n) * std::uint64_t(d.n));
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.m; ++j)
        d.a[std::uint64_t(i * d.pitch + j)] = static_cast<float>(i) * static_cast<float>(j) / static_cast<float>(d.n);
      for (int j = 0; j < d.n; ++j) d.c[std::uint64_t(i * d.n + j)] = initial_c(i, j);
    }
    add_launch("syrk", {ctas_for(d.n, 32), ctas_for(d.n, 8)}, {32, 8}, 30, [d](Warp& w) { syrk(w, d); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> c(d.c.size);
    for (int i = 0; i < d.n; ++i) {
      for (int j = 0; j < d.n; ++j) {
        float sum = initial_c(i, j) * kBeta;
        for (int k = 0; k < d.m; ++k) sum += kAlpha * d.a.data[i * d.pitch + k] * d.a.data[j * d.pitch + k];
        c[std::size_t(i * d.n + j)] = sum;
      }
    }
    return equal("C", d.c, c, why);
  }

 private:
  float initial_c(int i, int j) const { return (static_cast<float>(i) * static_cast<float>(j) + 2.0f) / static_cast<float>(data_.n); }
  Data data_{};
};

}  // namespace

Entry syrk_entry() {
  return {{"syrk",
           "C = alpha A A^T + beta C (PolyBench/GPU): diverged lines shared by 8 warps and many CTAs",
           {{"n", "256", 1, 16384, "rows of A and C"},
            {"m", "n", 1, 16384, "columns of A"},
            {"pitch", "m", 1, 16384, "elements from one row of A to the next"},
            promote_argument()},
           {},
           {{"tiny", {{"n", 64}, {"m", 64}, {"pitch", 256}}}, {"std", {{"n", 256}, {"m", 64}, {"pitch", 256}}}, {"paper", {{"n", 256}}}}},
          make_workload<Syrk>};
}

}  // namespace wharf::spmd
