#include "platforms/cli/claims/claim_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/text.h"
#include "platforms/cli/sweeps/comparison.h"

namespace wharf::cli {
namespace {

/// With a larger difference, a ratio of IPC would not be a ratio of times.
constexpr double kMostUnequalWork = 0.01;
constexpr double kPointsOfEqual = 5.0;
constexpr double kShareOfEqual = 0.1;
constexpr double kPointsOfSize = 10.0;
constexpr double kShareOfSize = 0.25;

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

bool is_speed(const std::string& metric) { return metric == "ipc" || metric == "cycles" || metric == "time_ns"; }

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
      miss("system and baseline ran other kernels");
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
    if (cycles == 0.0) miss(fmt::format("{} did nothing between these shares of its course", name_of(machine)));
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
    if (std::abs(done - expected) > kMostUnequalWork * expected) miss("system and baseline did unequal work");
  }

  const Measure& measure_;
  const RecordOf& record_of_;
  std::string* why_ = nullptr;
};

double mean_of(const Measure& measure, const std::vector<double>& values) {
  return is_geometric(measure) ? geometric_mean(values) : arithmetic_mean(values);
}

/// The measure over the figures that `counts` admits; none where there are none.
template <class Counts>
std::optional<double> reduce(const Measure& measure, const std::vector<WorkloadFigure>& figures, const Counts& counts) {
  std::vector<double> ratios, systems, baselines;
  for (const WorkloadFigure& figure : figures) {
    if (!figure.known() || !counts(figure)) continue;
    ratios.push_back(figure.system / figure.baseline);
    systems.push_back(figure.system);
    baselines.push_back(figure.baseline);
  }
  if (ratios.empty()) return std::nullopt;
  switch (measure.reduce) {
    case Reduce::max:
      return *std::max_element(ratios.begin(), ratios.end());
    case Reduce::min:
      return *std::min_element(ratios.begin(), ratios.end());
    case Reduce::ratio_of_means: {
      const double below = mean_of(measure, baselines);
      return below == 0.0 ? std::nullopt : std::optional<double>(mean_of(measure, systems) / below);
    }
    default:
      return mean_of(measure, ratios);
  }
}

std::vector<WorkloadFigure> figures_of(const Measure& measure, const RecordOf& record_of) {
  std::vector<WorkloadFigure> figures;
  FigureReader reader(measure, record_of);
  for (const Suite::Member& member : measure.workloads.members) figures.push_back(reader.read(member));
  return figures;
}

MeasureResult evaluate(const Claim& claim, const Measure& measure, const RecordOf& record_of) {
  MeasureResult result;
  result.figures = figures_of(measure, record_of);
  const auto converted = [&](std::optional<double> value) {
    return value ? std::optional<double>(in_unit_of(claim, measure, *value)) : std::nullopt;
  };
  const auto all = [](const WorkloadFigure&) { return true; };
  result.completed = converted(reduce(measure, result.figures, all));
  result.named_only = converted(reduce(measure, result.figures, [](const WorkloadFigure& figure) { return !figure.fill_in; }));
  result.agrees = result.completed && sign_agrees(claim, *result.completed);
  if (measure.metric == std::vector<std::string>{kMissRate}) {
    Measure with_merges = measure;
    with_merges.metric = {kMissRateWithMerges};
    result.with_merges = converted(reduce(with_merges, figures_of(with_merges, record_of), all));
  }
  return result;
}

void note_missing(const MeasureResult& part, std::vector<MissingFigure>& missing) {
  for (const WorkloadFigure& figure : part.figures) {
    const MissingFigure one{figure.workload, figure.why_missing};
    if (!figure.known() && std::find(missing.begin(), missing.end(), one) == missing.end()) missing.push_back(one);
  }
}

/// The reason why the claim cannot be computed from its parts.
std::string why_not_computed(const ClaimResult& result) {
  const bool whole = std::all_of(result.parts.begin(), result.parts.end(), [](const MeasureResult& part) { return part.completed; });
  if (whole) return {};
  std::vector<std::string> reasons;
  for (const MissingFigure& one : result.missing) reasons.push_back(one.workload + " " + one.why);
  if (reasons.empty()) return "the mean of its baseline is 0";
  return "no figure of it could be measured: " + join(reasons, 4);
}

/// The accepted distance from the published value for a figure of that size.
double size_tolerance(const Claim& claim) {
  const bool is_factor = claim.unit == "ratio" && claim.relative;  // its change is its distance from 1
  const double share = kShareOfSize * std::abs(is_factor ? *claim.value - 1.0 : *claim.value);
  if (claim.unit == "percent") return std::max(kPointsOfSize, share);
  return claim.unit == "ratio" ? std::max(kPointsOfSize / 100.0, share) : share;
}

bool size_agrees(const Claim& claim, const MeasureResult& part) {
  const bool is_bound = claim.direction == Direction::at_most || claim.direction == Direction::at_least || claim.direction == Direction::within;
  const bool is_change = (claim.direction == Direction::increase || claim.direction == Direction::decrease) && claim.relative;
  if ((is_bound || is_change) && !part.agrees) return false;
  return is_bound || std::abs(*part.completed - *claim.value) <= size_tolerance(claim);
}

}  // namespace

