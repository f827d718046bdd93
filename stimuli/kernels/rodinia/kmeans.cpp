// KMEANS, Rodinia (workloads section 2.2). Default: the version without textures. Its features are stored row by row: 32 diverged lines per
// load, walked once per cluster, the high-thrash case. texture=1: Rodinia 3.1's version, which first inverts the matrix and then reads it
// coalesced through the texture path, with clusters in constant memory. The host moves the centres between launches. Assumed of the
// compiler: the loop over features stores nothing, so it is unrolled by four and issues four features' loads together (@std and @paper:
// batch=4). batch=1: @ciao, whose source ran unoptimised code; @llc, whose source has an L1 that thrashes with more SMs; and @tiny.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace kmeans {
namespace {
struct Data {
  Array<float> features;  // [point][feature]
  Array<float> inverted;  // [feature][point], texture version only
  Array<float> clusters;  // [cluster][feature]
  Array<std::int32_t> member;
  int points, features_each, clusters_used, grid_side, batch;
};

Lanes<int> point_of(Warp& w, const Data& k) { return (k.grid_side * w.block_y() + w.block_x()) * 256 + w.thread_x(); }

/// A feature of the points and of a centre.
struct Feature {
  Lanes<float> own, centre;
};

/// The nearest centre so far.
struct Best {
  Lanes<float> distance = std::numeric_limits<float>::max();
  Lanes<int> cluster = 0;

  void offer(Warp& w, int c, const Lanes<float>& candidate) {
    const auto nearer = candidate < distance;
    w.update(cluster, 3, select(nearer, Lanes<int>(c), cluster));
    w.set(distance, select(nearer, candidate, distance));
  }
};

void assign(Warp& w, const Data& k) {
  const auto p = point_of(w, k);
  w.alu(4);
  w.where(p < k.points, [&] {
    const auto row = p * k.features_each;
    Best best;
    for (int c = 0; c < k.clusters_used; ++c) {
      Lanes<float> distance = 0.0f;
      const auto load = [&](int f, Feature& x) {
        x.own = w.load(k.features, row + f);
        x.centre = w.load(k.clusters, c * k.features_each + f);
      };
      const auto use = [&](int, const Feature& x) { w.update(distance, 4, distance + (x.own - x.centre) * (x.own - x.centre)); };
      w.batched_trips<Feature>(k.features_each, k.batch, load, use);
      best.offer(w, c, distance);
    }
    w.store(k.member, p, best.cluster);
  });
}

void assign_texture(Warp& w, const Data& k) {
  const auto p = point_of(w, k);
  w.alu(4);
  w.where(p < k.points, [&] {
    Best best;
    for (int c = 0; c < k.clusters_used; ++c) {
      Lanes<float> distance = 0.0f;
      const auto load = [&](int f, Lanes<float>& own) { own = w.texture(k.inverted, p + f * k.points); };
      const auto use = [&](int f, const Lanes<float>& own) {
        const float centre = k.clusters.data[c * k.features_each + f];  // constant memory: an operand of the arithmetic
        w.update(distance, 3, distance + (own - centre) * (own - centre));
      };
      w.batched_trips<Lanes<float>>(k.features_each, k.batch, load, use);
      best.offer(w, c, distance);
    }
    w.store(k.member, p, best.cluster);
  });
}

void invert(Warp& w, const Data& k) {
  const auto p = point_of(w, k);
  w.alu(4);
  w.where(p < k.points, [&] {
    for (const int f : w.trips(k.features_each)) {
      const auto feature = w.load(k.features, p * k.features_each + f);
      w.store(k.inverted, p + f * k.points, feature);
      w.alu(1);
    }
  });
}

class Kmeans final : public Workload {
 public:
  Kmeans(const Arguments& arguments, Memory& memory, std::uint64_t seed) : iterations_(arguments("iterations")) {
    auto& d = data_;
    d.points = arguments("points"), d.features_each = arguments("features"), d.clusters_used = arguments("clusters");
    d.batch = arguments("batch");
    arguments.require(d.clusters_used <= d.points, "clusters must be at most points");
    const std::uint64_t elements = std::uint64_t(d.points) * std::uint64_t(d.features_each);
    const bool texture = arguments("texture") != 0;
    d.features = memory.array<float>("features", elements);
    if (texture) d.inverted = memory.array<float>("inverted", elements);
    d.clusters = memory.array<float>("clusters", std::uint64_t(d.clusters_used) * std::uint64_t(d.features_each));
    d.member = memory.array<std::int32_t>("member", std::uint64_t(d.points));
    Rng random(seed);
    for (std::uint64_t i = 0; i < elements; ++i) d.features[i] = static_cast<float>(random.below(256));
    for (std::uint32_t i = 0; i < d.clusters.size; ++i) d.clusters[i] = d.features[i];  // the first points are the first centres
    for (d.grid_side = 1; std::int64_t(d.grid_side) * d.grid_side * 256 < d.points;) ++d.grid_side;
    const Dim3 grid{std::uint32_t(d.grid_side), std::uint32_t(d.grid_side)}, block{256};
    if (texture) add_launch("kmeans_invert", grid, block, 16, [d](Warp& w) { invert(w, d); });
    add_launch("kmeans_assign", grid, block, 16, [d, texture](Warp& w) { texture ? assign_texture(w, d) : assign(w, d); });
  }

