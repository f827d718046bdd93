#pragma once
// The values of a resolved configuration, key by key.

#include <map>
#include <string>

namespace wharf::cli {

/// By the key's path, such as "l1.ways". A key without effect has none.
using ResolvedValues = std::map<std::string, std::string>;

/// Messages name the text `name`. Throws InputError where the text is no configuration.
ResolvedValues resolved_values(const std::string& resolved_yaml, const std::string& name);

}  // namespace wharf::cli