std::vector<const Machine*> machines_of(const Measure& measure) {
  std::vector<const Machine*> machines;
  for (const Machine* machine : {&measure.system, &measure.baseline, &measure.normalise})
    if (machine->named()) machines.push_back(machine);
  return machines;
}

ClaimPlan::ClaimPlan(const std::vector<Claim>& claims, std::function<bool(const std::string&)> available) : available_(std::move(available)) {
  for (const Claim& claim : claims) add(claim);
}

void ClaimPlan::add(const Claim& claim) {
  for (const Measure& measure : claim.measures) {
    for (const Suite::Member& member : measure.workloads.members) {
      for (const Machine* machine : machines_of(measure)) add(*machine, member.workload);
    }
  }
}

void ClaimPlan::add(const Machine& machine, const std::string& workload) {
  const auto [known, first] = known_workloads_.emplace(workload, false);
  if (first) known->second = available_(workload);
  if (!known->second) return;
  if (!index_.emplace(std::make_tuple(machine.config, machine.overrides, workload), specs_.size()).second) return;
  RunSpec& spec = specs_.emplace_back();
  spec.config = machine.config;
  spec.overrides = machine.overrides;
  spec.stimulus = workload;
}

std::optional<std::size_t> ClaimPlan::find(const Machine& machine, const std::string& workload) const {
  const auto it = index_.find(std::make_tuple(machine.config, machine.overrides, workload));
  return it == index_.end() ? std::nullopt : std::optional<std::size_t>(it->second);
}

std::string name_of(const Machine& machine) {
  return machine.overrides.empty() ? machine.config : machine.config + " with " + join(machine.overrides);
}

bool is_geometric(const Measure& measure) {
  if (measure.reduce == Reduce::geometric_mean || measure.reduce == Reduce::arithmetic_mean)
    return measure.reduce == Reduce::geometric_mean;
  const std::string& metric = measure.metric.front();
  const bool compared = (measure.baseline.named() || measure.normalise.named()) && measure.reduce != Reduce::share_of_kernels;
  return compared && (is_speed(metric) || starts_with(metric, "energy.") || starts_with(metric, "power."));
}

bool partly_named(const Claim& claim) {
  return std::any_of(claim.measures.begin(), claim.measures.end(), [](const Measure& measure) { return measure.workloads.partly_named(); });
}

double in_unit_of(const Claim& claim, const Measure& measure, double value) {
  const bool ordering = claim.unit == "ordering";
  if (measure.baseline.named() && measure.reduce != Reduce::share_of_kernels && (ordering || (claim.relative && claim.unit == "percent"))) {
    const double change = (value - 1.0) * 100.0;
    return claim.direction == Direction::decrease ? -change : change;
  }
  return claim.unit == "percent" ? value * 100.0 : value;
}

bool sign_agrees(const Claim& claim, double measured) {
  const bool change = claim.relative || claim.unit == "ordering";
  const double none = claim.unit == "ratio" ? 1.0 : 0.0;  // the value of "no change"
  const double value = claim.value.value_or(none);
  const bool counts_down = claim.unit == "ratio" && claim.direction == Direction::decrease;  // otherwise a decrease counts as positive
  switch (claim.direction) {
    case Direction::increase:
      return change ? measured > none : measured >= value;
    case Direction::decrease:
      return change ? (counts_down ? measured < none : measured > none) : measured <= value;
    case Direction::at_most:
      return measured <= value;
    case Direction::at_least:
      return measured >= value;
    case Direction::within:
      return std::abs(measured - none) <= value;
    default:
      return std::abs(measured - value) <= claim.tolerance.value_or(claim.unit == "percent" || claim.unit == "ordering"
                                                                        ? kPointsOfEqual
                                                                        : kShareOfEqual * std::abs(value));
  }
}

ClaimResult evaluate(const Claim& claim, const RecordOf& record_of) {
  ClaimResult result;
  if (claim.measures.empty()) {
    result.reason = claim.reason;
    return result;
  }
  for (const Measure& measure : claim.measures) {
    result.parts.push_back(evaluate(claim, measure, record_of));
    note_missing(result.parts.back(), result.missing);
  }
  result.reason = why_not_computed(result);
  if (!result.reason.empty()) return result;
  const auto odd = std::find_if(result.parts.begin(), result.parts.end(), [](const MeasureResult& part) { return !part.agrees; });
  result.shown = odd == result.parts.end() ? 0 : static_cast<std::size_t>(odd - result.parts.begin());
  if (claim.value) result.difference = *result.measured() - *claim.value;
  return result;
}

std::optional<bool> size_agrees(const Claim& claim, const ClaimResult& result) {
  if (!result.shown || !claim.value || claim.unit == "ordering") return std::nullopt;
  return std::all_of(result.parts.begin(), result.parts.end(), [&](const MeasureResult& part) { return size_agrees(claim, part); });
}

bool is_finished(const Claim& claim, const RecordOf& record_of) {
  for (const Measure& measure : claim.measures) {
    for (const Suite::Member& member : measure.workloads.members) {
      for (const Machine* machine : machines_of(measure)) {
        const RunRecord* record = record_of(*machine, member.workload);
        if (record != nullptr && record->status == RunStatus::not_run) return false;
      }
    }
  }
  return true;
}

}  // namespace wharf::cli
