// K-MEANS, Mars (workloads section 6.6): one iteration. The map finds the nearest cluster of each point; lanes are twelve bytes apart.
// Records are sorted by cluster, which is read through a pointer. The reduction has one thread per cluster, which visits all of its points.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/mars/mars.h"

namespace wharf::spmd {
namespace mars_kmeans {
namespace {
using namespace mars;

constexpr int kDimensions = 3, kMost = 100;  // per point; all coordinates are less than kMost

struct Key {
  Word id, dimensions, clusters, unused;
  std::int64_t base;
};
/// Places of the arrays.
struct Value {
  std::int64_t points, clusters, members;
};

struct Data {
  Array<Record> input;
  Array<Key> keys;
  Array<Value> values;
  Array<Word> points, clusters, member, changed;
  Emission map;
  Array<Word> starts;  // starts of the groups
  int count, cluster_count, groups;
};

void count_points(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.count, [&] { count_record(w, k.map, thread, sizeof(Key), sizeof(Value)); });
}

/// The nearest cluster of the point whose first coordinate is element `point`. The clusters begin at element `centres`.
Lanes<Word> nearest_cluster(Warp& w, const Data& k, const Lanes<int>& point, const Lanes<int>& centres) {
  Lanes<Word> best = std::numeric_limits<Word>::max(), nearest = 0;
  for (int c = 0; c < k.cluster_count; ++c) {
    Lanes<Word> distance = 0;
    for (const int d : w.trips(kDimensions)) {
      const auto own = w.load(k.points, point + d);
      const auto centre = w.load(k.clusters, centres + (c * kDimensions + d));
      w.update(distance, 3, distance + (own - centre) * (own - centre));
    }
    w.where(distance < best, [&] {
      w.update(best, 1, distance);
      w.set(nearest, c);
    });
    w.alu(2);
  }
  nearest.sources = nearest.sources | best.sources;
  return nearest;
}

void write_points(Warp& w, const Data& k) {
  const auto thread = w.global_x();
  w.alu(6);
  w.where(thread < k.count, [&] {
    begin_records(w, k.map, thread);
    const auto record = w.load(k.input, thread);
    const auto key = key_place<Key>(record), value = value_place<Value>(record);
    const auto id = w.load(k.keys, key, &Key::id);
    const auto dimensions = w.load(k.keys, key, &Key::dimensions);
    const auto points = w.load(k.values, value, &Value::points);
    const auto clusters = w.load(k.values, value, &Value::clusters);
    const auto members = w.load(k.values, value, &Value::members);
    const auto point = w.compute(2, lanewise([](std::int64_t p, Word i, Word n) { return int(p) + i * n; }, points, id, dimensions));
    const auto centres = w.compute(1, lanewise([](std::int64_t p) { return int(p); }, clusters));
    const auto member = w.compute(1, lanewise([](std::int64_t p, Word i) { return int(p) + i; }, members, id));
    const auto before = w.load(k.member, member);
    const auto nearest = nearest_cluster(w, k, point, centres);
    w.where(nearest != before, [&] {
      w.store(k.member, member, nearest);
      w.store(k.changed, 0, 1);
    });
    const auto keys = in_parts_of<Byte>(k.keys), values = in_parts_of<Byte>(k.values);
    const auto key_begin = key_place<Byte>(record), value_begin = value_place<Byte>(record);
    emit(
        w, k.map, thread, sizeof(Key), sizeof(Value), [&](const Lanes<int>& i) { return w.load(keys, key_begin + i); },
        [&](const Lanes<int>& i) { return w.load(values, value_begin + i); });
  });
}

Lanes<int> compare_clusters(Warp& w, const Array<Key>& keys, const Array<Word>& member, const Lanes<Record>& a, const Lanes<Record>& b) {
  const auto id_a = w.load(keys, key_place<Key>(a), &Key::id, here());
  const auto id_b = w.load(keys, key_place<Key>(b), &Key::id, here());
  const auto cluster_a = w.load(member, id_a, here());
  const auto cluster_b = w.load(member, id_b, here());
  return w.compute(2, lanewise([](Word x, Word y) { return int(x > y) - int(x < y); }, cluster_a, cluster_b), here());
}

/// Computes the new centres; the sums are kept in memory.
void reduce_clusters(Warp& w, const Data& k) {
  const auto group = w.global_x();
  const auto keys = in_parts_of<Key>(k.map.keys);
  w.alu(6);
  w.where(group < k.groups, [&] {
    const auto begin = w.load(k.starts, group);
    const auto end = w.load(k.starts, group + 1);
    const auto first = w.load(k.map.index, begin);
    const auto id = w.load(keys, key_place<Key>(first), &Key::id);
    const auto cluster = w.load(k.member, id);
    const auto centre = w.compute(1, cluster * kDimensions);
    for (const int d : w.trips(kDimensions)) w.store(k.clusters, centre + d, 0);
    w.for_lanes(begin, end, [&](const Lanes<int>& i) {
      const auto record = w.load(k.map.index, i);
      const auto member = w.load(keys, key_place<Key>(record), &Key::id);
      for (const int d : w.trips(kDimensions)) {
        const auto coordinate = w.load(k.points, member * kDimensions + d);
        const auto so_far = w.load(k.clusters, centre + d);
        const auto sum = w.compute(2, so_far + coordinate);
        w.store(k.clusters, centre + d, sum);
      }
    });
    const auto members = w.compute(1, end - begin);
    for (const int d : w.trips(kDimensions)) {
      const auto sum = w.load(k.clusters, centre + d);
      const auto mean = w.sfu(1, lanewise([](Word s, Word n) { return n == 0 ? 0 : s / n; }, sum, members));
      w.store(k.clusters, centre + d, mean);
    }
  });
}

class MarsKmeans final : public Job {
 public:
  MarsKmeans(const Arguments& arguments, Memory& memory, std::uint64_t seed) : Job(memory, "mars_kmeans") {
    auto& d = data_;
    d.count = arguments("points"), d.cluster_count = arguments("clusters");
    arguments.require(d.cluster_count <= d.count, "clusters must be at most points");
    const auto points = std::uint64_t(d.count);
    d.input = memory.array<Record>("input", points);
    d.keys = memory.array<Key>("point_keys", points);
    d.values = memory.array<Value>("point_values", points);
    d.points = memory.array<Word>("points", points * kDimensions);
    d.clusters = memory.array<Word>("clusters", std::uint64_t(d.cluster_count) * kDimensions);
    d.member = memory.array<Word>("member", points);
    d.changed = memory.array<Word>("changed", 1);
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.points.size; ++i) d.points[i] = Word(random.below(kMost));
    std::copy_n(d.points.data, d.clusters.size, d.clusters.data);
    for (int i = 0; i < d.count; ++i) {
      d.input[std::uint64_t(i)] = {i * Word(sizeof(Key)), sizeof(Key), i * Word(sizeof(Value)), sizeof(Value)};
      d.keys[std::uint64_t(i)] = {i, kDimensions, d.cluster_count, 0, 0};
      map_on_host(i);
    }
    d.map = make_emission("map", d.count, records_, true);
    add_emitting(
        "map", d.count, d.map, [this](Warp& w) { count_points(w, data_); }, [this](Warp& w) { write_points(w, data_); });
    const Order order{[this](Warp& w, const Lanes<Record>& a, const Lanes<Record>& b) {
                        return compare_clusters(w, in_parts_of<Key>(data_.map.keys), data_.member, a, b);
                      },
                      [this](const Record& a, const Record& b) {
                        const Word x = cluster_of(a), y = cluster_of(b);
                        return int(x > y) - int(x < y);
                      }};
    groups_ = add_grouping("map", d.map, records_, order, {0, false, 20});
    d.groups = group_numbers().back();
    d.starts = add_group_starts("map", groups_, d.groups);
    add_launch("mars_kmeans_reduce", {ctas_for(d.groups, kThreads)}, {kThreads}, 20, [this](Warp& w) { reduce_clusters(w, data_); });
    move_on_host();
  }

