#include "platforms/cli/claims/characteristics.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/scalars.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/yaml_fields.h"

namespace wharf::cli {
namespace {

using config::Node;

constexpr double kPoints = 0.1;
constexpr double kShareOfFigure = 0.25;

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Characteristic& one : characteristics()) names.emplace_back(one.metric);
  return names;
}

class Reader {
 public:
  Reader(const std::vector<Suite>& suites, config::Mistakes& mistakes) : suites_(suites), mistakes_(mistakes) {}

  SourceCharacteristics read(const Node& root) {
    SourceCharacteristics source;
    Fields fields(root, "characteristics", mistakes_);
    source.source = fields.text("source", true);
    if (const Node* suite = fields.find("suite"))
      source.workloads = suite_of(*suite, fields);
    else
      fields.complain(root, "has no suite");
    if (const Node* baseline = fields.find("baseline"))
      source.baseline = machine_of(*baseline);
    else
      fields.complain(root, "has no baseline");
    if (const Node* larger = fields.find("larger")) read_larger(*larger, source);
    if (const Node* groups = fields.find("groups"))
      for (const Node& node : groups->children) source.groups.push_back(read_group(node, source));
    if (const Node* workloads = fields.find("workloads"))
      for (const Node& node : workloads->children) source.single.push_back(read_workload(node, source));
    if (const Node* compared = fields.find("compared")) source.compared = read_compared(*compared, source);
    fields.refuse_others();
    return source;
  }

 private:
  Suite suite_of(const Node& node, Fields& fields) {
    try {
      return find_suite(suites_, node.text);
    } catch (const InputError& error) {
      fields.complain(node, error.what());
      return {};
    }
  }

  Machine machine_of(const Node& node) {
    if (node.is(Node::Kind::scalar)) return {node.text, {}, node.position()};
    Fields fields(node, node.key, mistakes_);
    Machine machine{fields.text("config", true), fields.texts("set"), node.position()};
    fields.refuse_others();
    return machine;
  }

  void read_larger(const Node& node, SourceCharacteristics& source) {
    Fields fields(node, "larger", mistakes_);
    source.larger_name = fields.text("name", true);
    if (const Node* system = fields.find("system"))
      source.larger = machine_of(*system);
    else
      fields.complain(node, "has no system");
    fields.refuse_others();
  }

  PublishedFacts read_group(const Node& node, const SourceCharacteristics& source) {
    PublishedFacts group;
    Fields fields(node, "group", mistakes_);
    group.of = fields.text("group", true);
    if (const Node* name = fields.find("group")) group.members = suite_of(*name, fields);
    for (const Suite::Member& member : group.members.members) {
      if (!has(source, [&](const std::string& workload) { return workload == member.workload; }))
        fields.complain(node, fmt::format("{} of {} is not in {}", member.workload, group.of, source.workloads.name));
    }
    for (const std::string& name : fields.texts("without")) remove(group.members, name, node, fields);
    read_statements(fields, node, group, source);
    fields.refuse_others();
    return group;
  }

  PublishedFacts read_workload(const Node& node, const SourceCharacteristics& source) {
    PublishedFacts one;
    Fields fields(node, "workload", mistakes_);
    one.of = fields.text("workload", true);
    if (!has(source, [&](const std::string& workload) { return workload_of(workload) == one.of; }))
      fields.complain(node, fmt::format("{} has no workload {}", source.workloads.name, quote(one.of)));
    read_statements(fields, node, one, source);
    if (!one.averages.empty()) fields.complain(node, "averages apply only to groups");
    fields.refuse_others();
    return one;
  }

  ComparedDesign read_compared(const Node& node, const SourceCharacteristics& source) {
    Fields fields(node, "compared", mistakes_);
    ComparedDesign compared{fields.text("design", true), fields.text("claim", true), fields.text("page", true),
                            fields.text("group", false), fields.texts("workloads"),  node.position()};
    const Suite* members = &source.workloads;
    if (!compared.group.empty()) {
      const auto is_it = [&](const PublishedFacts& group) { return group.of == compared.group && !group.states.empty(); };
      const auto group = std::find_if(source.groups.begin(), source.groups.end(), is_it);
      if (group == source.groups.end()) {
        fields.complain(node, fmt::format("group {} has no states above; name a group of `groups` that has some", quote(compared.group)));
      } else {
        members = &group->members;
      }
    }
    if (compared.workloads.empty()) fields.complain(node, "needs workloads, a list such as [bfs@std]");
    const std::vector<std::string> known = members->workloads();
    for (const std::string& workload : compared.workloads) {
      if (std::find(known.begin(), known.end(), workload) == known.end())
        fields.complain(node, fmt::format("{} is not in {}{}", workload, members->name, did_you_mean(workload, known)));
    }
    fields.refuse_others();
    return compared;
  }

  template <class Is>
  static bool has(const SourceCharacteristics& source, const Is& is) {
    const auto& members = source.workloads.members;
    return std::any_of(members.begin(), members.end(), [&](const Suite::Member& member) { return is(member.workload); });
  }