  const Kernel* next() override {
    const std::size_t before = launches.size() - 1;  // kernels before the first assignment
    if (launched_ == launch_count()) return nullptr;
    if (launched_ > before) move_centres();
    return &launches[std::min(launched_++, before)];
  }
  std::size_t launch_count() const override { return launches.size() - 1 + std::size_t(iterations_); }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<std::int32_t> member(d.member.size);
    for (int p = 0; p < d.points; ++p) {
      float best = std::numeric_limits<float>::max();
      for (int c = 0; c < d.clusters_used; ++c) {
        float distance = 0.0f;
        for (int f = 0; f < d.features_each; ++f) {
          const float difference = d.features.data[p * d.features_each + f] - d.clusters.data[c * d.features_each + f];
          distance += difference * difference;
        }
        if (distance >= best) continue;
        best = distance;
        member[std::size_t(p)] = c;
      }
    }
    return equal("member", d.member, member, why);
  }

 private:
  void move_centres() {
    const auto& d = data_;
    std::vector<double> sums(d.clusters.size);
    std::vector<int> counts(std::size_t(d.clusters_used));
    for (int p = 0; p < d.points; ++p) {
      const auto c = std::size_t(d.member.data[p]);
      ++counts[c];
      for (int f = 0; f < d.features_each; ++f) {
        sums[c * std::size_t(d.features_each) + std::size_t(f)] += d.features.data[p * d.features_each + f];
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (const int count = counts[i / std::size_t(d.features_each)]) d.clusters[i] = static_cast<float>(sums[i] / count);
    }
  }

  Data data_{};
  int iterations_;
  std::size_t launched_ = 0;
};

}  // namespace
}  // namespace kmeans

Entry kmeans_entry() {
  return {{"kmeans",
           "k-means assignment (Rodinia): diverged rows walked once a cluster",
           {{"points", "819200", 1, 1 << 24, "points"},
            {"features", "34", 1, 64, "features of a point"},
            {"clusters", "5", 1, 64, "centres"},
            {"iterations", "1", 1, 500, "assignments; the centres move in between"},
            {"texture", "0", 0, 1, "1: Rodinia 3.1's version, inverted features read as textures"},
            batch_argument()},
           {},
           {{"tiny", {{"points", 2048}}},
            {"std", {{"points", 32768}, {"batch", 4}}},
            {"paper", {{"points", 819200}, {"batch", 4}}},
            {"llc", {{"points", 104448}, {"clusters", 2}}},
            {"ciao", {{"points", 819200}, {"alu", 2.5}}}}},
          make_workload<kmeans::Kmeans>};
}

}  // namespace wharf::spmd
