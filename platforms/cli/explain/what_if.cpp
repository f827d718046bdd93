#include "platforms/cli/explain/what_if.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/explain/evidence.h"
#include "platforms/cli/explain/prediction.h"
#include "platforms/cli/runs/search.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace {

constexpr std::size_t kMostIdeals = 3;
constexpr double kNear = 0.1;  // of the measured speed-up
constexpr const char* kPredicted =
    "Predicted: for each launch, from how long warps still wait and how long a scheduler takes to issue them one after another;\n"
    "no faster than the busiest remaining level.";

std::vector<Ideal> ideals_of(const GpuParams& params, const Json& result) {
  const double displaced = Evidence(result, params).displaced_from_l2();
  return {
      {{"mshr", "mshr_full"}, "an L1 with unlimited MSHRs", {"l1.mshr_entries=65536", "l1.mshr_targets=unlimited"}, {"mshr", "mshr_full"}},
      {{"l2_mshr"}, "an L2 with unlimited MSHRs", {"l2.mshr_entries=65536", "l2.mshr_targets=unlimited"}, {"l2_mshr"}},
      {{"network_up", "network_down"},
       "networks eight times as fast",
       {fmt::format("clock_mhz.network={}", 8 * params.clock_mhz.network)},
       {"network_up", "network_down"},
       1.0,  // links in use for an eighth of the time have no queues
       {{"request", 1.0 / 8}, {"reply", 1.0 / 8}}},
      {{"dram_queue"},  // and twice the slices, at as many links
       "twice the DRAM channels",
       {fmt::format("channels={}", 2 * params.channels)},
       {"dram_queue", "l2_mshr"},
       1.0,
       {{"dram", 0.5}, {"l2", 0.5}, {"request", 0.5}, {"reply", 0.5}}},
      {{"dram"}, "an L2 that evicts nothing", {"l2.slice_kib=65536"}, {"dram", "dram_queue"}, displaced, {{"dram", 1.0 - displaced}}},
      {{"l1_way", "l2", "l2_port", "l2_queue", "peer", "l1_port"},
       "an L1 that never misses",
       {"l1.perfect=true"},
       {"l1_port", "l1_queue", "mshr", "mshr_full", "l1_way", "way_full", "network_up", "network_down", "l2", "l2_port", "l2_queue",
        "l2_mshr", "partition", "dram_queue", "dram", "peer"},
       1.0,
       {},
       1.0,
       true},
      {{"peer"}, "one L1 for all SMs, without copies", {"l1.single=true"}, {"peer"}},
      {{"loads_limit"}, "unlimited loads in flight", {"sm.loads_in_flight=unlimited"}, {"loads_limit"}},
      {{"filter"}, "no warp filter", {"sm.warp_filter=none"}, {"filter"}},
      {{"issuing"},
       "a scheduler that issues every cycle",
       {"sm.issue_interval=1"},
       {},
       1.0,
       {},
       1.0 / static_cast<double>(params.sm.issue_interval)},
      {{"launch"}, "launches that take no time", {"front_end.kernel_launch_cycles=1"}, {"launch"}},
  };
}

