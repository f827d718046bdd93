// reproduce: published results beside what this program measures.

#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <set>

#include "model/base/config/mistakes.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/child_processes.h"
#include "platforms/cli/claim_report.h"
#include "platforms/cli/command_line.h"
#include "platforms/cli/commands.h"
#include "platforms/cli/files.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/program.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

CommandLine declare() {
  CommandLine arguments(
      "reproduce [options]",
      "Sets published results beside what this program measures: plans the runs that the claims need, runs those that have no result\n"
      "yet, and writes for each claim the published and the measured value, whether the sign agrees, the difference, or why it cannot be\n"
      "computed. Claims stand in platforms/claims; the report goes to docs/results.md, where other claims stay as they are, or to the\n"
      "folder of --out.");
  arguments.value("claims", "A,B", "sources, such as ch3,ch4, or single claims, such as D5-105 (default: all)")
      .value("metric", "M,N", "claims measured by these metrics alone; energy stands for energy.total, energy.l2 ...")
      .value("tier", "TIER", "headline, mechanism or all (default all)")
      .flag("quick", "headline claims only")
      .value("claims-file", "FILE", "your own claims in the same form; the report then goes to the folder of --out")
      .value("json", "FILE", "write the results as JSON too")
      .value("out", "DIR", "folder of the runs, and of the report (default: runs in out/reproduce)")
      .value("jobs", "N", "processes at a time (default: one a processor)")
      .flag("quiet", "print the summary only");
  return arguments;
}

/// Files of platforms/claims, sorted by name.
std::vector<fs::path> claims_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(project_root() / "platforms" / "claims")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// "ch3" stands for ch3_remote_sharing.
bool is_source(const std::string& source, const std::string& name) { return source == name || source.rfind(name + "_", 0) == 0; }

std::vector<Claim> known_claims(const std::vector<Suite>& suites) {
  std::vector<Claim> claims;
  for (const fs::path& file : claims_files()) {
    for (Claim& claim : load_claims(file, suites)) claims.push_back(std::move(claim));
  }
  return claims;
}

template <class Wanted>
void keep(std::vector<Claim>& claims, const Wanted& wanted) {
  claims.erase(std::remove_if(claims.begin(), claims.end(), [&](const Claim& claim) { return !wanted(claim); }), claims.end());
}

/// Of these sources and with these ids.
void keep_named(std::vector<Claim>& claims, const std::vector<std::string>& wanted) {
  std::vector<std::string> sources, offered;
  for (const Claim& claim : claims) {
    if (std::find(sources.begin(), sources.end(), claim.source) == sources.end()) sources.push_back(claim.source);
    offered.push_back(claim.id);
  }
  offered.insert(offered.end(), sources.begin(), sources.end());
  const auto is_of = [](const Claim& claim, const std::string& name) { return is_source(claim.source, name) || claim.id == name; };
  for (const std::string& name : wanted) {
    if (std::none_of(claims.begin(), claims.end(), [&](const Claim& claim) { return is_of(claim, name); })) {
      throw InputError(fmt::format("--claims: no claims of a source {}, and no claim of that id{}there are {}", quote(name),
                                   suggestion(name, offered), join(sources)));
    }
  }
  keep(claims, [&](const Claim& claim) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) { return is_of(claim, name); });
  });
}

/// Measured by one of these metrics, or one of a family.
void keep_measured_by(std::vector<Claim>& claims, const std::vector<std::string>& wanted) {
  std::vector<std::string> metrics;
  for (const Claim& claim : claims) {
    for (const Measure& measure : claim.measures) {
      metrics.insert(metrics.end(), measure.metric.begin(), measure.metric.end());
      metrics.insert(metrics.end(), measure.per.begin(), measure.per.end());
    }
  }
  const auto is_it = [](const std::string& metric, const std::string& name) { return metric == name || metric.rfind(name + '.', 0) == 0; };
  for (const std::string& name : wanted) {
    if (std::none_of(metrics.begin(), metrics.end(), [&](const std::string& metric) { return is_it(metric, name); }))
      throw InputError(fmt::format("--metric: no claim is measured by {}{}'wharf list metrics' shows all", quote(name), suggestion(name, metrics)));
  }
  const auto asks = [&](const std::vector<std::string>& asked) {
    return std::any_of(asked.begin(), asked.end(), [&](const std::string& metric) {
      return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& name) { return is_it(metric, name); });
    });
  };
  keep(claims, [&](const Claim& claim) {
    return std::any_of(claim.measures.begin(), claim.measures.end(),
                       [&](const Measure& measure) { return asks(measure.metric) || asks(measure.per); });
  });
}

