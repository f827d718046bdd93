// BARNES-HUT, LonestarGPU 2.0 (workloads section 4.14): forces between bodies through an octree. A warp walks the tree for 32 bodies that
// are neighbours in space. It descends where one of them is too near, so all its lanes read one node at a time. All warps read the upper
// levels, neighbours the lower ones. The kernels that build, summarise and sort the tree (a fifth of the time) run on the host.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stimuli/inputs/octree.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace barnes_hut {
namespace {
constexpr float kSoftening = 0.0025f, kPerSquareTolerance = 4.0f;  // tolerance 0.5
constexpr float kStep = 0.025f, kHalfStep = kStep * 0.5f;
constexpr int kForceThreads = 256, kForceCtas = 5, kIntegrateThreads = 1024;  // CTAs: per SM
constexpr int kDeepest = Octree::kDeepest, kWarps = kForceThreads / int(kLanes);

struct Data {
  Array<float> position[3], mass;  // of all nodes
  Array<float> velocity[3], acceleration[3];
  Array<std::int32_t> child, sort;
  Array<float> radius;  // radius of the root
  int bodies, root, sms;
  bool volatile_loads;
};

template <class T>
Lanes<T> read(Warp& w, const Data& k, const Array<T>& array, const Lanes<int>& index, Site site = Site()) {
  return k.volatile_loads ? w.load_past_l1(array, index, site) : w.load(array, index, site);
}

/// A warp's stack in shared memory: cells, and for each the child to visit next. Lane 0 writes it.
class Stack {
 public:
  Stack(Warp& w, int warp)
      : lane_(w.thread_x() - warp * int(kLanes)),
        base_(warp * kDeepest),
        cells_(w.shared<std::int32_t>(4 * kDeepest, kDeepest * kWarps)),
        next_(w.shared<std::int32_t>(4 * kDeepest * (1 + kWarps), kDeepest * kWarps)) {}
  void push(Warp& w, const Lanes<int>& cell) {
    ++depth;
    w.where(lane_ == 0, [&] {
      w.store(cells_, base_ + depth, cell);
      w.store(next_, base_ + depth, 0);
    });
  }
  Lanes<int> next(Warp& w) const { return w.load(next_, base_ + depth); }
  Lanes<int> take(Warp& w, const Lanes<int>& next) {
    const auto cell = w.load(cells_, base_ + depth);
    w.where(lane_ == 0, [&] { w.store(next_, base_ + depth, next + 1); });
    return cell;
  }

  int depth = -1;

 private:
  Lanes<int> lane_;
  int base_;
  SharedArray<std::int32_t> cells_, next_;
};

struct Place {
  Lanes<float> x, y, z;
};

/// Acceleration of the bodies by all other bodies.
Place accelerate(Warp& w, const Data& k, const SharedArray<float>& far_enough, Stack& stack, const Place& at) {
  Place sum{0.0f, 0.0f, 0.0f};
  stack.push(w, k.root);
  while (stack.depth >= 0) {
    const auto next = stack.next(w);
    w.where(
        next < 8,
        [&] {
          const auto cell = stack.take(w, next);
          const auto n = read(w, k, k.child, cell * 8 + next);
          const auto visit = [&] {
            const auto nx = read(w, k, k.position[0], n);
            const auto ny = read(w, k, k.position[1], n);
            const auto nz = read(w, k, k.position[2], n);
            const auto dx = w.compute(1, nx - at.x);
            const auto dy = w.compute(1, ny - at.y);
            const auto dz = w.compute(1, nz - at.z);
            const auto square = w.compute(3, dx * dx + (dy * dy + (dz * dz + kSoftening)));
            const auto limit = w.load(far_enough, stack.depth);
            const auto interact = [&] {
              const auto mass = read(w, k, k.mass, n);
              const auto inverse = w.sfu(1, lanewise([](float s) { return 1.0f / std::sqrt(s); }, square));
              const auto pull = w.compute(3, mass * inverse * inverse * inverse);
              w.update(sum.x, 1, sum.x + dx * pull);
              w.update(sum.y, 1, sum.y + dy * pull);
              w.update(sum.z, 1, sum.z + dz * pull);
            };
            w.where(n < k.bodies || w.all(square >= limit), interact, [&] { stack.push(w, n); });
          };
          w.where(n >= 0, visit, [&] { --stack.depth; });  // the remaining children are empty too
        },
        [&] { --stack.depth; });
  }
  return sum;
}

void force(Warp& w, const Data& k, bool first_step) {
  const auto far_enough = w.shared<float>(0, kDeepest);
  const auto t = w.thread_x();
  w.where(t == 0, [&] {
    const auto radius = w.load(k.radius, 0);
    auto square = w.compute(2, radius * radius * kPerSquareTolerance);
    for (const int depth : w.trips(kDeepest)) {
      w.store(far_enough, depth, square + kSoftening);
      w.update(square, 2, square * 0.25f);
    }
  });
  w.barrier();
  Stack stack(w, t[0] / int(kLanes));
  const int threads = k.sms * kForceCtas * kForceThreads;
  for (const int pass : w.trips((k.bodies + threads - 1) / threads)) {
    const auto s = w.global_x() + pass * threads;
    w.alu(4);
    w.where(s < k.bodies, [&] {
      const auto i = w.load(k.sort, s);
      Place at;
      at.x = read(w, k, k.position[0], i);
      at.y = read(w, k, k.position[1], i);
      at.z = read(w, k, k.position[2], i);
      const Place sum = accelerate(w, k, far_enough, stack, at);
      const Lanes<float>* const now[3] = {&sum.x, &sum.y, &sum.z};
      for (const int axis : w.unrolled(3)) {
        if (!first_step) {
          const auto velocity = w.load(k.velocity[axis], i);
          const auto before = w.load(k.acceleration[axis], i);
          const auto turned = w.compute(2, velocity + (*now[axis] - before) * kHalfStep);
          w.store(k.velocity[axis], i, turned);
        }
        w.store(k.acceleration[axis], i, *now[axis]);
      }
    });
  }
}

void integrate(Warp& w, const Data& k) {
  const int threads = k.sms * kIntegrateThreads;
  for (const int pass : w.trips((k.bodies + threads - 1) / threads)) {
    const auto i = w.global_x() + pass * threads;
    w.alu(4);
    w.where(i < k.bodies, [&] {
      for (const int axis : w.unrolled(3)) {
        const auto acceleration = w.load(k.acceleration[axis], i);
        const auto velocity = w.load(k.velocity[axis], i);
        const auto change = w.compute(1, acceleration * kHalfStep);
        const auto half_way = w.compute(1, velocity + change);
        const auto position = w.load(k.position[axis], i);
        const auto moved = w.compute(1, position + half_way * kStep);
        const auto turned = w.compute(1, half_way + change);
        w.store(k.position[axis], i, moved);
        w.store(k.velocity[axis], i, turned);
      }
    });
  }
}

/// The same steps on the host.
class Simulation {
 public:
  explicit Simulation(const Bodies& bodies, std::int32_t root)
      : position_{bodies.x, bodies.y, bodies.z}, velocity_{bodies.vx, bodies.vy, bodies.vz}, mass_(bodies.mass), root_(root) {
    for (auto& axis : acceleration_) axis.resize(bodies.x.size());
  }

