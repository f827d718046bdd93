// GESUMMV, PolyBench/GPU 1.0 (workloads section 1.4): y = alpha A x + beta B x. Two diverged row walks at once thrash the L1 more than any
// other kernel of the suite. The stores to two arrays force the compiler to load both accumulators again in each iteration.

#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace gesummv {
namespace {
constexpr float kAlpha = 43532.0f, kBeta = 12313.0f;

struct Data {
  Array<float> a, b, x, y, tmp;
  int n, trip, pitch;
};

void gesummv(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.where(i < k.n, [&] {
    const auto row = i * k.pitch;
    for (const int j : w.trips(k.trip)) {
      auto t = w.load(k.tmp, i);
      const auto a = w.load(k.a, row + j);
      const auto xa = w.load(k.x, j);
      w.update(t, 1.4, a * xa + t);
      w.store(k.tmp, i, t);
      auto s = w.load(k.y, i);
      const auto b = w.load(k.b, row + j);
      const auto xb = w.load(k.x, j);
      w.update(s, 1.4, b * xb + s);
      w.store(k.y, i, s);
    }
    const auto t = w.load(k.tmp, i);
    const auto s = w.load(k.y, i);
    const auto y = w.compute(2, kAlpha * t + kBeta * s);
    w.store(k.y, i, y);
  });
}

/// The variant optimised by hand: accumulators in registers.
void gesummv_promoted(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.where(i < k.n, [&] {
    const auto row = i * k.pitch;
    Lanes<float> t = 0.0f, s = 0.0f;
    for (const int j : w.trips(k.trip)) {
      const auto a = w.load(k.a, row + j);
      const auto b = w.load(k.b, row + j);
      const auto x = w.load(k.x, j);
      w.update(t, 1.4, a * x + t);
      w.update(s, 1.4, b * x + s);
    }
    const auto y = w.compute(2, kAlpha * t + kBeta * s);
    w.store(k.tmp, i, t);
    w.store(k.y, i, y);
  });
}

class Gesummv final : public Workload {
 public:
  Gesummv(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.n = arguments("n"), d.trip = arguments("trip"), d.pitch = arguments("pitch");
    const int columns = arguments("columns");
    arguments.require(d.trip <= columns, "trip must be at most columns");
    arguments.require(d.pitch >= columns, "pitch is the distance between rows and must be at least columns");
    const auto elements = std::uint64_t(d.n) * std::uint64_t(d.pitch), n = std::uint64_t(d.n);
    const auto gap = std::uint64_t(arguments("gap"));
    d.a = memory.array<float>("A", elements + gap);
    d.a.size = static_cast<std::uint32_t>(elements);
    d.b = memory.array<float>("B", elements);  // the benchmark never initialises it
    d.x = memory.array<float>("x", std::uint64_t(columns)), d.y = memory.array<float>("y", n), d.tmp = memory.array<float>("tmp", n);
    for (int j = 0; j < columns; ++j) d.x[std::uint64_t(j)] = static_cast<float>(j) / static_cast<float>(d.n);
    for (int i = 0; i < d.n; ++i) {
      float* const row = d.a.data + std::uint64_t(i) * std::uint64_t(d.pitch);
      for (int j = 0; j < d.trip; ++j) row[j] = static_cast<float>(i) * static_cast<float>(j) / static_cast<float>(d.n);
    }
    const bool promote = arguments("promote") != 0;
    add_launch("gesummv", {ctas_for(d.n, 256)}, {256}, 18, [d, promote](Warp& w) { promote ? gesummv_promoted(w, d) : gesummv(w, d); });
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> tmp(d.tmp.size), y(d.y.size);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const float* const a = d.a.data + i * std::size_t(d.pitch);
      const float* const b = d.b.data + i * std::size_t(d.pitch);
      float s = 0.0f;
      for (int j = 0; j < d.trip; ++j) {
        tmp[i] = a[j] * d.x.data[j] + tmp[i];
        s = b[j] * d.x.data[j] + s;
      }
      y[i] = kAlpha * tmp[i] + kBeta * s;
    }
    return equal("tmp", d.tmp, tmp, why) && equal("y", d.y, y, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace gesummv

Entry gesummv_entry() {
  return {{"gesummv",
           "y = alpha A x + beta B x (PolyBench/GPU): two diverged row walks, accumulators in memory",
           {{"n", "4096", 1, 32768, "rows of A and B, and what the elements are divided by"},
            {"columns", "n", 1, 32768, "columns of A and B"},
            {"pitch", "columns", 1, 32768, "elements from one row to the next"},
            {"trip", "columns", 1, 32768, "iterations of the row walk"},
            {"gap", "0", 0, 32768, "elements that lie free between A and B"},
            promote_argument()},
           {},
           {{"tiny", {{"n", 1024}, {"pitch", 4096}, {"trip", 192}}},
            {"std", {{"n", 4096}, {"trip", 512}}},
            {"paper", {{"n", 4096}}},
            {"ciao", {{"n", 4096}, {"gap", 2048}, {"alu", 2.8}}}}},
          make_workload<gesummv::Gesummv>};
}

}  // namespace wharf::spmd
