#include "platforms/cli/runs/resolved_values.h"

#include "model/base/config/tree/document.h"

namespace wharf::cli {
namespace {

std::string value_of(const config::Node& node) {
  if (!node.is(config::Node::Kind::sequence)) return node.text;
  std::string list;
  for (const config::Node& item : node.children) list += (list.empty() ? "" : ", ") + value_of(item);
  return '[' + list + ']';
}

void add_values(const config::Node& node, const std::string& prefix, ResolvedValues& values) {
  for (const config::Node& child : node.children) {
    const std::string key = prefix + child.key;
    if (child.is(config::Node::Kind::mapping))
      add_values(child, key + '.', values);
    else
      values[key] = value_of(child);
  }
}

}  // namespace

ResolvedValues resolved_values(const std::string& resolved_yaml, const std::string& name) {
  config::Mistakes mistakes;
  ResolvedValues values;
  add_values(config::parse_document(resolved_yaml, name, mistakes), "", values);
  mistakes.throw_if_any();
  return values;
}

}  // namespace wharf::cli
