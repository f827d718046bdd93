// MRI-Q, Parboil (workloads section 3.8): a matrix of magnetic resonance imaging, one voxel per thread. A first kernel computes the
// magnitudes of the k-space samples. The samples then pass through constant memory, 1024 per launch. Bound by arithmetic: the sine and
// cosine of a product per pair.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace mri_q {
namespace {
constexpr int kMagnitudeThreads = 512, kVoxelThreads = 256;
constexpr int kMostSamples = 1024;  // in constant memory, and so per launch
constexpr float kTwoPi = 6.2831853071795864769f;

struct Sample {
  float x, y, z, magnitude;
};

struct Data {
  Array<float> phi_r, phi_i, phi_magnitude;
  Array<float> x, y, z, q_r, q_i;
  const Sample* samples;  // filled by the host after the first kernel
  int voxels, count;
};

struct Sum {
  float r, i;
};

float magnitude_of(float r, float i) { return r * r + i * i; }

Sum term(const Sample& sample, float phase) { return {sample.magnitude * std::cos(phase), sample.magnitude * std::sin(phase)}; }

void compute_magnitudes(Warp& w, const Data& k) {
  const auto sample = w.global_x();
  w.alu(6);
  w.where(sample < k.count, [&] {
    const auto r = w.load(k.phi_r, sample);
    const auto i = w.load(k.phi_i, sample);
    const auto magnitude = w.compute(2, lanewise(magnitude_of, r, i));
    w.store(k.phi_magnitude, sample, magnitude);
  });
}

void compute_q(Warp& w, const Data& k, int first, int end) {
  const auto voxel = w.global_x();
  w.alu(12);
  w.where(voxel < k.voxels, [&] {
    const auto x = w.load(k.x, voxel);
    const auto y = w.load(k.y, voxel);
    const auto z = w.load(k.z, voxel);
    auto q_r = w.load(k.q_r, voxel);
    auto q_i = w.load(k.q_i, voxel);
    for (const int s : w.trips(first, end)) {
      const Sample& sample = k.samples[s];
      w.alu(6);
      const auto phase = w.compute(13, kTwoPi * (sample.x * x + sample.y * y + sample.z * z));
      const auto both = w.sfu(2, lanewise([&sample](float p) { return term(sample, p); }, phase));
      w.update(q_r, 2, lanewise([](float q, const Sum& t) { return q + t.r; }, q_r, both));
      w.update(q_i, 2, lanewise([](float q, const Sum& t) { return q + t.i; }, q_i, both));
    }
    w.store(k.q_r, voxel, q_r);
    w.store(k.q_i, voxel, q_i);
  });
}

class MriQ final : public Workload {
 public:
  MriQ(const Arguments& arguments, Memory& memory, std::uint64_t seed) : samples_(std::size_t(arguments("samples"))) {
    auto& d = data_;
    d.voxels = arguments("voxels"), d.count = arguments("samples");
    d.samples = samples_.data();
    Rng random(seed);
    const auto drawn = [&](const char* name, int size) {
      const auto array = memory.array<float>(name, std::uint64_t(size));
      for (std::uint32_t i = 0; i < array.size; ++i) array[i] = static_cast<float>(random.unit() - 0.5);
      return array;
    };
    d.phi_r = drawn("phi_r", d.count);
    d.phi_i = drawn("phi_i", d.count);
    d.phi_magnitude = memory.array<float>("phi_magnitude", std::uint64_t(d.count));
    d.x = drawn("x", d.voxels);
    d.y = drawn("y", d.voxels);
    d.z = drawn("z", d.voxels);
    d.q_r = memory.array<float>("q_r", std::uint64_t(d.voxels));
    d.q_i = memory.array<float>("q_i", std::uint64_t(d.voxels));
    for (Sample& sample : samples_) {
      for (float* place : {&sample.x, &sample.y, &sample.z}) *place = static_cast<float>((random.unit() - 0.5) * 32.0);
    }
    add_launch("mri_q_magnitudes", {ctas_for(d.count, kMagnitudeThreads)}, {kMagnitudeThreads}, 8,
               [d](Warp& w) { compute_magnitudes(w, d); });
    for (int first = 0; first < d.count; first += kMostSamples) {
      const int end = std::min(d.count, first + kMostSamples);
      add_launch("mri_q_compute", {ctas_for(d.voxels, kVoxelThreads)}, {kVoxelThreads}, 21,
                 [d, first, end](Warp& w) { compute_q(w, d, first, end); });
    }
  }

  const Kernel* next() override {
    const Kernel* const kernel = Workload::next();
    if (kernel == &launches[1]) {
      for (std::size_t s = 0; s < samples_.size(); ++s) samples_[s].magnitude = data_.phi_magnitude[s];
    }
    return kernel;
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> magnitudes, q_r, q_i;
    for (std::uint32_t s = 0; s < d.phi_r.size; ++s) magnitudes.push_back(magnitude_of(d.phi_r[s], d.phi_i[s]));
    for (std::uint32_t voxel = 0; voxel < d.x.size; ++voxel) {
      Sum q{0.0f, 0.0f};
      for (std::size_t s = 0; s < samples_.size(); ++s) {
        Sample sample = samples_[s];
        sample.magnitude = magnitudes[s];
        const Sum more = term(sample, kTwoPi * (sample.x * d.x[voxel] + sample.y * d.y[voxel] + sample.z * d.z[voxel]));
        q = {q.r + more.r, q.i + more.i};
      }
      q_r.push_back(q.r);
      q_i.push_back(q.i);
    }
    return equal("phi_magnitude", d.phi_magnitude, magnitudes, why) && equal("q_r", d.q_r, q_r, why) && equal("q_i", d.q_i, q_i, why);
  }

 private:
  Data data_{};
  std::vector<Sample> samples_;
};

}  // namespace
}  // namespace mri_q

Entry mri_q_entry() {
  return {{"mri_q",
           "matrix of magnetic resonance imaging (Parboil): sines and cosines, samples broadcast from constant memory",
           {{"voxels", "32768", 1, 1 << 22, "places in the image"},
            {"samples", "3072", 1, 1 << 20, "samples of k-space; a launch for every 1024"}},
           {},
           {{"tiny", {{"voxels", 2048}, {"samples", 40}}}, {"std", {{"samples", 128}}}, {"paper", {{"samples", 3072}}}}},
          make_workload<mri_q::MriQ>};
}

}  // namespace wharf::spmd
