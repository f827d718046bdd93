// CORR and COVAR, PolyBench/GPU 1.0 (workloads sections 1.12 and 1.13): correlations and covariances of a data matrix's columns. Arrays are
// 1-based with rows of M + 1 elements, so no row is line-aligned. One thread is a row of the result. Every iteration of the innermost loop
// stores to 32 lines, the trip count falls from lane to lane, and all CTAs stream the whole data once per column.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace correlation {
namespace {
constexpr float kCount = 3214212.01f, kTooSmall = 0.005f;  // the benchmark's divisor, and its smallest deviation

struct Data {
  Array<float> data, mean, deviation, result;  // deviation: CORR only
  int m, n, pitch, trip;
  bool promote;
};

void mean(Warp& w, const Data& k) {
  const auto j = w.global_x() + 1;
  w.where(j <= k.m, [&] {
    Lanes<float> sum = 0.0f;
    w.store(k.mean, j, sum);
    for (const int i : w.trips(1, k.n + 1)) {
      const auto x = w.load(k.data, i * k.pitch + j);
      w.update(sum, 1.3, sum + x);
      if (!k.promote) w.store(k.mean, j, sum);
    }
    const auto quotient = w.sfu(1, sum / kCount);
    w.store(k.mean, j, quotient);
  });
}

void deviation(Warp& w, const Data& k) {
  const auto j = w.global_x() + 1;
  w.where(j <= k.m, [&] {
    Lanes<float> sum = 0.0f;
    w.store(k.deviation, j, sum);
    for (const int i : w.trips(1, k.n + 1)) {
      const auto x = w.load(k.data, i * k.pitch + j);
      const auto m = w.load(k.mean, j);
      w.update(sum, 2.6, sum + (x - m) * (x - m));
      if (!k.promote) w.store(k.deviation, j, sum);
    }
    const auto variance = w.sfu(1, sum / kCount);
    const auto root = w.sfu(1, sqrt(variance));
    const auto clamped = w.compute(2, select(root <= kTooSmall, Lanes<float>(1.0f), root));
    w.store(k.deviation, j, clamped);
  });
}

/// CORR: centres the data and divides them by the deviation.
void standardise(Warp& w, const Data& k) {
  const auto j = w.global_x() + 1, i = w.global_y() + 1;
  w.where(i <= k.n && j <= k.m, [&] {
    const auto at = i * k.pitch + j;
    const auto x = w.load(k.data, at);
    const auto m = w.load(k.mean, j);
    const auto centred = w.compute(10, x - m);
    w.store(k.data, at, centred);
    const auto d = w.load(k.deviation, j);
    const auto standardised = w.compute(15, centred / (std::sqrt(kCount) * d));
    w.store(k.data, at, standardised);
  });
}

/// COVAR: centres the data.
void centre(Warp& w, const Data& k) {
  const auto j = w.global_x() + 1, i = w.global_y() + 1;
  w.where(i <= k.n && j <= k.m, [&] {
    const auto at = i * k.pitch + j;
    const auto x = w.load(k.data, at);
    const auto m = w.load(k.mean, j);
    const auto centred = w.compute(10, x - m);
    w.store(k.data, at, centred);
  });
}

/// Computes row j1 of the symmetric result from column `begin` on, and stores it also in column j1.
void half_row(Warp& w, const Data& k, const Lanes<int>& j1, const Lanes<int>& begin) {
  const auto end = lanewise([&k](int first) { return std::min(first + k.trip, k.m + 1); }, begin);
  w.for_lanes(begin, end, [&](const Lanes<int>& j2) {
    const auto at = j1 * k.pitch + j2;
    Lanes<float> sum = 0.0f;
    w.store(k.result, at, sum);
    for (const int i : w.trips(1, k.n + 1)) {
      const auto x1 = w.load(k.data, i * k.pitch + j1);
      const auto x2 = w.load(k.data, i * k.pitch + j2);
      w.update(sum, 1.8, sum + x1 * x2);
      if (!k.promote) w.store(k.result, at, sum);
    }
    if (k.promote) w.store(k.result, at, sum);
    w.store(k.result, j2 * k.pitch + j1, sum);
  });
}

void correlation(Warp& w, const Data& k) {
  const auto j1 = w.global_x() + 1;
  w.where(j1 < k.m, [&] {
    w.store(k.result, j1 * k.pitch + j1, 1.0f);
    half_row(w, k, j1, j1 + 1);
  });
}

void covariance(Warp& w, const Data& k) {
  const auto j1 = w.global_x() + 1;
  w.where(j1 <= k.m, [&] { half_row(w, k, j1, j1); });
}

/// The host side of both.
class Statistics : public Workload {
 protected:
  Statistics(const Arguments& arguments, Memory& memory) {
    auto& d = data_;
    d.m = arguments("m"), d.n = arguments("n"), d.pitch = arguments("width") + 1;
    d.trip = arguments("trip");
    d.promote = arguments("promote") != 0;
    arguments.require(d.pitch > d.m, "width is the number of columns that the rows have room for and must be at least m");
    d.data = memory.array<float>("data", std::uint64_t(d.n + 1) * std::uint64_t(d.pitch));
    d.mean = memory.array<float>("mean", std::uint64_t(d.pitch));
    d.result = memory.array<float>("symmat", std::uint64_t(d.m + 1) * std::uint64_t(d.pitch));
    for (int i = 1; i <= d.n; ++i) {
      for (int j = 1; j <= d.m; ++j) d.data[at(i, j)] = initial(i, j);
    }
  }

  std::uint64_t at(int i, int j) const { return std::uint64_t(i) * std::uint64_t(data_.pitch) + std::uint64_t(j); }
  float initial(int i, int j) const { return static_cast<float>(i) * static_cast<float>(j) / static_cast<float>(data_.m + 1); }

