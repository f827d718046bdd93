#pragma once
// What RTL in the loop has cost, as part of a result and for a person.

#include <vector>

#include "model/rtl/transactor.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// `wall_s`: of the run, of which each block has had a share.
Json rtl_json(const std::vector<rtl::Cost>& costs, double wall_s);
Table rtl_table(const std::vector<rtl::Cost>& costs, double wall_s);

}  // namespace wharf::cli