  void step(bool first) {
    const Octree tree = octree(position_[0], position_[1], position_[2], mass_, root_);
    for (std::size_t s = 0; s < tree.order.size(); s += kLanes) {
      const auto group = std::min<std::size_t>(kLanes, tree.order.size() - s);
      pull_group({tree.order.begin() + std::ptrdiff_t(s), tree.order.begin() + std::ptrdiff_t(s + group)}, tree, first);
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < position_[axis].size(); ++i) {
        const float change = acceleration_[axis][i] * kHalfStep, half_way = velocity_[axis][i] + change;
        position_[axis][i] += half_way * kStep;
        velocity_[axis][i] = half_way + change;
      }
    }
  }

  const std::vector<float>& position(int axis) const { return position_[axis]; }
  const std::vector<float>& velocity(int axis) const { return velocity_[axis]; }

 private:
  struct Body {
    float x, y, z;
    float sum[3] = {0.0f, 0.0f, 0.0f};
    float square = 0.0f;  // squared distance from the current node
  };

  void pull_group(const std::vector<std::int32_t>& members, const Octree& tree, bool first) {
    std::vector<Body> group;
    for (const auto i : members) group.push_back({tree.x[std::size_t(i)], tree.y[std::size_t(i)], tree.z[std::size_t(i)]});
    pull_by_cell(group, tree, tree.root, tree.radius * tree.radius * kPerSquareTolerance);
    for (std::size_t g = 0; g < group.size(); ++g) {
      const auto i = std::size_t(members[g]);
      for (int axis = 0; axis < 3; ++axis) {
        const float now = group[g].sum[axis];
        if (!first) velocity_[axis][i] += (now - acceleration_[axis][i]) * kHalfStep;
        acceleration_[axis][i] = now;
      }
    }
  }

  void pull_by_cell(std::vector<Body>& group, const Octree& tree, std::int32_t cell, float square_far_enough) {
    for (int c = 0; c < 8; ++c) {
      const std::int32_t node = tree.child[std::size_t(cell * 8 + c)];
      if (node < 0) break;
      const auto n = std::size_t(node);
      bool far = true;
      for (Body& b : group) {
        const float dx = tree.x[n] - b.x, dy = tree.y[n] - b.y, dz = tree.z[n] - b.z;
        b.square = dx * dx + (dy * dy + (dz * dz + kSoftening));
        far = far && b.square >= square_far_enough + kSoftening;
      }
      if (node >= tree.bodies && !far) {
        pull_by_cell(group, tree, node, square_far_enough * 0.25f);
        continue;
      }
      for (Body& b : group) {
        const float inverse = 1.0f / std::sqrt(b.square), pull = tree.mass[n] * inverse * inverse * inverse;
        b.sum[0] += (tree.x[n] - b.x) * pull;
        b.sum[1] += (tree.y[n] - b.y) * pull;
        b.sum[2] += (tree.z[n] - b.z) * pull;
      }
    }
  }

