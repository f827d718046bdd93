// REDUCTION, SHOC (workloads section 4.10): the sum of an array by a fixed grid of 64 CTAs. Their threads add pairs of elements into shared
// memory, where a tree adds the rest. The host adds the 64 results. Every pass streams over the whole array again, which hits the L2 or
// not.

#include <algorithm>
#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace reduction {
namespace {
constexpr int kThreads = 256, kCtas = 64;
constexpr int kAtOnce = 2 * kThreads;  // elements that a CTA adds per iteration

template <class T>
struct Data {
  Array<T> in, out;
  int n;
};

/// sums[t] += sums[t + distance] in the active lanes.
template <class T>
void fold(Warp& w, const SharedArray<T>& sums, const Lanes<int>& t, int distance) {
  const auto own = w.load(sums, t);
  const auto other = w.load(sums, t + distance);
  const auto both = w.compute(1, own + other);
  w.store(sums, t, both);
}

template <class T>
void reduce(Warp& w, const Data<T>& k) {
  const auto sums = w.shared<T>(0, kThreads);
  const auto t = w.thread_x();
  w.alu(8);
  w.store(sums, t, T{0});
  for (const int pass : w.trips((k.n + kCtas * kAtOnce - 1) / (kCtas * kAtOnce))) {
    const auto i = (pass * kCtas + w.block_x()) * kAtOnce + t;
    w.where(i < k.n, [&] {
      const auto first = w.load(k.in, i);
      const auto second = w.load(k.in, i + kThreads);
      const auto before = w.load(sums, t);
      const auto sum = w.compute(4, before + (first + second));
      w.store(sums, t, sum);
    });
  }
  w.barrier();
  for (int distance = kThreads / 2; distance > int(kLanes); distance /= 2) {
    w.alu(2);
    w.where(t < distance, [&] { fold(w, sums, t, distance); });
    w.barrier();
  }
  w.where(t < int(kLanes), [&] {  // the last warp needs no barrier
    for (int distance = int(kLanes); distance > 0; distance /= 2) fold(w, sums, t, distance);
  });
  w.where(t == 0, [&] {
    const auto sum = w.load(sums, t);
    w.store(k.out, w.block_x(), sum);
  });
}

template <class T>
class Sum final : public Workload {
 public:
  Sum(const Arguments& arguments, Memory& memory) {
    auto& d = data_;
    d.n = arguments("elements");
    arguments.require(d.n % kAtOnce == 0, "elements must be a multiple of 512, what a CTA adds at once");
    d.in = memory.array<T>("in", std::uint64_t(d.n));
    d.out = memory.array<T>("out", kCtas);
    for (int i = 0; i < d.n; ++i) d.in.data[i] = static_cast<T>(i % 3);
    for (int pass = 0; pass < arguments("passes"); ++pass) {
      add_launch(
          "reduce", {kCtas}, {kThreads}, 14, [d](Warp& w) { reduce(w, d); }, sizeof(T) * kThreads);
    }
  }

  bool check(std::string& why) const override {
    std::vector<T> out(kCtas), sums(kThreads);
    for (std::size_t cta = 0; cta < kCtas; ++cta) {
      std::fill(sums.begin(), sums.end(), T{0});
      for (std::size_t first = cta * kAtOnce; first < std::size_t(data_.n); first += kCtas * kAtOnce) {
        for (std::size_t t = 0; t < kThreads; ++t) sums[t] += data_.in.data[first + t] + data_.in.data[first + t + kThreads];
      }
      for (std::size_t distance = kThreads / 2; distance > 0; distance /= 2) {
        for (std::size_t t = 0; t < distance; ++t) sums[t] += sums[t + distance];
      }
      out[cta] = sums[0];
    }
    return equal("out", data_.out, out, why);
  }

 private:
  Data<T> data_{};
};

std::unique_ptr<Workload> make_reduction(const Arguments& arguments, Memory& memory, std::uint64_t) {
  if (arguments("double") != 0) return std::make_unique<Sum<double>>(arguments, memory);
  return std::make_unique<Sum<float>>(arguments, memory);
}

}  // namespace
}  // namespace reduction

Entry reduction_entry() {
  return {{"reduction",
           "sum of an array, several passes (SHOC): streaming, reuse only between passes",
           {{"elements", "1048576", 512, 1 << 28, "elements, a multiple of 512"},
            {"passes", "4", 1, 1000, "launches, all over the same array"},
            {"double", "0", 0, 1, "1: elements of 8 B"}},
           {},
           {{"tiny", {{"elements", 1 << 16}, {"passes", 2}}},
            {"std", {{"elements", 1 << 20}, {"passes", 4}}},
            {"paper", {{"elements", 1 << 24}, {"passes", 4}}}}},
          reduction::make_reduction};
}

}  // namespace wharf::spmd
