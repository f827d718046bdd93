// reproduce: compares published results with the measurements of this program.

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>

#include "model/base/config/tree/mistakes.h"
#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/text.h"
#include "platforms/cli/claims/characteristic_report.h"
#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/claims/claim_selection.h"
#include "platforms/cli/claims/claim_summary.h"
#include "platforms/cli/claims/measured_figures.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/files.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/records/run_merge.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare() {
  CommandLine arguments(
      "reproduce [options]",
      "Sets published results beside what this program measures: plans the runs that the claims need, runs those that have no result\n"
      "yet, and writes for each claim the published and the measured value, whether sign and size agree, the difference, or why it cannot be\n"
      "computed; and for each workload its published and measured characteristics on the baseline. Claims stand in platforms/claims; the\n"
      "figures go to platforms/claims/measured.json and their summary to docs/results.md, where other claims stay as they are. With --out,\n"
      "or where --quick, --workload or --claims-file restrict the figures, reports go to the folder of the runs instead. Give the same\n"
      "command again after Ctrl-C: it continues.");
  arguments.value("claims", "A,B", "sources, such as ch3,ch4, or single claims, such as D5-105 (default: all)")
      .value("metric", "M,N", "claims measured by these metrics alone; energy stands for energy.total, energy.l2 ...")
      .value("workload", "W,V", "these workloads of each group alone, by name (bfs) or as in a suite (bfs@wide)")
      .flag("quick", "headline claims over the two named workloads of each group that run shortest: minutes instead of hours")
      .flag("characteristics", "the workloads' characteristics on the baselines alone, before any design")
      .input("claims-file", "FILE", "your own claims in the same form; the report then goes to the folder of --out")
      .output("json", "write the results as JSON too")
      .output_folder("out", "folder of the runs, and of the reports", "out/reproduce", {"runs.sqlite", "partial.md"})
      .flag("recorded", "run nothing: print the report of the figures last measured, as Markdown")
      .output("report", "write the report of the claims there, whatever it covers")
      .value("shard", "I/N", "make the I-th of N parts of the runs, of about equal length, and no report")
      .input("merge", "A,B", "first take the finished runs of these folders, as other machines' --shard left them")
      .value("jobs", "N", "processes at a time (default: one a processor)")
      .flag("dry-run", kDryRunHelp)
      .value("tier", "headline|mechanism|all", "of the claims (default all)");
  declare_progress(arguments, "print the summary only");
  TableOutput::declare(arguments);
  return arguments;
}

/// Options that select among claims, so that the workloads' characteristics are not needed.
constexpr std::array kClaimOptions = {"metric", "tier", "claims-file", "quick"};

/// The claims and characteristics of this command.
struct Task {
  std::vector<Claim> claims;
  std::vector<SourceCharacteristics> characteristics;
  bool own_claims = false;   // of a user's file
  bool whole_groups = true;  // false: the figures cover only some workloads
  std::string mark;          // states this in the reports
};

