#include "platforms/cli/claims/claim_selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

/// The files `<start>*.yaml` of all designs, and of platforms/claims, which has what belongs to none.
std::vector<fs::path> files_of_sources(const std::string& start) {
  std::vector<fs::path> folders = {project_root() / "platforms" / "claims"}, files;
  for (const auto& design : fs::directory_iterator(project_root() / "platforms" / "designs"))
    if (design.is_directory()) folders.push_back(design.path());
  for (const fs::path& folder : folders)
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".yaml" && entry.path().filename().string().rfind(start, 0) == 0) files.push_back(entry.path());
  return files;
}

template <class List>
void sort_by_source(List& list) {
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
}

template <class List, class Wanted>
void keep(List& list, const Wanted& wanted) {
  list.erase(std::remove_if(list.begin(), list.end(), [&](const auto& item) { return !wanted(item); }), list.end());
}

template <class List, class Is>
bool any_of(const List& list, const Is& is) {
  return std::any_of(list.begin(), list.end(), is);
}

bool is_metric(const std::string& metric, const std::string& name) { return metric == name || metric.rfind(name + '.', 0) == 0; }

bool is_workload(const std::string& workload, const std::string& name) { return workload == name || workload_of(workload) == name; }

void restrict_to(Suite& suite, const std::vector<std::string>& workloads) {
  keep(suite.members, [&](const Suite::Member& member) {
    return any_of(workloads, [&](const std::string& name) { return is_workload(member.workload, name); });
  });
}

std::set<std::string> workloads_of(const std::vector<Claim>& claims, const std::vector<SourceCharacteristics>& sources) {
  std::set<std::string> all;
  for (const Claim& claim : claims)
    for (const Measure& measure : claim.measures)
      for (const std::string& workload : measure.workloads.workloads()) all.insert(workload);
  for (const SourceCharacteristics& source : sources)
    for (const std::string& workload : source.workloads.workloads()) all.insert(workload);
  return all;
}

void require_workloads(const std::set<std::string>& known, const std::vector<std::string>& wanted) {
  std::vector<std::string> offered(known.begin(), known.end());
  for (const std::string& workload : known) offered.push_back(workload_of(workload));
  for (const std::string& name : wanted) {
    if (any_of(known, [&](const std::string& workload) { return is_workload(workload, name); })) continue;
    throw InputError(
        fmt::format("--workload: no claim or characteristic is about a workload {}{}'wharf list suites' shows the groups and their members",
                    quote(name), suggestion(name, offered)));
  }
}

}  // namespace

std::vector<Claim> project_claims(const std::vector<Suite>& suites) {
  std::vector<Claim> claims;
  for (const fs::path& file : files_of_sources("claims"))
    for (Claim& claim : load_claims(file, suites)) claims.push_back(std::move(claim));
  sort_by_source(claims);
  return claims;
}

std::vector<SourceCharacteristics> project_characteristics(const std::vector<Suite>& suites) {
  std::vector<SourceCharacteristics> sources;
  for (const fs::path& file : files_of_sources("characteristics")) sources.push_back(load_characteristics(file, suites));
  sort_by_source(sources);
  return sources;
}

bool is_source(const std::string& source, const std::string& name) { return source == name || source.rfind(name + "_", 0) == 0; }

void keep_named(std::vector<Claim>& claims, const std::vector<std::string>& names) {
  std::vector<std::string> sources, offered;
  for (const Claim& claim : claims) {
    if (std::find(sources.begin(), sources.end(), claim.source) == sources.end()) sources.push_back(claim.source);
    offered.push_back(claim.id);
  }
  offered.insert(offered.end(), sources.begin(), sources.end());
  const auto is_of = [](const Claim& claim, const std::string& name) { return is_source(claim.source, name) || claim.id == name; };
  for (const std::string& name : names) {
    if (any_of(claims, [&](const Claim& claim) { return is_of(claim, name); })) continue;
    throw InputError(fmt::format("--claims: {} is neither a source nor the id of a claim{}There are {}", quote(name),
                                 suggestion(name, offered), join(sources)));
  }
  keep(claims, [&](const Claim& claim) { return any_of(names, [&](const std::string& name) { return is_of(claim, name); }); });
}