/// The configuration accepts the settings, and becomes another one than `resolved_yaml`.
bool changes_machine(const std::string& resolved_yaml, RunSpec spec, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) set_key(spec, setting);
  try {
    return closed_configuration_of(spec).resolved_yaml != resolved_yaml;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::vector<WhatIf> what_ifs_of(const ExplainedRun& run, const SlotStack& stack) {
  std::vector<WhatIf> found;
  const Configuration configuration = closed_configuration_of(run.spec);
  const GpuParams& params = configuration.params;
  const std::vector<Ideal> ideals = ideals_of(params, run.result);
  for (const Cause& cause : stack.causes) {
    for (const Ideal& ideal : ideals) {
      const bool is_for = std::find(ideal.causes.begin(), ideal.causes.end(), cause.name) != ideal.causes.end();
      const bool known = std::any_of(found.begin(), found.end(), [&](const WhatIf& one) { return one.settings == ideal.settings; });
      if (!is_for || known || found.size() == kMostIdeals || !changes_machine(configuration.resolved_yaml, run.spec, ideal.settings))
        continue;
      found.push_back({cause.name, cause.share, ideal.text, ideal.settings, predicted_speed_up(ideal, run.result, params), 0.0});
      break;
    }
  }
  return found;
}

bool measure(std::vector<WhatIfs>& all, const RunnerOptions& options, std::ostream& err) {
  std::vector<ExplainedRun*> bases;
  for (WhatIfs& one : all) bases.push_back(&one.run);
  if (!make_runs(bases, options, err)) return false;
  std::vector<ExplainedRun> ideals;
  for (WhatIfs& one : all) {
    one.what_ifs = what_ifs_of(one.run, slot_stack_of(one.run.result));
    for (const WhatIf& what_if : one.what_ifs) {
      ExplainedRun& ideal = ideals.emplace_back(ExplainedRun{one.run.name + " with " + what_if.ideal, one.run.spec, Json()});
      for (const std::string& setting : what_if.settings) set_key(ideal.spec, setting);
    }
  }
  std::vector<ExplainedRun*> pointers;
  for (ExplainedRun& ideal : ideals) pointers.push_back(&ideal);
  if (!make_runs(pointers, options, err, Counting::time)) return false;
  const auto time_of = [](const ExplainedRun& run) { return run.result.at("run").at("time_ns").get<double>(); };
  auto ideal = ideals.begin();
  for (WhatIfs& one : all)
    for (WhatIf& what_if : one.what_ifs) what_if.measured = time_of(one.run) / time_of(*ideal++);
  return true;
}

Table table_of(const std::vector<WhatIf>& what_ifs) {
  Table table;
  table.columns = {"with", "predicted", "measured"};
  for (const WhatIf& one : what_ifs)
    table.rows.push_back({fmt::format("{} ({})", one.ideal, join(one.settings)), fmt::format("{:.2f}x", one.predicted),
                          fmt::format("{:.2f}x", one.measured)});
  table.note = kPredicted;
  return table;
}

Table table_of(const std::vector<WhatIfs>& all) {
  Table table;
  table.columns = {"stimulus", "cause", "share", "with", "predicted", "measured", "error"};
  std::vector<std::string> stimuli;
  for (const WhatIfs& one : all) stimuli.push_back(one.run.spec.stimulus);
  const std::vector<std::string> names = short_names(stimuli);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const WhatIf& what_if : all[i].what_ifs)
      table.rows.push_back({names[i], what_if.cause, percent(what_if.share), what_if.ideal, fmt::format("{:.2f}x", what_if.predicted),
                            fmt::format("{:.2f}x", what_if.measured),
                            fmt::format("{:+.0f} %", 100.0 * (what_if.predicted / what_if.measured - 1.0))});
  return table;
}

Table summary_of(const std::vector<WhatIfs>& all) {
  struct Sum {
    std::size_t all = 0, near = 0, high = 0, low = 0;
    void add(const WhatIf& one) {
      const double error = one.predicted / one.measured - 1.0;
      ++all;
      ++(std::abs(error) <= kNear ? near : error > 0.0 ? high : low);
    }
  };
  std::vector<std::pair<std::string, Sum>> sums;
  Sum total;
  for (const WhatIfs& one : all) {
    for (const WhatIf& what_if : one.what_ifs) {
      auto sum = std::find_if(sums.begin(), sums.end(), [&](const auto& known) { return known.first == what_if.ideal; });
      if (sum == sums.end()) sum = sums.insert(sums.end(), {what_if.ideal, {}});
      sum->second.add(what_if);
      total.add(what_if);
    }
  }
  sums.emplace_back("all", total);
  Table table;
  table.columns = {"with", "predictions", "within 10 %", "share", "too high", "too low"};
  for (const auto& [ideal, sum] : sums)
    table.rows.push_back({ideal, std::to_string(sum.all), std::to_string(sum.near),
                          sum.all == 0 ? "-" : percent(static_cast<double>(sum.near) / static_cast<double>(sum.all)),
                          std::to_string(sum.high), std::to_string(sum.low)});
  table.mean_rows = 1;
  table.note = std::string("Within 10 % of the measured speed-up. ") + kPredicted;
  return table;
}

Json as_json(const std::vector<WhatIf>& what_ifs) {
  Json json = Json::array();
  for (const WhatIf& one : what_ifs)
    json.push_back({{"cause", one.cause},
                    {"share", one.share},
                    {"ideal", one.ideal},
                    {"settings", one.settings},
                    {"predicted", one.predicted},
                    {"measured", one.measured}});
  return json;
}

}  // namespace wharf::cli
