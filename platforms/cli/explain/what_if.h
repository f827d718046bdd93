#pragma once
// The gain of a run without one cause: predicted from its cycle stack, and measured on an idealised machine.

#include <string>
#include <vector>

#include "platforms/cli/explain/explanation.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct WhatIf {
  std::string cause;                  // the largest one that the ideal is for
  double share = 0.0;                 // of the slots, of this cause
  std::string ideal;                  // the idealisation in words
  std::vector<std::string> settings;  // what it sets
  double predicted = 1.0;             // speed-up
  double measured = 0.0;              // 0: not measured yet
};

/// A run, and what it would gain.
struct WhatIfs {
  ExplainedRun run;
  std::vector<WhatIf> what_ifs = {};
};

/// Idealisations of the three largest causes that have one which the configuration accepts. `run` has its result, and `stack` is of it.
std::vector<WhatIf> what_ifs_of(const ExplainedRun& run, const SlotStack& stack);

/// Makes the runs that have no result, finds their idealisations and runs these. Returns false where the user stopped it.
bool measure(std::vector<WhatIfs>& all, const RunnerOptions& options, std::ostream& err);

/// Table for one run.
Table table_of(const std::vector<WhatIf>& what_ifs);
/// Table for several runs: each prediction, and how many of each kind were close.
Table table_of(const std::vector<WhatIfs>& all);
Table summary_of(const std::vector<WhatIfs>& all);
Json as_json(const std::vector<WhatIf>& what_ifs);

}  // namespace wharf::cli