std::string tier_of(const CommandLine& arguments) {
  const std::string tier = arguments.has("quick") ? "headline" : arguments.text("tier", "all");
  const std::vector<std::string> tiers = {"headline", "mechanism", "all"};
  if (arguments.has("quick") && arguments.has("tier")) throw InputError("--quick stands for --tier headline; give one of them");
  if (std::find(tiers.begin(), tiers.end(), tier) == tiers.end())
    throw InputError(fmt::format("--tier: there is no tier {}{}there are {}", quote(tier), suggestion(tier, tiers), join(tiers)));
  return tier;
}

std::vector<Claim> chosen_claims(const CommandLine& arguments) {
  const std::vector<Suite> suites = all_suites();
  std::vector<Claim> claims = known_claims(suites);
  if (arguments.has("claims-file")) {
    std::vector<Claim> own = load_claims(arguments.text("claims-file"), suites);
    adopt_measures(own, claims);
    claims = std::move(own);
  }
  if (arguments.has("claims")) keep_named(claims, split_list(arguments.text("claims")));
  if (arguments.has("metric")) keep_measured_by(claims, split_list(arguments.text("metric")));
  const std::string tier = tier_of(arguments);
  keep(claims, [&](const Claim& claim) { return tier == "all" || tier == name_of(claim.tier); });
  return claims;
}

bool is_available(const std::string& workload) {
  try {
    check_stimulus(workload);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Every configuration that a claim names, with its place in the claims file, before anything runs.
void check_machines(const std::vector<Claim>& claims) {
  config::Mistakes mistakes;
  std::set<std::string> seen;
  const auto check = [&](const Claim& claim, const Machine& machine) {
    if (!seen.insert(name_of(machine)).second) return;
    try {
      load_configuration(machine.config, machine.overrides, "");
    } catch (const InputError& error) {
      mistakes.add(machine.where, fmt::format("{}: {}", claim.id, error.what()));
    }
  };
  for (const Claim& claim : claims) {
    for (const Measure& measure : claim.measures) {
      for (const Machine* machine : {&measure.system, &measure.baseline, &measure.normalise}) {
        if (machine->named()) check(claim, *machine);
      }
    }
  }
  mistakes.throw_if_any();
}

/// The command as one would type it again: without the options that change no figure.
std::string command_of(const CommandLine& arguments) {
  std::string command = "wharf reproduce";
  for (const char* option : {"claims", "metric", "tier", "claims-file"}) {
    if (arguments.has(option)) command += fmt::format(" --{} {}", option, arguments.text(option));
  }
  return arguments.has("quick") ? command + " --quick" : command;
}

/// Whether these are all claims that their sources have.
bool are_whole_sources(const std::vector<Claim>& claims, const CommandLine& arguments) {
  if (arguments.has("metric") || tier_of(arguments) != "all") return false;
  if (!arguments.has("claims")) return true;
  const std::vector<std::string> names = split_list(arguments.text("claims"));
  return std::all_of(claims.begin(), claims.end(), [&](const Claim& claim) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_source(claim.source, name); });
  });
}

/// The project's own page; an installed Wharf has none.
fs::path page() { return project_root() / "docs" / "results.md"; }

fs::path report_of(const CommandLine& arguments, const fs::path& out) {
  return arguments.has("out") || arguments.has("claims-file") || !fs::exists(page()) ? out / "results.md" : page();
}

}  // namespace

int reproduce_command(const Context& context) {
  CommandLine arguments = declare();
  if (!parse_with_plugins(arguments, context)) return kDone;
  std::vector<Claim> claims = chosen_claims(arguments);
  check_machines(claims);
  const ClaimPlan plan(claims, is_available);
  const Provenance provenance = {command_of(arguments), fmt::format("{}, commit {}", kVersion, commit_id()),
                                 are_whole_sources(claims, arguments)};

  const fs::path out = arguments.text("out", "out/reproduce");
  const unsigned jobs = static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024));
  const RunBatch batch = run_batch(plan.specs(), {out, jobs, arguments.has("quiet")}, context.err);
  if (batch.interrupted) {
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", out.string());
    return kInterrupted;
  }

  const RecordOf record_of = [&](const Machine& machine, const std::string& workload) {
    const auto index = plan.find(machine, workload);
    return index ? &batch.records[*index] : nullptr;
  };
  std::vector<JudgedClaim> judged;
  for (Claim& claim : claims) {
    ClaimResult result = evaluate(claim, record_of);
    judged.push_back({std::move(claim), std::move(result)});
  }
  const fs::path report = report_of(arguments, out);
  write_file(report, claims_markdown(judged, provenance, report == page() && fs::exists(report) ? read_file(report) : ""));
  if (arguments.has("json")) write_file(arguments.text("json"), claims_json(judged, provenance).dump(2) + "\n");
  fmt::print(context.out, "{}\nwrote {}\n", claims_summary(judged), report.string());
  const bool failed =
      std::any_of(batch.records.begin(), batch.records.end(), [](const RunRecord& record) { return record.status == RunStatus::failed; });
  return failed ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli
