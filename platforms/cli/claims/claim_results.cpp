#include "platforms/cli/claims/claim_results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/claims/workload_figures.h"
#include "platforms/cli/sweeps/comparison.h"
#include "stimuli/catalogue.h"

namespace wharf::cli {
namespace {

constexpr double kPointsOfEqual = 5.0;
constexpr double kShareOfEqual = 0.1;
constexpr double kPointsOfSize = 10.0;
constexpr double kShareOfSize = 0.25;

bool starts_with(const std::string& text, const char* start) { return text.rfind(start, 0) == 0; }

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

/// A workload that is not built in stays as it is.
std::string in_program_order_if_known(const std::string& workload) {
  try {
    return wharf::in_program_order(workload);
  } catch (const InputError&) {
    return workload;
  }
}

/// The measure over each choice of its fill-ins, with all other members.
FillInInterval over_fill_ins(const Claim& claim, const Measure& measure, const std::vector<WorkloadFigure>& figures) {
  const auto& from = measure.fill_ins.from;
  std::vector<bool> chosen(from.size(), false);  // in each order that has so many true
  std::fill(chosen.end() - static_cast<std::ptrdiff_t>(measure.fill_ins.size), chosen.end(), true);
  FillInInterval interval;
  bool first = true;
  do {
    const auto counts = [&](const WorkloadFigure& figure) {
      const auto at = std::find(from.begin(), from.end(), figure.workload);
      return at == from.end() || chosen[static_cast<std::size_t>(at - from.begin())];
    };
    const std::optional<double> value = reduce(measure, figures, counts);
    if (!value) continue;
    const double converted = in_unit_of(claim, measure, *value);
    interval.low = first ? converted : std::min(interval.low, converted);
    interval.high = first ? converted : std::max(interval.high, converted);
    (sign_agrees(claim, converted) ? interval.some_agree : interval.some_disagree) = true;
    first = false;
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return interval;
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
  const auto is_known = [](const WorkloadFigure& figure) { return figure.known(); };
  if (measure.fill_ins.size > 0 && std::all_of(result.figures.begin(), result.figures.end(), is_known))
    result.over_fill_ins = over_fill_ins(claim, measure, result.figures);
  if (const auto in_order = in_program_order(measure)) {
    const std::vector<WorkloadFigure> figures = figures_of(*in_order, record_of);
    if (std::all_of(figures.begin(), figures.end(), is_known)) result.in_program_order = converted(reduce(*in_order, figures, all));
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
  return "none of its figures could be measured: " + join(reasons, 4);
}

/// The accepted distance from the published value for a figure of that size.
double size_tolerance(const Claim& claim) {
  const bool is_factor = claim.unit == "ratio" && claim.relative;  // its change is its distance from 1
  const double share = kShareOfSize * std::abs(is_factor ? *claim.value - 1.0 : *claim.value);
  if (claim.unit == "percent") return std::max(kPointsOfSize, share);
  return claim.unit == "ratio" ? std::max(kPointsOfSize / 100.0, share) : share;
}

bool size_agrees(const Claim& claim, const MeasureResult& part) {
  const bool is_bound =
      claim.direction == Direction::at_most || claim.direction == Direction::at_least || claim.direction == Direction::within;
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

ClaimPlan::ClaimPlan(const std::vector<Claim>& claims, std::function<bool(const std::string&)> available)
    : available_(std::move(available)) {
  for (const Claim& claim : claims) add(claim);
}

void ClaimPlan::add(const Claim& claim) {
  for (const Measure& measure : claim.measures) {
    const std::optional<Measure> in_order = in_program_order(measure);
    for (const Measure* one : {&measure, in_order ? &*in_order : nullptr}) {
      if (one == nullptr) continue;
      for (const Suite::Member& member : one->workloads.members)
        for (const Machine* machine : machines_of(*one)) add(*machine, member.workload);
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

std::optional<Measure> in_program_order(const Measure& measure) {
  Measure in_order = measure;
  for (Suite::Member& member : in_order.workloads.members) {
    const std::string workload = in_program_order_if_known(member.workload);
    if (workload == member.workload) return std::nullopt;
    member.workload = workload;
  }
  return in_order;
}

std::optional<SignVerdict> ClaimResult::sign() const {
  if (!shown) return std::nullopt;
  const MeasureResult& part = parts[*shown];
  if (!part.over_fill_ins) return part.agrees ? SignVerdict::agrees : SignVerdict::disagrees;
  if (part.over_fill_ins->some_agree && part.over_fill_ins->some_disagree) return SignVerdict::undecided;
  return part.over_fill_ins->some_agree ? SignVerdict::agrees : SignVerdict::disagrees;
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
  return conclude(claim, std::move(result.parts), std::move(result.missing));
}

ClaimResult conclude(const Claim& claim, std::vector<MeasureResult> parts, std::vector<MissingFigure> missing) {
  ClaimResult result;
  result.parts = std::move(parts);
  result.missing = std::move(missing);
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
  ClaimPlan plan([](const std::string&) { return true; });
  plan.add(claim);
  return std::none_of(plan.specs().begin(), plan.specs().end(), [&](const RunSpec& spec) {
    const RunRecord* record = record_of({spec.config, spec.overrides, {}}, spec.stimulus);
    return record != nullptr && record->status == RunStatus::not_run;
  });
}

}  // namespace wharf::cli
