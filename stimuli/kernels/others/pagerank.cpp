// PAGERANK, Pannotia, push version (workloads section 4.15): every node adds its share to its neighbours' next ranks with atomics. Trip
// counts are degrees of a power law, so a few lanes of a warp run long. All SMs contend for the ranks of the hubs.

#include <cstdint>
#include <functional>
#include <limits>

#include "stimuli/inputs/rmat_graph.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace pagerank {
namespace {
constexpr std::uint32_t kThreads = 256;
constexpr float kDamping = 0.85f;

struct Data {
  Array<std::int32_t> row_start, columns;
  Array<float> rank, next_rank;
  int nodes;
};

void initialise(Warp& w, const Data& k) {
  const auto node = w.global_x();
  w.alu(6);
  w.where(node < k.nodes, [&] {
    w.store(k.rank, node, 1.0f / static_cast<float>(k.nodes));
    w.store(k.next_rank, node, 0.0f);
  });
}

void push(Warp& w, const Data& k) {
  const auto node = w.global_x();
  w.alu(6);
  w.where(node < k.nodes, [&] {
    const auto start = w.load(k.row_start, node);
    const auto end = w.load(k.row_start, node + 1);
    const auto degree = w.compute(1, lanewise([](int a, int b) { return static_cast<float>(b - a); }, start, end));
    w.for_lanes(start, end, [&](const Lanes<int>& edge) {
      const auto neighbour = w.load(k.columns, edge);
      const auto rank = w.load(k.rank, node);  // the compiler loads the rank again, because the atomic might have changed it
      const auto share = w.sfu(1, rank / degree);
      w.reduce(k.next_rank, neighbour, share, std::plus<>());
      w.alu(2);
    });
  });
}

void damp(Warp& w, const Data& k) {
  const auto node = w.global_x();
  w.alu(6);
  w.where(node < k.nodes, [&] {
    const auto sum = w.load(k.next_rank, node);
    const auto rank = w.compute(2, (1.0f - kDamping) / static_cast<float>(k.nodes) + kDamping * sum);
    w.store(k.rank, node, rank);
    w.store(k.next_rank, node, 0.0f);
  });
}

class PageRank final : public Workload {
 public:
  PageRank(const Arguments& arguments, Memory& memory, std::uint64_t seed) : iterations_(arguments("iterations")) {
    auto& d = data_;
    d.nodes = arguments("nodes");
    const double links = d.nodes * arguments.real("degree") / 2;
    arguments.require(links < 5e8, "nodes * degree is the number of links; choose fewer than 10^9");
    const int hub = arguments("hub");
    arguments.require(hub == 0 || hub >= 8 * arguments.real("degree"), "hub must be 0 or at least 8 times the degree");
    const Graph graph = rmat_graph(d.nodes, static_cast<std::int64_t>(links), seed, hub == 0 ? std::numeric_limits<int>::max() : hub);
    d.row_start = copied(memory, "row_start", graph.start);
    d.columns = copied(memory, "columns", graph.targets);
    d.rank = memory.array<float>("rank", std::uint64_t(d.nodes));
    d.next_rank = memory.array<float>("next_rank", std::uint64_t(d.nodes));
    const Dim3 grid{ctas_for(d.nodes, kThreads)}, block{kThreads};
    add_launch("pagerank_initialise", grid, block, 8, [d](Warp& w) { initialise(w, d); });
    for (int i = 0; i < iterations_; ++i) {
      add_launch("pagerank_push", grid, block, 24, [d](Warp& w) { push(w, d); });
      add_launch("pagerank_damp", grid, block, 12, [d](Warp& w) { damp(w, d); });
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    const auto nodes = static_cast<std::size_t>(d.nodes);
    std::vector<double> rank(nodes, 1.0 / d.nodes), next(nodes);
    for (int i = 0; i < iterations_; ++i) {
      next.assign(nodes, 0.0);
      for (std::size_t node = 0; node < nodes; ++node) {
        const int start = d.row_start[node], end = d.row_start[node + 1];
        for (int edge = start; edge < end; ++edge) next[std::size_t(d.columns.data[edge])] += rank[node] / (end - start);
      }
      for (std::size_t node = 0; node < nodes; ++node) rank[node] = 0.15 / d.nodes + 0.85 * next[node];
    }
    return close("rank", d.rank, {rank.begin(), rank.end()}, why) && equal("next_rank", d.next_rank, std::vector<float>(nodes), why);
  }

 private:
  int iterations_;
  Data data_{};
};

}  // namespace
}  // namespace pagerank

Entry pagerank_entry() {
  return {{"pagerank",
           "PageRank, push version (Pannotia): power-law loop trips, atomics to random and to popular nodes",
           {{"nodes", "65536", 2, 1 << 24, "nodes of the graph"},
            {"degree", "6", 0, 64, "mean number of neighbours", Argument::Kind::real},
            {"iterations", "1", 1, 1000, "of two launches each"},
            {"hub", "0", 0, 1 << 20, "neighbours that a node has at most, 0: any number; the original graph has 336"}},
           {},
           {{"tiny", {{"nodes", 2048}}},
            {"std", {{"nodes", 65536}, {"iterations", 2}}},
            {"paper", {{"nodes", 299067}, {"degree", 6.538}, {"iterations", 20}}},
            {"llc", {{"nodes", 200000}, {"degree", 6.538}, {"iterations", 2}, {"hub", 336}}}}},
          make_workload<pagerank::PageRank>};
}

}  // namespace wharf::spmd