  bool check(std::string& why) const override {
    return equal("member", data_.member, member_, why) && check_emission("map", data_.map, records_, why) &&
           check_groups(0, groups_, records_, why) && equal("clusters", data_.clusters, centres_, why);
  }

 private:
  Word cluster_of(const Record& record) const { return member_[std::size_t(record.key_offset) / sizeof(Key)]; }

  void map_on_host(int point) {
    const auto& d = data_;
    const Word* const own = d.points.data + point * kDimensions;
    Word best = std::numeric_limits<Word>::max(), nearest = 0;
    for (int c = 0; c < d.cluster_count; ++c) {
      Word distance = 0;
      for (int i = 0; i < kDimensions; ++i) {
        const Word difference = own[i] - d.clusters.data[c * kDimensions + i];
        distance += difference * difference;
      }
      if (distance >= best) continue;
      best = distance;
      nearest = c;
    }
    member_.push_back(nearest);
    records_.emit(&d.keys.data[point], sizeof(Key), &d.values.data[point], sizeof(Value));
  }

  void move_on_host() {
    const auto& d = data_;
    centres_.assign(d.clusters.data, d.clusters.data + d.clusters.size);
    std::vector<Word> sums(centres_.size()), members(centres_.size() / kDimensions);
    for (std::size_t p = 0; p < member_.size(); ++p) {
      const auto c = std::size_t(member_[p]);
      ++members[c];
      for (std::size_t i = 0; i < kDimensions; ++i) sums[c * kDimensions + i] += d.points.data[p * kDimensions + i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (members[i / kDimensions] != 0) centres_[i] = sums[i] / members[i / kDimensions];
    }
  }

  Data data_{};
  Records records_;
  Groups groups_;
  std::vector<Word> member_, centres_;
};

}  // namespace
}  // namespace mars_kmeans

Entry mars_kmeans_entry() {
  return {{"mars_kmeans",
           "an iteration of k-means (Mars): small points, a sort through pointers, a reduction with one thread per cluster",
           {{"points", "14336", 1, 1 << 18, "points of three coordinates, one per thread"},
            {"clusters", "24", 1, 256, "centres"}},
           {},
           {{"tiny", {{"points", 200}, {"clusters", 4}}},
            {"std", {{"points", 7168}}},
            {"paper", {{"points", 14336}}},
            {"ciao", {{"points", 14336}, {"alu", 2.2}}}}},
          make_workload<mars_kmeans::MarsKmeans>};
}

}  // namespace wharf::spmd
