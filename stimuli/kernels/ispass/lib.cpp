// LIB, ISPASS-2009 (workloads section 4.2): Monte Carlo in the LIBOR market model, one path of 80 forward rates per thread. The first
// kernel values a portfolio of swap options at the end of the path. The second also computes its sensitivity to the last rate by the
// adjoint method, which keeps all rates of all steps. Everything but the results is local memory: each access of a warp is one line that no
// other warp has, and there is nearly one store per load.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace lib {
namespace {
constexpr int kThreads = 64, kRates = 80, kOptions = 15;
constexpr int kMaturities[kOptions] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};  // in constant memory, like the rates
constexpr float kSwapRates[kOptions] = {.045f, .05f, .055f, .045f, .05f, .055f, .045f, .05f, .055f, .045f, .05f, .055f, .045f, .05f, .055f};
constexpr float kDelta = 0.25f;                     // years per step
constexpr float kVolatility = 0.2f;                 // lambda of all rates
constexpr float kFirstRate = 0.05f, kShock = 0.3f;  // the same for all rates and steps, so all paths are equal
constexpr float kNotional = 100.0f;

// The formulas of the model, used by the kernel and by the check.
float discount(float rate) { return 1.0f / (1.0f + kDelta * rate); }
float drift_of(float rate, float discounted) { return kDelta * kVolatility * rate * discounted; }
float growth_of(float drift, float shock) {
  return std::exp(kDelta * kVolatility * drift + kVolatility * (shock - 0.5f * kDelta * kVolatility));
}
float shock_of(float z) { return std::sqrt(kDelta) * z; }
float swap_of(float bond, float annuity, float rate) { return bond + rate * annuity - 1.0f; }
/// Adjoint of a rate before a step, from the one after the step. `later` is the sum over the later rates.
float earlier_adjoint(float adjoint, float growth, float later, float discounted) {
  const float factor = kDelta * discounted;
  return adjoint * growth + later * kVolatility * factor * factor;
}

struct Data {
  Array<float> value, sensitivity;
  LocalArray<float> rates, shocks;     // L and z
  LocalArray<float> bonds, annuities;  // B and S of each later rate
  LocalArray<float> history;           // L2: the rates before each step and after the last step
  LocalArray<float> adjoints;          // adjoints of the rates
  LocalArray<float> bond_adjoints, annuity_adjoints;
  int paths, steps;
};

/// Computes the rates up to the end of the path. With `keep`, all of them are stored in the history.
void follow_path(Warp& w, const Data& k, bool keep) {
  w.alu(12);
  for (const int i : w.trips(kRates)) w.store(k.rates, i, kFirstRate);
  for (const int n : w.trips(k.steps)) w.store(k.shocks, n, kShock);
  if (keep) {
    for (const int i : w.trips(kRates)) w.store(k.history, i, kFirstRate);
  }
  for (int n = 0; n < k.steps; ++n) {
    const auto z = w.load(k.shocks, n);
    const auto shock = w.compute(2, lanewise(shock_of, z));
    Lanes<float> drift = 0.0f;
    for (const int i : w.trips(n + 1, kRates)) {
      w.alu(keep ? 5.5 : 3);
      const auto rate = w.load(k.rates, i);
      const auto discounted = w.sfu(1, lanewise(discount, rate));
      w.update(drift, 7, drift + lanewise(drift_of, rate, discounted));
      const auto growth = w.sfu(1, lanewise(growth_of, drift, shock));
      const auto next = w.compute(7, rate * growth);
      w.store(k.rates, i, next);
      if (keep) w.store(k.history, (n + 1) * kRates + i, next);
    }
  }
}

/// Computes bonds and annuities for all later rates.
void build_curve(Warp& w, const Data& k) {
  Lanes<float> bond = 1.0f, annuity = 0.0f;
  for (const int n : w.trips(k.steps, kRates)) {
    const auto rate = w.load(k.rates, n);
    const auto discounted = w.sfu(1, lanewise(discount, rate));
    w.update(bond, 8, bond * discounted);
    w.update(annuity, 1, annuity + kDelta * bond);
    w.store(k.bonds, n - k.steps, bond);
    w.store(k.annuities, n - k.steps, annuity);
  }
}

/// The factor that discounts the end of the path to its beginning.
Lanes<float> discount_to_start(Warp& w, const Data& k) {
  Lanes<float> bond = 1.0f;
  for (const int n : w.trips(k.steps)) {
    const auto rate = w.load(k.rates, n);
    const auto discounted = w.sfu(1, lanewise(discount, rate));
    w.update(bond, 8, bond * discounted);
  }
  return bond;
}

