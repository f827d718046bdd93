// DOITGEN, PolyBench-ACC (workloads section 1.14): every plane of A is multiplied by C4, two launches per plane. The first accumulates in
// memory, the second copies back. All CTAs of all launches share C4; the 8 warps of a CTA share its column blocks.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace doitgen {
namespace {
struct Data {
  Array<float> a, c4, sum;
  int nr, nq, np;
  bool promote;
};

void multiply(Warp& w, const Data& k, int r) {
  const auto p = w.global_x();
  const auto q = w.global_y();
  w.where(p < k.np && q < k.nq, [&] {
    const auto row = r * (k.nq * k.np) + q * k.np, out = row + p;
    Lanes<float> sum = 0.0f;
    w.store(k.sum, out, sum);
    for (const int s : w.trips(k.np)) {
      const auto a = w.load(k.a, row + s);
      const auto c = w.load(k.c4, s * k.np + p);
      w.update(sum, 2, sum + a * c);
      if (!k.promote) w.store(k.sum, out, sum);
    }
    if (k.promote) w.store(k.sum, out, sum);
  });
}

void copy_back(Warp& w, const Data& k, int r) {
  const auto p = w.global_x();
  const auto q = w.global_y();
  w.where(p < k.np && q < k.nq, [&] {
    const auto out = r * (k.nq * k.np) + q * k.np + p;
    const auto sum = w.load(k.sum, out);
    w.store(k.a, out, sum);
  });
}

class Doitgen final : public Workload {
 public:
  Doitgen(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.nr = arguments("nr"), d.nq = arguments("nq"), d.np = arguments("np");
    d.promote = arguments("promote") != 0;
    const auto elements = std::uint64_t(d.nr) * std::uint64_t(d.nq) * std::uint64_t(d.np);
    d.a = memory.array<float>("A", elements);
    d.c4 = memory.array<float>("C4", std::uint64_t(d.np) * std::uint64_t(d.np));
    d.sum = memory.array<float>("sum", elements);
    std::uint64_t next = 0;
    for (int r = 0; r < d.nr; ++r) {
      for (int q = 0; q < d.nq; ++q) {
        for (int p = 0; p < d.np; ++p) d.a[next++] = initial_a(r, q, p);
      }
    }
    for (int s = 0; s < d.np; ++s) {
      for (int p = 0; p < d.np; ++p) d.c4.data[s * d.np + p] = static_cast<float>(s) * static_cast<float>(p) / static_cast<float>(d.np);
    }
    const Dim3 grid{ctas_for(d.np, 32), ctas_for(d.nq, 8)}, block{32, 8};
    for (int r = 0; r < d.nr; ++r) {
      add_launch("doitgen_k1", grid, block, 24, [d, r](Warp& w) { multiply(w, d, r); });
      add_launch("doitgen_k2", grid, block, 14, [d, r](Warp& w) { copy_back(w, d, r); });
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> sum(d.sum.size);
    float* out = sum.data();
    for (int r = 0; r < d.nr; ++r) {
      for (int q = 0; q < d.nq; ++q, out += d.np) {
        for (int s = 0; s < d.np; ++s) {
          for (int p = 0; p < d.np; ++p) out[p] += initial_a(r, q, s) * d.c4.data[s * d.np + p];
        }
      }
    }
    return equal("sum", d.sum, sum, why) && equal("A", d.a, sum, why);
  }

 private:
  float initial_a(int r, int q, int p) const {
    return (static_cast<float>(r) * static_cast<float>(q) + static_cast<float>(p)) / static_cast<float>(data_.np);
  }
  Data data_{};
};

}  // namespace
}  // namespace doitgen

Entry doitgen_entry() {
  return {{"doitgen",
           "planes of A times C4, two launches a plane (PolyBench-ACC): one small matrix shared by all CTAs",
           {{"nr", "128", 1, 1024, "planes of A"},
            {"nq", "128", 1, 1024, "rows of a plane"},
            {"np", "128", 1, 1024, "columns of A, rows and columns of C4"},
            promote_argument()},
           {},
           {{"tiny", {{"nr", 2}, {"nq", 16}}}, {"std", {{"nr", 8}}}, {"paper", {{"nr", 128}}}}},
          make_workload<doitgen::Doitgen>};
}

}  // namespace wharf::spmd
