// NN, Rodinia 3.1 (workloads section 2.8): distances of all records to one place; the host then takes the nearest. Pure streaming over
// pairs of floats: the second load hits the lines of the first. (The neural network of ISPASS is ispass_nn.)

#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace nn {
namespace {
constexpr int kThreads = 256;
constexpr float kLatitude = 30.0f, kLongitude = 90.0f;  // the place

struct Location {
  float latitude, longitude;
};

struct Data {
  Array<Location> locations;
  Array<float> distances;
  int records;
};

float square_of_distance(float latitude, float longitude) {
  return (kLatitude - latitude) * (kLatitude - latitude) + (kLongitude - longitude) * (kLongitude - longitude);
}

void euclid(Warp& w, const Data& k) {
  const auto record = w.global_x();
  w.alu(9);
  w.where(record < k.records, [&] {
    const auto latitude = w.load(k.locations, record, &Location::latitude);
    const auto longitude = w.load(k.locations, record, &Location::longitude);
    const auto square = w.compute(11, lanewise(square_of_distance, latitude, longitude));
    const auto root = w.sfu(1, sqrt(square));
    const auto distance = w.compute(4, root);
    w.store(k.distances, record, distance);
  });
}

class NearestNeighbour final : public Workload {
 public:
  NearestNeighbour(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.records = arguments("records");
    d.locations = memory.array<Location>("locations", std::uint64_t(d.records));
    d.distances = memory.array<float>("distances", std::uint64_t(d.records));
    Rng random(seed);
    const auto tenths = [&random](std::uint64_t from, std::uint64_t to) { return static_cast<float>(random.between(from, to)) / 10.0f; };
    for (std::uint32_t i = 0; i < d.locations.size; ++i) {
      const float latitude = tenths(70, 670), longitude = tenths(0, 3580);
      d.locations[i] = {latitude, longitude};
    }
    add_launch("nn_euclid", {ctas_for(d.records, kThreads)}, {kThreads}, 12, [d](Warp& w) { euclid(w, d); });
  }

  bool check(std::string& why) const override {
    std::vector<float> distances;
    for (std::uint32_t i = 0; i < data_.locations.size; ++i) {
      const Location& at = data_.locations[i];
      distances.push_back(std::sqrt(square_of_distance(at.latitude, at.longitude)));
    }
    return equal("distances", data_.distances, distances, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace nn

Entry nn_entry() {
  return {{"nn",
           "distances to the records of a list (Rodinia): streaming over pairs of floats",
           {{"records", "42764", 1, 1 << 24, "records"}},
           {},
           {{"tiny", {{"records", 8192}}}, {"std", {{"records", 16 * 42764}}}, {"paper", {{"records", 42764}}}}},
          make_workload<nn::NearestNeighbour>};
}

}  // namespace wharf::spmd