bool is_available(const std::string& workload) {
  try {
    check_stimulus(workload);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void check_options(const CommandLine& arguments) {
  arguments.exclude("quick", "tier", "--quick stands for --tier headline; give one of them");
  arguments.exclude("shard", "merge", "a part is run first, and merged when all are; give one of them");
  arguments.exclude("shard", "json", "a part has no report; give --json where the parts are merged");
  arguments.exclude("shard", "report", "a part has no report; give --report where the parts are merged");
  for (const char* option : {"quick", "workload", "claims-file", "json", "report", "shard", "merge"})
    arguments.exclude("recorded", option, "the figures last measured are of whole groups and are printed as Markdown; give one of them");
  for (const char* option : {"quick", "tier", "metric", "claims-file", "report"})
    arguments.exclude("characteristics", option, "characteristics are of workloads, not of claims; give one of them");
}

/// True where this command covers characteristics: all, or those of the sources that it names, but not for a selection of claims.
bool asks_for_characteristics(const CommandLine& arguments) {
  if (arguments.has("characteristics")) return true;
  return std::none_of(kClaimOptions.begin(), kClaimOptions.end(), [&](const char* option) { return arguments.has(option); });
}

Task task_of(const CommandLine& arguments) {
  Task task;
  const std::vector<Suite> suites = all_suites();
  const std::vector<Claim> known = project_claims(suites);
  const std::vector<std::string> names = split_list(arguments.text("claims"));
  if (asks_for_characteristics(arguments)) task.characteristics = project_characteristics(suites);
  if (arguments.has("characteristics")) require_sources(task.characteristics, names);
  if (arguments.has("claims")) keep_named(task.characteristics, names);
  if (!arguments.has("characteristics")) {
    task.claims = known;
    if (arguments.has("claims-file")) {
      task.claims = load_claims(arguments.text("claims-file"), suites);
      adopt_measures(task.claims, known);
      task.own_claims = true;
    }
    if (arguments.has("claims")) keep_named(task.claims, names);
    if (arguments.has("metric")) keep_measured_by(task.claims, split_list(arguments.text("metric")));
    keep_tier(task.claims, arguments.has("quick") ? "headline" : arguments.text("tier", "all"));
  }
  if (arguments.has("workload")) {
    keep_workloads(task.claims, task.characteristics, split_stimuli(arguments.text("workload")));
    task.mark = "Of these workloads alone: " + escape_markdown(arguments.text("workload")) + ".";
  }
  if (arguments.has("quick")) {
    keep_quick(task.claims, RunTimes::of_project(), is_available);
    task.mark = fmt::format("Quick: headline claims over {} workloads of each group, the named ones that run shortest (docs/run\\_times.yaml). "
                            "These are not the figures of the whole groups.{}{}",
                            kQuickWorkloads, task.mark.empty() ? "" : " ", task.mark);
  }
  task.whole_groups = task.mark.empty();
  return task;
}

/// Checks every named configuration, with its position in the file, before anything runs.
void check_machines(const Task& task) {
  config::Mistakes mistakes;
  std::set<std::string> seen;
  const auto check = [&](const std::string& of, const Machine& machine) {
    if (!machine.named() || !seen.insert(name_of(machine)).second) return;
    try {
      load_configuration(machine.config, machine.overrides, "");
    } catch (const InputError& error) {
      mistakes.add(machine.where, fmt::format("{}: {}", of, error.what()));
    }
  };
  for (const Claim& claim : task.claims)
    for (const Measure& measure : claim.measures)
      for (const Machine* machine : machines_of(measure)) check(claim.id, *machine);
  for (const SourceCharacteristics& source : task.characteristics) {
    check(source.source, source.baseline);
    check(source.source, source.larger);
  }
  mistakes.throw_if_any();
}

/// Checks that each system of a user's claim measures what the claim asks of it.
void check_metrics(const std::vector<Claim>& claims) {
  config::Mistakes mistakes;
  MetricNames known;
  const auto check = [&](const Claim& claim, const Machine& machine, const std::string& metric) {
    try {
      known.require(metric, machine.config, machine.overrides);
    } catch (const InputError& error) {
      mistakes.add(claim.position, fmt::format("{}: {}", claim.id, error.what()));
    }
  };
  for (const Claim& claim : claims)
    for (const Measure& measure : claim.measures) {
      std::set<std::string> metrics(measure.metric.begin(), measure.metric.end());
      metrics.insert(measure.per.begin(), measure.per.end());
      if (!measure.part.empty()) metrics.insert(measure.part);
      for (const std::string& metric : metrics) check(claim, measure.system, metric);
    }
  mistakes.throw_if_any();
}

/// Plans baselines first, because they show whether the workloads resemble the source's.
ClaimPlan plan_of(const Task& task) {
  ClaimPlan plan(is_available);
  for (const SourceCharacteristics& source : task.characteristics) plan_characteristics(source, plan);
  for (const Claim& claim : task.claims) plan.add(claim);
  return plan;
}

/// The command as one would type it again, without the options that change no figure.
std::string command_of(const CommandLine& arguments) {
  std::string command = "wharf reproduce";
  for (const char* option : {"claims", "metric", "tier", "claims-file", "workload"}) {
    if (arguments.has(option)) command += fmt::format(" --{} {}", option, shell_word(arguments.text(option)));
  }
  if (arguments.has("characteristics")) command += " --characteristics";
  return arguments.has("quick") ? command + " --quick" : command;
}

/// True where these are all claims of their sources.
bool are_whole_sources(const Task& task, const CommandLine& arguments) {
  if (arguments.has("metric") || arguments.text("tier", "all") != "all" || !task.whole_groups) return false;
  if (!arguments.has("claims")) return true;
  const std::vector<std::string> names = split_list(arguments.text("claims"));
  return std::all_of(task.claims.begin(), task.claims.end(), [&](const Claim& claim) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_source(claim.source, name); });
  });
}

