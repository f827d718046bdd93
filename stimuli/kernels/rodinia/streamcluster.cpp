// STREAMCLUSTER, Rodinia (workloads section 2.12): the gain of making a point a centre. Each launch streams over the coordinates, stored
// dimension by dimension, against one candidate. Points are structs of 32 B. Sums go to one row of K + 1 elements per point. The host would
// open a centre that pays. Here it keeps its centres, as it does with most candidates. The loop over dimensions stores nothing and could be
// unrolled (batch=4). No size does that: a point's coordinates map to one set of an L1, which would then have fewer lines in flight, not
// more.

#include <algorithm>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace streamcluster {
namespace {
constexpr int kThreads = 512;

struct Point {
  float weight;
  std::uint64_t coordinates;  // a pointer of the host, which no kernel follows
  std::int64_t assigned;      // the point that is its centre
  float cost;                 // cost of the way to it
};
static_assert(sizeof(Point) == 32);

struct Data {
  Array<float> coordinates;  // [dimension][point]
  Array<Point> points;
  Array<float> work;                 // [point][K + 1]: saving at the point's centre; last element: gain of switching
  Array<std::int32_t> centre_table;  // [point]: number of a centre
  Array<std::uint8_t> switches;
  int n, dimensions, stride, batch;
};

/// A coordinate of both points.
struct Coordinate {
  Lanes<float> own, other;
};

void compute_cost(Warp& w, const Data& k, int candidate) {
  const auto point = w.global_x();
  w.alu(8);
  w.where(point < k.n, [&] {
    Lanes<float> square = 0.0f;
    const auto load = [&](int d, Coordinate& x) {
      x.own = w.load(k.coordinates, d * k.n + point);
      x.other = w.load(k.coordinates, d * k.n + candidate);
    };
    const auto use = [&](int, const Coordinate& x) { w.update(square, 3, square + (x.own - x.other) * (x.own - x.other)); };
    w.batched_trips<Coordinate>(k.dimensions, k.batch, load, use);
    const auto weight = w.load(k.points, point, &Point::weight);
    const auto cost = w.load(k.points, point, &Point::cost);
    const auto saved = w.compute(4, square * weight - cost);
    const auto change = [&] {
      w.store(k.switches, point, 1);
      const auto gained = w.load(k.work, point * k.stride + (k.stride - 1));
      const auto sum = w.compute(1, gained + saved);
      w.store(k.work, point * k.stride + (k.stride - 1), sum);
    };
    const auto stay = [&] {
      const auto assigned = w.load(k.points, point, &Point::assigned);
      const auto centre = w.load(k.centre_table, lanewise([](std::int64_t i) { return static_cast<int>(i); }, assigned));
      const auto lost = w.load(k.work, point * k.stride + centre);
      const auto sum = w.compute(1, lost - saved);
      w.store(k.work, point * k.stride + centre, sum);
    };
    w.where(saved < 0.0f, change, stay);
  });
}

class Streamcluster final : public Workload {
 public:
  Streamcluster(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.n = arguments("points"), d.dimensions = arguments("dimensions"), d.batch = arguments("batch");
    const int centres = arguments("centres"), launches = arguments("launches");
    arguments.require(centres + launches <= d.n, "centres and candidates are points: centres + launches must be at most points");
    d.stride = centres + 1;
    const auto n = std::uint64_t(d.n);
    d.coordinates = memory.array<float>("coordinates", n * std::uint64_t(d.dimensions));
    d.points = memory.array<Point>("points", n);
    d.work = memory.array<float>("work", (n + 1) * std::uint64_t(d.stride));
    d.centre_table = memory.array<std::int32_t>("centre_table", n);
    d.switches = memory.array<std::uint8_t>("switches", n);
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.coordinates.size; ++i) d.coordinates[i] = static_cast<float>(random.unit());
    for (int c = 0; c < centres; ++c) d.centre_table.data[c] = c;  // the first points are the centres
    for (int i = 0; i < d.n; ++i) {
      Point& point = d.points.data[i];
      point = {1.0f, 0, 0, distance(i, 0)};
      for (int c = 1; c < centres; ++c) {
        if (const float other = distance(i, c); other < point.cost) point.assigned = c, point.cost = other;
      }
    }
    for (int launch = 0; launch < launches; ++launch) {
      candidates_.push_back(centres + int(random.below(std::uint64_t(d.n - centres))));
      add_launch("sc_cost", {ctas_for(d.n, kThreads)}, {kThreads}, 56, [d, x = candidates_.back()](Warp& w) { compute_cost(w, d, x); });
    }
  }

  const Kernel* next() override {
    const Kernel* const kernel = Workload::next();
    if (kernel != nullptr) {
      std::fill_n(data_.work.data, data_.work.size, 0.0f);
      std::fill_n(data_.switches.data, data_.switches.size, std::uint8_t{0});
    }
    return kernel;
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> work(d.work.size);
    std::vector<std::uint8_t> switches(d.switches.size);
    for (int i = 0; i < d.n; ++i) {
      const Point& point = d.points.data[i];
      const float saved = distance(i, candidates_.back()) * point.weight - point.cost;
      switches[std::size_t(i)] = saved < 0.0f;
      const int place = saved < 0.0f ? d.stride - 1 : d.centre_table.data[point.assigned];
      work[std::size_t(i * d.stride + place)] = saved < 0.0f ? saved : 0.0f - saved;
    }
    return equal("switches", d.switches, switches, why) && equal("work", d.work, work, why);
  }

 private:
  float distance(int a, int b) const {
    float square = 0.0f;
    for (int d = 0; d < data_.dimensions; ++d) {
      const float* const row = data_.coordinates.data + std::int64_t(d) * data_.n;
      square += (row[a] - row[b]) * (row[a] - row[b]);
    }
    return square;
  }

  Data data_{};
  std::vector<int> candidates_;
};

}  // namespace
}  // namespace streamcluster

Entry streamcluster_entry() {
  return {{"streamcluster",
           "gain of a candidate centre for all points (Rodinia): coordinates stream by in each launch, points are structs",
           {{"points", "65536", 2, 1 << 22, "points"},
            {"dimensions", "256", 1, 1024, "coordinates of a point"},
            {"centres", "10", 1, 64, "centres that are open"},
            {"launches", "8", 1, 10000, "candidates, one per launch"},
            batch_argument()},
           {},
           {{"tiny", {{"points", 2048}, {"dimensions", 16}, {"launches", 2}}},
            {"std", {{"points", 16384}, {"dimensions", 64}, {"launches", 8}}},
            {"paper", {{"points", 65536}, {"dimensions", 256}, {"launches", 100}}},
            {"wide", {{"points", 65536}, {"dimensions", 64}, {"launches", 2}}}}},
          make_workload<streamcluster::Streamcluster>};
}

}  // namespace wharf::spmd
