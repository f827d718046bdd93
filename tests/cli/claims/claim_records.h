#pragma once
// Claims, and invented records of runs, for tests of their evaluation.

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "platforms/cli/claims/claim_results.h"

namespace wharf::cli {

inline Machine machine(const std::string& config) { return {config, {}, {}}; }

inline Suite group(const std::vector<std::string>& named, const std::vector<std::string>& fill_ins = {}) {
  Suite suite{"group", {}};
  for (const std::string& workload : named) suite.members.push_back({workload, false, {}});
  for (const std::string& workload : fill_ins) suite.members.push_back({workload, true, {}});
  return suite;
}

/// "fast" against "base" over a and b, both named.
inline Claim claim(const std::string& metric = "ipc", Reduce reduce = Reduce::mean) {
  Claim one;
  one.id = "X-1";
  one.unit = "percent";
  one.value = 21.0;
  Measure measure;
  measure.system = machine("fast");
  measure.baseline = machine("base");
  measure.metric = {metric};
  measure.reduce = reduce;
  measure.workloads = group({"a", "b"});
  one.measures = {measure};
  return one;
}

/// Records by "config workload".
class Records {
 public:
  Records& add(const std::string& key, Json metrics) {
    RunRecord& record = records_[key];
    record.status = RunStatus::done;
    record.result["run"] = std::move(metrics);
    return *this;
  }
  Records& fail(const std::string& key) {
    records_[key].status = RunStatus::failed;
    records_[key].failure = "signal 11";
    return *this;
  }
  Records& stop(const std::string& key) {
    records_[key].status = RunStatus::not_run;
    return *this;
  }
  Json& result_of(const std::string& key) { return records_[key].result; }
  RecordOf look_up() const {
    return [this](const Machine& machine, const std::string& workload) -> const RunRecord* {
      const auto it = records_.find(machine.config + " " + workload);
      return it == records_.end() ? nullptr : &it->second;
    };
  }

 private:
  std::map<std::string, RunRecord> records_;
};

/// ipc: 2x on a, 8x on b. Miss rates: 0.1 of 0.5, and 0.3 of 0.5.
inline Records example() {
  Records records;
  records.add("base a", {{"ipc", 10}, {"l1.miss_rate", 0.5}}).add("base b", {{"ipc", 10}, {"l1.miss_rate", 0.5}});
  records.add("fast a", {{"ipc", 20}, {"l1.miss_rate", 0.1}}).add("fast b", {{"ipc", 80}, {"l1.miss_rate", 0.3}});
  return records;
}

inline double measured(const Claim& claim, const Records& records) {
  const ClaimResult result = evaluate(claim, records.look_up());
  INFO(result.reason);
  REQUIRE(result.measured().has_value());
  return *result.measured();
}

}  // namespace wharf::cli
