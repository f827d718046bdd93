// TRANSPOSE, CUDA SDK (workloads section 4.6): out[x][y] = in[y][x] in tiles of 32x32, two rows per thread. In naive, the lanes of a store
// are a row of the output apart, so the 16 warps of one CTA write each output line, 4 B per store. coalesced transposes the tile in shared
// memory. diagonal also assigns neighbouring CTAs to different columns.

#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace transpose {
namespace {
constexpr int kTile = 32, kRows = 16;  // of a tile; of a CTA

enum Variant : int { naive, coalesced, diagonal };

struct Data {
  Array<float> in, out;
  int width, height, tile_pitch;
};

void transpose_naive(Warp& w, const Data& k) {
  const auto x = w.block_x() * kTile + w.thread_x();
  const auto y = w.block_y() * kTile + w.thread_y();
  w.alu(12);
  for (const int pass : w.trips(kTile / kRows)) {
    const int i = pass * kRows;
    const auto value = w.load(k.in, x + k.width * (y + i));
    w.store(k.out, y + i + k.height * x, value);
    w.alu(12);
  }
}

void transpose_in_tile(Warp& w, const Data& k, bool remap) {
  const auto tile = w.shared<float>(0, std::uint32_t(kTile * k.tile_pitch));
  const int side = k.width / kTile;
  const int bx = remap ? (w.block_x() + w.block_y()) % side : w.block_x(), by = remap ? w.block_x() : w.block_y();
  const auto tx = w.thread_x(), ty = w.thread_y();
  w.alu(remap ? 20 : 14);
  for (const int pass : w.trips(kTile / kRows)) {
    const int i = pass * kRows;
    const auto value = w.load(k.in, bx * kTile + tx + k.width * (by * kTile + ty + i));
    w.store(tile, (ty + i) * k.tile_pitch + tx, value);
    w.alu(6);
  }
  w.barrier();
  for (const int pass : w.trips(kTile / kRows)) {
    const int i = pass * kRows;
    const auto value = w.load(tile, tx * k.tile_pitch + ty + i);
    w.store(k.out, by * kTile + tx + k.height * (bx * kTile + ty + i), value);
    w.alu(6);
  }
}

class Transpose final : public Workload {
 public:
  Transpose(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.width = arguments("width"), d.height = arguments("height");
    const int variant = arguments("variant");
    arguments.require(d.width % kTile == 0 && d.height % kTile == 0, "width and height must be multiples of 32, the side of a tile");
    arguments.require(variant != diagonal || d.width == d.height, "the diagonal variant is for squares: width must equal height");
    d.tile_pitch = kTile + arguments("padded");
    const auto elements = std::uint64_t(d.width) * std::uint64_t(d.height);
    d.in = memory.array<float>("in", elements);
    d.out = memory.array<float>("out", elements);
    Rng random(seed);
    for (std::uint64_t i = 0; i < elements; ++i) d.in[i] = static_cast<float>(random.unit());
    const Dim3 grid{std::uint32_t(d.width / kTile), std::uint32_t(d.height / kTile)}, block{kTile, kRows};
    if (variant == naive) {
      add_launch("transpose_naive", grid, block, 10, [d](Warp& w) { transpose_naive(w, d); });
    } else {
      const auto tile_bytes = std::uint32_t(4 * kTile * d.tile_pitch);
      const bool remap = variant == diagonal;
      add_launch(
          "transpose_tile", grid, block, 12, [d, remap](Warp& w) { transpose_in_tile(w, d, remap); }, tile_bytes);
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> out(d.out.size);
    for (std::size_t y = 0; y < std::size_t(d.height); ++y) {
      for (std::size_t x = 0; x < std::size_t(d.width); ++x) out[x * std::size_t(d.height) + y] = d.in[y * std::size_t(d.width) + x];
    }
    return equal("out", d.out, out, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace transpose

Entry transpose_entry() {
  return {{"transpose",
           "matrix transpose (CUDA SDK): coalesced loads, and stores that are diverged unless turned in shared memory",
           {{"width", "1024", 32, 16384, "columns of the input, a multiple of 32"},
            {"height", "1024", 32, 16384, "rows of the input, a multiple of 32"},
            {"variant", "0", 0, 2, "0: naive, 1: coalesced through shared memory, 2: that with diagonal order of CTAs"},
            {"padded", "1", 0, 1, "1: rows of the shared tile are 33 elements apart and free of bank conflicts, 0: 32 elements"}},
           {{"n", {"width", "height"}}},
           {{"tiny", {{"width", 256}, {"height", 256}}},
            {"std", {{"width", 512}, {"height", 512}}},
            {"paper", {{"width", 1024}, {"height", 1024}}}}},
          make_workload<transpose::Transpose>};
}

}  // namespace wharf::spmd
