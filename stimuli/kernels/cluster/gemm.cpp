// CLUSTER_GEMM (workloads section 8): C = A B by tiles of 64 x 64 in shared memory, double buffered. The two CTAs of a thread-block cluster
// have the same rows of A: each loads half of a tile of A and stores it to both, or each loads all of it. A is stored by columns.

#include <cstdint>
#include <vector>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace {

constexpr int kThreads = 256, kTile = 64, kDepth = 32;      // of C; steps along A's columns and B's rows
constexpr int kWidth = kTile / 4, kBuffer = kDepth * kWidth;  // Float4 of a row of a tile, and of a tile
constexpr int kParts = kBuffer / kThreads;                  // Float4 of a tile that each thread loads

struct Float4 {
  float v[4];
};

struct Data {
  Array<Float4> a, b, c;
  int n, k, cluster;  // columns of C; columns of A
  bool dsm;
};

struct Tiles {
  Lanes<Float4> a[kParts], b[kParts];
};

class Product {
 public:
  Product(Warp& w, const Data& d)
      : w_(w),
        d_(d),
        t_(w.thread_x()),
        parts_(d.dsm ? kParts / d.cluster : kParts),
        first_(d.dsm ? w.cluster_rank() * parts_ : 0),
        a_(w.shared<Float4>(0, 2 * kBuffer)),
        b_(w.shared<Float4>(2 * kBuffer * sizeof(Float4), 2 * kBuffer)) {}

  void run() {
    fetch(0);
    put(0);
    meet();
    const int steps = d_.k / kDepth;
    for (int step = 0; step < steps; ++step) {
      if (step + 1 < steps) fetch(step + 1);
      multiply(step % 2);
      if (step + 1 < steps) put((step + 1) % 2);
      meet();
    }
    for (int row = 0; row < 4; ++row)
      w_.store(d_.c, ((w_.block_y() * kWidth + group_) * 4 + row) * (d_.n / 4) + w_.block_x() * kWidth + column_, sums_[row]);
  }

 private:
  /// Loads this thread's parts of the tiles of a step.
  void fetch(int step) {
    w_.alu(6);
    for (const int part : w_.unrolled(parts_)) next_.a[part] = w_.load(d_.a, place(d_.a, step, (first_ + part) * kThreads, w_.block_y()));
    for (const int part : w_.unrolled(kParts)) next_.b[part] = w_.load(d_.b, place(d_.b, step, part * kThreads, w_.block_x()));
  }
  /// Where element `first` + t of the tile lies, which is number `tile` in its rows of `array`.
  Lanes<int> place(const Array<Float4>& array, int step, int first, int tile) const {
    const int pitch = static_cast<int>(array.size) / d_.k;
    return lanewise([=](int t) { return (step * kDepth + (first + t) / kWidth) * pitch + tile * kWidth + (first + t) % kWidth; }, t_);
  }
  void put(int buffer) {
    for (const int part : w_.unrolled(parts_)) {
      const auto at = buffer * kBuffer + (first_ + part) * kThreads + t_;
      w_.store(a_, at, next_.a[part]);
      if (d_.dsm && d_.cluster == 2) w_.store(w_.map_shared(a_, 1 - w_.cluster_rank()), at, next_.a[part]);
    }
    for (const int part : w_.unrolled(kParts)) w_.store(b_, buffer * kBuffer + part * kThreads + t_, next_.b[part]);
  }
  void multiply(int buffer) {
    for (const int k : w_.trips(kDepth)) {
      const auto rows = w_.load(a_, buffer * kBuffer + k * kWidth + group_);
      const auto columns = w_.load(b_, buffer * kBuffer + k * kWidth + column_);
      w_.update(sums_[0], 4, added(0, rows, columns));
      w_.update(sums_[1], 4, added(1, rows, columns));
      w_.update(sums_[2], 4, added(2, rows, columns));
      w_.update(sums_[3], 4, added(3, rows, columns));
    }
  }
  Lanes<Float4> added(int row, const Lanes<Float4>& rows, const Lanes<Float4>& columns) const {
    const auto add = [row](Float4 sum, const Float4& left, const Float4& right) {
      for (int column = 0; column < 4; ++column) sum.v[column] += left.v[row] * right.v[column];
      return sum;
    };
    return lanewise(add, sums_[row], rows, columns);
  }
  /// All have written the next tiles, and read the present ones.
  void meet() {
    if (d_.dsm)
      w_.cluster_sync();
    else
      w_.barrier();
  }

