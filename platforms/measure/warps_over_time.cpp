#include "platforms/measure/warps_over_time.h"

#include <algorithm>

#include "platforms/measure/warp_metrics.h"

namespace wharf {

namespace {

/// Initially, windows are narrower by this factor, because the run may turn out to be short.
constexpr std::uint64_t kNarrower = 64;

}  // namespace

WarpsOverTime::WarpsOverTime(const GpuParams& params, stats::Registry& registry)
    : sms_(params.sms), curve_(std::max<std::uint64_t>(1, params.sm.interference.window / kNarrower)) {
  if (!params.sm.interference.measured()) return;
  counted_ = std::make_unique<CounterTotals>(
      registry, std::vector<std::string>{kActiveCycles, kIsolatedCycles, kStalledCycles, kLostLines, kLostShared});
  registry.table(
      "warps_over_time",
      "a row per window of thread instructions, starting with its first: core cycles, IPC, warps of an SM in each state (ciao section 5.1), "
      "hits in victim tags, and these a million thread instructions; sm.interference.window wide, narrower in a shorter run",
      [this] { return rows(); });
}

void WarpsOverTime::end_rest(Cycle now) {
  const TimeCurve::Totals after = totals(now);
  left_out_.resize(after.size());
  for (std::size_t i = 0; i < after.size(); ++i) left_out_[i] += after[i] - rest_[i];
}

/// Returns the counters' totals without the counts in rests, and appends the core cycle.
TimeCurve::Totals WarpsOverTime::totals(Cycle now) const {
  TimeCurve::Totals totals = counted_ == nullptr ? TimeCurve::Totals() : counted_->now();
  totals.push_back(now);
  for (std::size_t i = 0; i < left_out_.size(); ++i) totals[i] -= left_out_[i];
  return totals;
}

stats::TableRows WarpsOverTime::rows() const {
  stats::TableRows table{{"thread_instructions", "cycles", "ipc", "active", "isolated", "stalled", "vta_hits", "interference",
                          "interference_l1", "interference_shared"},
                         {}};
  for (const TimeCurve::Interval& window : curve_.intervals()) {
    const auto instructions = static_cast<double>(window.end - window.begin), cycles = static_cast<double>(window.totals.back());
    if (cycles == 0.0) continue;
    const auto total = [&](const char* name) { return static_cast<double>(counted_->of(name, window.totals)); };
    const auto warps = [&](const char* name) { return total(name) / (cycles * sms_); };
    const auto a_million = [&](double hits) { return hits * 1e6 / instructions; };
    const double hits = total(kLostLines), shared = total(kLostShared);
    const double isolated = warps(kIsolatedCycles);
    table.rows.push_back({window.begin, window.totals.back(), instructions / cycles, warps(kActiveCycles) - isolated, isolated,
                          warps(kStalledCycles), counted_->of(kLostLines, window.totals), a_million(hits), a_million(hits - shared),
                          a_million(shared)});
  }
  return table;
}

}  // namespace wharf
