// BFS, Rodinia 3.1 (workloads section 2.1): one level is two launches. The first visits the frontier's edges and marks new nodes. The
// second makes them the next frontier. Trip counts are degrees, active lanes follow the frontier, and gathers and stores are random.

#include <cstdint>

#include "stimuli/inputs/random_graph.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace bfs {
namespace {
struct Node {
  std::int32_t start, degree;
};

struct Data {
  Array<Node> nodes;
  Array<std::int32_t> edges, cost;
  Array<std::uint8_t> mask, updated, visited, over;
  int n;
};

void visit(Warp& w, const Data& k) {
  const auto tid = w.global_x();
  w.alu(6);
  w.where(tid < k.n, [&] {
    const auto frontier = w.load(k.mask, tid);
    w.where(frontier != 0, [&] {
      w.store(k.mask, tid, 0);
      const auto start = w.load(k.nodes, tid, &Node::start);
      const auto degree = w.load(k.nodes, tid, &Node::degree);
      auto end = w.compute(7, start + degree);
      w.for_lanes(start, end, [&](const Lanes<int>& e) {
        const auto id = w.load(k.edges, e);
        const auto visited = w.load(k.visited, id);
        w.where(visited == 0, [&] {
          const auto cost = w.load(k.cost, tid);
          const auto next = w.compute(2, cost + 1);
          w.store(k.cost, id, next);
          w.store(k.updated, id, 1);
        });
        // The compiler loads the node again, because the stores might have changed it.
        const auto start_again = w.load(k.nodes, tid, &Node::start);
        const auto degree_again = w.load(k.nodes, tid, &Node::degree);
        w.update(end, 11, start_again + degree_again);
      });
    });
  });
}

void advance_frontier(Warp& w, const Data& k) {
  const auto tid = w.global_x();
  w.alu(5);
  w.where(tid < k.n, [&] {
    const auto updated = w.load(k.updated, tid);
    w.where(updated != 0, [&] {
      w.store(k.mask, tid, 1);
      w.store(k.visited, tid, 1);
      w.store(k.over, 0, 1);
      w.store(k.updated, tid, 0);
    });
  });
}

Kernel visit_of(const Data& d) {
  return {{"bfs_k1", {ctas_for(d.n, 512)}, {512}, 20, 0, false, {}}, [d](Warp& w) { visit(w, d); }, 1, __builtin_FILE()};
}

Kernel advance_of(const Data& d) {
  return {{"bfs_k2", {ctas_for(d.n, 512)}, {512}, 6, 0, false, {}}, [d](Warp& w) { advance_frontier(w, d); }, 1, __builtin_FILE()};
}

/// An array with one element per node.
template <class T>
Array<T> per_node(const DeviceArguments& arguments, const char* name) {
  arguments.require_elements(name, std::uint64_t(arguments.integer("n")));
  return arguments.array<T>(name);
}

Kernel visit_launch(const DeviceArguments& arguments) {
  Data d;
  d.n = arguments.integer("n");
  d.nodes = per_node<Node>(arguments, "nodes");
  d.edges = arguments.array<std::int32_t>("edges");
  d.mask = per_node<std::uint8_t>(arguments, "mask"), d.updated = per_node<std::uint8_t>(arguments, "updated");
  d.visited = per_node<std::uint8_t>(arguments, "visited");
  d.cost = per_node<std::int32_t>(arguments, "cost");
  return visit_of(d);
}

Kernel advance_launch(const DeviceArguments& arguments) {
  Data d;
  d.n = arguments.integer("n");
  d.mask = per_node<std::uint8_t>(arguments, "mask"), d.updated = per_node<std::uint8_t>(arguments, "updated");
  d.visited = per_node<std::uint8_t>(arguments, "visited");
  d.over = arguments.array<std::uint8_t>("over");
  arguments.require_elements("over", 1);
  return advance_of(d);
}

class Bfs final : public Workload {
 public:
  Bfs(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.n = arguments("nodes");
    const int fewest = arguments("fewest"), most = arguments("most");
    arguments.require(fewest <= most, "fewest must be at most most");
    arguments.require(std::int64_t(d.n) * most < (1 << 30), "nodes * most bounds half the edges; choose less than 2^30");
    const Graph graph = random_graph(d.n, fewest, most, seed);
    const auto n = std::uint64_t(d.n);
    d.nodes = memory.array<Node>("nodes", n);
    d.edges = memory.array<std::int32_t>("edges", graph.targets.size());
    d.mask = memory.array<std::uint8_t>("mask", n);
    d.updated = memory.array<std::uint8_t>("updated", n);
    d.visited = memory.array<std::uint8_t>("visited", n);
    d.cost = memory.array<std::int32_t>("cost", n);
    d.over = memory.array<std::uint8_t>("over", 1);
    for (std::size_t i = 0; i < n; ++i) {
      d.nodes[i] = {graph.start[i], graph.start[i + 1] - graph.start[i]};
      d.cost[i] = -1;
    }
    for (std::size_t e = 0; e < graph.targets.size(); ++e) d.edges[e] = graph.targets[e];
    d.mask[0] = d.visited[0] = 1;
    d.cost[0] = 0;
    launches.push_back(visit_of(d));
    launches.push_back(advance_of(d));
  }

