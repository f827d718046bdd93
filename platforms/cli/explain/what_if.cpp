#include "platforms/cli/explain/what_if.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/runs/search.h"

namespace wharf::cli {
namespace {

constexpr std::size_t kMost = 3;

/// A machine on which a cause is gone, or for `removes` < 1 smaller.
struct Ideal {
  std::vector<std::string> causes;
  const char* text;
  std::vector<std::string> settings;
  double removes = 1.0;
};

std::vector<Ideal> ideals_of(const GpuParams& params) {
  const std::string flits = fmt::format("network.crossbar.flit_bytes={}", 256), clock = fmt::format("clock_mhz.network={}", 8 * params.clock_mhz.network);
  return {
      {{"mshr", "mshr_full"}, "MSHRs of the L1 without end", {"l1.mshr_entries=65536", "l1.mshr_targets=unlimited"}},
      {{"l2_mshr"}, "MSHRs of L2 without end", {"l2.mshr_entries=65536", "l2.mshr_targets=unlimited"}},
      {{"network_up", "network_down"}, "networks in which nothing queues", {params.network.topology == "crossbar" ? flits : clock}},
      {{"dram_queue"}, "twice the DRAM channels", {fmt::format("channels={}", 2 * params.channels)}, 0.5},
      {{"dram"}, "an L2 that forgets nothing", {"l2.slice_kib=65536"}},
      {{"l1_way", "l2", "l2_port", "l2_queue", "peer", "l1_port"}, "an L1 that never misses", {"l1.perfect=true"}},
      {{"peer"}, "one L1 for all SMs, without copies", {"l1.single=true"}},
      {{"loads_limit"}, "loads in flight without end", {"sm.loads_in_flight=unlimited"}},
      {{"filter"}, "no warp filter", {"sm.warp_filter=none"}},
      {{"issuing"}, "a scheduler that issues every cycle", {"sm.issue_interval=1"}},
      {{"launch"}, "launches that take no time", {"front_end.kernel_launch_cycles=1"}},
  };
}

bool accepts(RunSpec spec, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) set_key(spec, setting);
  try {
    closed_configuration_of(spec);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::vector<WhatIf> what_ifs_of(const ExplainedRun& run, const SlotStack& stack) {
  std::vector<WhatIf> found;
  const std::vector<Ideal> ideals = ideals_of(closed_configuration_of(run.spec).params);
  for (const Cause& cause : stack.causes) {
    for (const Ideal& ideal : ideals) {
      const bool is_for = std::find(ideal.causes.begin(), ideal.causes.end(), cause.name) != ideal.causes.end();
      const bool known = std::any_of(found.begin(), found.end(), [&](const WhatIf& one) { return one.settings == ideal.settings; });
      if (!is_for || known || found.size() == kMost || !accepts(run.spec, ideal.settings)) continue;
      double share = 0.0;
      for (const std::string& gone : ideal.causes) share += stack.share(gone);
      found.push_back({join(ideal.causes), ideal.text, ideal.settings, 1.0 / (1.0 - ideal.removes * share), 0.0});
      break;
    }
  }
  return found;
}

bool measure(std::vector<WhatIf>& what_ifs, const ExplainedRun& run, const RunnerOptions& options, std::ostream& err) {
  std::vector<ExplainedRun> runs;
  for (const WhatIf& what_if : what_ifs) {
    ExplainedRun& ideal = runs.emplace_back(ExplainedRun{run.name + " with " + what_if.ideal, run.spec, Json()});
    for (const std::string& setting : what_if.settings) set_key(ideal.spec, setting);
  }
  std::vector<ExplainedRun*> pointers;
  for (ExplainedRun& ideal : runs) pointers.push_back(&ideal);
  if (!make_runs(pointers, options, err)) return false;
  for (std::size_t i = 0; i < runs.size(); ++i)
    what_ifs[i].measured = run.result.at("run").at("time_ns").get<double>() / runs[i].result.at("run").at("time_ns").get<double>();
  return true;
}

Table table_of(const std::vector<WhatIf>& what_ifs) {
  Table table;
  table.columns = {"with", "predicted", "measured"};
  for (const WhatIf& one : what_ifs)
    table.rows.push_back({fmt::format("{} ({})", one.ideal, join(one.settings)), fmt::format("{:.2f}x", one.predicted), fmt::format("{:.2f}x", one.measured)});
  table.note = "Predicted: as if the slots that wait for the cause were not needed. Other causes take their place where warps wait for several.";
  return table;
}

Json as_json(const std::vector<WhatIf>& what_ifs) {
  Json json = Json::array();
  for (const WhatIf& one : what_ifs)
    json.push_back({{"causes", one.cause}, {"ideal", one.ideal}, {"settings", one.settings}, {"predicted", one.predicted}, {"measured", one.measured}});
  return json;
}

}  // namespace wharf::cli
