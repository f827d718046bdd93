#pragma once
// The designs that a configuration can name as its platform.

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "platforms/frame/design.h"

namespace wharf {

std::vector<config::PolicyName> platform_names();

/// All designs, one row each. A row's number is also the design's number in Designs.
const std::vector<DesignEntry>& design_entries();
/// Returns the row of a design. Throws InputError if no design has this name.
std::size_t design_row(std::string_view name);

/// Registers a design. Call it before the first GpuParams is constructed. Throws InputError if the name is taken.
void add_design(const DesignEntry& entry);

}  // namespace wharf
