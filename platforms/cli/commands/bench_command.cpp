// bench: measures the figures of docs/performance.md on this machine, each in its own process, one after the other.

#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/base/text.h"
#include "platforms/cli/bench/bench.h"
#include "platforms/cli/bench/growth.h"
#include "platforms/cli/bench/median.h"
#include "platforms/cli/bench/paired.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

CommandLine declare_bench() {
  CommandLine arguments(
      "bench [--against COMMAND | --growth | --threads N] [--traces FOLDER] [--json]",
      "Measures the simulator on `private` (80 SMs): rates are per second of processor time, and also relative to the rate at which a bare SystemC\n"
      "kernel activates methods in the same run. The relative figures can be compared between machines.\n"
      "With --growth, measures how time and memory grow with the number of SMs, the length of a run and the misses in flight, and fits an\n"
      "exponent to each: 1 is linear, 0 is constant.\n"
      "With --against, another simulator's command and this program run the same traces alternately.\n"
      "With --threads, one thread and N advance the same machines alternately.");
  arguments.flag("json", "print the figures as JSON")
      .input("traces", "FOLDER", "add a figure given_NAME for each trace in FOLDER, on gpus/volta_qv100")
      .flag("growth", "print how time and memory grow, the medians of three runs, instead of the rates")
      .value("against", "COMMAND", "compare with this command, for a shell, in which {trace} stands for the folder of a trace")
      .inputs("trace", "FOLDER", "with --against: a trace; may be repeated (default: the traces of the test data)")
      .value("config", "CONFIG", "with --against: what this program runs the traces on (default gpus/volta_qv100)")
      .value("threads", "N", "compare the wall time of N threads with that of one, at 50 % loads")
      .value("pairs", "N", "with --against and --threads: runs of each of the two on each trace or machine (default 5)")
      .value("part", "NAME", "measure only this part, in this process, and print it as JSON")
      .output_folder("out", "folder of the logs", "out/bench");
  TableOutput::declare(arguments);
  return arguments;
}

struct OneJob : JobOwner {
  JobResult ended;
  bool finished(std::size_t, const JobResult& result) override {
    ended = result;
    return false;
  }
};

/// Runs a process to its end; returns false where interrupted.
bool run_apart(const BenchPart& part, const Job& job) {
  OneJob one;
  if (!run_jobs({job}, 1, one)) return false;
  if (!one.ended.ok()) throw SimulationError(fmt::format("bench part '{}': {}", part.name, failure_of(one.ended.exit_code, job.log)));
  return true;
}

/// Puts the trace of a part into the bench's own folder: exported anew, since it depends on the program, or copied, and packed there.
bool prepare_trace(const BenchPart& part, const std::filesystem::path& folder) {
  const std::filesystem::path trace = trace_folder_of(part, folder), log = folder / (part.name + ".log");
  std::filesystem::remove_all(trace);
  std::filesystem::create_directories(trace);
  if (part.stimulus.empty()) {
    std::filesystem::copy(project_root() / "tests" / "data" / "accelsim" / "traces" / part.trace, trace);
  } else if (!run_apart(part, {{"trace", "export", "--stimulus=" + part.stimulus, std::string("--config=") + part.configuration,
                                "--out=" + trace.string()},
                               log})) {
    return false;
  }
  return !part.packed || run_apart(part, {{"trace", "pack", trace.string()}, log});
}

int measure_one(const std::string& name, const std::string& traces, const std::filesystem::path& folder, std::ostream& out) {
  std::vector<BenchPart> parts = bench_parts(traces);
  for (const GrowthSeries& series : growth_series())
    for (const GrowthPoint& point : series.points) parts.push_back(point.part);
  std::vector<std::string> names;
  for (const BenchPart& part : parts) {
    if (name == part.name) {
      if (part.trace != nullptr) {
        const InterruptGuard guard;
        if (!prepare_trace(part, folder)) return kInterrupted;
      }
      fmt::print(out, "{}\n", measure_part(part, folder).dump());
      return kDone;
    }
    names.push_back(part.name);
  }
  throw InputError(fmt::format("bench: there is no part {}{}It has {}", quote(name), suggestion(name, names), join(names)));
}

/// Reads the output of a part's own process.
Json measure_in_child(const BenchPart& part, const std::string& traces, const std::filesystem::path& folder) {
  Job job{{"bench", "--part=" + part.name, "--out=" + folder.string()}, folder / (part.name + ".json")};
  if (!traces.empty()) job.arguments.push_back("--traces=" + traces);
  if (!run_apart(part, job)) return {};
  const std::vector<std::string> last = last_lines_of(job.log, 1);
  const Json measured = Json::parse(last.empty() ? std::string() : last.front(), nullptr, /*allow_exceptions=*/false);
  if (!measured.is_object()) throw SimulationError(fmt::format("bench part '{}' printed no figures; see {}", part.name, job.log.string()));
  return measured;
}

Table figures_table(const Json& figures) {
  Table table{"Speed of the simulator on this machine", "", {"figure", "value", "per kernel activation"}, {}, 0};
  const double kernel = figures["kernel_activations_per_s"].get<double>();
  for (const auto& [key, value] : figures.items()) {
    const double figure = value.get<double>();
    const bool rate = key.size() > 6 && key.compare(key.size() - 6, 6, "_per_s") == 0;
    table.rows.push_back({key, rate ? with_commas(static_cast<std::uint64_t>(figure)) : fmt::format("{:.3f}", figure),
                          rate ? fmt::format("{:.4f}", figure / kernel) : ""});
  }
  return table;
}

