#pragma once
// Dotted paths in configuration trees, and the reserved keys that hold values to be set later.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/document.h"
#include "model/base/config/layers.h"

namespace wharf::config {

/// "a.b" as {"a", "b"}; nothing if a part is empty or there are more than a tree may be deep.
std::optional<std::vector<std::string>> split_path(std::string_view path);

/// {a: {b: value}}: every level stands where the value's key stands.
Node nest(const std::vector<std::string>& path, Node value);

bool is_reserved(std::string_view key);

/// Takes the value of a `per_workload` key apart: one mapping a workload, dotted keys replaced by nested ones.
std::vector<Node> read_per_workload(const Node& node, Mistakes& mistakes);

/// Checks and takes apart the value of a `search` key.
std::optional<Search> read_search(const Node& node, Mistakes& mistakes);

}  // namespace wharf::config