  const Kernel* next() override {
    const bool second_of_level = launched_ % 2 == 1, first_level = launched_ == 0;
    if (!second_of_level && !first_level && data_.over[0] == 0) return nullptr;
    if (!second_of_level) data_.over[0] = 0;
    return &launches[launched_++ % 2];
  }
  std::size_t launch_count() const override { return 0; }

  bool check(std::string& why) const override {
    std::vector<std::int32_t> cost(data_.cost.size, -1), queue{0};
    cost[0] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Node node = data_.nodes.data[queue[head]];
      for (auto e = node.start; e < node.start + node.degree; ++e) {
        auto& found = cost[std::size_t(data_.edges.data[e])];
        if (found >= 0) continue;
        found = cost[std::size_t(queue[head])] + 1;
        queue.push_back(data_.edges.data[e]);
      }
    }
    return equal("cost", data_.cost, cost, why);
  }

 private:
  Data data_{};
  std::size_t launched_ = 0;
};

Entry entry_of(const std::string& name, const std::string& help, std::uint64_t seed_offset) {
  return {{name,
           help,
           {{"nodes", "65536", 2, 1 << 24, "nodes of the graph"},
            {"fewest", "2", 1, 64, "fewest links that a node draws; the mean degree is fewest + most"},
            {"most", "4", 1, 64, "most links that a node draws"}},
           {},
           {{"tiny", {{"nodes", 2048}}}, {"std", {{"nodes", 65536}}}, {"paper", {{"nodes", 65536}}}, {"llc", {{"nodes", 196608}}}, {"loscache", {{"nodes", 4096}}}}},
          make_workload<Bfs>,
          seed_offset};
}

}  // namespace
}  // namespace bfs

Entry bfs_entry() { return bfs::entry_of("bfs", "breadth-first search of a random graph (Rodinia): irregular gathers and stores", 0); }
Entry bfs2_entry() { return bfs::entry_of("bfs2", "bfs on a second random graph", 1); }

DeviceKernel bfs_visit_kernel() {
  using Kind = DeviceParameter::Kind;
  return {"bfs_visit",
          "first launch of a level of breadth-first search: visits the edges of the frontier and marks what it finds",
          {{"nodes", Kind::array, sizeof(bfs::Node), 0, 0, "of each node its first edge and its degree, two int32"},
           {"edges", Kind::array, sizeof(std::int32_t), 0, 0, "of each edge the node it leads to"},
           {"mask", Kind::array, sizeof(std::uint8_t), 0, 0, "1: the node is in the frontier; set to 0"},
           {"updated", Kind::array, sizeof(std::uint8_t), 0, 0, "set to 1 where a node is found"},
           {"visited", Kind::array, sizeof(std::uint8_t), 0, 0, "1: found in an earlier level"},
           {"cost", Kind::array, sizeof(std::int32_t), 0, 0, "level of each node that has been found"},
           {"n", Kind::integer, 0, 1, 1 << 24, "nodes"}},
          bfs::visit_launch};
}

DeviceKernel bfs_advance_kernel() {
  using Kind = DeviceParameter::Kind;
  return {"bfs_advance",
          "second launch of a level: what was found becomes the frontier",
          {{"mask", Kind::array, sizeof(std::uint8_t), 0, 0, "set to 1 where a node was found"},
           {"updated", Kind::array, sizeof(std::uint8_t), 0, 0, "1: found in this level; set to 0"},
           {"visited", Kind::array, sizeof(std::uint8_t), 0, 0, "set to 1 where a node was found"},
           {"over", Kind::array, sizeof(std::uint8_t), 0, 0, "one byte, set to 1 if anything was found"},
           {"n", Kind::integer, 0, 1, 1 << 24, "nodes"}},
          bfs::advance_launch};
}

}  // namespace wharf::spmd
