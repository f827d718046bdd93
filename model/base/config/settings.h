#pragma once
// Dotted paths in configuration trees, and the reserved keys whose values are set later.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/document.h"
#include "model/base/config/layers.h"

namespace wharf::config {

/// "a.b" as {"a", "b"}; nothing if a part is empty or the path is deeper than a tree may be.
std::optional<std::vector<std::string>> split_path(std::string_view path);

/// {a: {b: value}}, with every level at the position of the value's key.
Node nest(const std::vector<std::string>& path, Node value);

bool is_reserved(std::string_view key);

/// Splits the value of a `per_workload` key into one mapping per workload, with dotted keys replaced by nested ones.
std::vector<Node> read_per_workload(const Node& node, Mistakes& mistakes);

/// Checks the value of a `search` key and splits it into its parts.
std::optional<Search> read_search(const Node& node, Mistakes& mistakes);

}  // namespace wharf::config