  std::vector<float> expected_mean() const {
    std::vector<float> out(data_.mean.size);
    for (int j = 1; j <= data_.m; ++j) {
      float& sum = out[std::size_t(j)];
      for (int i = 1; i <= data_.n; ++i) sum += initial(i, j);
      sum /= kCount;
    }
    return out;
  }

  /// Computed from the last kernel's input. `first`: distance from the diagonal to the first computed element.
  std::vector<float> expected_result(const std::vector<float>& data, int first) const {
    std::vector<float> out(data_.result.size);
    for (int j1 = 1; j1 <= data_.m; ++j1) {
      out[at(j1, j1)] = 1.0f;
      for (int j2 = j1 + first; j2 < std::min(j1 + first + data_.trip, data_.m + 1); ++j2) {
        float sum = 0.0f;
        for (int i = 1; i <= data_.n; ++i) sum += data[at(i, j1)] * data[at(i, j2)];
        out[at(j1, j2)] = out[at(j2, j1)] = sum;
      }
    }
    return out;
  }

  Data data_{};
};

class Correlation final : public Statistics {
 public:
  Correlation(const Arguments& arguments, Memory& memory, std::uint64_t) : Statistics(arguments, memory) {
    auto& d = data_;
    d.deviation = memory.array<float>("stddev", std::uint64_t(d.pitch));
    d.result[at(d.m, d.m)] = 1.0f;  // set by the host, because no thread owns the last row
    const Dim3 columns{ctas_for(d.m, 256)};
    add_launch("corr_mean", columns, {256}, 14, [d](Warp& w) { mean(w, d); });
    add_launch("corr_std", columns, {256}, 18, [d](Warp& w) { deviation(w, d); });
    add_launch("corr_reduce", {ctas_for(d.m, 32), ctas_for(d.n, 8)}, {32, 8}, 18, [d](Warp& w) { standardise(w, d); });
    add_launch("corr", columns, {256}, 28, [d](Warp& w) { correlation(w, d); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    const auto means = expected_mean();
    std::vector<float> deviations(d.deviation.size), standardised(d.data.size);
    for (int j = 1; j <= d.m; ++j) {
      const float m = means[std::size_t(j)];
      float& sum = deviations[std::size_t(j)];
      for (int i = 1; i <= d.n; ++i) sum += (initial(i, j) - m) * (initial(i, j) - m);
      sum = std::sqrt(sum / kCount);
      if (sum <= kTooSmall) sum = 1.0f;
      for (int i = 1; i <= d.n; ++i) standardised[at(i, j)] = (initial(i, j) - m) / (std::sqrt(kCount) * sum);
    }
    return equal("mean", d.mean, means, why) && equal("stddev", d.deviation, deviations, why) && equal("data", d.data, standardised, why) &&
           equal("symmat", d.result, expected_result(standardised, 1), why);
  }
};

class Covariance final : public Statistics {
 public:
  Covariance(const Arguments& arguments, Memory& memory, std::uint64_t) : Statistics(arguments, memory) {
    auto& d = data_;
    const Dim3 columns{ctas_for(d.m, 256)};
    add_launch("covar_mean", columns, {256}, 14, [d](Warp& w) { mean(w, d); });
    add_launch("covar_reduce", {ctas_for(d.m, 32), centred_rows() / 8}, {32, 8}, 14, [d](Warp& w) { centre(w, d); });
    add_launch("covar", columns, {256}, 28, [d](Warp& w) { covariance(w, d); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    const auto means = expected_mean();
    std::vector<float> centred(d.data.size);
    for (int i = 1; i <= d.n; ++i) {
      for (int j = 1; j <= d.m; ++j) {
        centred[at(i, j)] = i <= int(centred_rows()) ? initial(i, j) - means[std::size_t(j)] : initial(i, j);
      }
    }
    return equal("mean", d.mean, means, why) && equal("data", d.data, centred, why) &&
           equal("symmat", d.result, expected_result(centred, 0), why);
  }

 private:
  /// The benchmark divides the rows by 32 for CTAs of 8 rows, so it centres only a quarter of them.
  std::uint32_t centred_rows() const { return 8 * ctas_for(data_.n, 32); }
};

WorkloadInfo info_of(const std::string& name, const std::string& help, const std::string& m, std::vector<WorkloadSize> sizes) {
  return {name,
          help,
          {{"m", m, 1, 16384, "columns of the data, rows and columns of the result"},
           {"n", "m", 1, 16384, "rows of the data"},
           {"width", "m", 1, 16384, "columns that the rows have room for: they are width + 1 elements apart"},
           {"trip", "m", 1, 16384, "most columns that a row of the result computes"},
           promote_argument()},
          {},
          std::move(sizes)};
}

}  // namespace
}  // namespace correlation

Entry corr_entry() {
  return {correlation::info_of("corr", "correlation matrix (PolyBench/GPU): shared streaming, a diverged store in each inner iteration", "512",
                  {{"tiny", {{"m", 256}, {"n", 4}, {"width", 1024}}},
                   {"std", {{"m", 1024}, {"n", 8}}},
                   {"paper", {{"m", 512}}},
                   {"ciao", {{"m", 7680}, {"n", 64}, {"trip", 12}, {"promote", 1}}}}),
          make_workload<correlation::Correlation>};
}
Entry covar_entry() {
  return {correlation::info_of("covar", "covariance matrix (PolyBench/GPU): shared streaming, a diverged store in each inner iteration", "2048",
                  {{"tiny", {{"m", 256}, {"n", 4}, {"width", 1024}}}, {"std", {{"m", 1024}, {"n", 8}}}, {"paper", {{"m", 2048}}}}),
          make_workload<correlation::Covariance>};
}

}  // namespace wharf::spmd
