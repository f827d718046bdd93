#pragma once
// What a run would gain if a cause were gone: predicted from its cycle stack, and measured on an idealised machine.

#include <string>
#include <vector>

#include "platforms/cli/explain/explanation.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct WhatIf {
  std::string cause, ideal;              // the cause, and the idealisation in words
  std::vector<std::string> settings;     // what it sets
  double predicted = 1.0;                // speed-up, if the slots of the cause were not needed
  double measured = 0.0;                 // 0: not measured yet
};

/// Idealisations of the three largest causes that have one which the configuration accepts.
std::vector<WhatIf> what_ifs_of(const ExplainedRun& run, const SlotStack& stack);

/// Runs them. Returns false where the user stopped it.
bool measure(std::vector<WhatIf>& what_ifs, const ExplainedRun& run, const RunnerOptions& options, std::ostream& err);

Table table_of(const std::vector<WhatIf>& what_ifs);
Json as_json(const std::vector<WhatIf>& what_ifs);

}  // namespace wharf::cli
