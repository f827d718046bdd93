#pragma once
// The table of interference between warps in result.json (ciao section 8).

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// Declares the table interference: hits in victim tags by victim and interferer (warp slots), summed over SMs. All `sms` must track lost
/// lines and live until the table is read.
void declare_interference_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms);

}  // namespace wharf
