#pragma once
// The designs that a configuration can name as its platform.

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "platforms/frame/design.h"

namespace wharf {

std::vector<config::PolicyName> platform_names();

/// All of them, one row each. The number of a row is that of the design in Designs.
const std::vector<DesignEntry>& design_entries();
/// Throws InputError where there is none of this name.
std::size_t design_row(std::string_view name);

/// Before the first GpuParams is made. Throws InputError where there is one of this name.
void add_design(const DesignEntry& entry);

}  // namespace wharf
