#pragma once
// The metrics of a run, a kernel or a window as members of a JSON object.

#include <nlohmann/json.hpp>
#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/frame/run_options.h"

namespace wharf::cli {

using Json = nlohmann::ordered_json;  // members in order of insertion, so that equal runs give equal bytes

/// Null for NaN, which JSON cannot express.
Json number_or_null(double value);

/// Time, work, the totals of all counters, and all derived metrics (common section 12), by flat name ("l1.load.hits").
class IntervalMetrics {
 public:
  explicit IntervalMetrics(const stats::Registry& statistics);

  /// Adds the metrics to an object that contains none of them.
  void add_to(Json& json, const Interval& interval) const;

 private:
  const stats::Registry& statistics_;
  std::vector<const stats::Registry::DerivedEntry*> derived_;  // without those computed exactly
};

/// Returns the metrics of one interval.
Json metrics_json(const stats::Registry& statistics, const Interval& interval);

}  // namespace wharf::cli
