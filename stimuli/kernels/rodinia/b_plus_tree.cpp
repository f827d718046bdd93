// B+TREE, Rodinia 3.1 (workloads section 2.13): searches a tree of a million keys for single keys and for ranges, one CTA per query. Its
// 256 threads compare one key of a node each. The thread that finds the place passes the child on through memory. All CTAs read the root.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/inputs/key_tree.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace b_plus_tree {
namespace {
constexpr int kThreads = KeyTree::kOrder;

struct Tree {
  Array<std::int32_t> nodes, records;
  int node_count, height;
};

/// Index of a word of a node.
Lanes<int> child(const Lanes<std::int64_t>& node, const Lanes<int>& i) {
  return lanewise([](std::int64_t n, int x) { return static_cast<int>(n) * KeyTree::kNodeWords + KeyTree::kChild + x; }, node, i);
}
Lanes<int> key(const Lanes<std::int64_t>& node, const Lanes<int>& i) {
  return lanewise([](std::int64_t n, int x) { return static_cast<int>(n) * KeyTree::kNodeWords + KeyTree::kKey + x; }, node, i);
}
Lanes<std::int64_t> wide(const Lanes<int>& x) {
  return lanewise([](int v) { return std::int64_t{v}; }, x);
}

struct Points {
  Tree tree;
  Array<std::int64_t> current, offset;
  Array<std::int32_t> keys, answer;
};

void find_k(Warp& w, const Points& k) {
  const int b = w.block_x();
  const auto t = w.thread_x();
  w.alu(8);
  for ([[maybe_unused]] const int level : w.trips(k.tree.height)) {
    const auto current = w.load(k.current, b);
    const auto low = w.load(k.tree.nodes, key(current, t));
    const auto wanted = w.load(k.keys, b);
    w.where(low <= wanted, [&] {
      const auto high = w.load(k.tree.nodes, key(current, t + 1));
      w.where(high > wanted, [&] {
        const auto node = w.load(k.offset, b);
        const auto next = w.load(k.tree.nodes, child(node, t));
        const auto go_down = [&] { w.store(k.offset, b, wide(next)); };
        w.where(next < k.tree.node_count, go_down);
      });
    });
    w.barrier();
    w.where(t == 0, [&] {
      const auto next = w.load(k.offset, b);
      w.store(k.current, b, next);
    });
    w.barrier();
    w.alu(28);
  }
  const auto leaf = w.load(k.current, b);
  const auto found = w.load(k.tree.nodes, key(leaf, t));
  const auto wanted = w.load(k.keys, b);
  w.alu(30);
  w.where(found == wanted, [&] {
    const auto record = w.load(k.tree.nodes, child(leaf, t));
    const auto value = w.load(k.tree.records, record);
    w.store(k.answer, b, value);
  });
}

struct Ranges {
  Tree tree;
  Array<std::int64_t> current, offset, last, offset_2;
  Array<std::int32_t> start, end, first_record, length;
};

void find_range_k(Warp& w, const Ranges& k) {
  const int b = w.block_x();
  const auto t = w.thread_x();
  w.alu(8);
  for ([[maybe_unused]] const int level : w.trips(k.tree.height)) {
    const auto current = w.load(k.current, b);
    const auto low = w.load(k.tree.nodes, key(current, t));
    const auto start = w.load(k.start, b);
    w.where(low <= start, [&] {
      const auto high = w.load(k.tree.nodes, key(current, t + 1));
      w.where(high > start, [&] {
        const auto node = w.load(k.offset, b);
        const auto next = w.load(k.tree.nodes, child(node, t));
        const auto go_down = [&] { w.store(k.offset, b, wide(next)); };
        w.where(next < k.tree.node_count, go_down);
      });
    });
    const auto last = w.load(k.last, b);
    const auto last_low = w.load(k.tree.nodes, key(last, t));
    const auto end = w.load(k.end, b);
    w.where(last_low <= end, [&] {
      const auto high = w.load(k.tree.nodes, key(last, t + 1));
      w.where(high > end, [&] {
        const auto node = w.load(k.offset_2, b);
        const auto next = w.load(k.tree.nodes, child(node, t));
        const auto go_down = [&] { w.store(k.offset_2, b, wide(next)); };
        w.where(next < k.tree.node_count, go_down);
      });
    });
    w.barrier();
    w.where(t == 0, [&] {
      const auto next = w.load(k.offset, b);
      w.store(k.current, b, next);
      const auto next_last = w.load(k.offset_2, b);
      w.store(k.last, b, next_last);
    });
    w.barrier();
    w.alu(48);
  }
  const auto leaf = w.load(k.current, b);
  const auto found = w.load(k.tree.nodes, key(leaf, t));
  const auto start = w.load(k.start, b);
  w.where(found == start, [&] {
    const auto record = w.load(k.tree.nodes, child(leaf, t));
    w.store(k.first_record, b, record);
  });
  w.barrier();
  const auto last_leaf = w.load(k.last, b);
  const auto last_found = w.load(k.tree.nodes, key(last_leaf, t));
  const auto end = w.load(k.end, b);
  w.alu(40);
  w.where(last_found == end, [&] {
    const auto last_record = w.load(k.tree.nodes, child(last_leaf, t));
    const auto first_record = w.load(k.first_record, b);
    const auto length = w.compute(2, last_record - first_record + 1);
    w.store(k.length, b, length);
  });
}

class BPlusTree final : public Workload {
 public:
  BPlusTree(const Arguments& arguments, Memory& memory, std::uint64_t seed) : span_(arguments("span")) {
    const int keys = arguments("keys"), points = arguments("points"), ranges = arguments("ranges");
    arguments.require(span_ < keys, "span must be less than keys");
    const int per_node = arguments("per_node");
    arguments.require(keys / (per_node - 1) <= 500000, "keys / (per_node - 1) is about the number of nodes; choose at most 500000");
    const KeyTree made = key_tree(keys, per_node);
    Tree tree{{}, {}, made.nodes, made.height};
    tree.nodes = memory.array<std::int32_t>("nodes", made.words.size());
    tree.records = memory.array<std::int32_t>("records", std::uint64_t(keys));
    std::copy(made.words.begin(), made.words.end(), tree.nodes.data);
    for (int i = 0; i < keys; ++i) tree.records.data[i] = i;
    add_ranges(memory, tree, ranges, Rng(seed, 1));
    add_points(memory, tree, points, Rng(seed, 2));
  }

