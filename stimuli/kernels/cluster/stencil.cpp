// CLUSTER_STENCIL (workloads section 8): steps of a five-point stencil on regions of a map. A thread-block cluster has a region, whose outer
// cells stay as they are, and each of its CTAs has some rows of it in shared memory. In every step the CTAs read the rows beside theirs from
// their neighbours' shared memory, or from global memory, to which each writes its outer rows.

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace stencil {
namespace {
constexpr int kWidth = 256, kRows = 8, kCells = kWidth * kRows;  // of a CTA; it has a thread per column

struct Data {
  Array<float> in, out, edges;  // edges: of each CTA its first and last row, twice, for odd and even steps
  int size, cluster, steps;
  bool dsm;
};

class Region {
 public:
  Region(Warp& w, const Data& k)
      : w_(w),
        k_(k),
        t_(w.thread_x()),
        rank_(w.cluster_rank()),
        cta_(w.block_y() * (k.size / kWidth) + w.block_x()),
        now_(w.shared<float>(0, kCells)),
        next_(w.shared<float>(4 * kCells, kCells)) {}

  void read() {
    for (const int row : w_.trips(kRows)) {
      const auto value = w_.load(k_.in, (w_.block_y() * kRows + row) * k_.size + w_.block_x() * kWidth + t_);
      w_.store(now_, row * kWidth + t_, value);
      w_.store(next_, row * kWidth + t_, value);
    }
    publish(0, now_);
    w_.cluster_sync();
  }

  void step(int number) {
    for (const int row : w_.trips(kRows)) {
      const bool outer = (rank_ == 0 && row == 0) || (rank_ == k_.cluster - 1 && row == kRows - 1);
      if (outer) continue;
      w_.where(t_ > 0 && t_ < kWidth - 1, [&] {
        const auto north = above(number, row);
        const auto south = below(number, row);
        const auto west = w_.load(now_, row * kWidth + t_ - 1);
        const auto east = w_.load(now_, row * kWidth + t_ + 1);
        const auto mean = w_.compute(4, 0.25f * ((north + south) + (west + east)));
        w_.store(next_, row * kWidth + t_, mean);
      });
    }
    std::swap(now_, next_);
    publish(number + 1, now_);
    w_.cluster_sync();
  }

  void write() {
    for (const int row : w_.trips(kRows)) {
      const auto value = w_.load(now_, row * kWidth + t_);
      w_.store(k_.out, (w_.block_y() * kRows + row) * k_.size + w_.block_x() * kWidth + t_, value);
    }
  }

 private:
  Lanes<float> above(int number, int row) {
    if (row > 0) return w_.load(now_, (row - 1) * kWidth + t_);
    if (k_.dsm) return w_.load(w_.map_shared(now_, rank_ - 1), (kRows - 1) * kWidth + t_);
    return w_.load_past_l1(k_.edges, edge(cta_ - k_.size / kWidth, number, 1) + t_);
  }
  Lanes<float> below(int number, int row) {
    if (row < kRows - 1) return w_.load(now_, (row + 1) * kWidth + t_);
    if (k_.dsm) return w_.load(w_.map_shared(now_, rank_ + 1), t_);
    return w_.load_past_l1(k_.edges, edge(cta_ + k_.size / kWidth, number, 0) + t_);
  }
  /// Writes the outer rows where the neighbours of the cluster read them.
  void publish(int number, const SharedArray<float>& rows) {
    if (k_.dsm) return;
    w_.barrier();
    const auto first = w_.load(rows, t_);
    const auto last = w_.load(rows, (kRows - 1) * kWidth + t_);
    w_.store(k_.edges, edge(cta_, number, 0) + t_, first);
    w_.store(k_.edges, edge(cta_, number, 1) + t_, last);
  }
  static int edge(int cta, int number, int side) { return ((cta * 2 + number % 2) * 2 + side) * kWidth; }

  Warp& w_;
  const Data& k_;
  const Lanes<int> t_;
  const int rank_, cta_;
  SharedArray<float> now_, next_;
};

void stencil(Warp& w, const Data& k) {
  Region region(w, k);
  region.read();
  for (int number = 0; number < k.steps; ++number) region.step(number);
  region.write();
}

class Stencil final : public Workload {
 public:
  Stencil(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.size = arguments("size"), d.cluster = arguments("cluster"), d.steps = arguments("steps"), d.dsm = arguments("dsm") != 0;
    arguments.require(d.size % kWidth == 0, "size must be a multiple of 256, the width of a region");
    arguments.require(d.size % (kRows * d.cluster) == 0, "size must be a multiple of 8 * cluster, the rows of a region");
    const auto cells = std::uint64_t(d.size) * std::uint64_t(d.size);
    const Dim3 grid{std::uint32_t(d.size / kWidth), std::uint32_t(d.size / kRows)};
    d.in = memory.array<float>("in", cells);
    d.out = memory.array<float>("out", cells);
    d.edges = memory.array<float>("edges", d.dsm ? 1 : grid.count() * 4 * kWidth);
    Rng rng(seed);
    for (std::uint64_t i = 0; i < cells; ++i) d.in.data[i] = static_cast<float>(rng.below(1000));
    KernelLaunch& launch = add_launch(
        "stencil", grid, {kWidth}, 32, [d](Warp& w) { stencil(w, d); }, 2 * 4 * kCells);
    launch.cluster.y = static_cast<std::uint32_t>(d.cluster);
  }

  bool check(std::string& why) const override {
    const int size = data_.size, rows = kRows * data_.cluster;
    std::vector<float> now(data_.in.data, data_.in.data + std::size_t(size) * std::size_t(size)), next = now;
    for (int number = 0; number < data_.steps; ++number) {
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
          if (y % rows == 0 || y % rows == rows - 1 || x % kWidth == 0 || x % kWidth == kWidth - 1) continue;
          const auto at = std::size_t(y) * std::size_t(size) + std::size_t(x), pitch = std::size_t(size);
          next[at] = 0.25f * ((now[at - pitch] + now[at + pitch]) + (now[at - 1] + now[at + 1]));
        }
      std::swap(now, next);
    }
    return equal("out", data_.out, now, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace stencil

Entry cluster_stencil_entry() {
  return {{"cluster_stencil",
           "five-point stencil on regions that a thread-block cluster has in shared memory, with rows from neighbouring CTAs",
           {{"size", "2048", 256, 1 << 14, "rows and columns, a multiple of 256 and of 8 * cluster"},
            {"cluster", "8", 1, 16, "CTAs of a cluster, above one another"},
            {"steps", "8", 1, 1000, "steps of the stencil"},
            {"dsm", "1", 0, 1, "1: neighbours' rows come from their shared memory; 0: from global memory"}},
           {},
           {{"tiny", {{"size", 256}, {"cluster", 4}, {"steps", 4}}}, {"std", {{"size", 2048}, {"cluster", 8}, {"steps", 8}}},
            {"paper", {{"size", 4096}, {"cluster", 8}, {"steps", 8}}}}},
          make_workload<stencil::Stencil>};
}

}  // namespace wharf::spmd
