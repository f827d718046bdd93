#include "platforms/cli/results/result.h"

#include <fmt/compile.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/table.h"
#include "platforms/measure/stream_table.h"

namespace wharf::cli {
namespace {

using stats::View;

double per(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

/// The figures of one kernel alone, although others may run concurrently.
void add_own(Json& json, const Interval& kernel) {
  const auto count = [&](KernelCount which) { return (*kernel.own)[static_cast<unsigned>(which)]; };
  json["stream"] = kernel.stream;
  json["cycles"] = kernel.cycles();
  json["time_ns"] = static_cast<double>(kernel.duration()) / 1000.0;
  json["thread_instructions"] = count(KernelCount::thread_instructions);
  json["warp_instructions"] = count(KernelCount::warp_instructions);
  json["ipc"] = per(count(KernelCount::thread_instructions), kernel.cycles());
  for (unsigned i = 0; i < kKernelCounts; ++i) json[std::string("sm.") + kKernelCountNames[i]] = (*kernel.own)[i];
}

Json intervals_json(const IntervalMetrics& metrics, const std::vector<Interval>& intervals) {
  Json json = Json::array();
  for (const Interval& interval : intervals) {
    Json& entry = json.emplace_back(Json::object());
    if (!interval.name.empty()) entry["name"] = interval.name;
    entry["begin_cycle"] = interval.begin_cycle;
    entry["end_cycle"] = interval.end_cycle;
    if (interval.own)
      add_own(entry, interval);
    else
      metrics.add_to(entry, interval);
  }
  return json;
}

/// Sums the instances of a histogram; bins end with the last nonempty one.
Json histograms_json(const stats::Registry& statistics) {
  struct Sum {
    std::vector<std::uint64_t> bins = std::vector<std::uint64_t>(stats::Histogram::kBins);
    std::uint64_t count = 0, sum = 0, max = 0;
    std::string unit;
  };
  std::map<std::string, Sum> sums;
  for (const auto& entry : statistics.histograms()) {
    Sum& sum = sums[entry.prefix + "." + entry.name];
    for (unsigned i = 0; i < stats::Histogram::kBins; ++i) sum.bins[i] += entry.histogram->bin(i);
    sum.count += entry.histogram->count();
    sum.sum += entry.histogram->sum();
    sum.max = std::max(sum.max, entry.histogram->max());
    sum.unit = config::name_of(entry.unit);
  }
  Json json = Json::object();
  for (auto& [name, sum] : sums) {
    while (!sum.bins.empty() && sum.bins.back() == 0) sum.bins.pop_back();
    json[name] = {{"unit", sum.unit}, {"count", sum.count}, {"mean", per(sum.sum, sum.count)}, {"max", sum.max}, {"bins", sum.bins}};
  }
  return json;
}

/// Tables that show when something happened, or count it within an interval. All others count from the beginning.
constexpr std::string_view kOfAnyInterval[] = {"bandwidth",       "energy_over_time", "parts_over_time",
                                               "warps_over_time", "energy_causes",    "memory_levels"};

bool covers_any_interval(std::string_view table) {
  return std::find(std::begin(kOfAnyInterval), std::end(kOfAnyInterval), table) != std::end(kOfAnyInterval);
}

void add_tables(Json& tables, const Measurement& measured) {
  const stats::Registry& statistics = measured.statistics;
  const View view(statistics, measured.run.begin, measured.run.end);
  for (const auto& entry : statistics.tables()) {
    if (measured.warm_up > 0 && !covers_any_interval(entry.name)) continue;
    const stats::TableRows table = entry.rows(view);
    Json& json = tables[entry.name];
    if (json.is_null()) json = {{"help", entry.help}, {"columns", table.columns}, {"rows", Json::array()}};
    for (const auto& row : table.rows) {
      Json& cells = json["rows"].emplace_back(Json::array());
      for (const auto& cell : row) std::visit([&](const auto& value) { cells.push_back(value); }, cell);
    }
  }
}

}  // namespace

Json result_json(const Json& inputs, const Measurement& measured, const Json& host) {
  Json json;
  json["inputs"] = inputs;
  json["partial"] = measured.partial || !measured.failure.empty();
  json["reached_limit"] = measured.reached_limit;
  if (!measured.failure.empty()) json["failure"] = measured.failure;
  if (measured.warm_up > 0) json["warm_up"] = {{"kernels", measured.warm_up}, {"end_cycle", measured.run.begin_cycle}};
  const IntervalMetrics metrics(measured.statistics);
  metrics.add_to(json["run"], measured.run);
  json["kernels"] = intervals_json(metrics, measured.kernels);
  json["windows"] = intervals_json(metrics, measured.windows);
  json["tables"] = Json::object();
  if (measured.warm_up == 0) json["tables"]["histograms"] = histograms_json(measured.statistics);
  add_tables(json["tables"], measured);
  json["warnings"] = Json::array();
  for (const auto& [text, count] : measured.warnings) json["warnings"].push_back({{"text", text}, {"count", count}});
  json["host"] = host;  // last, so that everything before it can be compared byte by byte
  return json;
}

std::string stats_csv(const Measurement& measured) {
  fmt::memory_buffer csv;
  const auto end = std::back_inserter(csv);
  fmt::format_to(end, "path,metric,unit,value\n");
  const stats::Snapshot before = measured.run.begin.values(), after = measured.run.end.values();
  const auto& counters = measured.statistics.counters();
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const auto& entry = counters[i];
    csv.append(entry.prefix);
    if (entry.instance != stats::Group::kOnly) fmt::format_to(end, FMT_COMPILE("[{}]"), entry.instance);
    fmt::format_to(end, FMT_COMPILE(".{},{},{},{}\n"), entry.name(), entry.metric->name, config::name_of(entry.metric->unit),
                   after[i] - before[i]);
  }
  return fmt::to_string(csv);
}

std::string accelsim_stats(const Measurement& measured) {
  const View view(measured.statistics, measured.run.begin, measured.run.end);
  const std::uint64_t cycles = cycles_of_any(measured.kernels);
  const std::uint64_t instructions = view.sum("sm.thread_instructions");
  std::string text = fmt::format("gpu_tot_sim_cycle = {}\ngpu_tot_sim_insn = {}\n", cycles, instructions);
  text += fmt::format("gpgpu_n_tot_w_icount = {}\ngpu_tot_ipc = {:.4f}\n", view.sum("sm.warp_instructions"), per(instructions, cycles));
  constexpr std::pair<const char*, const char*> kTotals[] = {{"L1D_total_cache_accesses", "l1.sectors.accesses"},
                                                             {"L1D_total_cache_misses", "l1.sectors.misses"},
                                                             {"L1D_total_cache_pending_hits", "l1.sectors.pending_hits"},
                                                             {"L2_total_cache_accesses", "l2.sectors.accesses"},
                                                             {"L2_total_cache_misses", "l2.sectors.misses"}};
  for (const auto& [theirs, ours] : kTotals) text += fmt::format("{} = {}\n", theirs, view.sum(ours));
  // A burst of this machine may move more than one sector.
  for (const auto& metric : measured.statistics.derived_metrics()) {
    if (metric.name == "dram.sectors.reads") text += fmt::format("total_dram_reads = {:.0f}\n", metric.value(view));
    if (metric.name == "dram.sectors.writes") text += fmt::format("total_dram_writes = {:.0f}\n", metric.value(view));
  }
  return text;
}

namespace {

/// A metric formatted for display; empty where the platform lacks it.
std::string shown(const Json& metrics, const char* name, double scale, const char* format) {
  if (!metrics.contains(name)) return {};
  return fmt::format(fmt::runtime(format), metrics[name].get<double>() * scale);
}

/// Counts of caches and memory are in sectors, so that all of them compare, on machines of any transaction and burst size.
struct SummaryLine {
  const char *label, *metric;
  double scale;
  const char *format, *unit = "", *part_of = nullptr;  // a metric of the same unit
};
constexpr SummaryLine kSummary[] = {{"L1 miss rate", "l1.miss_rate", 100.0, "{:.2f} %"},
                                    {"replication ratio", "inter_core_locality", 1.0, "{:.3f}"},
                                    {"L2 accesses", "l2.sectors.accesses", 1.0, "{:.0f}", "sectors"},
                                    {"L2 misses", "l2.sectors.misses", 1.0, "{:.0f}", "sectors", "l2.sectors.accesses"},
                                    {"DRAM reads", "dram.sectors.reads", 1.0, "{:.0f}", "sectors"},
                                    {"DRAM writes", "dram.sectors.writes", 1.0, "{:.0f}", "sectors"}};

/// The text after the value: its unit, and its share of the whole.
std::string remark_of(const SummaryLine& line, const Json& metrics) {
  std::string remark = *line.unit == '\0' ? "" : fmt::format(" {}", line.unit);
  if (line.part_of == nullptr || !metrics.contains(line.part_of)) return remark;
  const double all = metrics[line.part_of].get<double>();
  return all == 0.0 ? remark : remark + fmt::format(", {:.2f} %", 100.0 * metrics[line.metric].get<double>() / all);
}

}  // namespace

Table kernel_table(const Json& result) {
  constexpr std::size_t kMost = 12;
  Table table;
  table.columns = {"kernel", "cycles", "warp instr.", "IPC", "L1 miss rate"};
  const Json& kernels = result["kernels"];
  for (std::size_t i = 0; i < std::min(kernels.size(), kMost); ++i) {
    const Json& kernel = kernels[i];
    std::string name = kernel.value("name", std::string("-"));
    if (kernel.contains("stream")) name += fmt::format(" (stream {})", kernel["stream"].get<std::uint64_t>());
    table.rows.push_back({name, with_commas(kernel["cycles"].get<std::uint64_t>()),
                          with_commas(kernel["warp_instructions"].get<std::uint64_t>()), fmt::format("{:.1f}", kernel["ipc"].get<double>()),
                          shown(kernel, "l1.miss_rate", 100.0, "{:.1f} %")});
  }
  if (kernels.size() > kMost) table.note = fmt::format("and {} more kernels in result.json", kernels.size() - kMost);
  return table;
}

Table run_table(const Json& result) {
  Table table{"run", "", {"metric", "value"}, {}, 0};
  std::vector<std::string> metrics = {"cycles", "time_ns", "warp_instructions", "ipc"};
  for (const SummaryLine& line : kSummary) metrics.emplace_back(line.metric);
  for (const std::string& metric : metrics)
    if (result["run"].contains(metric)) table.rows.push_back({metric, result["run"][metric].dump()});
  return table;
}

std::string summary(const Json& result) {
  const Json& run = result["run"];
  std::string text = fmt::format("{} cycles ({:.1f} us), {} warp instructions, IPC {:.1f}\n",
                                 with_commas(run["cycles"].get<std::uint64_t>()), run["time_ns"].get<double>() / 1000.0,
                                 with_commas(run["warp_instructions"].get<std::uint64_t>()), run["ipc"].get<double>());
  for (const SummaryLine& line : kSummary) {
    const std::string value = shown(run, line.metric, line.scale, line.format);
    if (!value.empty()) text += fmt::format("  {:<18}{:>16}{}\n", line.label, value, remark_of(line, run));
  }
  if (result["kernels"].size() > 1) text += "\n" + as_text(kernel_table(result));
  for (const Json& warning : result["warnings"]) {
    text += warning_line(warning["text"].get<std::string>(), warning["count"].get<std::uint64_t>()) + "\n";
  }
  if (result.contains("warm_up")) {
    const auto kernels = result["warm_up"]["kernels"].get<std::size_t>();
    text += fmt::format("not measured: the first {} kernel{}, which warmed the caches\n", kernels, plural_ending(kernels));
  }
  if (result["reached_limit"].get<bool>()) text += "reached the limit of warp instructions of its stimulus\n";
  if (result["partial"].get<bool>()) text += "partial: the run was stopped before its end\n";
  return text;
}

}  // namespace wharf::cli
