// CLUSTER_HISTOGRAM (workloads section 8): counts values in bins that the CTAs of a thread-block cluster divide among them. A count is an
// atomic at the CTA that has its bin, or in global memory. At the end each CTA adds its bins to the result.

#include <cstdint>
#include <vector>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace histogram {
namespace {
constexpr int kThreads = 256;

struct Data {
  Array<int> values, bins;
  int elements, ctas, bins_per_cta;
};

constexpr auto kAdd = [](int before, int value) { return before + value; };

/// Counts in the shared memory of the cluster.
void count_in_cluster(Warp& w, const Data& k) {
  const auto own = w.shared<int>(0, static_cast<std::uint32_t>(k.bins_per_cta));
  const auto t = w.thread_x();
  for (const int first : w.trips((k.bins_per_cta + kThreads - 1) / kThreads)) {
    w.where(first * kThreads + t < k.bins_per_cta, [&] { w.store(own, first * kThreads + t, 0); });
  }
  w.cluster_sync();
  const int stride = k.ctas * kThreads;
  for (const int trip : w.trips(k.elements / stride)) {
    const auto value = w.load(k.values, trip * stride + w.block_x() * kThreads + t);
    const auto owner = w.compute(2, lanewise([&](int v) { return v / k.bins_per_cta; }, value));
    const auto bin = w.compute(2, lanewise([&](int v) { return v % k.bins_per_cta; }, value));
    w.reduce(w.map_shared(own, owner), bin, 1, kAdd);
  }
  w.cluster_sync();
  for (const int first : w.trips((k.bins_per_cta + kThreads - 1) / kThreads)) {
    w.where(first * kThreads + t < k.bins_per_cta, [&] {
      const auto count = w.load(own, first * kThreads + t);
      w.reduce(k.bins, w.cluster_rank() * k.bins_per_cta + first * kThreads + t, count, kAdd);
    });
  }
}

void count_in_global(Warp& w, const Data& k) {
  const auto t = w.thread_x();
  const int stride = k.ctas * kThreads;
  for (const int trip : w.trips(k.elements / stride)) {
    const auto value = w.load(k.values, trip * stride + w.block_x() * kThreads + t);
    w.reduce(k.bins, value, 1, kAdd);
  }
}

class Histogram final : public Workload {
 public:
  Histogram(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.elements = arguments("elements"), d.ctas = arguments("ctas");
    const int bins = arguments("bins"), cluster = arguments("cluster");
    d.bins_per_cta = bins / cluster;
    arguments.require(bins % cluster == 0, "bins must be a multiple of cluster, which divides them among its CTAs");
    arguments.require(d.ctas % cluster == 0, "ctas must be a multiple of cluster");
    arguments.require(d.elements % (d.ctas * kThreads) == 0, "elements must be a multiple of ctas * 256, what the grid reads at once");
    d.values = memory.array<int>("values", std::uint64_t(d.elements));
    d.bins = memory.array<int>("bins", std::uint64_t(bins));
    Rng rng(seed);
    for (int i = 0; i < d.elements; ++i) d.values.data[i] = static_cast<int>(rng.below(std::uint64_t(bins)));
    const bool dsm = arguments("dsm") != 0;
    KernelLaunch& launch = add_launch(
        "histogram", {std::uint32_t(d.ctas)}, {kThreads}, 20,
        [d, dsm](Warp& w) { dsm ? count_in_cluster(w, d) : count_in_global(w, d); }, dsm ? std::uint32_t(d.bins_per_cta) * 4 : 0);
    launch.cluster.x = static_cast<std::uint32_t>(cluster);
  }

  bool check(std::string& why) const override {
    std::vector<int> bins(data_.bins.size);
    for (int i = 0; i < data_.elements; ++i) ++bins[std::size_t(data_.values.data[i])];
    return equal("bins", data_.bins, bins, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace histogram

Entry cluster_histogram_entry() {
  return {{"cluster_histogram",
           "counts values in bins that a thread-block cluster divides among its CTAs: random atomics between SMs",
           {{"elements", "4194304", 256, 1 << 28, "values to count, a multiple of ctas * 256"},
            {"bins", "2048", 1, 1 << 20, "possible values, a multiple of cluster"},
            {"ctas", "256", 1, 1 << 20, "CTAs of 256 threads, a multiple of cluster"},
            {"cluster", "2", 1, 16, "CTAs of a cluster"},
            {"dsm", "1", 0, 1, "1: bins are in the cluster's shared memory; 0: in global memory"}},
           {},
           {{"tiny", {{"elements", 1 << 14}, {"bins", 256}, {"ctas", 16}, {"cluster", 2}}},
            {"std", {{"elements", 1 << 22}, {"bins", 2048}, {"ctas", 256}, {"cluster", 2}}},
            {"paper", {{"elements", 1 << 26}, {"bins", 2048}, {"ctas", 256}, {"cluster", 2}}}}},
          make_workload<histogram::Histogram>};
}

}  // namespace wharf::spmd