/// The medians of three runs; empty where interrupted.
std::optional<GrowthFigures> measure_point(const GrowthPoint& point, const std::filesystem::path& folder) {
  std::vector<double> build_s, run_s, peak_mb;
  for (int i = 0; i < 3; ++i) {
    const Json measured = measure_in_child(point.part, "", folder);
    if (InterruptGuard::requested()) return {};
    build_s.push_back(measured["build_s"].get<double>());
    run_s.push_back(measured["run_s"].get<double>());
    peak_mb.push_back(measured["rss_mb"].get<double>());
  }
  return GrowthFigures{point.size, median(build_s), median(run_s), median(peak_mb)};
}

int measure_growth(const CommandLine& arguments, const TableOutput& output, const std::filesystem::path& out, std::ostream& stream) {
  const InterruptGuard guard;
  ProgressBar bar;
  const std::vector<GrowthSeries> series = growth_series();
  std::vector<MeasuredGrowth> growths;
  std::vector<Table> tables;
  for (std::size_t i = 0; i < series.size(); ++i) {
    MeasuredGrowth& growth = growths.emplace_back(MeasuredGrowth{series[i].size, {}});
    for (const GrowthPoint& point : series[i].points) {
      bar.show(static_cast<double>(i) / static_cast<double>(series.size()), point.part.name);
      const std::optional<GrowthFigures> figures = measure_point(point, out);
      if (!figures) return kInterrupted;
      growth.points.push_back(*figures);
    }
    tables.push_back(growth_table(growth));
  }
  bar.clear();
  if (arguments.has("json")) fmt::print(stream, "{}\n", growth_json(growths).dump(2));
  if (!arguments.has("json")) output.print(tables);
  return kDone;
}

std::uint64_t pairs_of(const CommandLine& arguments) { return arguments.count("pairs", 5, 1, 1000); }

int compare_threads(const CommandLine& arguments, const TableOutput& output, const std::filesystem::path& out, std::ostream& stream) {
  const auto threads = static_cast<unsigned>(arguments.count("threads", 2, 2, Islands::kMost));
  const InterruptGuard guard;
  const std::vector<Pair> pairs = measure_pairs(contests_of_threads(threads, out / "threads"), pairs_of(arguments));
  if (arguments.has("json")) fmt::print(stream, "{}\n", threads_json(pairs).dump(2));
  if (!arguments.has("json") && !pairs.empty()) output.print({threads_table(pairs, threads)});
  return InterruptGuard::requested() ? kInterrupted : kDone;
}

int compare_with_another(const CommandLine& arguments, const TableOutput& output, const std::filesystem::path& out, std::ostream& stream) {
  AgainstOther bench;
  bench.command = arguments.text("against");
  bench.configuration = arguments.text("config", "gpus/volta_qv100");
  bench.traces = arguments.texts("trace");
  if (bench.traces.empty()) bench.traces = reference_traces();
  bench.out = out / "against";
  const InterruptGuard guard;
  const std::vector<Pair> pairs = measure_pairs(contests_of(bench), pairs_of(arguments));
  if (arguments.has("json")) fmt::print(stream, "{}\n", pairs_json(pairs).dump(2));
  if (!arguments.has("json") && !pairs.empty()) output.print({pairs_table(pairs)});
  return InterruptGuard::requested() ? kInterrupted : kDone;
}

}  // namespace

int bench_command(const Context& context) {
  CommandLine arguments = declare_bench();
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  const TableOutput output(arguments, context);
  arguments.exclude("json", "format", "each is a format; give one");
  const std::filesystem::path out = arguments.text("out");
  for (const char* other : {"part", "growth", "traces"}) arguments.exclude("against", other, "each is a benchmark of its own; give one");
  for (const char* other : {"part", "traces"}) arguments.exclude("growth", other, "each is a benchmark of its own; give one");
  for (const char* other : {"part", "traces", "growth", "against"})
    arguments.exclude("threads", other, "each is a benchmark of its own; give one");
  for (const char* option : {"trace", "config", "pairs"})
    if (arguments.has(option) && !arguments.has("against") && !(arguments.has("threads") && std::string_view(option) == "pairs"))
      throw InputError(fmt::format("--{} is for a comparison with another program; give --against{} as well", option,
                                   std::string_view(option) == "pairs" ? " or --threads" : ""));
  if (arguments.has("threads")) return compare_threads(arguments, output, out, context.out);
  if (arguments.has("against")) return compare_with_another(arguments, output, out, context.out);
  if (arguments.has("growth")) return measure_growth(arguments, output, out, context.out);
  const std::string traces = arguments.text("traces");
  if (arguments.has("part")) return measure_one(arguments.text("part"), traces, out, context.out);

  const InterruptGuard guard;
  ProgressBar bar;
  const std::vector<BenchPart> parts = bench_parts(traces);
  Json figures = {{"serve_start_s", serve_start_s(out / "serve")}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bar.show(static_cast<double>(i) / static_cast<double>(parts.size()), parts[i].name);
    const double begin = wall_seconds();
    const Json measured = measure_in_child(parts[i], traces, out);
    if (InterruptGuard::requested()) return kInterrupted;
    figures[parts[i].key] = measured.contains("rate") ? measured["rate"].get<double>() : measured["simulated_at_s"].get<double>() - begin;
    if (parts[i].name == "private_50pct") figures["rss_mb"] = measured["rss_mb"];
  }
  bar.clear();
  for (const BenchPart& part : parts)
    if (!part.plain.empty()) figures[part.name + "_slowdown"] = figures[part.plain].get<double>() / figures[part.key].get<double>();
  if (arguments.has("json")) fmt::print(context.out, "{}\n", figures.dump(2));
  if (!arguments.has("json")) output.print({figures_table(figures)});
  return kDone;
}

}  // namespace wharf::cli
