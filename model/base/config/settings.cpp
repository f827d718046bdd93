#include "model/base/config/settings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/base/config/tree/write.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

// Each workload and each value of a search costs a reading of the whole configuration.
constexpr std::size_t kMostWorkloads = 256, kMostSearchValues = 256;

constexpr std::array<std::string_view, 4> kReserved = {"extends", "description", "per_workload", "search"};

// Adds `value` at `path` to `into`; returns false if the path already has a value.
bool insert(Node& into, const std::vector<std::string>& path, const Node& value) {
  Node* level = &into;
  for (std::size_t i = 0; i < path.size(); ++i) {
    Node* next = level->find(path[i]);
    if (!next) {
      Node nested = nest({path.begin() + static_cast<std::ptrdiff_t>(i), path.end()}, value);
      level->children.push_back(std::move(nested.children.front()));
      return true;
    }
    level = next;
    if (!level->is(Node::Kind::mapping)) return false;
  }
  if (!value.is(Node::Kind::mapping)) return false;
  return std::all_of(value.children.begin(), value.children.end(), [&](const Node& child) { return insert(*level, {child.key}, child); });
}

Node with_nested_keys(const Node& mapping, Mistakes& mistakes) {
  Node out = mapping;
  out.children.clear();
  for (const Node& child : mapping.children) {
    const auto path = split_path(child.key);
    if (!path) {
      mistakes.add(child.key_position(), quote(child.key) + " is not a key path; write key.key");
    } else if (!insert(out, *path, child)) {
      mistakes.add(child.key_position(), quote(child.key) + " is set twice; keep one");
    }
  }
  return out;
}

std::optional<std::string> scalar_of(const Node& node, std::string_view key, Mistakes& mistakes) {
  const Node* child = node.find(key);
  if (!child) {
    mistakes.add(node.key_position(), "search: has no `" + std::string(key) + "`; write search: {key, values, objective, tie}");
    return std::nullopt;
  }
  if (child->is(Node::Kind::scalar) && !child->text.empty()) return child->text;
  mistakes.add(child->position(), "search." + std::string(key) + ": is " + name_of(*child) + "; write one word");
  return std::nullopt;
}

// Parses an objective such as "max ipc" or "min time_ns".
void read_objective(const Node& node, Search& search, Mistakes& mistakes) {
  const std::string text = scalar_of(node, "objective", mistakes).value_or("max ?");
  const std::size_t blank = text.find(' ');
  const std::string direction = text.substr(0, blank);
  if (blank == std::string::npos || (direction != "max" && direction != "min") || text.find(' ', blank + 1) != std::string::npos) {
    mistakes.add(node.find("objective")->position(),
                 "search.objective: is " + quote(text) + "; write max METRIC or min METRIC, such as max ipc");
    return;
  }
  search.maximise = direction == "max";
  search.objective = text.substr(blank + 1);
}

void read_search_values(const Node& node, Search& search, Mistakes& mistakes) {
  const Node* values = node.find("values");
  const auto path = split_path(search.key);
  if (!search.key.empty() && (!path || (is_reserved(path->front()) && !search.over_configurations()))) {
    mistakes.add(node.find("key")->position(), "search.key: " + quote(search.key) + " is not a key path; write key.key");
    return;
  }
  if (!values || !values->is(Node::Kind::sequence) || values->children.empty()) {
    mistakes.add((values ? values : &node)->key_position(), "search.values: must be a list of the values to try; write values: [1, 2, 4]");
    return;
  }
  if (values->children.size() > kMostSearchValues) {
    mistakes.add(values->key_position(), "search.values: more than " + std::to_string(kMostSearchValues) + " values; try fewer");
    return;
  }
  for (const Node& value : values->children) {
    if (!value.is(Node::Kind::scalar)) {
      mistakes.add(value.position(), "search.values: holds " + name_of(value) + "; write single values");
      continue;
    }
    search.values.push_back(value.in_quotes && !search.over_configurations() ? yaml_text(value.text) : value.text);
    if (path) search.settings.push_back(nest(*path, value));
  }
}

void read_published(const Node& published, Search& search, Mistakes& mistakes) {
  if (!published.is(Node::Kind::mapping))
    return mistakes.add(published.position(), "search.published: is " + name_of(published) + "; write published: {workload: value}");
  for (const Node& value : published.children) {
    if (value.is(Node::Kind::scalar))
      search.published.emplace_back(value.key, value.text);
    else
      mistakes.add(value.position(), "search.published." + value.key + ": is " + name_of(value) + "; write one value");
  }
}

}  // namespace