  std::vector<float> position_[3], velocity_[3], acceleration_[3];
  float mass_;
  std::int32_t root_;
};

class BarnesHut final : public Workload {
 public:
  BarnesHut(const Arguments& arguments, Memory& memory, std::uint64_t seed)
      : steps_(arguments("steps")), initial_(plummer_sphere(arguments("bodies"), seed)) {
    auto& d = data_;
    d.bodies = arguments("bodies"), d.sms = arguments("sms");
    d.volatile_loads = arguments("volatile") != 0;
    d.root = std::max(2 * d.bodies, 1024 * d.sms);  // as in the program; the tree has fewer cells
    const auto nodes = std::uint64_t(d.root) + 1, bodies = std::uint64_t(d.bodies);
    d.mass = memory.array<float>("mass", nodes);
    d.child = memory.array<std::int32_t>("child", nodes * 8);
    d.sort = memory.array<std::int32_t>("sort", bodies);
    d.radius = memory.array<float>("radius", 1);
    const std::vector<float>* const positions[3] = {&initial_.x, &initial_.y, &initial_.z};
    const std::vector<float>* const velocities[3] = {&initial_.vx, &initial_.vy, &initial_.vz};
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name(1, char('x' + axis));
      d.position[axis] = memory.array<float>("position_" + name, nodes);
      d.velocity[axis] = memory.array<float>("velocity_" + name, bodies);
      d.acceleration[axis] = memory.array<float>("acceleration_" + name, bodies);
      std::copy(positions[axis]->begin(), positions[axis]->end(), d.position[axis].data);
      std::copy(velocities[axis]->begin(), velocities[axis]->end(), d.velocity[axis].data);
    }
    constexpr std::uint32_t kShared = 4 * kDeepest * (1 + 2 * kWarps);
    const auto sms = std::uint32_t(d.sms);
    for (int step = 0; step < steps_; ++step) {
      const bool first = step == 0;
      add_launch(
          "bh_force", {sms * kForceCtas}, {kForceThreads}, 25, [d, first](Warp& w) { force(w, d, first); }, kShared, 3);
      add_launch(
          "bh_integrate", {sms}, {kIntegrateThreads}, 24, [d](Warp& w) { integrate(w, d); }, 0, 3);
    }
  }

  const Kernel* next() override {
    if (launched_++ % 2 == 0 && launched_ <= launches.size()) grow_tree();
    return Workload::next();
  }

  bool check(std::string& why) const override {
    Simulation expected(initial_, data_.root);
    for (int step = 0; step < steps_; ++step) expected.step(step == 0);
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name(1, char('x' + axis));
      if (!equal("position_" + name, data_.position[axis], expected.position(axis), why)) return false;
      if (!equal("velocity_" + name, data_.velocity[axis], expected.velocity(axis), why)) return false;
    }
    return true;
  }

 private:
  /// Before each step: builds the tree over the bodies' current positions.
  void grow_tree() {
    const auto& d = data_;
    const auto bodies = [&](int axis) { return std::vector<float>(d.position[axis].data, d.position[axis].data + d.bodies); };
    const Octree tree = octree(bodies(0), bodies(1), bodies(2), initial_.mass, d.root);
    d.radius[0] = tree.radius;
    std::copy(tree.child.begin(), tree.child.end(), d.child.data);
    std::copy(tree.order.begin(), tree.order.end(), d.sort.data);
    std::copy(tree.mass.begin(), tree.mass.end(), d.mass.data);
    std::copy(tree.x.begin(), tree.x.end(), d.position[0].data);
    std::copy(tree.y.begin(), tree.y.end(), d.position[1].data);
    std::copy(tree.z.begin(), tree.z.end(), d.position[2].data);
  }

  int steps_;
  Bodies initial_;
  Data data_{};
  std::size_t launched_ = 0;
};

}  // namespace
}  // namespace barnes_hut

Entry barnes_hut_entry() {
  return {{"barnes_hut",
           "gravity of many bodies through an octree (LonestarGPU): broadcast loads, the tree shared by all warps",
           {{"bodies", "30000", 2, 1 << 20, "bodies"},
            {"steps", "1", 1, 1000, "time steps, two launches each"},
            {"sms", "28", 1, 1024, "SMs for which the program sizes its grids"},
            {"volatile", "0", 0, 1, "1: reads of the tree do not use the L1, as the program has it"}},
           {},
           {{"tiny", {{"bodies", 256}}}, {"std", {{"bodies", 4096}}}, {"paper", {{"bodies", 30000}, {"steps", 3}}}}},
          make_workload<barnes_hut::BarnesHut>};
}

}  // namespace wharf::spmd