  static void remove(Suite& group, const std::string& name, const Node& node, Fields& fields) {
    auto& members = group.members;
    const auto is_it = [&](const Suite::Member& member) { return workload_of(member.workload) == name; };
    const auto kept = std::remove_if(members.begin(), members.end(), is_it);
    if (kept == members.end()) fields.complain(node, fmt::format("without names {}, which is not in {}", quote(name), group.name));
    members.erase(kept, members.end());
  }

  void read_statements(Fields& fields, const Node& node, PublishedFacts& statements, const SourceCharacteristics& source) {
    statements.where = fields.text("where", true);
    statements.states = read_list(fields, "states", source);
    statements.averages = read_list(fields, "averages", source);
    if (statements.states.empty() && statements.averages.empty()) fields.complain(node, "has no states: a characteristic and what it is");
  }

  std::vector<Published> read_list(Fields& fields, const char* key, const SourceCharacteristics& source) {
    std::vector<Published> list;
    const Node* states = fields.find(key);
    if (states == nullptr) return list;
    const std::vector<std::string> known = metric_names();
    for (const Node& state : states->children) {
      if (std::find(known.begin(), known.end(), state.key) == known.end()) {
        const std::string likely = did_you_mean(state.key, known);
        mistakes_.add(state.key_position(), fmt::format("unknown characteristic {}{} there are {}", quote(state.key),
                                                        likely.empty() ? ";" : likely, join(known, known.size())));
      }
      if (state.key == kGain && !source.larger.named()) fields.complain(state, "gain needs `larger`, the system that gains");
      list.push_back({state.key, read_stated(state)});
    }
    return list;
  }

  Stated read_stated(const Node& node) {
    constexpr double kMost = 1e15;
    Stated stated;
    if (node.is(Node::Kind::scalar)) {
      const auto parsed = config::parse_real(node, -kMost, kMost);
      if (!parsed.good()) mistakes_.add(node.position(), fmt::format("{} {}", node.key, parsed.complaint));
      stated.figure = parsed.value;
      return stated;
    }
    Fields fields(node, node.key, mistakes_);
    const auto bound = [&](const char* open, const char* closed, std::optional<double>& value, bool& counts) {
      const auto without = fields.number(open), with = fields.number(closed);
      if (without && with) fields.complain(node, fmt::format("has {} and {}; keep one", open, closed));
      value = with ? with : without;
      counts = with.has_value();
    };
    bound("above", "at_least", stated.low, stated.low_counts);
    bound("below", "at_most", stated.high, stated.high_counts);
    if (!stated.low && !stated.high) fields.complain(node, "needs a figure, or one of above, at_least, below, at_most");
    if (stated.low && stated.high && *stated.low > *stated.high) fields.complain(node, "its lower bound is above the upper one");
    fields.refuse_others();
    return stated;
  }

  const std::vector<Suite>& suites_;
  config::Mistakes& mistakes_;
};

}  // namespace

const std::vector<Characteristic>& characteristics() {
  static const std::vector<Characteristic> kAll = {
      {kMissRate, "L1 miss rate", true},
      {kMissRateWithMerges, "with merges", true},
      {"inter_core_locality", "locality", true},
      {"replicas", "copies", false},
      {kGain, "gain", false},
      {"l1.apki", "APKI", false},
      {"l1.data_port_utilisation_max", "L1 port use", true},
      {"net.reply_link_utilisation_max", "reply link use", true},
      {"lines_in_flight", "lines in flight per SM", false},
      {"l2.slice_balance", "mean over busiest slice", true},
      {"l2.dead_time", "L2 dead time", true},
      {"dram.utilisation", "DRAM use", true},
      {"smem.utilisation", "shared memory use", true},
  };
  return kAll;
}

const Characteristic& characteristic(const std::string& metric) {
  const auto& all = characteristics();
  return *std::find_if(all.begin(), all.end(), [&](const Characteristic& one) { return one.metric == metric; });
}

bool Stated::holds(double measured, bool is_share) const {
  if (figure) return std::abs(measured - *figure) <= std::max(is_share ? kPoints : 0.0, kShareOfFigure * std::abs(*figure));
  if (low && (low_counts ? measured < *low : measured <= *low)) return false;
  return !high || (high_counts ? measured <= *high : measured < *high);
}

std::string text_of(const Stated& stated, bool is_share) {
  const auto number = [is_share](double value) { return is_share ? fmt::format("{:g} %", value * 100.0) : fmt::format("{:g}", value); };
  if (stated.figure) return number(*stated.figure);
  std::string text;
  if (stated.low) text = (stated.low_counts ? "at least " : "above ") + number(*stated.low);
  if (stated.high) text += (text.empty() ? "" : ", ") + std::string(stated.high_counts ? "at most " : "below ") + number(*stated.high);
  return text;
}

SourceCharacteristics load_characteristics(const std::filesystem::path& file, const std::vector<Suite>& suites) {
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  SourceCharacteristics source;
  if (mistakes.empty()) source = Reader(suites, mistakes).read(root);
  mistakes.throw_if_any();
  return source;
}

}  // namespace wharf::cli
