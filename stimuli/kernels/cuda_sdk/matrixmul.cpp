// MATRIXMUL, CUDA SDK (workloads section 4.7): C = A B by square tiles in shared memory. All CTAs with the same by read the same row of
// tiles of A, all with the same bx the same column of tiles of B. So nearly all reuse is between CTAs.

#include <cstddef>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace matrixmul {
namespace {
struct Data {
  Array<float> a, b, c;
  int ha, wa, wb, lda;  // rows and columns of A; columns of B; elements from one row of A to the next
  int block;            // side of a tile and of a CTA
};

void matrix_mul(Warp& w, const Data& k) {
  const auto tile_elements = static_cast<std::uint32_t>(k.block * k.block);
  const auto as = w.shared<float>(0, tile_elements), bs = w.shared<float>(4 * tile_elements, tile_elements);
  const auto tx = w.thread_x(), ty = w.thread_y();
  const auto row = w.global_y(), column = w.global_x(), cell = ty * k.block + tx;
  Lanes<float> sum = 0.0f;
  w.alu(16);
  for (int tile = 0; tile < k.wa; tile += k.block) {
    w.alu(5);
    const auto a = w.load(k.a, row * k.lda + tile + tx);
    w.store(as, cell, a);
    const auto b = w.load(k.b, (tile + ty) * k.wb + column);
    w.store(bs, cell, b);
    w.barrier();
    for (const int kk : w.trips(k.block)) {
      const auto left = w.load(as, ty * k.block + kk);
      const auto right = w.load(bs, tx + kk * k.block);
      w.update(sum, 2, sum + left * right);
    }
    w.barrier();
  }
  w.store(k.c, row * k.wb + column, sum);
}

class MatrixMul final : public Workload {
 public:
  MatrixMul(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.ha = arguments("ha"), d.wa = arguments("wa"), d.wb = arguments("wb"), d.lda = arguments("lda"), d.block = arguments("block");
    arguments.require(d.ha % d.block == 0 && d.wa % d.block == 0 && d.wb % d.block == 0,
                      "ha, wa and wb must be multiples of block, the side of a tile");
    arguments.require(d.lda >= d.wa, "lda is the distance between rows of A and must be at least wa");
    d.a = memory.array<float>("A", std::uint64_t(d.ha) * std::uint64_t(d.lda));
    d.b = memory.array<float>("B", std::uint64_t(d.wa) * std::uint64_t(d.wb));
    d.c = memory.array<float>("C", std::uint64_t(d.ha) * std::uint64_t(d.wb));
    Rng random(seed);
    for (const auto& matrix : {d.a, d.b}) {
      for (std::uint32_t i = 0; i < matrix.size; ++i) matrix[i] = static_cast<float>(random.unit());
    }
    const auto side = static_cast<std::uint32_t>(d.block);
    add_launch(
        "matrixmul", {ctas_for(d.wb, side), ctas_for(d.ha, side)}, {side, side}, 24, [d](Warp& w) { matrix_mul(w, d); }, 8 * side * side);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> c(d.c.size);
    for (int i = 0; i < d.ha; ++i) {
      float* const row = c.data() + std::size_t(i) * std::size_t(d.wb);
      for (int k = 0; k < d.wa; ++k) {
        const float a = d.a.data[i * d.lda + k];
        for (int j = 0; j < d.wb; ++j) row[j] += a * d.b.data[k * d.wb + j];
      }
    }
    return equal("C", d.c, c, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace matrixmul

Entry matrixmul_entry() {
  return {{"matrixmul",
           "C = A B by tiles in shared memory (CUDA SDK): inter-CTA sharing",
           {{"ha", "320", 1, 8192, "rows of A and C"},
            {"wa", "320", 1, 8192, "columns of A, the inner dimension"},
            {"wb", "640", 1, 8192, "columns of B and C"},
            {"lda", "wa", 1, 8192, "elements from one row of A to the next"},
            {"block", "16", 4, 32, "side of a tile: 16 up to compute capability 2.x, then 32"}},
           {{"n", {"ha", "wa", "wb"}}},
           {{"tiny", {{"ha", 64}, {"wa", 32}, {"wb", 128}, {"lda", 320}}},
            {"std", {{"ha", 320}, {"wa", 80}, {"wb", 640}, {"lda", 320}}},
            {"paper", {{"ha", 320}, {"wa", 320}, {"wb", 640}}},
            {"loscache", {{"ha", 320}, {"wa", 320}, {"wb", 640}, {"block", 32}}}}},
          make_workload<matrixmul::MatrixMul>};
}

}  // namespace wharf::spmd
