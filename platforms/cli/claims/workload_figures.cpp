#include "platforms/cli/claims/workload_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/text.h"

namespace wharf::cli {
namespace {

/// With a larger difference, a ratio of IPC would not be a ratio of times.
constexpr double kMostUnequalWork = 0.01;

/// Reads the figures of one workload from the records; keeps the first missing item as the reason.
class FigureReader {
 public:
  FigureReader(const Measure& measure, const RecordOf& record_of) : measure_(measure), record_of_(record_of) {}

  WorkloadFigure read(const Suite::Member& member) {
    WorkloadFigure figure{member.workload, member.fill_in, 0.0, 1.0, {}};
    why_ = &figure.why_missing;
    if (measure_.reduce == Reduce::share_of_kernels) {
      count_kernels(figure);
      return figure;
    }
    figure.system = figure_of(measure_.system, member.workload);
    if (measure_.baseline.named()) figure.baseline = figure_of(measure_.baseline, member.workload);
    if (measure_.normalise.named()) {
      const double norm = figure_of(measure_.normalise, member.workload);
      if (norm == 0.0) miss(fmt::format("{} is 0 for {}", measure_.metric.front(), name_of(measure_.normalise)));
      figure.system /= norm;
      if (measure_.baseline.named()) figure.baseline /= norm;
    }
    weigh(figure);
    if (figure.baseline == 0.0 && measure_.reduce != Reduce::ratio_of_means)
      miss(fmt::format("{} is 0 for {}", measure_.metric.front(), name_of(measure_.baseline)));
    if (measure_.baseline.named() && is_speed(measure_.metric.front())) check_work(member.workload);
    return figure;
  }

 private:
  void miss(const std::string& why) {
    if (why_->empty()) *why_ = why;
  }

  /// Converts the change of a part to a change of the whole.
  void weigh(WorkloadFigure& figure) {
    if (!measure_.fixed_part && measure_.part.empty()) return;
    double share = measure_.fixed_part.value_or(0.0);
    if (const Json* run = measure_.part.empty() ? nullptr : run_of(measure_.baseline, figure.workload)) {
      const double whole = sum(*run, {measure_.part}, measure_.baseline);
      if (whole == 0.0) return miss(fmt::format("{} is 0 for {}", measure_.part, name_of(measure_.baseline)));
      share = figure.baseline / whole;
    }
    figure.system = figure.baseline + (figure.system - figure.baseline) * share;
  }

  const Json* result_of(const Machine& machine, const std::string& workload) {
    const RunRecord* record = record_of_(machine, workload);
    if (record == nullptr) {
      miss("is not built in");
    } else if (record->status != RunStatus::done) {
      miss(fmt::format("{} {}", name_of(machine), record->status == RunStatus::failed ? "failed: " + record->failure : "was not run"));
    } else {
      return &record->result;
    }
    return nullptr;
  }

  const Json* run_of(const Machine& machine, const std::string& workload) {
    const Json* result = result_of(machine, workload);
    return result == nullptr ? nullptr : &(*result)["run"];
  }

  /// Counts the kernels in which the system has more, and all kernels.
  void count_kernels(WorkloadFigure& figure) {
    const Json* system = result_of(measure_.system, figure.workload);
    const Json* baseline = result_of(measure_.baseline, figure.workload);
    if (system == nullptr || baseline == nullptr) return;
    const Json &here = (*system)["kernels"], &there = (*baseline)["kernels"];
    if (here.empty() || here.size() != there.size()) {
      miss("system and baseline ran different kernels");
      return;
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      figure.system += value_of(here[i], measure_.system) > value_of(there[i], measure_.baseline) ? 1.0 : 0.0;
    }
    figure.baseline = static_cast<double>(here.size());
  }

  double sum(const Json& run, const std::vector<std::string>& metrics, const Machine& machine) {
    double total = 0.0;
    for (const std::string& metric : metrics) {
      if (run.contains(metric) && run[metric].is_number()) {
        total += run[metric].get<double>();
        continue;
      }
      std::vector<std::string> names;
      for (const auto& entry : run.items()) names.push_back(entry.key());
      const std::string likely = did_you_mean(metric, names);
      miss(fmt::format("{} does not measure {}{}", name_of(machine), metric, likely));
    }
    return total;
  }

