#pragma once
// The estimates of a sampled run.

#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/cli/results/expected_traffic.h"
#include "platforms/cli/results/sampled_launches.h"

namespace wharf::cli {

class SampledEstimates {
 public:
  /// `launches` in the form of sampled_launch_json(), all that the plan runs in detail. `skipped`: all that is skipped; null if some of it leaves
  /// nothing in L2 and DRAM.
  SampledEstimates(const SamplingPlan& plan, const stats::Registry& statistics, const Json& launches, const SkippedLaunches* skipped);

  /// All metrics by name: `estimate`, with `low` and `high` where there is an interval.
  Json metrics() const;
  Json cycles_of_group(std::size_t group) const;

 private:
  static constexpr std::size_t kAllGroups = ~std::size_t{0};
  /// A total that is partly known: `known`, plus the estimate of `sampled`. Without what corrects the order of skipped accesses it would be more by
  /// `uncorrected`.
  struct Form {
    double known = 0;
    LinearMetric sampled;
    double uncorrected = 0;
  };
  void expect_traffic(const SkippedLaunches& skipped);
  Form form_of(std::size_t place) const;
  Form form_of_traffic(std::size_t number) const;
  TotalEstimate estimate_of_drawn(const LinearMetric& metric, std::size_t group) const;
  TotalEstimate estimate(const LinearMetric& metric, std::size_t group = kAllGroups) const;
  double measured(std::size_t place, std::size_t group) const;
  Json total(std::size_t place, std::size_t group = kAllGroups) const;
  bool has_interval(std::size_t place) const;
  stats::Snapshot counters_of(const Counts& totals, bool equal_parts) const;
  stats::View view_of(const Counts& totals, bool equal_parts = false) const;
  void add_derived(Json& metrics) const;
  void add_ratio(Json& metrics, const char* name, const char* above, const char* below) const;

  const SamplingPlan& plan_;
  const stats::Registry& statistics_;
  std::vector<std::string> names_;  // of the additive metrics: time, work, and the counters' from place kFirstCounter on
  MetricPlaces places_;
  // [launch of the plan]; without counts where it is skipped. Behind the counts of `names_` are those of the expected traffic.
  std::vector<LaunchCounts> launches_;
  const bool warms_;                    // skipped work has left its data in L2 and DRAM
  ExpectedTraffic::Counts expected_{};  // of all work; 0 where skipped work leaves nothing
  LinearMetric dram_traffic_;
};

}  // namespace wharf::cli
