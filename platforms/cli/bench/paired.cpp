#include "platforms/cli/bench/paired.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/error.h"
#include "model/base/files/shell_word.h"
#include "model/base/text.h"
#include "platforms/cli/bench/median.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/sweeps/comparison.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlace = "{trace}";

std::string with_trace(std::string command, const std::string& trace) {
  for (std::size_t at = 0; (at = command.find(kPlace, at)) != std::string::npos;) {
    const std::string word = shell_word(trace);
    command.replace(at, kPlace.size(), word);
    at += word.size();
  }
  return command;
}

/// Runs jobs one after the other and keeps their results.
struct InTurn : JobOwner {
  std::vector<JobResult> results;
  explicit InTurn(std::size_t jobs) : results(jobs) {}
  bool finished(std::size_t job, const JobResult& result) override {
    results[job] = result;
    return false;
  }
};

/// A figure of each pair of one contest.
template <class Figure>
std::vector<double> figures(const std::vector<Pair>& pairs, const std::string& name, Figure figure) {
  std::vector<double> values;
  for (const Pair& pair : pairs)
    if (pair.name == name) values.push_back(figure(pair));
  return values;
}

std::vector<std::string> names_of(const std::vector<Pair>& pairs) {
  std::vector<std::string> names;
  for (const Pair& pair : pairs)
    if (names.empty() || names.back() != pair.name) names.push_back(pair.name);
  return names;
}

double cpu_ratio(const Pair& pair) { return pair.other.cpu_s / pair.own.cpu_s; }
double wall_ratio(const Pair& pair) { return pair.other.wall_s / pair.own.wall_s; }
double memory_ratio(const Pair& pair) { return pair.other.peak_mb / pair.own.peak_mb; }

std::string spread(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return fmt::format("{:.2f}-{:.2f}", *least, *most);
}

Json usage_json(const JobResult& result) { return {{"cpu_s", result.cpu_s}, {"wall_s", result.wall_s}, {"peak_mb", result.peak_mb}}; }

void require_success(const Job& job, const JobResult& result, const std::string& what) {
  if (result.ok()) return;
  throw InputError(fmt::format("{}: {}; its output is in {}", what, failure_of(result.exit_code, job.log), job.log.string()));
}

}  // namespace

std::vector<std::string> reference_traces() {
  std::vector<std::string> traces;
  for (const auto& entry : fs::directory_iterator(project_root() / "tests" / "data" / "accelsim" / "traces"))
    traces.push_back(entry.path().string());
  std::sort(traces.begin(), traces.end());
  return traces;
}

std::vector<Contest> contests_of(const AgainstOther& bench) {
  if (bench.command.find(kPlace) == std::string::npos)
    throw InputError(fmt::format("--against: {} names no trace; write {} where the other simulator expects the folder of one",
                                 quote(bench.command), kPlace));
  for (const std::string& trace : bench.traces)
    if (!fs::is_directory(trace)) throw InputError(fmt::format("--trace: {} is not a folder; name the folder of a trace", quote(trace)));
  std::vector<Contest> contests;
  for (const std::string& trace : bench.traces) {
    const fs::path folder = fs::absolute(trace).lexically_normal();
    const std::string name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
    const Job own{{"run", bench.configuration, "--trace=" + trace, "--out=" + (bench.out / name).string()}, bench.out / (name + ".log")};
    const Job other{{"-c", with_trace(bench.command, folder.string())}, bench.out / (name + ".other.log"), "/bin/sh"};
    contests.push_back(
        {trace, own, other, fmt::format("this program on {}", trace), fmt::format("--against: {}", quote(other.arguments[1]))});
  }
  return contests;
}

std::vector<Contest> contests_of_threads(unsigned threads, const fs::path& out) {
  std::vector<Contest> contests;
  for (const auto& [configuration, instructions] :
       {std::pair("private", 800), {"dc_l1", 800}, {"shared_l1", 2000}, {"gpus/hopper_h100", 150}}) {
    const std::string name = fs::path(configuration).filename().string();
    const auto job = [&, configuration = configuration, instructions = instructions](unsigned with) {
      const std::string folder = fmt::format("{}.{}", name, with);
      return Job{{"run", configuration, fmt::format("--stimulus=synthetic:loads=50,instructions={}", instructions),
                  fmt::format("--threads={}", with), "--out=" + (out / folder).string()},
                 out / (folder + ".log")};
    };
    contests.push_back({configuration, job(threads), job(1), fmt::format("{} with {} threads", configuration, threads),
                        fmt::format("{} with one thread", configuration)});
  }
  return contests;
}