/// An installed Wharf has none.
fs::path results_file() { return project_root() / "docs" / "results.md"; }

/// Where the figures go: to the project, or to reports beside the runs. --report takes the claims elsewhere.
struct Reports {
  fs::path results, workloads;
  bool of_project;
};

Reports reports_of(const CommandLine& arguments, const Task& task, const fs::path& out) {
  const bool of_project = task.whole_groups && !arguments.has("out") && !arguments.has("claims-file") && fs::exists(results_file());
  Reports reports = {out / (arguments.has("quick") ? "quick.md" : "results.md"), out / "workloads.md", of_project};
  if (of_project) reports = {results_file(), MeasuredFigures::project_file(), true};
  if (arguments.has("report")) reports.results = arguments.text("report");
  return reports;
}

/// Before the runs, which take hours.
void require_reports(const Reports& reports) {
  for (const fs::path& page : {reports.results, reports.workloads}) require_writable(page);
  if (reports.of_project) require_writable(RunTimes::project_file());
}

std::vector<JudgedClaim> judge(const std::vector<Claim>& claims, const RecordOf& record_of, const Origin& origin) {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : claims) judged.push_back({claim, evaluate(claim, record_of), origin});
  return judged;
}

std::vector<JudgedCharacteristics> judge(const std::vector<SourceCharacteristics>& sources, const RecordOf& record_of, const Origin& origin) {
  std::vector<JudgedCharacteristics> judged;
  for (const SourceCharacteristics& source : sources) judged.push_back({source, evaluate(source, record_of), origin});
  return judged;
}

/// Reports the claims whose runs have all ended.
void report_partial(const Task& task, const RecordOf& record_of, const Origin& origin, const fs::path& out, const Context& context) {
  std::vector<Claim> finished;
  for (const Claim& claim : task.claims)
    if (!claim.measures.empty() && is_finished(claim, record_of)) finished.push_back(claim);
  if (finished.empty()) return;
  const std::string mark = fmt::format("Partial: {} of {} claims, those whose runs have all ended.{}{}", finished.size(), task.claims.size(),
                                       task.mark.empty() ? "" : " ", task.mark);
  const std::vector<JudgedClaim> judged = judge(finished, record_of, origin);
  write_file(out / "partial.md", claims_markdown(judged, {task.own_claims, mark}));
  fmt::print(context.out, "{}\nwrote {}\n", claims_summary(judged), (out / "partial.md").string());
}

/// Writes the run time of each workload, for later plans.
void write_times(const ClaimPlan& plan, const RunBatch& batch) {
  RunTimes times = RunTimes::of_project();
  for (std::size_t i = 0; i < plan.specs().size(); ++i) {
    const RunRecord& record = batch.records[i];
    if (record.status == RunStatus::done) times.add(system_of(plan.specs()[i]), plan.specs()[i].stimulus, record.result["host"].value("wall_s", 0.0));
  }
  write_file(RunTimes::project_file(), times.as_yaml());
}

/// Adds the figures to the project's, and writes the page that sums them up.
void write_project_figures(const std::vector<JudgedClaim>& claims, const std::vector<JudgedCharacteristics>& workloads, const TableOutput& output) {
  MeasuredFigures figures = MeasuredFigures::read(MeasuredFigures::project_file());
  for (const JudgedClaim& judged : claims) figures.put(judged);
  for (const JudgedCharacteristics& judged : workloads) figures.put(judged);
  const std::vector<Suite> suites = all_suites();
  const std::string page = results_page(figures.judged(project_claims(suites)), figures.judged(project_characteristics(suites)));
  write_files({{MeasuredFigures::project_file(), figures.as_json()}, {results_file(), page}});
  fmt::print(output.remarks(), "wrote {}\nwrote {}\n", MeasuredFigures::project_file().string(), results_file().string());
}

