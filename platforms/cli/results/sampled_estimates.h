#pragma once
// The estimates of a sampled run.

#include <string>
#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/cli/results/sampled_launches.h"

namespace wharf::cli {

class SampledEstimates {
 public:
  /// `launches` in the form of sampled_launch_json(), all that the plan runs in detail. `warmed`: what L2 and DRAM counted in all that is skipped;
  /// null if some of it leaves nothing there.
  SampledEstimates(const SamplingPlan& plan, const stats::Registry& statistics, const Json& launches, const stats::Snapshot* warmed);

  /// All metrics by name: `estimate`, with `low` and `high` where there is an interval, or with `counted`.
  Json metrics() const;
  Json cycles_of_group(std::size_t group) const;

 private:
  static constexpr std::size_t kAllGroups = ~std::size_t{0};
  /// A total that is partly known: `known`, plus the estimate of `sampled`.
  struct Form {
    double known = 0;
    LinearMetric sampled;
  };
  Form form_of(std::size_t place) const;
  double counted_everywhere(std::size_t place) const;
  TotalEstimate estimate(const LinearMetric& metric, std::size_t group = kAllGroups) const;
  Json total(std::size_t place, std::size_t group = kAllGroups) const;
  bool is_counted(std::size_t place) const;
  bool has_interval(std::size_t place) const;
  stats::Snapshot counters_of(const Counts& totals, bool equal_parts) const;
  stats::View view_of(const Counts& totals, bool equal_parts = false) const;
  void add_derived(Json& metrics) const;
  void add_ratio(Json& metrics, const char* name, const char* above, const char* below) const;

  const SamplingPlan& plan_;
  const stats::Registry& statistics_;
  const stats::Snapshot* warmed_;
  std::vector<std::string> names_;  // of the additive metrics: time, work, and the counters' from place kFirstCounter on
  MetricPlaces places_;
  std::vector<LaunchCounts> launches_;  // [launch of the plan]; without counts where it is skipped
  // What enters and leaves DRAM, counted everywhere and estimated; 0 where it is not counted everywhere.
  LinearMetric traffic_;
  double counted_traffic_ = 0, estimated_traffic_ = 0;
};

}  // namespace wharf::cli
