#pragma once
// Dotted paths in configuration trees, and the reserved keys that contain settings, which are applied later.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/layers.h"
#include "model/base/config/tree/document.h"

namespace wharf::config {

/// "a.b" as {"a", "b"}; nothing if a part is empty or the path is deeper than a tree may be.
std::optional<std::vector<std::string>> split_path(std::string_view path);

/// {a: {b: value}}, with every level at the position of the value's key.
Node nest(const std::vector<std::string>& path, Node value);

bool is_reserved(std::string_view key);

/// Each key of the mapping that is not `known` is a mistake; `where` names the mapping in messages.
void expect_keys(const Node& node, const std::string& where, const std::vector<std::string>& known, Mistakes& mistakes);

/// The mapping at `key`, null if there is none; any other value is a mistake.
const Node* mapping_of(const Node& node, const std::string& where, const char* key, Mistakes& mistakes);

/// The settings of a point of a sweep.
struct PointSettings {
  std::vector<std::string> texts;  // as --set takes them
  Node values;                     // as one tree, positioned in the file
};

/// Reads `set: {key.key: value}` of a point. A point without `set` has no settings.
PointSettings read_settings(const Node& point, const std::string& where, Mistakes& mistakes);

/// Splits the value of a `per_workload` key into one mapping per workload, with dotted keys replaced by nested ones.
std::vector<Node> read_per_workload(const Node& node, Mistakes& mistakes);

/// Checks the value of a `search` key and splits it into its parts.
std::optional<Search> read_search(const Node& node, Mistakes& mistakes);

}  // namespace wharf::config
