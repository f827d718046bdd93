// VECTORADD, the CUDA sample: c = a + b. 15 instructions per warp, 10 registers.

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace vectoradd {
namespace {
struct Data {
  Array<float> a, b, c;
  int n;
};

void vectoradd(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.alu(9);
  w.where(i < k.n, [&] {
    const auto a = w.load(k.a, i);
    const auto b = w.load(k.b, i);
    const auto c = w.compute(2, a + b);
    w.store(k.c, i, c);
  });
}

class VectorAdd final : public Workload {
 public:
  VectorAdd(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    const int n = arguments("n");
    const auto count = static_cast<std::uint64_t>(n);
    data_ = {memory.array<float>("a", count), memory.array<float>("b", count), memory.array<float>("c", count), n};
    Rng random(seed);
    for (int i = 0; i < n; ++i) data_.a[i] = static_cast<float>(random.unit());
    for (int i = 0; i < n; ++i) data_.b[i] = static_cast<float>(random.unit());
    add_launch("vectoradd", {ctas_for(n, 256)}, {256}, 10, [data = data_](Warp& w) { vectoradd(w, data); });
  }

  bool check(std::string& why) const override {
    std::vector<float> c(data_.c.size);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = data_.a[i] + data_.b[i];
    return equal("c", data_.c, c, why);
  }

 private:
  Data data_;
};

}  // namespace
}  // namespace vectoradd

Entry vectoradd_entry() {
  return {{"vectoradd",
           "c = a + b (CUDA sample): pure streaming",
           {{"n", "262144", 1, 1 << 28, "elements"}},
           {},
           {{"tiny", {{"n", 32768}}}, {"std", {{"n", 262144}}}, {"paper", {{"n", 50000}}}}},
          make_workload<vectoradd::VectorAdd>};
}

}  // namespace wharf::spmd