  /// The measure's metric between two shares of the run's thread instructions. Windows count with their overlap.
  double course_of(const Machine& machine, const std::string& workload) {
    const Json* result = result_of(machine, workload);
    if (result == nullptr) return 1.0;
    const Json tables = result->value("tables", Json::object());
    if (!tables.contains("warps_over_time")) {
      miss(name_of(machine) + " has no table warps_over_time");
      return 1.0;
    }
    const Json& table = tables["warps_over_time"];
    const auto cell = [&table](const Json& row, const char* name) {
      const auto at = std::find(table["columns"].begin(), table["columns"].end(), name) - table["columns"].begin();
      return row[static_cast<std::size_t>(at)].get<double>();
    };
    const double all = (*result)["run"]["thread_instructions"].get<double>();
    const double from = measure_.course->first * all, to = measure_.course->second * all;
    double instructions = 0.0, cycles = 0.0, hits = 0.0;
    for (std::size_t i = 0; i < table["rows"].size(); ++i) {
      const Json& row = table["rows"][i];
      const double begin = cell(row, "thread_instructions");
      const double end = i + 1 < table["rows"].size() ? cell(table["rows"][i + 1], "thread_instructions") : all;
      const double within = std::min(end, to) - std::max(begin, from);
      if (within <= 0.0) continue;
      instructions += within;
      cycles += cell(row, "cycles") * within / (end - begin);
      hits += cell(row, "vta_hits") * within / (end - begin);
    }
    if (cycles == 0.0) miss(fmt::format("{} issued nothing between these shares of its run", name_of(machine)));
    return cycles == 0.0 ? 1.0 : measure_.metric.front() == "ipc" ? instructions / cycles : 1e6 * hits / instructions;
  }

  double figure_of(const Machine& machine, const std::string& workload) {
    if (measure_.course) return course_of(machine, workload);
    const Json* run = run_of(machine, workload);
    return run == nullptr ? 1.0 : value_of(*run, machine);
  }

  /// The measure's metrics in the statistics of a run or a kernel.
  double value_of(const Json& statistics, const Machine& machine) {
    const double above = sum(statistics, measure_.metric, machine);
    if (measure_.per.empty()) return above;
    const double below = sum(statistics, measure_.per, machine);
    if (below == 0.0) miss(fmt::format("{} is 0 for {}", join(measure_.per), name_of(machine)));
    return below == 0.0 ? 1.0 : above / below;
  }

  /// Where a limit of warp instructions ended a run, different warps with different lanes may have executed, so work is counted in warp
  /// instructions.
  void check_work(const std::string& workload) {
    const Json *system = result_of(measure_.system, workload), *baseline = result_of(measure_.baseline, workload);
    if (system == nullptr || baseline == nullptr) return;
    const bool cut = system->value("reached_limit", false) || baseline->value("reached_limit", false);
    const char* work = cut ? "warp_instructions" : "thread_instructions";
    const Json &of_system = (*system)["run"], &of_baseline = (*baseline)["run"];
    if (!of_system.contains(work) || !of_baseline.contains(work)) return;
    const double done = of_system[work], expected = of_baseline[work];
    if (std::abs(done - expected) > kMostUnequalWork * expected) miss("system and baseline issued different numbers of instructions");
  }

  const Measure& measure_;
  const RecordOf& record_of_;
  std::string* why_ = nullptr;
};

}  // namespace

bool is_speed(const std::string& metric) { return metric == "ipc" || metric == "cycles" || metric == "time_ns"; }

std::vector<WorkloadFigure> figures_of(const Measure& measure, const RecordOf& record_of) {
  std::vector<WorkloadFigure> figures;
  FigureReader reader(measure, record_of);
  for (const Suite::Member& member : measure.workloads.members) figures.push_back(reader.read(member));
  return figures;
}

}  // namespace wharf::cli
