#pragma once
// The platforms that a configuration can name.

#include <vector>

#include "model/base/config/binder.h"

namespace wharf {

std::vector<config::PolicyName> platform_names();

}  // namespace wharf
