// reproduce: compares published results with the measurements of this program.

#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <map>
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
#include "platforms/cli/claims/programs/chosen_programs.h"
#include "platforms/cli/claims/programs/program_recording.h"
#include "platforms/cli/claims/programs/program_report.h"
#include "platforms/cli/commands/chosen_stimuli.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/runs/records/run_merge.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/cli/version.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare_reproduce() {
  CommandLine arguments(
      "reproduce [options]",
      "Compares published results with measured ones: plans the runs that the claims need, runs those that have no result yet, and writes\n"
      "for each claim the published and the measured value and whether sign and size agree, or why it cannot be computed; and for each\n"
      "workload its characteristics on the baseline. Claims are in platforms/designs/<design>/claims.yaml. The figures go to\n"
      "platforms/claims/measured.json and their summary to docs/results.md, where other claims stay as they are. With --out, or if\n"
      "--quick, --workload or --claims-file restrict the figures, reports go to the folder of the runs instead. Repeat the same command\n"
      "after Ctrl-C to continue.");
  arguments.value("claims", "A,B", "sources, such as ch3,ch4, or single claims, such as D5-105 (default: all)")
      .value("metric", "M,N", "only claims measured by these metrics; energy means energy.total, energy.l2 ...")
      .value("workload", "W,V", "only these workloads of each group, by name (bfs) or as in a suite (bfs@wide)")
      .flag("quick", "headline claims over the two named workloads of each group with the shortest runs: minutes instead of hours")
      .flag("characteristics", "only the workloads' characteristics on the baselines, without any design")
      .input("claims-file", "FILE", "your own claims in the same format; the report then goes to the folder of --out")
      .input("programs", "FILE",
             "also over CUDA programs: a file (or a folder's programs.yaml) maps applications to yours; or a folder of suites")
      .output("json", "also write the results as JSON")
      .output_folder("out", "folder of the runs, and of the reports", "out/reproduce", {"runs.sqlite", "partial.md"})
      .flag("recorded", "run nothing: print the report of the figures measured last, as Markdown")
      .output("report", "write the report of the claims to this file, even if it is partial")
      .value("shard", "I/N", "run the I-th of N parts of about equal length, without a report")
      .input("merge", "A,B", "first take the finished runs from these folders, which --shard wrote on other machines")
      .value("jobs", "N", "processes at a time (default: one per processor)")
      .flag("dry-run", kDryRunHelp)
      .value("tier", "headline|mechanism|all", "of the claims (default all)");
  declare_progress(arguments, "print the summary only");
  TableOutput::declare(arguments);
  return arguments;
}

/// Options that select among claims, so that the workloads' characteristics are not needed.
constexpr std::array kClaimOptions = {"metric", "tier", "claims-file", "quick", "programs"};

/// The claims and characteristics of this command.
struct Task {
  std::vector<Claim> claims;
  std::vector<SourceCharacteristics> characteristics;
  ChosenPrograms programs;           // the user's, for the applications of the claims; empty: none are measured
  std::vector<Claim> over_programs;  // one per claim, once the programs are recorded
  std::vector<Claim> chosen;         // all, of which `claims` are those over applications with a program
  std::map<std::string, std::vector<std::string>> without_program;  // applications, by claim
  bool own_claims = false;                                          // of a user's file
  bool whole_groups = true;                                         // false: the figures cover only some workloads
  std::string mark;                                                 // states this in the reports
};

