#include "platforms/cli/claims/claims.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/base/config/kinds.h"
#include "model/base/config/named_files.h"
#include "model/base/config/tree/document.h"
#include "model/base/config/tree/scalars.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/yaml_fields.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "stimuli/catalogue.h"
#include "stimuli/recorded_names.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

using config::Node;

constexpr std::array kTiers = {"headline", "mechanism"};
constexpr std::array kKinds = {"simulated", "cost_model", "by_construction", "published_constant", "not_reproducible"};
constexpr std::array kDirections = {"increase", "decrease", "equal", "about", "within", "at_most", "at_least"};
constexpr std::array kReductions = {"mean", "geometric_mean", "arithmetic_mean", "ratio_of_means", "max", "min", "share_of_kernels"};

// Units of changes, then units of figures.
constexpr std::array kUnits = {"percent", "ratio", "ordering", "IPC", "cycles", "ns",     "GB/s",  "bytes",  "nJ",
                               "pJ/B",    "W",     "mW",       "mm2", "um2",    "copies", "warps", "events", "instructions"};

class ClaimsReader {
 public:
  /// `folder` holds the file: configurations and traces are named from it.
  ClaimsReader(std::filesystem::path folder, const std::vector<Suite>& suites, config::Mistakes& mistakes)
      : folder_(std::move(folder)), suites_(suites), mistakes_(mistakes) {}

  std::vector<Claim> read(const Node& root) {
    Fields fields(root, "claims file", mistakes_);
    const std::string source = fields.text("source", false);
    if (const Node* systems = fields.find("systems")) {
      for (const Node& node : systems->children) systems_.emplace_back(node.key, read_system(node));
    }
    if (const Node* groups = fields.find("sorted_by_effect"))
      for (const Node& node : groups->children) read_sorted_group(node);
    std::vector<Claim> claims;
    const Node* list = fields.find("claims");
    if (list == nullptr || !list->is(Node::Kind::sequence)) {
      fields.complain(list == nullptr ? root : *list, "needs `claims:`, a list of claims");
    } else {
      for (const Node& node : list->children) add(claims, read_claim(node, source));
    }
    fields.refuse_others();
    return claims;
  }

 private:
  void add(std::vector<Claim>& claims, Claim claim) {
    const bool twice = std::any_of(claims.begin(), claims.end(), [&](const Claim& other) { return other.id == claim.id; });
    if (twice && !claim.id.empty()) mistakes_.add(claim.position, claim.id + ": two claims have this id; keep one");
    claims.push_back(std::move(claim));
  }

  /// Reads a name of `systems:` or of a configuration, or a configuration with settings.
  Machine read_system(const Node& node) {
    Machine machine{node.text, {}, node.position()};
    if (node.is(Node::Kind::scalar)) {
      for (const auto& [name, known] : systems_) {
        if (name == node.text) return {known.config, known.overrides, node.position()};
      }
      machine.config = configuration(node.text, node);
      return machine;
    }
    Fields fields(node, node.key, mistakes_);
    machine.config = configuration(fields.text("config", true), node);
    machine.overrides = fields.texts("set");
    fields.refuse_others();
    return machine;
  }

  /// The configuration's name from the working directory.
  std::string configuration(const std::string& name, const Node& at) {
    if (name.empty()) return name;  // a mistake that is known already
    try {
      return config::name_from_working_directory(name, folder_, configuration_root());
    } catch (const InputError& error) {
      mistakes_.add(at.position(), error.what());
      return name;
    }
  }

  void read_sorted_group(const Node& node) {
    Fields fields(node, "sorted_by_effect", mistakes_);
    const std::string name = fields.text("group", true);
    const auto size = fields.number("size");
    const auto group = std::find_if(suites_.begin(), suites_.end(), [&](const Suite& suite) { return suite.name == name; });
    std::size_t named = 0;
    FillInChoice fill_ins;
    if (group == suites_.end()) {
      fields.complain(node, "unknown group " + quote(name) + "; 'wharf list suites' shows all");
    } else {
      for (const Suite::Member& member : group->members) {
        if (member.fill_in) fill_ins.from.push_back(member.workload);
        named += member.fill_in ? 0 : 1;
      }
      constexpr std::size_t kMostFillIns = 20;  // 184,756 choices at most
      if (fill_ins.from.empty() || fill_ins.from.size() > kMostFillIns)
        fields.complain(node, fmt::format("{} has {} fill-ins; 1 to {} are possible", name, fill_ins.from.size(), kMostFillIns));
      if (!size || *size != std::floor(*size) || *size <= double(named) || *size > double(group->members.size()))
        fields.complain(node, fmt::format("size is the number of the source's members: {} to {}, of which {} are named", named + 1,
                                          group->members.size(), named));
      else
        fill_ins.size = static_cast<std::size_t>(*size) - named;
    }
    fields.refuse_others();
    sorted_groups_.push_back(std::move(fill_ins));
  }

  /// The choice of the sorted group that is a part of these workloads, where most of them are unnamed.
  FillInChoice choice_in(const Suite& workloads) const {
    const auto& members = workloads.members;
    const auto fill_ins = std::count_if(members.begin(), members.end(), [](const Suite::Member& member) { return member.fill_in; });
    if (2 * fill_ins <= static_cast<std::ptrdiff_t>(members.size())) return {};
    for (const FillInChoice& group : sorted_groups_) {
      const bool is_part = std::all_of(group.from.begin(), group.from.end(), [&](const std::string& workload) {
        return std::any_of(members.begin(), members.end(), [&](const Suite::Member& member) { return member.workload == workload; });
      });
      if (is_part) return group;
    }
    return {};
  }

  Claim read_claim(const Node& node, const std::string& source) {
    Claim claim;
    claim.position = node.position();
    const Node* id = node.is(Node::Kind::mapping) ? node.find("id") : nullptr;
    Fields fields(node, id == nullptr || id->text.empty() ? "claim" : id->text, mistakes_);
    claim.id = fields.text("id", true);
    claim.source = fields.text("source", source.empty());
    if (claim.source.empty()) claim.source = source;
    claim.where = fields.text("where", false);
    claim.system = fields.text("system", true);
    claim.baseline = fields.text("baseline", false);
    claim.metric = fields.text("metric", true);
    claim.workloads = fields.text("workloads", false);
    claim.value = fields.number("value");
    claim.unit = fields.one_of("unit", kUnits);
    claim.relative = fields.flag("relative", true);
    claim.direction = fields.word("direction", kDirections, Direction::increase);
    claim.tier = fields.word("tier", kTiers, Tier::mechanism);
    claim.note = fields.text("note", false);
    claim.kind = fields.word("kind", kKinds, ClaimKind::simulated);
    claim.tolerance = fields.number("tolerance");
    if (claim.tolerance && *claim.tolerance < 0.0)
      fields.complain(*fields.find("tolerance"), "tolerance is negative; write how far from the value a measurement may be");
    claim.reason = fields.text("reason", false);
    if (const Node* measure = fields.find("measure")) read_measures(*measure, claim);
    fields.refuse_others();
    return claim;
  }

  void read_measures(const Node& node, Claim& claim) {
    if (!claim.reason.empty()) mistakes_.add(node.position(), claim.id + ": has both a measure and a reason for having none; keep one");
    if (!node.is(Node::Kind::sequence)) {
      claim.measures.push_back(read_measure(node, claim));
      return;
    }
    for (const Node& item : node.children) claim.measures.push_back(read_measure(item, claim));
  }

  Measure read_measure(const Node& node, const Claim& claim) {
    Measure measure;
    Fields fields(node, claim.id + ": measure", mistakes_);
    const auto system = [&](const char* key, bool required) {
      const Node* found = fields.find(key);
      if (found == nullptr && required && node.is(Node::Kind::mapping)) fields.complain(node, fmt::format("has no {}", key));
      return found == nullptr ? Machine() : read_system(*found);
    };
    measure.system = system("system", true);
    // A ratio may be a figure of one system; a change in per cent and an ordering compare two.
    measure.baseline = system("baseline", claim.unit == "ordering" || (claim.relative && claim.unit == "percent"));
    measure.normalise = system("normalise", false);
    measure.metric = fields.texts("metric");
    if (measure.metric.empty() && node.is(Node::Kind::mapping)) fields.complain(node, "has no metric");
    measure.per = fields.texts("per");
    read_part(fields, node, measure);
    measure.reduce = fields.word("reduce", kReductions, Reduce::mean);
    if (measure.reduce == Reduce::share_of_kernels && !measure.baseline.named())
      fields.complain(node, "share_of_kernels counts kernels with more than in the baseline, but the claim has no baseline; name one");
    read_course(fields, measure);
    measure.workloads = read_workloads(fields, node);
    measure.fill_ins = choice_in(measure.workloads);
    read_limit(fields, measure);
    fields.refuse_others();
    return measure;
  }

  static void read_part(Fields& fields, const Node& node, Measure& measure) {
    const Node* part = fields.find("part");
    if (part == nullptr) return;
    constexpr double kMost = 1e15;
    const auto number = config::parse_real(*part, -kMost, kMost);
    if (number.good())
      measure.fixed_part = number.value;
    else
      measure.part = fields.text("part", true);
    if (number.good() && (number.value <= 0.0 || number.value > 1.0)) fields.complain(*part, "part must be a metric, or a number up to 1");
    if (!measure.baseline.named() || measure.normalise.named() || !measure.per.empty())
      fields.complain(node, "part weighs the change from a baseline; it excludes per and normalise, and needs a baseline");
  }

