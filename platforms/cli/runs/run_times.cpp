#include "platforms/cli/runs/run_times.h"

#include <fmt/core.h>

#include <numeric>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"
#include "model/base/config/tree/scalars.h"
#include "platforms/cli/stimuli.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

template <class Times>
double mean_of(const Times& times) {
  double sum = 0.0;
  for (const auto& [name, seconds] : times) sum += seconds;
  return sum / static_cast<double>(times.size());
}

}  // namespace

std::string system_of(const RunSpec& spec) {
  std::string name = spec.config;
  for (const std::string& setting : spec.overrides) name += ',' + setting;
  return name;
}

std::filesystem::path RunTimes::project_file() { return project_root() / "docs" / "run_times.yaml"; }

RunTimes RunTimes::of_project() { return std::filesystem::exists(project_file()) ? read(project_file()) : RunTimes(); }

RunTimes RunTimes::read(const std::filesystem::path& file) {
  RunTimes times;
  config::Mistakes mistakes;
  const config::Node root = config::read_document(file, mistakes);
  for (const config::Node& node : root.children) {
    constexpr double kMost = 1e6;
    const auto seconds = config::parse_real(node, 0.0, kMost);
    if (!seconds.good()) mistakes.add(node.position(), fmt::format("{} {}: seconds are expected", node.key, seconds.complaint));
    times.known_[node.key] = seconds.value;
  }
  mistakes.throw_if_any();
  return times;
}

void RunTimes::add(const std::string& config, const std::string& stimulus, double seconds) { measured_[stimulus][config] = seconds; }

std::map<std::string, double> RunTimes::by_stimulus() const {
  std::map<std::string, double> times = known_;
  for (const auto& [stimulus, runs] : measured_) times[stimulus] = mean_of(runs);
  return times;
}

double RunTimes::expected(const RunSpec& spec) const {
  const auto measured = measured_.find(spec.stimulus);
  if (measured != measured_.end()) {
    const auto same = measured->second.find(system_of(spec));
    if (same != measured->second.end()) return same->second;
  }
  return expected(spec.stimulus);
}

double RunTimes::expected(const std::string& stimulus) const {
  const std::map<std::string, double> times = by_stimulus();
  if (const auto same = times.find(stimulus); same != times.end()) return same->second;
  std::map<std::string, double> of_workload;
  for (const auto& [name, seconds] : times)
    if (workload_of(name) == workload_of(stimulus)) of_workload[name] = seconds;
  if (!of_workload.empty()) return mean_of(of_workload);
  return times.empty() ? 1.0 : mean_of(times);
}

std::string RunTimes::as_yaml() const {
  std::string text =
      "# Seconds of a run by workload, the mean over configurations. `wharf reproduce` measures and writes them (platforms/cli/runs/run_times.h).\n"
      "# Only plans use them; no figure depends on them.\n";
  for (const auto& [stimulus, seconds] : by_stimulus())
    text += fmt::format(seconds < 10.0 ? "'{}': {:.1f}\n" : "'{}': {:.0f}\n", stimulus, seconds);
  return text;
}

}  // namespace wharf::cli
