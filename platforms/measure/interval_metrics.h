#pragma once
// The metrics of a run, a kernel or a window, as members of a JSON object.

#include <nlohmann/json.hpp>
#include <vector>

#include "model/base/stats/stats.h"
#include "platforms/frame/run_options.h"

namespace wharf::cli {

using Json = nlohmann::ordered_json;  // members in order of insertion: the same bytes every time

/// Time, work, the total of every counter, and every derived metric (common section 12), by flat name ("l1.load.hits").
class IntervalMetrics {
 public:
  explicit IntervalMetrics(const stats::Registry& statistics);

  /// Adds them to an object that has none of them.
  void add_to(Json& json, const Interval& interval) const;

 private:
  const stats::Registry& statistics_;
  std::vector<const stats::Registry::DerivedEntry*> derived_;  // apart from those that are exact
};

/// Those of one interval.
Json metrics_json(const stats::Registry& statistics, const Interval& interval);

}  // namespace wharf::cli