  static void read_course(Fields& fields, Measure& measure) {
    const Node* course = fields.find("course");
    if (course == nullptr) return;
    std::vector<double> ends;
    for (const Node& end : course->children) {
      const auto parsed = config::parse_real(end, 0.0, 1.0);
      if (parsed.good()) ends.push_back(parsed.value);
    }
    if (ends.size() != 2 || course->children.size() != 2 || ends[0] >= ends[1])
      return fields.complain(*course, "course must be two shares of a run's thread instructions, such as [0, 0.5]");
    measure.course = {ends[0], ends[1]};
    const bool follows = measure.metric.size() == 1 && (measure.metric[0] == "ipc" || measure.metric[0] == "vta.hits");
    if (!follows || !measure.per.empty() || measure.reduce == Reduce::share_of_kernels)
      fields.complain(*course, "course works only with ipc or vta.hits, without per and share_of_kernels");
  }

  static void read_limit(Fields& fields, Measure& measure) {
    const Node* limit = fields.find("limit_warp_instructions");
    if (limit == nullptr) return;
    constexpr std::uint64_t kMost = 1'000'000'000'000;
    const auto parsed = config::parse_integer(*limit, 1, kMost);
    if (!parsed.good()) return fields.complain(*limit, fmt::format("limit_warp_instructions {}", parsed.complaint));
    measure.limit_warp_instructions = parsed.value;
    if (measure.fill_ins.size > 0)
      fields.complain(*limit, "a group of sorted_by_effect cannot have a limit; limit its members in the suite");
    for (Suite::Member& member : measure.workloads.members) {
      try {
        member.workload = limited_stimulus(member.workload, parsed.value);
      } catch (const InputError& error) {
        fields.complain(*limit, error.what());
      }
    }
  }

  Suite read_workloads(Fields& fields, const Node& node) {
    const Node *group = fields.find("group"), *list = fields.find("workloads"), *without = fields.find("without");
    Suite chosen;
    if ((group == nullptr) == (list == nullptr)) {
      fields.complain(node, "needs either group, the name of a suite, or workloads, a list");
    } else if (group != nullptr) {
      try {
        chosen = find_suite(suites_, group->text);
      } catch (const InputError& error) {
        fields.complain(*group, error.what());
      }
    } else {
      for (const Node& item : list->children) {
        chosen.members.push_back({as_named_in(folder_, item.text), false, item.position()});
        if (traces::is_trace(item.text)) check_trace(chosen.members.back().workload, item, fields);
      }
      if (chosen.members.empty()) fields.complain(*list, "workloads must be a list such as [bfs@std, spmv@std]");
    }
    if (without != nullptr) {
      for (const Node& item : without->children) remove(chosen, item, fields);
    }
    return chosen;
  }

  static void check_trace(const std::string& trace, const Node& item, Fields& fields) {
    try {
      check_stimulus(trace);
    } catch (const InputError& error) {
      fields.complain(item, error.what());
    }
  }

  static void remove(Suite& suite, const Node& item, Fields& fields) {
    const auto is_it = [&](const Suite::Member& member) { return member.workload == item.text; };
    const auto found = std::find_if(suite.members.begin(), suite.members.end(), is_it);
    if (found == suite.members.end()) {
      fields.complain(item, fmt::format("without names {}, which is not in {}", quote(item.text), suite.name));
    } else {
      suite.members.erase(found);
    }
  }

  const std::filesystem::path folder_;
  const std::vector<Suite>& suites_;
  config::Mistakes& mistakes_;
  std::vector<std::pair<std::string, Machine>> systems_;
  std::vector<FillInChoice> sorted_groups_;
};

}  // namespace

const char* name_of(Tier tier) { return kTiers.at(static_cast<std::size_t>(tier)); }
const char* name_of(ClaimKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }
const char* name_of(Direction direction) { return kDirections.at(static_cast<std::size_t>(direction)); }

std::vector<Claim> load_claims(const std::filesystem::path& file, const std::vector<Suite>& suites) {
  expect_path(file, PathKind::yaml);
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  config::expect_kind(root, config::FileKind::claims, mistakes);
  ClaimsReader reader(file.parent_path(), suites, mistakes);
  std::vector<Claim> claims = mistakes.empty() ? reader.read(root) : std::vector<Claim>();
  mistakes.throw_if_any();
  return claims;
}

void adopt_measures(std::vector<Claim>& claims, const std::vector<Claim>& known) {
  for (Claim& claim : claims) {
    if (!claim.measures.empty() || !claim.reason.empty()) continue;
    const auto found = std::find_if(known.begin(), known.end(), [&](const Claim& other) { return other.id == claim.id; });
    if (found == known.end()) {
      claim.reason = "it has no measure, and no claim of this project has its id";
      continue;
    }
    claim.kind = found->kind;
    claim.measures = found->measures;
    claim.reason = found->reason;
    if (!claim.tolerance) claim.tolerance = found->tolerance;
  }
}

}  // namespace wharf::cli