void report(const Task& task, const RecordOf& record_of, const Origin& origin, const Reports& reports, const CommandLine& arguments,
            const TableOutput& output) {
  const std::vector<JudgedCharacteristics> workloads = judge(task.characteristics, record_of, origin);
  const std::vector<JudgedClaim> claims = judge(task.claims, record_of, origin);
  const auto within = workloads.empty() ? std::nullopt : std::optional<WithinRange>(within_range(workloads));
  if (within) fmt::print(output.remarks(), "{}\n", within_range_text(*within));
  if (!arguments.has("characteristics")) {
    if (!arguments.has("quiet")) output.print({summary_table(claims)});
    fmt::print(output.remarks(), "{}\n", claims_summary(claims));
  }
  const auto write = [&](const fs::path& file, const std::string& text) {
    write_file(file, text);
    fmt::print(output.remarks(), "wrote {}\n", file.string());
  };
  const bool apart = !reports.of_project || arguments.has("report");
  if (reports.of_project) write_project_figures(apart ? std::vector<JudgedClaim>() : claims, workloads, output);
  if (!reports.of_project && within) write(reports.workloads, characteristics_markdown(workloads, task.mark));
  if (apart && !arguments.has("characteristics")) write(reports.results, claims_markdown(claims, {task.own_claims, task.mark}, within));
  if (!arguments.has("json")) return;
  Json json = claims_json(claims, origin, task.mark, within);
  json["characteristics"] = characteristics_json(workloads);
  write_file(arguments.text("json"), json.dump(2) + "\n");
}

/// Writes the report of the figures last measured.
std::string recorded_report(const Task& task, const CommandLine& arguments) {
  const MeasuredFigures figures = MeasuredFigures::read(MeasuredFigures::project_file());
  const std::vector<JudgedCharacteristics> workloads = figures.judged(task.characteristics);
  if (arguments.has("characteristics")) return characteristics_markdown(workloads);
  const std::vector<JudgedClaim> claims = figures.judged(task.claims);
  if (arguments.has("quiet")) return results_page(claims, workloads);
  return claims_markdown(claims, {}, workloads.empty() ? std::nullopt : std::optional<WithinRange>(within_range(workloads)));
}

}  // namespace

int reproduce_command(const Context& context) {
  CommandLine arguments = declare();
  if (!parse_with_plugins(arguments, context)) return kDone;
  check_options(arguments);
  const TableOutput output(arguments, context);
  const Shard shard = arguments.has("shard") ? parse_shard(arguments.text("shard")) : Shard();
  const Task task = task_of(arguments);
  if (arguments.has("recorded")) {
    fmt::print(context.out, "{}", recorded_report(task, arguments));
    return kDone;
  }
  check_machines(task);
  if (arguments.has("claims-file")) check_metrics(task.claims);
  const ClaimPlan plan = plan_of(task);
  const Origin origin = {command_of(arguments), fmt::format("{}, commit {}", kVersion, commit_id())};

  const fs::path out = arguments.text("out");
  const unsigned jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  if (arguments.has("merge") && !arguments.has("dry-run")) {
    RunDatabase database(out);
    merge_folders(database, arguments.text("merge"), context.err);
  }
  const RunnerOptions runner = {out, jobs, progress_style(arguments), shard, arguments.has("dry-run")};
  const Reports reports = reports_of(arguments, task, out);
  if (shard.is_whole()) require_reports(reports);
  const RunBatch batch = run_batch(plan.specs(), runner, context.err);
  const RecordOf record_of = [&](const Machine& machine, const std::string& workload) {
    const auto index = plan.find(machine, workload);
    return index ? &batch.records[*index] : nullptr;
  };
  if (runner.dry) return kDone;
  if (batch.interrupted) {
    report_partial(task, record_of, origin, out, context);
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", out.string());
    return kInterrupted;
  }
  if (shard.is_whole()) {
    report(task, record_of, origin, reports, arguments, output);
    if (reports.of_project && are_whole_sources(task, arguments) && !arguments.has("characteristics")) write_times(plan, batch);
  } else {
    fmt::print(context.out, "{}; when all parts have, --merge with their folders makes the report\n", part_text(batch, runner));
  }
  return has_failed(batch) ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli
