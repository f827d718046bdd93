#pragma once
// The cost of RTL in the loop, as part of a result and as a table.

#include <vector>

#include "model/rtl/transactor.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// `wall_s` is the wall time of the run, of which each block has a share.
Json rtl_json(const std::vector<rtl::Cost>& costs, double wall_s);
Table rtl_table(const std::vector<rtl::Cost>& costs, double wall_s);

}  // namespace wharf::cli