/// Value of all options at the end of the path. With `adjoint`, also stores how bonds and annuities contribute to it.
Lanes<float> portfolio(Warp& w, const Data& k, bool adjoint) {
  Lanes<float> value = 0.0f;
  for (const int option : w.trips(kOptions)) {
    const int maturity = kMaturities[option] - 1;
    const float rate = kSwapRates[option];
    w.alu(3);
    const auto bond = w.load(k.bonds, maturity);
    const auto annuity = w.load(k.annuities, maturity);
    const auto swap = w.compute(3, lanewise([rate](float b, float s) { return swap_of(b, s, rate); }, bond, annuity));
    w.where(swap < 0.0f, [&] {
      w.update(value, 1, value - kNotional * swap);
      if (!adjoint) return;
      const auto of_bond = w.load(k.bond_adjoints, maturity);
      const auto more_bond = w.compute(1, of_bond - kNotional);
      w.store(k.bond_adjoints, maturity, more_bond);
      const auto of_annuity = w.load(k.annuity_adjoints, maturity);
      const auto more_annuity = w.compute(1, of_annuity - kNotional * rate);
      w.store(k.annuity_adjoints, maturity, more_annuity);
    });
  }
  return value;
}

/// Computes the adjoints of the rates at the end of the path.
void differentiate_portfolio(Warp& w, const Data& k, const Lanes<float>& to_start, const Lanes<float>& value) {
  Lanes<float> bond = 0.0f, annuity = 0.0f;  // adjoints of the bond and annuity accumulated so far
  for (const int back : w.trips(kRates - k.steps)) {
    const int n = kRates - 1 - back;
    const auto of_annuity = w.load(k.annuity_adjoints, n - k.steps);
    w.update(annuity, 1, annuity + of_annuity);
    const auto of_bond = w.load(k.bond_adjoints, n - k.steps);
    w.update(bond, 2, bond + of_bond + kDelta * annuity);
    const auto rate = w.load(k.rates, n);
    const auto discounted = w.sfu(1, lanewise(discount, rate));
    const auto bond_there = w.load(k.bonds, n - k.steps);
    const auto slope = w.compute(6, bond * bond_there * (kDelta * discounted));
    const auto adjoint = w.compute(2, 0.0f - to_start * slope);
    w.store(k.adjoints, n, adjoint);
    w.update(bond, 1, bond * discounted);
  }
  for (const int n : w.trips(k.steps)) {
    const auto rate = w.load(k.rates, n);
    const auto discounted = w.sfu(1, lanewise(discount, rate));
    const auto adjoint = w.compute(8, 0.0f - value * (kDelta * discounted));
    w.store(k.adjoints, n, adjoint);
  }
}

/// Computes the adjoints of the rates at the beginning from those at the end.
void follow_path_back(Warp& w, const Data& k) {
  for (int n = k.steps - 1; n >= 0; --n) {
    Lanes<float> later = 0.0f;
    for (const int back : w.trips(kRates - 1 - n)) {
      const int i = kRates - 1 - back;
      w.alu(2.5);
      const auto after = w.load(k.history, (n + 1) * kRates + i);
      const auto adjoint = w.load(k.adjoints, i);
      w.update(later, 2, later + kVolatility * after * adjoint);
      const auto before = w.load(k.history, n * kRates + i);
      const auto growth = w.sfu(1, after / before);
      const auto discounted = w.sfu(1, lanewise(discount, before));
      const auto next = w.compute(8, lanewise(earlier_adjoint, adjoint, growth, later, discounted));
      w.store(k.adjoints, i, next);
    }
  }
}

void value_portfolio(Warp& w, const Data& k) {
  const auto path = w.global_x();
  w.where(path < k.paths, [&] {
    follow_path(w, k, false);
    build_curve(w, k);
    const auto at_end = portfolio(w, k, false);
    const auto to_start = discount_to_start(w, k);
    const auto value = w.compute(1, to_start * at_end);
    w.store(k.value, path, value);
  });
}

void value_and_differentiate(Warp& w, const Data& k) {
  const auto path = w.global_x();
  w.where(path < k.paths, [&] {
    follow_path(w, k, true);
    build_curve(w, k);
    for (const int m : w.trips(kRates - k.steps)) {
      w.store(k.bond_adjoints, m, 0.0f);
      w.store(k.annuity_adjoints, m, 0.0f);
    }
    const auto at_end = portfolio(w, k, true);
    const auto to_start = discount_to_start(w, k);
    const auto value = w.compute(1, to_start * at_end);
    differentiate_portfolio(w, k, to_start, value);
    follow_path_back(w, k);
    w.store(k.value, path, value);
    const auto last = w.load(k.adjoints, kRates - 1);
    w.store(k.sensitivity, path, last);
  });
}