std::optional<std::vector<std::string>> split_path(std::string_view path) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = path.find('.');
    if (dot == 0 || path.empty() || parts.size() >= kDeepestNode) return std::nullopt;
    parts.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

Node nest(const std::vector<std::string>& path, Node value) {
  const Node::Mark mark = value.key_mark.line ? value.key_mark : value.mark;
  value.key_mark = mark;
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    value.key = *part;
    Node outer;
    outer.kind = Node::Kind::mapping;
    outer.layer = value.layer;
    outer.file = value.file;
    outer.key_mark = outer.mark = mark;
    outer.children.push_back(std::move(value));
    value = std::move(outer);
  }
  return value;
}

bool is_reserved(std::string_view key) { return std::find(kReserved.begin(), kReserved.end(), key) != kReserved.end(); }

void expect_keys(const Node& node, const std::string& where, const std::vector<std::string>& known, Mistakes& mistakes) {
  for (const Node& child : node.children) {
    if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
    const std::string near = did_you_mean(child.key, known);
    mistakes.add(child.key_position(), where + '.' + child.key + ": unknown key" + (near.empty() ? "; it has " + join(known) : near));
  }
}

const Node* mapping_of(const Node& node, const std::string& where, const char* key, Mistakes& mistakes) {
  const Node* child = node.find(key);
  if (child == nullptr || child->is(Node::Kind::mapping)) return child;
  mistakes.add(child->position(), where + '.' + key + ": is " + name_of(*child) + "; write {key: value}");
  return nullptr;
}

PointSettings read_settings(const Node& point, const std::string& where, Mistakes& mistakes) {
  PointSettings out;
  out.values.kind = Node::Kind::mapping;
  out.values.file = point.file;
  const Node* set = mapping_of(point, where, "set", mistakes);
  if (set == nullptr) return out;
  for (const Node& value : set->children) {
    const auto path = split_path(value.key);
    if (!path || is_reserved(path->front()) || !value.is(Node::Kind::scalar)) {
      mistakes.add(value.key_position(),
                   where + ".set: " + quote(value.key) + " is not a key path with a single value; write key.key: value");
      continue;
    }
    out.texts.push_back(value.key + '=' + (value.in_quotes ? yaml_text(value.text) : value.text));
    merge(out.values, nest(*path, value));
  }
  return out;
}

std::vector<Node> read_per_workload(const Node& node, Mistakes& mistakes) {
  std::vector<Node> out;
  if (!node.is(Node::Kind::mapping)) {
    mistakes.add(node.position(), "per_workload: is " + name_of(node) + "; write per_workload: {workload: {key: value}}");
    return out;
  }
  if (node.children.size() > kMostWorkloads) {
    mistakes.add(node.key_position(), "per_workload: more than " + std::to_string(kMostWorkloads) + " workloads; split the file");
    return out;
  }
  for (const Node& workload : node.children) {
    if (workload.is(Node::Kind::mapping)) {
      out.push_back(with_nested_keys(workload, mistakes));
    } else {
      mistakes.add(workload.position(),
                   "per_workload." + workload.key + ": is " + name_of(workload) + "; write " + workload.key + ": {key: value}");
    }
  }
  return out;
}

std::optional<Search> read_search(const Node& node, Mistakes& mistakes) {
  if (!node.is(Node::Kind::mapping)) {
    mistakes.add(node.position(), "search: is " + name_of(node) + "; write search: {key, values, objective, tie}");
    return std::nullopt;
  }
  const std::size_t before = mistakes.size();
  const std::vector<std::string> known = {"key", "values", "objective", "tie", "published"};
  for (const Node& child : node.children) {
    if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
    const std::string near = did_you_mean(child.key, known);
    mistakes.add(child.key_position(), "search." + child.key + ": unknown key" + (near.empty() ? "; search has " + join(known) : near));
  }
  Search search;
  search.key = scalar_of(node, "key", mistakes).value_or("");
  read_objective(node, search, mistakes);
  read_search_values(node, search, mistakes);
  if (const Node* tie = node.find("tie")) {
    search.tie = scalar_of(node, "tie", mistakes).value_or(search.tie);
    if (search.tie != "first" && search.tie != "last")
      mistakes.add(tie->position(), "search.tie: is " + name_of(*tie) + "; write first or last");
  }
  if (const Node* published = node.find("published")) read_published(*published, search, mistakes);
  if (mistakes.size() > before) return std::nullopt;
  return search;
}

}  // namespace wharf::config