std::vector<Pair> measure_pairs(const std::vector<Contest>& contests, std::uint64_t count) {
  ProgressBar bar;
  std::vector<Pair> pairs;
  const std::uint64_t total = contests.size() * count;
  for (const Contest& contest : contests) {
    for (std::uint64_t i = 0; i < count; ++i) {
      bar.show(static_cast<double>(pairs.size()) / static_cast<double>(total), contest.name);
      // Each command is the first of every other pair, because the first run of a trace may find it outside the page cache.
      const bool other_first = i % 2 != 0;
      InTurn turns(2);
      if (!run_jobs(other_first ? std::vector<Job>{contest.other, contest.own} : std::vector<Job>{contest.own, contest.other}, 1, turns))
        return pairs;
      const Pair pair{contest.name, turns.results[other_first ? 1 : 0], turns.results[other_first ? 0 : 1]};
      require_success(contest.own, pair.own, contest.own_text);
      require_success(contest.other, pair.other, contest.other_text);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

Table pairs_table(const std::vector<Pair>& pairs) {
  Table table{"Time and memory of the other program, as multiples of this program's",
              "Medians of the pairs, with the least and largest ratio of a pair. CPU: processor time of all threads.",
              {"trace", "pairs", "CPU", "spread", "wall", "spread", "memory", "CPU s", "other CPU s", "MB", "other MB"},
              {},
              1};
  std::vector<double> cpu_medians, wall_medians, memory_medians;
  for (const std::string& trace : names_of(pairs)) {
    const std::vector<double> cpu = figures(pairs, trace, cpu_ratio), wall = figures(pairs, trace, wall_ratio);
    const auto median_of = [&](auto figure) { return median(figures(pairs, trace, figure)); };
    cpu_medians.push_back(median(cpu));
    wall_medians.push_back(median(wall));
    memory_medians.push_back(median_of(memory_ratio));
    table.rows.push_back({trace, std::to_string(cpu.size()), fmt::format("{:.2f}", median(cpu)), spread(cpu),
                          fmt::format("{:.2f}", median(wall)), spread(wall), fmt::format("{:.2f}", memory_medians.back()),
                          fmt::format("{:.3f}", median_of([](const Pair& pair) { return pair.own.cpu_s; })),
                          fmt::format("{:.3f}", median_of([](const Pair& pair) { return pair.other.cpu_s; })),
                          fmt::format("{:.1f}", median_of([](const Pair& pair) { return pair.own.peak_mb; })),
                          fmt::format("{:.1f}", median_of([](const Pair& pair) { return pair.other.peak_mb; }))});
  }
  table.rows.push_back({"geometric mean", "", fmt::format("{:.2f}", geometric_mean(cpu_medians)), "",
                        fmt::format("{:.2f}", geometric_mean(wall_medians)), "", fmt::format("{:.2f}", geometric_mean(memory_medians)), "",
                        "", "", ""});
  return table;
}

Json pairs_json(const std::vector<Pair>& pairs) {
  Json list = Json::array();
  for (const Pair& pair : pairs) list.push_back({{"trace", pair.name}, {"wharf", usage_json(pair.own)}, {"other", usage_json(pair.other)}});
  return list;
}

Table threads_table(const std::vector<Pair>& pairs, unsigned threads) {
  Table table{fmt::format("Wall time of one thread by that of {}", threads),
              "Medians of the pairs, with the least and largest ratio of a pair. CPU: processor time of all threads by that of one.",
              {"configuration", "pairs", "faster", "spread", "CPU", "s", "s of one thread"},
              {},
              1};
  for (const std::string& name : names_of(pairs)) {
    const std::vector<double> wall = figures(pairs, name, wall_ratio);
    const auto median_of = [&](auto figure) { return median(figures(pairs, name, figure)); };
    table.rows.push_back({name, std::to_string(wall.size()), fmt::format("{:.2f}", median(wall)), spread(wall),
                          fmt::format("{:.2f}", 1 / median_of(cpu_ratio)),
                          fmt::format("{:.2f}", median_of([](const Pair& pair) { return pair.own.wall_s; })),
                          fmt::format("{:.2f}", median_of([](const Pair& pair) { return pair.other.wall_s; }))});
  }
  return table;
}

Json threads_json(const std::vector<Pair>& pairs) {
  Json list = Json::array();
  for (const Pair& pair : pairs)
    list.push_back({{"configuration", pair.name}, {"threads", usage_json(pair.own)}, {"one_thread", usage_json(pair.other)}});
  return list;
}

}  // namespace wharf::cli
