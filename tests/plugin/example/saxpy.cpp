#include "saxpy.h"

#include <vector>

#include "model/base/rng.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace example {
namespace {

using namespace wharf::spmd;

struct Data {
  Array<float> x, y;
  int n;
  float a;
};

void saxpy(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.alu(6);  // for the index
  w.where(i < k.n, [&] {
    const auto x = w.load(k.x, i);
    const auto y = w.load(k.y, i);
    w.store(k.y, i, w.compute(1, k.a * x + y));
  });
}

class Saxpy final : public Workload {
 public:
  Saxpy(const wharf::Arguments& arguments, Memory& memory, std::uint64_t seed) {
    const int n = arguments("n");
    const auto count = static_cast<std::uint64_t>(n);
    data_ = {memory.array<float>("x", count), memory.array<float>("y", count), n, static_cast<float>(arguments.real("a"))};
    wharf::Rng random(seed);
    for (int i = 0; i < n; ++i) data_.x[i] = static_cast<float>(random.unit());
    for (int i = 0; i < n; ++i) data_.y[i] = static_cast<float>(random.unit());
    for (int i = 0; i < n; ++i) expected_.push_back(data_.a * data_.x[i] + data_.y[i]);
    add_launch("saxpy", {ctas_for(n, 256)}, {256}, 10, [data = data_](Warp& w) { saxpy(w, data); });
  }

  bool check(std::string& why) const override { return close("y", data_.y, expected_, why); }

 private:
  Data data_;
  std::vector<float> expected_;
};

}  // namespace

Entry saxpy_entry() {
  return {{"saxpy",
           "y = a x + y: two loads and a store",
           {{"n", "262144", 1, 1 << 28, "elements"}, {"a", "2", -1000, 1000, "factor", wharf::Argument::Kind::real}},
           {},
           {{"tiny", {{"n", 16384}}}, {"std", {{"n", 262144}}}}},
          make_workload<Saxpy>};
}

}  // namespace example