bool is_available(const std::string& workload) {
  try {
    check_stimulus(workload);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void check_combinations(const CommandLine& arguments) {
  arguments.exclude("quick", "tier", "--quick includes --tier headline; give one of them");
  arguments.exclude("shard", "merge", "--shard runs a part, --merge joins the parts when all are finished; give one of them");
  arguments.exclude("shard", "json", "a part has no report; give --json with --merge");
  arguments.exclude("shard", "report", "a part has no report; give --report with --merge");
  for (const char* option : {"quick", "workload", "claims-file", "json", "report", "shard", "merge", "programs"})
    arguments.exclude("recorded", option, "the figures measured last cover whole groups and are printed as Markdown; give one of them");
  for (const char* option : {"quick", "tier", "metric", "claims-file", "report", "programs"})
    arguments.exclude("characteristics", option, "characteristics belong to workloads, not to claims; give one of them");
  arguments.exclude("quick", "programs",
                    "--quick selects workloads by their run times, and programs have none; give --tier headline instead");
}

/// True where this command covers characteristics: all, or those of the sources that it names, but not for a selection of claims.
bool asks_for_characteristics(const CommandLine& arguments) {
  if (arguments.has("characteristics")) return true;
  return std::none_of(kClaimOptions.begin(), kClaimOptions.end(), [&](const char* option) { return arguments.has(option); });
}

std::string after(const std::string& mark) { return mark.empty() ? "" : " " + mark; }

Task task_of(const CommandLine& arguments) {
  Task task;
  const std::vector<Suite> suites = all_suites();
  const std::vector<Claim> known = project_claims(suites);
  const std::vector<std::string> names = split_list(arguments.text("claims"));
  if (asks_for_characteristics(arguments)) task.characteristics = project_characteristics(suites);
  if (arguments.has("characteristics")) require_sources(task.characteristics, names);
  if (arguments.has("claims")) keep_named(task.characteristics, names);
  std::vector<std::string> applications;  // of all claims
  if (!arguments.has("characteristics")) {
    task.claims = known;
    if (arguments.has("claims-file")) {
      task.claims = load_claims(arguments.text("claims-file"), suites);
      adopt_measures(task.claims, known);
      task.own_claims = true;
    }
    std::vector<Claim> all = known;
    all.insert(all.end(), task.claims.begin(), task.claims.end());
    applications = applications_of(all);
    if (arguments.has("claims")) keep_named(task.claims, names);
    if (arguments.has("metric")) keep_measured_by(task.claims, split_list(arguments.text("metric")));
    keep_tier(task.claims, arguments.has("quick") ? "headline" : arguments.text("tier", "all"));
  }
  if (arguments.has("workload")) {
    keep_workloads(task.claims, task.characteristics, split_stimuli(arguments.text("workload")));
    task.mark = "Only these workloads: " + escape_markdown(arguments.text("workload")) + ".";
  }
  if (arguments.has("programs")) {
    task.programs = choose_programs(arguments.text("programs"), task.claims, applications);
    task.chosen = task.claims;
    keep_workloads(task.claims, task.characteristics, applications_of(task.programs));
  }
  if (arguments.has("quick")) {
    keep_quick(task.claims, RunTimes::of_project(), is_available);
    task.mark = fmt::format(
        "Quick: headline claims over {} workloads of each group, the named ones with the shortest runs (docs/run\\_times.yaml). "
        "The figures do not cover whole groups.{}",
        kQuickWorkloads, after(task.mark));
  }
  task.whole_groups = task.mark.empty() && task.programs.list.empty();
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

/// Plans baselines first, because they show whether the workloads resemble the source's.
ClaimPlan plan_of(const Task& task) {
  ClaimPlan plan(is_available);
  for (const SourceCharacteristics& source : task.characteristics) plan_characteristics(source, plan);
  for (std::size_t i = 0; i < task.claims.size(); ++i) {
    plan.add(task.claims[i]);
    if (!task.over_programs.empty()) plan.add(task.over_programs[i]);
  }
  return plan;
}

/// The command as one would type it again, without the options that change no figure.
std::string command_of(const CommandLine& arguments) {
  std::string command = "wharf reproduce";
  for (const char* option : {"claims", "metric", "tier", "claims-file", "workload", "programs"}) {
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

/// The destination of the figures: the project, or reports next to the runs. --report writes the claims elsewhere.
struct Reports {
  fs::path results, workloads;
  bool of_project;
};

Reports reports_of(const CommandLine& arguments, const Task& task, const fs::path& out) {
  const bool of_project = task.whole_groups && !arguments.has("out") && !arguments.has("claims-file") && fs::exists(results_file());
  const char* name = arguments.has("quick") ? "quick.md" : arguments.has("programs") ? "programs.md" : "results.md";
  Reports reports = {out / name, out / "workloads.md", of_project};
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

std::vector<JudgedCharacteristics> judge(const std::vector<SourceCharacteristics>& sources, const RecordOf& record_of,
                                         const Origin& origin) {
  std::vector<JudgedCharacteristics> judged;
  for (const SourceCharacteristics& source : sources) judged.push_back({source, evaluate(source, record_of), origin});
  return judged;
}

/// The claims of a task with programs that `belongs` takes, by index.
template <class Belongs>
std::vector<ComparedClaim> compare(const Task& task, const RecordOf& record_of, const Origin& origin, const Belongs& belongs) {
  std::vector<ComparedClaim> compared;
  for (std::size_t i = 0; i < task.claims.size(); ++i) {
    const Claim &claim = task.claims[i], &over = task.over_programs[i];
    if (belongs(i))
      compared.push_back(
          {{claim, evaluate(claim, record_of), origin}, {over, evaluate(over, record_of), origin}, task.without_program.at(claim.id)});
  }
  return compared;
}

/// Reports the claims whose runs have all ended.
void report_partial(const Task& task, const RecordOf& record_of, const Origin& origin, const fs::path& out, const Context& context) {
  const auto has_ended = [&](std::size_t i) {
    if (task.claims[i].measures.empty() || !is_finished(task.claims[i], record_of)) return false;
    return task.over_programs.empty() || is_finished(task.over_programs[i], record_of);
  };
  std::vector<Claim> finished;
  for (std::size_t i = 0; i < task.claims.size(); ++i)
    if (has_ended(i)) finished.push_back(task.claims[i]);
  if (finished.empty()) return;
  const std::string mark =
      fmt::format("Partial: {} of {} claims, those whose runs are all finished.{}", finished.size(), task.claims.size(), after(task.mark));
  std::string text, summary;
  if (task.programs.list.empty()) {
    const std::vector<JudgedClaim> judged = judge(finished, record_of, origin);
    text = claims_markdown(judged, {task.own_claims, mark});
    summary = claims_summary(judged);
  } else {
    const std::vector<ComparedClaim> compared = compare(task, record_of, origin, has_ended);
    text = programs_markdown(compared, task.programs.list, origin, mark);
    summary = programs_summary(compared);
  }
  write_file(out / "partial.md", text);
  fmt::print(context.out, "{}\nwrote {}\n", summary, (out / "partial.md").string());
}

/// Compares the claims over stimuli with those over the user's programs.
void report_programs(const Task& task, const RecordOf& record_of, const Origin& origin, const Reports& reports,
                     const CommandLine& arguments, const TableOutput& output) {
  const std::vector<ComparedClaim> compared = compare(task, record_of, origin, [](std::size_t) { return true; });
  write_file(reports.results, programs_markdown(compared, task.programs.list, origin, task.mark));
  if (!arguments.has("quiet")) output.print({claims_over_programs(compared)});
  fmt::print(output.remarks(), "{}\nwrote {}\n", programs_summary(compared), reports.results.string());
  if (arguments.has("json"))
    write_file(arguments.text("json"), programs_json(compared, task.programs.list, origin, task.mark).dump(2) + "\n");
}

/// Records the programs, and adds the claims over them. Returns false after Ctrl-C.
bool record(Task& task, const fs::path& out, const CommandLine& arguments, const Context& context) {
  const auto recorded = record_programs(task.programs.list, task.claims, out / "programs", progress_style(arguments), context);
  if (!recorded) return false;
  leave_out(recorded->failures, task.programs);
  for (const auto& [application, why] : recorded->failures) fmt::print(context.err, "wharf: {} is skipped: {}\n", application, why);
  const std::vector<std::string> applications = applications_of(task.programs);
  keep_workloads(task.claims, task.characteristics, applications);
  for (const Claim& claim : task.chosen) task.without_program[claim.id] = without_program(claim, applications);
  for (const Claim& claim : task.claims) task.over_programs.push_back(over_programs(claim, recorded->stimuli));
  task.mark =
      fmt::format("Only these applications: {}; {} of {} claims are measured over them.{}",
                  escape_markdown(join(applications, applications.size())), task.claims.size(), task.chosen.size(), after(task.mark));
  return true;
}

int report_stop(const fs::path& out, const Context& context) {
  fmt::print(context.err, "stopped; finished runs are kept in {}: the same command continues\n", out.string());
  return kInterrupted;
}

/// Writes the run time of each workload, for later plans.
void write_times(const ClaimPlan& plan, const RunBatch& batch) {
  RunTimes times = RunTimes::of_project();
  for (std::size_t i = 0; i < plan.specs().size(); ++i) {
    const RunRecord& record = batch.records[i];
    if (record.status == RunStatus::done)
      times.add(system_of(plan.specs()[i]), plan.specs()[i].stimulus, record.result["host"].value("wall_s", 0.0));
  }
  write_file(RunTimes::project_file(), times.as_yaml());
}

/// Adds the figures to the project's, and writes the page that sums them up.
void write_project_figures(const std::vector<JudgedClaim>& claims, const std::vector<JudgedCharacteristics>& workloads,
                           const TableOutput& output) {
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
  CommandLine arguments = declare_reproduce();
  if (!parse_with_plugins(arguments, context)) return kDone;
  check_combinations(arguments);
  const TableOutput output(arguments, context);
  const Shard shard = arguments.has("shard") ? parse_shard(arguments.text("shard")) : Shard();
  Task task = task_of(arguments);
  if (arguments.has("recorded")) {
    fmt::print(context.out, "{}", recorded_report(task, arguments));
    return kDone;
  }
  for (const std::string& missing : task.programs.missing) fmt::print(context.err, "wharf: --programs: {}\n", missing);
  check_machines(task);
  if (arguments.has("claims-file")) check_metrics(task.claims);
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
  if (runner.dry && !task.programs.list.empty())
    fmt::print(context.err, "{} programs would be recorded first; the plan covers only the stimuli\n", task.programs.list.size());
  if (!runner.dry && !task.programs.list.empty() && !record(task, out, arguments, context)) return report_stop(out, context);
  const ClaimPlan plan = plan_of(task);
  const RunBatch batch = run_batch(plan.specs(), runner, context.err);
  const RecordOf record_of = [&](const Machine& machine, const std::string& workload) {
    const auto index = plan.find(machine, workload);
    return index ? &batch.records[*index] : nullptr;
  };
  if (runner.dry) return kDone;
  if (batch.interrupted) {
    report_partial(task, record_of, origin, out, context);
    return report_stop(out, context);
  }
  if (shard.is_whole()) {
    if (task.programs.list.empty())
      report(task, record_of, origin, reports, arguments, output);
    else
      report_programs(task, record_of, origin, reports, arguments, output);
    if (reports.of_project && are_whole_sources(task, arguments) && !arguments.has("characteristics")) write_times(plan, batch);
  } else {
    fmt::print(context.out, "{}; when all parts are finished, --merge with their folders writes the report\n", part_text(batch, runner));
  }
  return has_failed(batch) ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli
