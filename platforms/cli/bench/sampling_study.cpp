#include "platforms/cli/bench/sampling_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace {

constexpr const char* kCompared[] = {"cycles", "l1.miss_rate", "l2.sectors.misses", "dram.reads", "dram.writes"};

double figure(const Json& figures, const char* name) { return figures.value(name, 0.0); }

/// Relative to the whole run's figure; 0 if both are 0.
double error_of(const SampledPair& pair, const char* metric) {
  const double whole = figure(pair.whole["run"], metric), estimate = figure(pair.sampled["run"], metric);
  return estimate == whole ? 0.0 : (estimate - whole) / whole;
}

bool holds(const SampledPair& pair) {
  const Json& cycles = pair.sampled["sampled"]["metrics"]["cycles"];
  const double whole = figure(pair.whole["run"], "cycles");
  return cycles["low"].get<double>() <= whole && whole <= cycles["high"].get<double>();
}

double detailed_share(const SampledPair& pair) {
  const Json& sampled = pair.sampled["sampled"];
  return sampled["detailed_size"].get<double>() / sampled["size"].get<double>();
}

double time_share(const SampledPair& pair) { return figure(pair.sampled["host"], "cpu_s") / figure(pair.whole["host"], "cpu_s"); }

double mean(const SamplingCase& one, const std::function<double(const SampledPair&)>& value) {
  double sum = 0.0;
  for (const SampledPair& pair : one.pairs) sum += value(pair);
  return sum / static_cast<double>(one.pairs.size());
}

std::string share_text(double share) { return fmt::format("{:.2f} %", 100.0 * share); }

}  // namespace

std::vector<RunSpec> sampling_specs(const RunSpec& spec, std::uint64_t sample, std::uint64_t repetitions) {
  std::vector<RunSpec> specs;
  for (std::uint64_t seed = 1; seed <= repetitions; ++seed)
    for (const std::uint64_t measured : {std::uint64_t{0}, sample}) {
      specs.push_back(spec);
      specs.back().seed = seed;
      specs.back().sample = measured;
    }
  return specs;
}

Table sampling_table(const std::vector<SamplingCase>& cases) {
  Table table{
      "sampling",
      "Sampled runs against whole ones of the same seeds. detailed: warp instructions (of a trace: bytes) that ran in detail. time: "
      "processor time by the whole run's. Errors: mean absolute ones. holds: runs whose 95 % interval has the whole run's cycles.",
      {"stimulus", "launches", "detailed", "time", "holds"},
      {},
      0};
  for (const char* metric : kCompared) table.columns.push_back(metric);
  for (const SamplingCase& one : cases) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{one.stimulus});
    if (!one.failure.empty()) {
      row.resize(table.columns.size(), "failed");
      continue;
    }
    row.push_back(with_commas(one.pairs.front().sampled["sampled"]["launches"].get<std::uint64_t>()));
    row.push_back(share_text(mean(one, detailed_share)));
    row.push_back(fmt::format("{:.2f}", mean(one, time_share)));
    row.push_back(fmt::format("{} of {}", std::count_if(one.pairs.begin(), one.pairs.end(), holds), one.pairs.size()));
    for (const char* metric : kCompared)
      row.push_back(share_text(mean(one, [metric](const SampledPair& pair) { return std::abs(error_of(pair, metric)); })));
  }
  return table;
}

Json sampling_json(const std::vector<SamplingCase>& cases) {
  Json json = {{"cases", Json::array()}};
  for (const SamplingCase& one : cases) {
    Json& entry = json["cases"].emplace_back(Json{{"stimulus", one.stimulus}});
    if (!one.failure.empty()) {
      entry["failure"] = one.failure;
      continue;
    }
    entry["launches"] = one.pairs.front().sampled["sampled"]["launches"];
    entry["pairs"] = Json::array();
    for (const SampledPair& pair : one.pairs) {
      Json& row = entry["pairs"].emplace_back(Json{{"seed", pair.whole["inputs"]["seed"]},
                                                   {"detailed", detailed_share(pair)},
                                                   {"processor_time", time_share(pair)},
                                                   {"holds", holds(pair)}});
      for (const char* metric : kCompared) row["errors"][metric] = number_or_null(error_of(pair, metric));
    }
  }
  return json;
}

}  // namespace wharf::cli
