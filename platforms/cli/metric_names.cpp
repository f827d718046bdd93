#include "platforms/cli/metric_names.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/simulation.h"

namespace wharf::cli {
namespace {

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(descriptor, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

std::string read_all(int descriptor) {
  std::string text;
  char piece[4096];
  for (ssize_t count = 0; (count = read(descriptor, piece, sizeof piece)) != 0;) {
    if (count < 0 && errno != EINTR) break;
    if (count > 0) text.append(piece, static_cast<std::size_t>(count));
  }
  return text;
}

/// Reads one name per line from a child, because this process must not elaborate SystemC before it runs anything else.
std::string names_from_child(const Configuration& configuration) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    std::string lines;
    try {
      for (const MetricInfo& metric : metrics_of(configuration)) {
        if (!metric.histogram) lines += metric.name + '\n';
      }
    } catch (const std::exception&) {
      lines.clear();  // the run itself will report the reason
    }
    write_all(ends[1], lines);
    _exit(0);
  }
  close(ends[1]);
  const std::string lines = child < 0 ? std::string() : read_all(ends[0]);
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return lines;
}

}  // namespace

std::vector<MetricInfo> metrics_of(const Configuration& configuration) {
  const auto stimulus = open_named_stimulus("synthetic:ctas=1,warps=1,instructions=1", 1);
  const Simulation simulation(configuration.params, *stimulus, RunOptions{});
  std::map<std::string, MetricInfo> found;
  const auto add = [&](const std::string& name, const std::string& help, bool histogram) { found[name] = {name, help, histogram}; };
  const auto with_unit = [](const std::string& help, config::Unit unit) {
    const std::string unit_text = config::name_of(unit);
    return unit_text.empty() ? help : fmt::format("{} [{}]", help, unit_text);
  };
  add("cycles", "core cycles", false);
  add("time_ns", "simulated time [ns]", false);
  add("thread_instructions", "active lanes, summed over issued warp instructions", false);
  add("warp_instructions", "issued warp instructions", false);
  add("ipc", "thread instructions per core cycle", false);
  const stats::Registry& statistics = simulation.statistics();
  for (const auto& metric : statistics.metrics()) add(metric.name, with_unit(metric.help, metric.unit), false);
  for (const auto& entry : statistics.histograms()) {
    add(entry.prefix + "." + entry.name, with_unit(entry.help, entry.unit) + " (histogram)", true);
  }
  for (const auto& entry : statistics.derived_metrics()) add(entry.name, with_unit(entry.help, entry.unit), false);
  std::vector<MetricInfo> list;
  for (auto& [name, metric] : found) list.push_back(std::move(metric));
  return list;
}

const std::vector<std::string>& MetricNames::of(const std::string& config, const std::vector<std::string>& overrides) {
  const auto [entry, is_new] = known_.try_emplace(config);
  if (!is_new) return entry->second;
  std::istringstream lines(names_from_child(load_configuration(config, overrides, "")));
  for (std::string line; std::getline(lines, line);) entry->second.push_back(line);
  return entry->second;
}

void MetricNames::require(const std::string& name, const std::string& config, const std::vector<std::string>& overrides) {
  const std::vector<std::string>& names = of(config, overrides);
  if (names.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InputError(fmt::format("{} has no metric {}{}`{}` prints them", config, quote(name), suggestion(name, names),
                               offered_command({"list", "metrics", "--config", config})));
}

}  // namespace wharf::cli