  bool check(std::string& why) const override {
    const auto& r = ranges_;
    const std::vector<std::int32_t> answers(points_.keys.data, points_.keys.data + points_.keys.size);  // records equal their keys
    const std::vector<std::int32_t> first(r.start.data, r.start.data + r.start.size), length(r.start.size, span_ + 1);
    return equal("answer", points_.answer, answers, why) && equal("recstart", r.first_record, first, why) &&
           equal("reclength", r.length, length, why);
  }

 private:
  void add_ranges(Memory& memory, const Tree& tree, int count, Rng random) {
    const auto n = std::uint64_t(count);
    auto& r = ranges_;
    r.tree = tree;
    r.current = memory.array<std::int64_t>("currKnode", n), r.offset = memory.array<std::int64_t>("offset", n);
    r.last = memory.array<std::int64_t>("lastKnode", n), r.offset_2 = memory.array<std::int64_t>("offset_2", n);
    r.start = memory.array<std::int32_t>("start", n), r.end = memory.array<std::int32_t>("end", n);
    r.first_record = memory.array<std::int32_t>("recstart", n), r.length = memory.array<std::int32_t>("reclength", n);
    for (int i = 0; i < count; ++i) {
      r.start.data[i] = static_cast<std::int32_t>(random.below(std::uint64_t(tree.records.size) - std::uint64_t(span_)));
      r.end.data[i] = r.start.data[i] + span_;
    }
    add_launch("b+tree_find_range_k", {std::uint32_t(count)}, {kThreads}, 24, [r](Warp& w) { find_range_k(w, r); });
  }

  void add_points(Memory& memory, const Tree& tree, int count, Rng random) {
    const auto n = std::uint64_t(count);
    auto& p = points_;
    p.tree = tree;
    p.current = memory.array<std::int64_t>("currKnode_k", n), p.offset = memory.array<std::int64_t>("offset_k", n);
    p.keys = memory.array<std::int32_t>("keys", n), p.answer = memory.array<std::int32_t>("answer", n);
    for (int i = 0; i < count; ++i) {
      p.keys.data[i] = static_cast<std::int32_t>(random.below(tree.records.size));
      p.answer.data[i] = -1;
    }
    add_launch("b+tree_find_k", {std::uint32_t(count)}, {kThreads}, 20, [p](Warp& w) { find_k(w, p); });
  }

  int span_;
  Ranges ranges_{};
  Points points_{};
};

}  // namespace
}  // namespace b_plus_tree

Entry b_plus_tree_entry() {
  return {{"b+tree",
           "searches in a B+ tree (Rodinia): the top levels are shared by all CTAs, leaves are random",
           {{"keys", "1000000", 1, 1 << 24, "keys of the tree"},
            {"per_node", "128", 2, 255, "keys or children of a node, of at most 255"},
            {"points", "10000", 1, 1 << 20, "queries for one key, one per CTA"},
            {"ranges", "6000", 1, 1 << 20, "queries for a range, one per CTA"},
            {"span", "3000", 0, 1 << 24, "last key of a range minus its first"}},
           {},
           {{"tiny", {{"points", 40}, {"ranges", 36}}}, {"std", {{"points", 1000}, {"ranges", 600}}}, {"paper", {{"points", 10000}}}, {"wide", {{"points", 1000}, {"ranges", 960}}}}},
          make_workload<b_plus_tree::BPlusTree>};
}

}  // namespace wharf::spmd
