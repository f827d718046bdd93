// BFS, Parboil (workloads section 3.6): breadth-first search with queues. A thread takes a node from the frontier and lowers its
// neighbours' costs with atomics. It puts neighbours that nobody has found yet into one of eight queues in shared memory, which the CTA
// appends to the next frontier. A frontier that fits into one CTA stays in its shared memory, several levels in one launch.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "stimuli/inputs/random_graph.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace parboil_bfs {
namespace {
constexpr int kThreads = 512, kQueues = 8, kQueueSize = 400;
constexpr std::int32_t kInfinite = 1 << 30;
constexpr std::int32_t kGrey = 1, kBlack = 3;  // colours: 0 is white; the grey of odd levels is one more

struct Node {
  std::int32_t start, degree;
};
struct Edge {
  std::int32_t id, cost;
};

struct Data {
  Array<Node> nodes;
  Array<Edge> edges;
  Array<std::int32_t> colour, cost, tail;
};

/// Shared memory of a CTA.
struct Shared {
  SharedArray<std::int32_t> queues, tails, starts;  // [queue][entry], [queue], [queue]
  SharedArray<std::int32_t> first, total;           // place of the queues in the next frontier, and its size
  SharedArray<std::int32_t> frontier;
};

Shared shared_of(Warp& w, bool keeps_frontier) {
  constexpr std::uint32_t kQueueBytes = 4 * kQueues * kQueueSize;
  return {w.shared<std::int32_t>(0, kQueues * kQueueSize),
          w.shared<std::int32_t>(kQueueBytes, kQueues),
          w.shared<std::int32_t>(kQueueBytes + 4 * kQueues, kQueues),
          w.shared<std::int32_t>(kQueueBytes + 8 * kQueues, 1),
          w.shared<std::int32_t>(kQueueBytes + 8 * kQueues + 4, 1),
          w.shared<std::int32_t>(kQueueBytes + 8 * kQueues + 8, keeps_frontier ? kThreads : 0)};
}
constexpr std::uint32_t shared_bytes(bool keeps_frontier) {
  return 4 * kQueues * kQueueSize + 8 * kQueues + 8 + (keeps_frontier ? 4 * kThreads : 0);
}

/// Visits a node's edges. New nodes go into the thread's queue, or into the next frontier if the queue is full.
void visit(Warp& w, const Data& k, const Shared& s, const Array<std::int32_t>& next, const Lanes<int>& node, std::int32_t grey) {
  const auto queue = lanewise([](int t) { return t % kQueues; }, w.thread_x());
  w.store(k.colour, node, kBlack);
  const auto own_cost = w.load(k.cost, node);
  const auto edges = w.texture(k.nodes, node);
  const auto start = w.compute(1, lanewise([](Node n) { return n.start; }, edges));
  const auto end = w.compute(1, lanewise([](Node n) { return n.start + n.degree; }, edges));
  const auto base = w.compute(1, own_cost + 0);
  w.for_lanes(start, end, [&](const Lanes<int>& e) {
    const auto edge = w.texture(k.edges, e);
    const auto id = w.compute(1, lanewise([](Edge x) { return x.id; }, edge));
    const auto cost = w.compute(1, lanewise([](Edge x, int from) { return from + x.cost; }, edge, base));
    const auto before = w.atomic(k.cost, id, cost, [](int a, int b) { return std::min(a, b); });
    w.where(before > cost, [&] {
      const auto colour = w.atomic(k.colour, id, grey, [](int, int exchanged) { return exchanged; });
      w.where(colour != grey, [&] {
        const auto place = w.atomic(s.tails, queue, 1, std::plus<>());
        w.where(
            place < kQueueSize, [&] { w.store(s.queues, queue * kQueueSize + place, id); },
            [&] {
              const auto beyond = w.atomic(k.tail, 0, 1, std::plus<>());
              w.store(next, beyond, id);
            });
      });
    });
    w.alu(3);
  });
}

void clear_queues(Warp& w, const Shared& s) {
  w.where(w.thread_x() < kQueues, [&] { w.store(s.tails, w.thread_x(), 0); });
  w.barrier();
}

/// Thread 0 computes the start of each queue and claims room for all of them.
template <class Claim>
void place_queues(Warp& w, const Shared& s, Claim&& claim) {
  w.barrier();
  w.where(w.thread_x() == 0, [&] {
    Lanes<int> sum = 0;
    for (const int queue : w.unrolled(kQueues)) {
      const auto length = w.load(s.tails, queue);
      w.store(s.starts, queue, sum);
      w.update(sum, 2, sum + lanewise([](int n) { return std::min(n, kQueueSize); }, length));
    }
    claim(sum);
  });
  w.barrier();
}

/// Copies the queues one after another to `target`, from element `first` on.
template <class Target>
void append_queues(Warp& w, const Shared& s, const Target& target, const Lanes<int>& first, Site site = Site()) {
  const auto t = w.thread_x();
  const auto queue = lanewise([](int thread) { return thread % kQueues; }, t);
  w.alu(4);
  const auto length = w.load(s.tails, queue);
  const auto start = w.load(s.starts, queue);
  const auto end = w.compute(1, lanewise([](int n) { return std::min(n, kQueueSize); }, length));
  const auto to = w.compute(1, start + first);
  Lanes<int> i = lanewise([](int thread) { return thread / kQueues; }, t);
  w.while_any([&] { return i < end; },
              [&] {
                const auto id = w.load(s.queues, queue * kQueueSize + i);
                w.store(target, to + i, id, site);
                w.alu(2);
                i = i + kThreads / kQueues;
              });
}

/// Searches one level of any size.
void search_level(Warp& w, const Data& k, const Array<std::int32_t>& frontier, const Array<std::int32_t>& next, int size,
                  std::int32_t grey) {
  const Shared s = shared_of(w, false);
  const auto thread = w.global_x();
  w.alu(6);
  clear_queues(w, s);
  w.where(thread < size, [&] {
    const auto node = w.load(frontier, thread);
    visit(w, k, s, next, node, grey);
  });
  place_queues(w, s, [&](const Lanes<int>& count) {
    const auto first = w.atomic(k.tail, 0, count, std::plus<>());
    w.store(s.first, 0, first);
  });
  const auto first = w.load(s.first, 0);
  append_queues(w, s, next, first);
}

/// Searches levels while the frontier fits into the CTA.
void search_levels(Warp& w, const Data& k, const Array<std::int32_t>& frontier, const Array<std::int32_t>& next, int initial, int level) {
  const Shared s = shared_of(w, true);
  const auto t = w.thread_x();
  w.alu(6);
  w.where(t < initial, [&] {
    const auto node = w.load(frontier, t);
    w.store(s.frontier, t, node);
  });
  Lanes<int> size = initial, in_memory = 0;
  w.while_any([&] { return size > 0 && size <= kThreads && in_memory == 0; },
              [&] {
                clear_queues(w, s);
                w.where(t < size, [&] {
                  const auto node = w.load(s.frontier, t);
                  visit(w, k, s, next, node, kGrey + level % 2);
                });
                ++level;
                place_queues(w, s, [&](const Lanes<int>& count) {
                  const auto beyond = w.load_past_l1(k.tail, 0);
                  const auto all = w.compute(1, count + beyond);
                  w.store(s.first, 0, beyond);
                  w.store(s.total, 0, all);
                });
                w.set(size, w.load(s.total, 0));
                w.set(in_memory, w.load(s.first, 0));
                w.where(size <= kThreads && in_memory == 0, [&] {
                  append_queues(w, s, s.frontier, 0);
                });
                w.barrier();
              });
  w.where(size > 0, [&] {
    append_queues(w, s, next, in_memory);
  });
  w.where(t == 0, [&] { w.store(k.tail, 0, size); });
}

class ParboilBfs final : public Workload {
 public:
  ParboilBfs(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    const int nodes = arguments("nodes"), fewest = arguments("fewest"), most = arguments("most");
    arguments.require(fewest <= most, "fewest must be at most most");
    arguments.require(std::int64_t(nodes) * most < (1 << 29), "nodes * most bounds half the edges; choose less than 2^29");
    const Graph graph = random_graph(nodes, fewest, most, seed);
    const auto n = std::uint64_t(nodes);
    d.nodes = memory.array<Node>("nodes", n);
    d.edges = memory.array<Edge>("edges", graph.targets.size());
    d.colour = memory.array<std::int32_t>("colour", n);
    d.cost = memory.array<std::int32_t>("cost", n);
    frontiers_ = {memory.array<std::int32_t>("queue1", n), memory.array<std::int32_t>("queue2", n)};
    d.tail = memory.array<std::int32_t>("tail", 1);
    for (std::size_t i = 0; i < n; ++i) {
      d.nodes[i] = {graph.start[i], graph.start[i + 1] - graph.start[i]};
      d.cost[i] = i == 0 ? 0 : kInfinite;
    }
    for (std::size_t e = 0; e < graph.targets.size(); ++e) d.edges[e] = {graph.targets[e], 1};
    d.tail[0] = 1;  // node 0 is the frontier
  }

