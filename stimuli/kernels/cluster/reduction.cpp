// CLUSTER_REDUCTION (workloads section 8): the sum of an array. The threads of a CTA add elements, warps and then CTAs of a thread-block
// cluster add their sums in trees. CTAs of a cluster exchange sums through each other's shared memory, or each adds its own in global memory.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace reduction {
namespace {
constexpr int kThreads = 256;

struct Data {
  Array<int> in, out;
  int elements, ctas, cluster;
  bool dsm;
};

constexpr auto kAdd = [](int before, int value) { return before + value; };

/// sums[0] becomes the sum of the CTA's elements.
void add_in_cta(Warp& w, const Data& k, const SharedArray<int>& sums) {
  const auto t = w.thread_x();
  Lanes<int> sum = 0;
  w.alu(4);
  const int stride = k.ctas * kThreads;
  for (const int trip : w.trips(k.elements / stride)) {
    const auto value = w.load(k.in, trip * stride + w.block_x() * kThreads + t);
    w.update(sum, 1, sum + value);
  }
  w.store(sums, t, sum);
  w.barrier();
  for (int distance = kThreads / 2; distance > 0; distance /= 2) {
    w.where(t < distance, [&] {
      const auto own = w.load(sums, t);
      const auto other = w.load(sums, t + distance);
      const auto both = w.compute(1, own + other);
      w.store(sums, t, both);
    });
    w.barrier();
  }
}

/// sums[0] of rank 0 becomes the sum of the cluster; element 256 of a CTA receives the sums of others.
void add_in_cluster(Warp& w, const Data& k, const SharedArray<int>& sums) {
  const auto t = w.thread_x();
  const int rank = w.cluster_rank();
  w.cluster_sync();
  for (int distance = k.cluster / 2; distance > 0; distance /= 2) {
    if (rank >= distance && rank < 2 * distance)
      w.where(t == 0, [&] {
        const auto sum = w.load(sums, t);
        w.store(w.map_shared(sums, rank - distance), kThreads + t, sum);
      });
    w.cluster_sync();
    if (rank < distance)
      w.where(t == 0, [&] {
        const auto own = w.load(sums, t);
        const auto other = w.load(sums, kThreads + t);
        const auto both = w.compute(1, own + other);
        w.store(sums, t, both);
      });
  }
}

void reduce(Warp& w, const Data& k) {
  const auto sums = w.shared<int>(0, kThreads + 1);
  const auto t = w.thread_x();
  add_in_cta(w, k, sums);
  if (k.dsm) add_in_cluster(w, k, sums);
  if (k.dsm && w.cluster_rank() != 0) return;
  w.where(t == 0, [&] {
    const auto sum = w.load(sums, t);
    w.reduce(k.out, w.cluster_id(), sum, kAdd);
  });
}

class Reduction final : public Workload {
 public:
  Reduction(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.elements = arguments("elements"), d.ctas = arguments("ctas"), d.cluster = arguments("cluster"), d.dsm = arguments("dsm") != 0;
    arguments.require((d.cluster & (d.cluster - 1)) == 0, "cluster must be a power of two, whose CTAs add in a tree");
    arguments.require(d.ctas % d.cluster == 0, "ctas must be a multiple of cluster");
    arguments.require(d.elements % (d.ctas * kThreads) == 0, "elements must be a multiple of ctas * 256, what the grid reads at once");
    d.in = memory.array<int>("in", std::uint64_t(d.elements));
    d.out = memory.array<int>("out", std::uint64_t(d.ctas / d.cluster));
    for (int i = 0; i < d.elements; ++i) d.in.data[i] = i % 7;
    KernelLaunch& launch = add_launch(
        "reduce", {std::uint32_t(d.ctas)}, {kThreads}, 16, [d](Warp& w) { reduce(w, d); }, 4 * (kThreads + 1));
    launch.cluster.x = static_cast<std::uint32_t>(d.cluster);
  }

  bool check(std::string& why) const override {
    std::vector<int> sums(data_.out.size);
    for (int i = 0; i < data_.elements; ++i) sums[std::size_t(i / kThreads % data_.ctas / data_.cluster)] += data_.in.data[i];
    return equal("out", data_.out, sums, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace reduction

Entry cluster_reduction_entry() {
  return {{"cluster_reduction",
           "sums of parts of an array, whose last steps are a tree over the CTAs of a thread-block cluster",
           {{"elements", "16777216", 256, 1 << 28, "elements, a multiple of ctas * 256"},
            {"ctas", "256", 1, 1 << 20, "CTAs of 256 threads, a multiple of cluster"},
            {"cluster", "8", 1, 16, "CTAs of a cluster, a power of two"},
            {"dsm", "1", 0, 1, "1: CTAs exchange sums through shared memory of the cluster; 0: each adds its sum in global memory"}},
           {},
           {{"tiny", {{"elements", 40'960}, {"ctas", 160}, {"cluster", 4}}},
            {"std", {{"elements", 1 << 24}, {"ctas", 256}, {"cluster", 8}}},
            {"paper", {{"elements", 1 << 26}, {"ctas", 256}, {"cluster", 8}}}}},
          make_workload<reduction::Reduction>};
}

}  // namespace wharf::spmd
