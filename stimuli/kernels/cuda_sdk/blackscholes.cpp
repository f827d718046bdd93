// BLACKSCHOLES, CUDA SDK (workloads section 4.1): prices European options. It reads three streams, writes two, reuses nothing. In recent
// versions a thread computes two neighbouring options; 4.x walks over all options with a fixed grid, one at a time.

#include <cmath>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace blackscholes {
namespace {
constexpr float kRiskFree = 0.02f, kVolatility = 0.30f;
constexpr double kCompute = 57.5, kSpecial = 10;  // instructions per option
constexpr int kThreads = 128, kCtas = 480;        // the 4.x version's

/// The neighbouring options, N of them, that a thread loads and stores at once.
template <int N>
struct Group {
  float of[N];
};

template <int N>
struct Market {
  Group<N> price, strike, years;
};
template <int N>
struct Worth {
  Group<N> call, put;
};

/// Cumulative normal distribution: polynomial 26.2.17 of Abramowitz and Stegun.
float normal_below(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(d));
  const float series = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * std::exp(-0.5f * d * d) * series;
  return d > 0 ? 1.0f - tail : tail;
}

void price_option(float price, float strike, float years, float& call, float& put) {
  const float root = std::sqrt(years);
  const float d1 = (std::log(price / strike) + (kRiskFree + 0.5f * kVolatility * kVolatility) * years) / (kVolatility * root);
  const float below1 = normal_below(d1), below2 = normal_below(d1 - kVolatility * root);
  const float discounted = strike * std::exp(-kRiskFree * years);
  call = price * below1 - discounted * below2;
  put = discounted * (1.0f - below2) - price * (1.0f - below1);
}

struct Data {
  Array<float> price, strike, years, call, put;
  int options;
};

/// The array in groups of N elements.
template <int N>
Array<Group<N>> grouped(const Array<float>& array) {
  return {array.base, reinterpret_cast<Group<N>*>(array.data), array.size / N};
}

template <int N>
void price_group(Warp& w, const Data& k, const Lanes<int>& g) {
  const auto price = w.load(grouped<N>(k.price), g);
  const auto strike = w.load(grouped<N>(k.strike), g);
  const auto years = w.load(grouped<N>(k.years), g);
  const auto quoted = lanewise([](const Group<N>& p, const Group<N>& s) { return Market<N>{p, s, {}}; }, price, strike);
  const auto worth = lanewise(
      [](const Market<N>& m, const Group<N>& t) {
        Worth<N> out;
        for (int i = 0; i < N; ++i) price_option(m.price.of[i], m.strike.of[i], t.of[i], out.call.of[i], out.put.of[i]);
        return out;
      },
      quoted, years);
  const auto special = w.sfu(N * kSpecial, worth);
  const auto priced = w.compute(N * kCompute, special);
  w.store(grouped<N>(k.call), g, lanewise([](const Worth<N>& p) { return p.call; }, priced));
  w.store(grouped<N>(k.put), g, lanewise([](const Worth<N>& p) { return p.put; }, priced));
}

void black_scholes_pairs(Warp& w, const Data& k) {
  const auto g = w.global_x();
  w.alu(6);
  w.where(g < k.options / 2, [&] { price_group<2>(w, k, g); });
}

void black_scholes_walk(Warp& w, const Data& k) {
  const auto first = w.global_x();
  w.alu(6);
  for (const int pass : w.trips((k.options - 1) / (kCtas * kThreads) + 1)) {
    const auto g = first + pass * (kCtas * kThreads);
    w.alu(7);
    w.where(g < k.options, [&] { price_group<1>(w, k, g); });
  }
}

class BlackScholes final : public Workload {
 public:
  BlackScholes(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    d.options = arguments("options");
    const bool pairs = arguments("pairs") != 0;
    arguments.require(!pairs || d.options % 2 == 0, "options must be even where a thread computes two (pairs=1)");
    Rng random(seed);
    const auto drawn = [&](const char* name, double low, double high) {
      const auto array = memory.array<float>(name, std::uint64_t(d.options));
      for (std::uint32_t i = 0; i < array.size; ++i) array[i] = static_cast<float>(low + (high - low) * random.unit());
      return array;
    };
    d.price = drawn("price", 5, 30);
    d.strike = drawn("strike", 1, 100);
    d.years = drawn("years", 0.25, 10);
    d.call = memory.array<float>("call", std::uint64_t(d.options));
    d.put = memory.array<float>("put", std::uint64_t(d.options));
    for (int i = 0; i < arguments("iterations"); ++i) {
      if (pairs)
        add_launch("black_scholes", {ctas_for(d.options / 2, kThreads)}, {kThreads}, 23, [d](Warp& w) { black_scholes_pairs(w, d); });
      else
        add_launch("black_scholes", {kCtas}, {kThreads}, 23, [d](Warp& w) { black_scholes_walk(w, d); });
    }
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<float> call(d.call.size), put(d.put.size);
    for (std::size_t i = 0; i < call.size(); ++i) price_option(d.price[i], d.strike[i], d.years[i], call[i], put[i]);
    return equal("call", d.call, call, why) && equal("put", d.put, put, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace blackscholes

Entry blackscholes_entry() {
  return {{"blackscholes",
           "prices of European options (CUDA SDK): pure streaming, much arithmetic",
           {{"options", "4000000", 1, 1 << 28, "options"},
            {"iterations", "1", 1, 512, "launches, all on the same options"},
            {"pairs", "1", 0, 1, "1: two options per thread, 8 B per lane; 0: version 4.x, 480 CTAs that walk over single options"}},
           {},
           {{"tiny", {{"options", 32768}}}, {"std", {{"options", 1 << 20}}}, {"paper", {{"options", 4000000}}}}},
          make_workload<blackscholes::BlackScholes>};
}

}  // namespace wharf::spmd