  const Kernel* next() override {
    const auto& d = data_;
    const int size = d.tail[0];
    if (size == 0) return nullptr;
    const auto &frontier = frontiers_[launched_ % 2], &found = frontiers_[(launched_ + 1) % 2];
    const std::string from = launched_ % 2 == 0 ? "_1" : "_2";  // the queue that the launch reads
    ++launched_;
    // Costs are levels, so a frontier node's cost is the current level.
    const int level = d.cost[std::uint64_t(frontier[0])];
    d.tail[0] = 0;
    launches.clear();
    if (size <= kThreads) {
      const auto program = [d, frontier, found, size, level](Warp& w) { search_levels(w, d, frontier, found, size, level); };
      add_launch("bfs_in_cta" + from, {}, {kThreads}, 24, program, shared_bytes(true), kQueues);
    } else {
      const std::int32_t grey = kGrey + level % 2;
      const auto program = [d, frontier, found, size, grey](Warp& w) { search_level(w, d, frontier, found, size, grey); };
      add_launch("bfs_level" + from, {ctas_for(size, kThreads)}, {kThreads}, 24, program, shared_bytes(false), kQueues);
    }
    return &launches.front();
  }
  std::size_t launch_count() const override { return 0; }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<std::int32_t> cost(d.cost.size, kInfinite), colour(d.cost.size), queue{0};
    cost[0] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const auto node = static_cast<std::size_t>(queue[head]);
      colour[node] = kBlack;
      const Node edges = d.nodes.data[node];
      for (int e = edges.start; e < edges.start + edges.degree; ++e) {
        const auto id = static_cast<std::size_t>(d.edges.data[e].id);
        if (cost[id] != kInfinite) continue;
        cost[id] = cost[node] + 1;
        queue.push_back(static_cast<std::int32_t>(id));
      }
    }
    return equal("cost", d.cost, cost, why) && equal("colour", d.colour, colour, why);
  }

 private:
  Data data_{};
  std::array<Array<std::int32_t>, 2> frontiers_{};
  std::size_t launched_ = 0;
};

}  // namespace
}  // namespace parboil_bfs

Entry parboil_bfs_entry() {
  return {{"parboil_bfs",
           "breadth-first search with queues (Parboil): atomics on random lines, queues in shared memory",
           {{"nodes", "65536", 2, 1 << 24, "nodes of the graph"},
            {"fewest", "2", 1, 64, "fewest links that a node draws; the mean degree is fewest + most"},
            {"most", "4", 1, 64, "most links that a node draws"}},
           {},
           {{"tiny", {{"nodes", 4096}}}, {"std", {{"nodes", 65536}}}, {"paper", {{"nodes", 1 << 20}}}, {"llc", {{"nodes", 131072}}}}},
          make_workload<parboil_bfs::ParboilBfs>};
}

}  // namespace wharf::spmd
