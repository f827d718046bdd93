// 2DCONV, PolyBench/GPU 1.0 (workloads section 1.10): a 3x3 stencil. The warps of rows i-1, i and i+1 read a line of row i. Loads at j-1
// and j+1 touch two lines.

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/polybench/load_order.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace conv2d {
namespace {
constexpr float kUp[3] = {0.2f, -0.3f, 0.4f}, kMiddle[3] = {0.5f, 0.6f, 0.7f}, kDown[3] = {-0.8f, -0.9f, 0.1f};

struct Data {
  Array<float> a, b;
  int ni, nj, pitch;
};

void conv2d(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.alu(12);
  w.where(i > 0 && i < k.ni - 1 && j > 0 && j < k.nj - 1, [&] {
    const auto centre = i * k.pitch + j;
    const auto up = centre - k.pitch, down = centre + k.pitch;
    const auto a = w.load(k.a, up - 1);
    const auto b = w.load(k.a, up);
    const auto c = w.load(k.a, up + 1);
    const auto d = w.load(k.a, centre - 1);
    const auto e = w.load(k.a, centre);
    const auto f = w.load(k.a, centre + 1);
    const auto g = w.load(k.a, down - 1);
    const auto h = w.load(k.a, down);
    const auto i9 = w.load(k.a, down + 1);
    auto sum = w.compute(8, kUp[0] * a + kUp[1] * b + kUp[2] * c);
    w.update(sum, 8, sum + kMiddle[0] * d + kMiddle[1] * e + kMiddle[2] * f);
    w.update(sum, 8, sum + kDown[0] * g + kDown[1] * h + kDown[2] * i9);
    w.store(k.b, centre, sum);
  });
}

constexpr int kLoads = 9;

/// The same kernel with each load directly before its use. The two functions share no line, because a line is a pc.
void conv2d_in_order(Warp& w, const Data& k) {
  const auto j = w.global_x();
  const auto i = w.global_y();
  w.alu(12);
  w.where(i > 0 && i < k.ni - 1 && j > 0 && j < k.nj - 1, [&] {
    const auto centre = i * k.pitch + j;
    const auto up = centre - k.pitch, down = centre + k.pitch;
    auto sum = w.compute(3, kUp[0] * w.load(k.a, up - 1));
    w.update(sum, 3, sum + kUp[1] * w.load(k.a, up));
    w.update(sum, 2, sum + kUp[2] * w.load(k.a, up + 1));
    w.update(sum, 3, sum + kMiddle[0] * w.load(k.a, centre - 1));
    w.update(sum, 3, sum + kMiddle[1] * w.load(k.a, centre));
    w.update(sum, 2, sum + kMiddle[2] * w.load(k.a, centre + 1));
    w.update(sum, 3, sum + kDown[0] * w.load(k.a, down - 1));
    w.update(sum, 3, sum + kDown[1] * w.load(k.a, down));
    w.update(sum, 2, sum + kDown[2] * w.load(k.a, down + 1));
    w.store(k.b, centre, sum);
  });
}

class Conv2d final : public Workload {
 public:
  Conv2d(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.ni = arguments("ni"), d.nj = arguments("nj"), d.pitch = arguments("pitch");
    arguments.require(d.pitch >= d.nj, "pitch is the distance between rows and must be at least nj");
    const auto elements = std::uint64_t(d.ni) * std::uint64_t(d.pitch);
    d.a = memory.array<float>("A", elements);
    d.b = memory.array<float>("B", elements);
    Rng random(seed);
    for (int i = 0; i < d.ni; ++i) {
      float* const row = d.a.data + std::uint64_t(i) * std::uint64_t(d.pitch);
      for (int j = 0; j < d.nj; ++j) row[j] = static_cast<float>(random.unit());
    }
    add_launch("2dconv", {ctas_for(d.nj, 32), ctas_for(d.ni, 8)}, {32, 8}, 24,
               [d, in_order = in_program_order(arguments, kLoads)](Warp& w) { in_order ? conv2d_in_order(w, d) : conv2d(w, d); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> b(d.b.size);
    for (int i = 1; i < d.ni - 1; ++i) {
      for (int j = 1; j < d.nj - 1; ++j) {
        const float* const at = d.a.data + std::int64_t(i) * d.pitch + j;
        const float *const up = at - d.pitch, *const down = at + d.pitch;
        float sum = kUp[0] * up[-1] + kUp[1] * up[0] + kUp[2] * up[1];
        sum = sum + kMiddle[0] * at[-1] + kMiddle[1] * at[0] + kMiddle[2] * at[1];
        b[std::size_t(i) * std::size_t(d.pitch) + std::size_t(j)] = sum + kDown[0] * down[-1] + kDown[1] * down[0] + kDown[2] * down[1];
      }
    }
    return equal("B", d.b, b, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace conv2d

Entry conv2d_entry() {
  return {{"2dconv",
           "3x3 convolution (PolyBench/GPU): streaming with short inter-warp reuse",
           {{"ni", "4096", 1, 32768, "rows"},
            {"nj", "4096", 1, 32768, "columns"},
            {"pitch", "nj", 1, 32768, "elements from one row to the next"},
            order_argument(conv2d::kLoads)},
           {{"n", {"ni", "nj"}}},
           {{"tiny", {{"ni", 128}, {"nj", 256}, {"pitch", 4096}}},
            {"std", {{"ni", 1024}, {"nj", 2048}, {"pitch", 4096}}},
            {"paper", {{"ni", 4096}, {"nj", 4096}}},
            {"ciao", {{"ni", 1024}, {"nj", 1024}, {"pitch", 4096}}}}},
          make_workload<conv2d::Conv2d>};
}

}  // namespace wharf::spmd