void keep_named(std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names) {
  keep(sources, [&](const SourceCharacteristics& source) {
    return any_of(names, [&](const std::string& name) { return is_source(source.source, name); });
  });
}

void require_sources(const std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const SourceCharacteristics& source : sources) known.push_back(source.source);
  for (const std::string& name : names) {
    if (any_of(known, [&](const std::string& source) { return is_source(source, name); })) continue;
    throw InputError(fmt::format("--claims: {} is not a source that states characteristics of workloads{}There are {}", quote(name),
                                 suggestion(name, known), join(known, known.size())));
  }
}

void keep_measured_by(std::vector<Claim>& claims, const std::vector<std::string>& wanted) {
  std::vector<std::string> metrics;
  for (const Claim& claim : claims) {
    for (const Measure& measure : claim.measures) {
      metrics.insert(metrics.end(), measure.metric.begin(), measure.metric.end());
      metrics.insert(metrics.end(), measure.per.begin(), measure.per.end());
    }
  }
  for (const std::string& name : wanted) {
    if (any_of(metrics, [&](const std::string& metric) { return is_metric(metric, name); })) continue;
    throw InputError(fmt::format("--metric: no claim uses {}{}'wharf list metrics' shows all", quote(name), suggestion(name, metrics)));
  }
  const auto asks = [&](const std::vector<std::string>& asked) {
    return any_of(
        asked, [&](const std::string& metric) { return any_of(wanted, [&](const std::string& name) { return is_metric(metric, name); }); });
  };
  keep(claims, [&](const Claim& claim) {
    return any_of(claim.measures, [&](const Measure& measure) { return asks(measure.metric) || asks(measure.per); });
  });
}

void keep_tier(std::vector<Claim>& claims, const std::string& tier) {
  const std::vector<std::string> tiers = {"headline", "mechanism", "all"};
  if (std::find(tiers.begin(), tiers.end(), tier) == tiers.end())
    throw InputError(fmt::format("--tier: {} is not a tier{}There are {}", quote(tier), suggestion(tier, tiers), join(tiers)));
  keep(claims, [&](const Claim& claim) { return tier == "all" || tier == name_of(claim.tier); });
}

void keep_workloads(std::vector<Claim>& claims, std::vector<SourceCharacteristics>& sources, const std::vector<std::string>& workloads) {
  require_workloads(workloads_of(claims, sources), workloads);
  for (Claim& claim : claims)
    for (Measure& measure : claim.measures) {
      restrict_to(measure.workloads, workloads);
      measure.fill_ins = {};  // a part of the group has no published size
    }
  keep(claims, [](const Claim& claim) {
    return !claim.measures.empty() && !any_of(claim.measures, [](const Measure& measure) { return measure.workloads.members.empty(); });
  });
  for (SourceCharacteristics& source : sources) {
    restrict_to(source.workloads, workloads);
    for (PublishedFacts& group : source.groups) restrict_to(group.members, workloads);
  }
  keep(sources, [](const SourceCharacteristics& source) { return !source.workloads.members.empty(); });
}

void keep_quick(std::vector<Claim>& claims, const RunTimes& times, bool (*available)(const std::string&)) {
  const auto shorten = [&](Suite& suite) {
    std::vector<Suite::Member> chosen = suite.members;
    keep(chosen, [&](const Suite::Member& member) { return available(member.workload); });
    if (any_of(chosen, [](const Suite::Member& member) { return !member.fill_in; }))
      keep(chosen, [](const Suite::Member& member) { return !member.fill_in; });
    std::stable_sort(chosen.begin(), chosen.end(), [&](const Suite::Member& a, const Suite::Member& b) {
      return times.expected(a.workload) < times.expected(b.workload);
    });
    if (chosen.size() > kQuickWorkloads) chosen.resize(kQuickWorkloads);
    keep(suite.members, [&](const Suite::Member& member) {
      return any_of(chosen, [&](const Suite::Member& one) { return one.workload == member.workload; });
    });
  };
  for (Claim& claim : claims)
    for (Measure& measure : claim.measures) {
      shorten(measure.workloads);
      measure.fill_ins = {};
    }
}

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

}  // namespace wharf::cli
