// CLUSTER_GEMM (workloads section 8): C = A B by tiles of 64 x 64 in shared memory, double buffered. The two CTAs of a thread-block cluster
// have the same rows of A: each copies half of a tile of A to both with bulk copies, or each loads all of it. A is stored by columns.

#include <cstdint>
#include <vector>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/mbarrier.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace gemm {
namespace {
constexpr int kThreads = 256, kTile = 64, kDepth = 32;      // of C; steps along A's columns and B's rows
constexpr int kWidth = kTile / 4, kBuffer = kDepth * kWidth;  // Float4 of a row of a tile, and of a tile
constexpr int kParts = kBuffer / kThreads;                  // Float4 of a tile that each thread loads
constexpr int kWarps = kThreads / static_cast<int>(kLanes);

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
        warp_(t_.v[0] / static_cast<int>(kLanes)),
        a_(w.shared<Float4>(0, 2 * kBuffer)),
        b_(w.shared<Float4>(kBytes / 2, 2 * kBuffer)) {}

  void run() {
    d_.dsm ? copy_and_multiply() : load_and_multiply();
    for (int row = 0; row < 4; ++row)
      w_.store(d_.c, ((w_.block_y() * kWidth + group_) * 4 + row) * (d_.n / 4) + w_.block_x() * kWidth + column_, sums_[row]);
  }

  static constexpr std::uint32_t kBytes = 4 * kBuffer * sizeof(Float4), kMbarriers = 4;  // of shared memory; the mbarriers follow

 private:
  int steps() const { return d_.k / kDepth; }

  void load_and_multiply() {
    fetch(0);
    put(0);
    w_.barrier();
    for (int step = 0; step < steps(); ++step) {
      if (step + 1 < steps()) fetch(step + 1);
      multiply(step % 2);
      if (step + 1 < steps()) put((step + 1) % 2);
      w_.barrier();
    }
  }

  void copy_and_multiply() {
    if (warp_ == 0)
      for (int buffer = 0; buffer < 2; ++buffer) {
        full(buffer).init(1);
        empty(buffer).init(static_cast<std::uint32_t>(kWarps * d_.cluster));
      }
    w_.cluster_sync();
    copy(0);
    for (int step = 0; step < steps(); ++step) {
      if (step + 1 < steps()) copy(step + 1);
      full(step % 2).wait(static_cast<unsigned>(step / 2));
      multiply(step % 2);
      for (int rank = 0; step + 2 < steps() && rank < d_.cluster; ++rank) empty(step % 2).arrive(rank);
    }
  }
  Mbarrier full(int buffer) { return {w_, kBytes + static_cast<std::uint32_t>(buffer) * Mbarriers::kBytes}; }
  Mbarrier empty(int buffer) { return {w_, kBytes + static_cast<std::uint32_t>(2 + buffer) * Mbarriers::kBytes}; }

  /// Copies this warp's rows of the tiles of a step, when all CTAs have read what the buffer held. Rows of A go to the whole cluster.
  void copy(int step) {
    const int buffer = step % 2, rank = w_.cluster_rank(), rows_of_a = kDepth / kWarps / d_.cluster, rows_of_b = kDepth / kWarps;
    if (step >= 2) empty(buffer).wait(static_cast<unsigned>(step / 2 - 1));
    if (warp_ == 0) {
      full(buffer).expect_bytes(kBytes / 2);
      full(buffer).arrive();
    }
    w_.alu(6);
    for (const int row : w_.trips(rows_of_a)) copy_row(step, d_.a, a_, (rank * kWarps + warp_) * rows_of_a + row, w_.block_y(), (1u << d_.cluster) - 1);
    for (const int row : w_.trips(rows_of_b)) copy_row(step, d_.b, b_, warp_ * rows_of_b + row, w_.block_x(), 1u << rank);
  }
  void copy_row(int step, const Array<Float4>& from, const SharedArray<Float4>& to, int row, int tile, unsigned ranks, Site site = Site()) {
    const auto pitch = static_cast<std::int64_t>(from.size) / d_.k;
    const auto first = static_cast<std::uint64_t>((step * kDepth + row) * pitch + tile * kWidth);
    full(step % 2).copy(to, static_cast<std::uint32_t>(step % 2 * kBuffer + row * kWidth), from.from(first), kWidth, ranks, site);
  }

  /// Loads this thread's parts of the tiles of a step.
  void fetch(int step) {
    w_.alu(6);
    for (const int part : w_.unrolled(kParts)) next_.a[part] = w_.load(d_.a, place(d_.a, step, part * kThreads, w_.block_y()));
    for (const int part : w_.unrolled(kParts)) next_.b[part] = w_.load(d_.b, place(d_.b, step, part * kThreads, w_.block_x()));
  }
  /// Where element `first` + t of the tile lies, which is number `tile` in its rows of `array`.
  Lanes<int> place(const Array<Float4>& array, int step, int first, int tile) const {
    const int pitch = static_cast<int>(array.size) / d_.k;
    return lanewise([=](int t) { return (step * kDepth + (first + t) / kWidth) * pitch + tile * kWidth + (first + t) % kWidth; }, t_);
  }
  void put(int buffer) {
    for (const int part : w_.unrolled(kParts)) w_.store(a_, buffer * kBuffer + part * kThreads + t_, next_.a[part]);
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

  Warp& w_;
  const Data& d_;
  const Lanes<int> t_;
  const int warp_;
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
        Product::kBytes + (d.dsm ? Product::kMbarriers * Mbarriers::kBytes : 0), kParts);
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
}  // namespace gemm

Entry cluster_gemm_entry() {
  return {{"cluster_gemm",
           "matrix product by tiles, of which the CTAs of a thread-block cluster load those of A together",
           {{"m", "1024", 64, 1 << 14, "rows of C, a multiple of 64"},
            {"n", "1024", 64, 1 << 14, "columns of C, a multiple of 64 * cluster"},
            {"k", "256", 32, 1 << 14, "columns of A, a multiple of 32"},
            {"cluster", "2", 1, 2, "CTAs of a cluster"},
            {"dsm", "1", 0, 1, "1: bulk copies, with those of A to the whole cluster; 0: each CTA loads its tiles"}},
           {},
           {{"tiny", {{"m", 128}, {"n", 128}, {"k", 128}}},
            {"std", {{"m", 1024}, {"n", 1024}, {"k", 256}}},
            {"paper", {{"m", 4096}, {"n", 4096}, {"k", 1024}}}}},
          make_workload<gemm::Gemm>};
}

}  // namespace wharf::spmd
