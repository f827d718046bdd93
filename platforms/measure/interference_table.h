#pragma once
// Table of result.json about the interference between warps (ciao section 8).

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/sm/sm.h"

namespace wharf {

/// interference: hits in victim tags by victim and interferer, warp slots, summed over SMs. `sms`, all of which look for lost lines, must
/// live until the table is asked for.
void declare_interference_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms);

}  // namespace wharf
