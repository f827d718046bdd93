// SCALARPROD, CUDA SDK (workloads section 4.9): the scalar products of pairs of vectors. A CTA computes one pair. Each thread computes four
// strided partial sums, and a tree in shared memory adds all 1024. Pure streaming. The loop of a partial sum stores nothing, so it could be
// unrolled (batch=4). No size does that: the loop's elements are 4 KB apart and so map to one set of an L1 with 32 sets, which would then
// have fewer lines in flight, not more.

#include <algorithm>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace scalar_prod {
namespace {
constexpr int kPartial = 1024, kThreads = 256;

struct Data {
  Array<float> a, b, c;
  int vectors, elements, ctas, batch;
};

struct Factors {
  Lanes<float> a, b;
};

void scalar_prod(Warp& w, const Data& k) {
  const auto partial = w.shared<float>(0, kPartial);
  const auto t = w.thread_x();
  for (int vector = w.block_x(); vector < k.vectors; vector += k.ctas) {
    w.alu(6);
    for (int part = 0; part < kPartial; part += kThreads) {
      const auto own = t + part;
      Lanes<float> sum = 0.0f;
      const auto load = [&](int pass, Factors& f) {
        const auto i = own + pass * kPartial;
        w.where(i < k.elements, [&] {
          f.a = w.load(k.a, vector * k.elements + i);
          f.b = w.load(k.b, vector * k.elements + i);
        });
      };
      const auto use = [&](int pass, const Factors& f) {
        w.where(own + pass * kPartial < k.elements, [&] { w.update(sum, 1, sum + f.a * f.b); });
      };
      w.batched_trips<Factors>((k.elements + kPartial - 1) / kPartial, k.batch, load, use);
      w.store(partial, own, sum);
    }
    for (int half = kPartial / 2; half > 0; half /= 2) {
      w.barrier();
      w.alu(9);
      for (int first = 0; first < half; first += kThreads) {
        w.where(t + first < half, [&] {
          const auto upper = w.load(partial, t + first);
          const auto lower = w.load(partial, t + first + half);
          const auto both = w.compute(2, upper + lower);
          w.store(partial, t + first, both);
        });
      }
    }
    w.where(t == 0, [&] {
      const auto product = w.load(partial, t);
      w.store(k.c, vector, product);
    });
  }
}

class ScalarProd final : public Workload {
 public:
  ScalarProd(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.vectors = arguments("vectors"), d.elements = arguments("elements"), d.ctas = arguments("ctas");
    d.batch = arguments("batch");
    const auto count = std::uint64_t(d.vectors) * std::uint64_t(d.elements);
    d.a = memory.array<float>("A", count);
    d.b = memory.array<float>("B", count);
    d.c = memory.array<float>("C", std::uint64_t(d.vectors));
    Rng random(seed);
    for (std::uint64_t i = 0; i < count; ++i) d.a[i] = static_cast<float>(random.unit());
    for (std::uint64_t i = 0; i < count; ++i) d.b[i] = static_cast<float>(random.unit());
    const Dim3 grid{std::uint32_t(d.ctas)};
    add_launch(
        "scalar_prod", grid, {kThreads}, 18, [d](Warp& w) { scalar_prod(w, d); }, 4 * kPartial);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> c(d.c.size), partial(kPartial);
    for (std::size_t vector = 0; vector < c.size(); ++vector) {
      const float *const a = d.a.data + vector * std::size_t(d.elements), *const b = d.b.data + vector * std::size_t(d.elements);
      std::fill(partial.begin(), partial.end(), 0.0f);
      for (int i = 0; i < d.elements; ++i) partial[std::size_t(i % kPartial)] += a[i] * b[i];
      for (std::size_t half = kPartial / 2; half > 0; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) partial[i] += partial[i + half];
      }
      c[vector] = partial[0];
    }
    return equal("C", d.c, c, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace scalar_prod

Entry scalar_prod_entry() {
  return {{"scalar_prod",
           "scalar products of pairs of vectors (CUDA SDK): streaming with a tree in shared memory",
           {{"vectors", "256", 1, 65536, "pairs of vectors"},
            {"elements", "4096", 1, 1 << 20, "of a vector"},
            {"ctas", "128", 1, 65535, "CTAs, which share the pairs"},
            batch_argument()},
           {},
           {{"tiny", {{"vectors", 40}, {"elements", 2048}, {"ctas", 20}}},
            {"std", {{"vectors", 256}, {"elements", 4096}}},
            {"paper", {{"vectors", 256}, {"elements", 4096}}}}},
          make_workload<scalar_prod::ScalarProd>};
}

}  // namespace wharf::spmd