class Lib final : public Workload {
 public:
  Lib(const Arguments& arguments, Memory& memory, std::uint64_t) {
    auto& d = data_;
    d.paths = arguments("paths"), d.steps = arguments("steps");
    const auto ctas = ctas_for(d.paths, kThreads);
    const auto local = [&](const char* name, int elements) {
      return memory.local_array<float>(name, std::uint64_t(ctas) * (kThreads / kLanes), std::uint32_t(elements));
    };
    d.value = memory.array<float>("v", std::uint64_t(d.paths));
    d.sensitivity = memory.array<float>("Lb", std::uint64_t(d.paths));
    d.rates = local("L", kRates);
    d.shocks = local("z", d.steps);
    d.bonds = local("B", kRates - d.steps);
    d.annuities = local("S", kRates - d.steps);
    d.history = local("L2", kRates * (d.steps + 1));
    d.adjoints = local("L_b", kRates);
    d.bond_adjoints = local("B_b", kRates - d.steps);
    d.annuity_adjoints = local("S_b", kRates - d.steps);
    add_launch("lib_portfolio", {ctas}, {kThreads}, 28, [d](Warp& w) { value_portfolio(w, d); }).frame =
        frame_of(d.rates, d.shocks, d.bonds, d.annuities);
    add_launch("lib_adjoint", {ctas}, {kThreads}, 40, [d](Warp& w) { value_and_differentiate(w, d); }).frame =
        frame_of(d.rates, d.shocks, d.bonds, d.annuities, d.history, d.adjoints, d.bond_adjoints, d.annuity_adjoints);
  }

  bool check(std::string& why) const override {
    const Path path = path_on_host();
    const auto count = std::size_t(data_.paths);
    return equal("v", data_.value, std::vector<float>(count, path.value), why) &&
           equal("Lb", data_.sensitivity, std::vector<float>(count, path.sensitivity), why);
  }

 private:
  struct Path {
    float value = 0.0f, sensitivity = 0.0f;
  };

  Path path_on_host() const {
    const int steps = data_.steps;
    std::vector<std::vector<float>> rates(std::size_t(steps) + 1, std::vector<float>(kRates, kFirstRate));  // rates before each step
    for (std::size_t n = 0; n < std::size_t(steps); ++n) {
      rates[n + 1] = rates[n];
      float drift = 0.0f;
      for (std::size_t i = n + 1; i < kRates; ++i) {
        drift += drift_of(rates[n][i], discount(rates[n][i]));
        rates[n + 1][i] *= growth_of(drift, shock_of(kShock));
      }
    }
    Path path;
    std::vector<float> adjoints = options_on_host(rates.back(), path.value);
    for (int n = steps - 1; n >= 0; --n) {
      const auto &before = rates[std::size_t(n)], &after = rates[std::size_t(n) + 1];
      float later = 0.0f;
      for (auto i = std::size_t(kRates - 1); i > std::size_t(n); --i) {
        later += kVolatility * after[i] * adjoints[i];
        adjoints[i] = earlier_adjoint(adjoints[i], after[i] / before[i], later, discount(before[i]));
      }
    }
    path.sensitivity = adjoints.back();
    return path;
  }

  /// Value of all options. Also returns the adjoints of the rates.
  std::vector<float> options_on_host(const std::vector<float>& rates, float& value) const {
    const auto steps = std::size_t(data_.steps);
    std::vector<float> bonds{1.0f}, annuities{0.0f}, of_bonds(kRates - steps), of_annuities(kRates - steps), adjoints(kRates);
    for (std::size_t n = steps; n < kRates; ++n) {
      bonds.push_back(bonds.back() * discount(rates[n]));
      annuities.push_back(annuities.back() + kDelta * bonds.back());
    }
    float at_end = 0.0f, to_start = 1.0f, bond = 0.0f, annuity = 0.0f;
    for (int option = 0; option < kOptions; ++option) {
      const auto m = std::size_t(kMaturities[option]);
      const float swap = swap_of(bonds[m], annuities[m], kSwapRates[option]);
      if (swap >= 0.0f) continue;
      at_end -= kNotional * swap;
      of_bonds[m - 1] -= kNotional;
      of_annuities[m - 1] -= kNotional * kSwapRates[option];
    }
    for (std::size_t n = 0; n < steps; ++n) to_start *= discount(rates[n]);
    value = to_start * at_end;
    for (std::size_t n = kRates; n-- > steps;) {
      annuity += of_annuities[n - steps];
      bond += of_bonds[n - steps] + kDelta * annuity;
      adjoints[n] = 0.0f - to_start * (bond * bonds[n - steps + 1] * (kDelta * discount(rates[n])));
      bond *= discount(rates[n]);
    }
    for (std::size_t n = 0; n < steps; ++n) adjoints[n] = 0.0f - value * (kDelta * discount(rates[n]));
    return adjoints;
  }

  Data data_{};
};

}  // namespace
}  // namespace lib

Entry lib_entry() {
  return {{"lib",
           "Monte Carlo in the LIBOR market model (ISPASS): private arrays in local memory, as many stores as loads",
           {{"paths", "4096", 1, 1 << 16, "paths, one per thread"},
            {"steps", "40", 1, 40, "steps of the path; the remaining ones of 80 rates value the options"}},
           {},
           {{"tiny", {{"paths", 64}, {"steps", 8}}}, {"std", {{"paths", 512}}}, {"paper", {{"paths", 4096}}}, {"loscache", {{"paths", 1024}}}}},
          make_workload<lib::Lib>};
}

}  // namespace wharf::spmd