  Warp& w_;
  const Data& d_;
  const Lanes<int> t_;
  const int parts_, first_;
  const SharedArray<Float4> a_, b_;
  const Lanes<int> group_ = lanewise([](int t) { return t / kWidth; }, t_), column_ = lanewise([](int t) { return t % kWidth; }, t_);
  Tiles next_;
  Lanes<Float4> sums_[4] = {Float4{}, Float4{}, Float4{}, Float4{}};
};

class Gemm final : public Workload {
 public:
  Gemm(const Arguments& arguments, Memory& memory, std::uint64_t seed) : m_(arguments("m")) {
    auto& d = data_;
    d.n = arguments("n"), d.k = arguments("k"), d.cluster = arguments("cluster"), d.dsm = arguments("dsm") != 0;
    arguments.require(m_ % kTile == 0 && d.n % (kTile * d.cluster) == 0, "m must be a multiple of 64, and n of 64 * cluster");
    arguments.require(d.k % kDepth == 0, "k must be a multiple of 32, the depth of a tile");
    Rng rng(seed);
    const auto fill = [&](const char* name, std::uint64_t floats) {
      const auto array = memory.array<Float4>(name, floats / 4);
      for (std::uint64_t i = 0; i < floats; ++i) array.data[i / 4].v[i % 4] = static_cast<float>(rng.below(16));
      return array;
    };
    d.a = fill("a", std::uint64_t(m_) * std::uint64_t(d.k));
    d.b = fill("b", std::uint64_t(d.n) * std::uint64_t(d.k));
    d.c = memory.array<Float4>("c", std::uint64_t(m_) * std::uint64_t(d.n) / 4);
    KernelLaunch& launch = add_launch(
        "gemm", {std::uint32_t(d.n / kTile), std::uint32_t(m_ / kTile)}, {kThreads}, 64, [d](Warp& w) { Product(w, d).run(); },
        4 * kBuffer * sizeof(Float4), kParts);
    launch.cluster.x = static_cast<std::uint32_t>(d.cluster);
  }

  bool check(std::string& why) const override {
    const auto m = std::size_t(m_), n = std::size_t(data_.n);
    std::vector<float> c(m * n);
    for (std::size_t k = 0; k < std::size_t(data_.k); ++k)
      for (std::size_t row = 0; row < m; ++row)
        for (std::size_t column = 0; column < n; ++column)
          c[row * n + column] += at(data_.a, k * m + row) * at(data_.b, k * n + column);  // whole numbers, added without error
    return equal("c", in_parts_of<float>(data_.c), c, why);
  }

 private:
  static float at(const Array<Float4>& array, std::size_t i) { return array.data[i / 4].v[i % 4]; }

  int m_;
  Data data_{};
};

}  // namespace

Entry cluster_gemm_entry() {
  return {{"cluster_gemm",
           "matrix product by tiles, of which the CTAs of a thread-block cluster load those of A together",
           {{"m", "1024", 64, 1 << 14, "rows of C, a multiple of 64"},
            {"n", "1024", 64, 1 << 14, "columns of C, a multiple of 64 * cluster"},
            {"k", "256", 32, 1 << 14, "columns of A, a multiple of 32"},
            {"cluster", "2", 1, 2, "CTAs of a cluster"},
            {"dsm", "1", 0, 1, "1: a CTA stores its part of a tile of A to both; 0: each loads the whole tile"}},
           {},
           {{"tiny", {{"m", 128}, {"n", 128}, {"k", 128}}},
            {"std", {{"m", 1024}, {"n", 1024}, {"k", 256}}},
            {"paper", {{"m", 4096}, {"n", 4096}, {"k", 1024}}}}},
          make_workload<Gemm>};
}

}  // namespace wharf::spmd
