#pragma once
// The inputs of a run that this process has made.

#include "platforms/cli/runs/run_spec.h"

namespace wharf::cli {

/// inputs_json() of a run that has ended. `ran`: its stimulus. A trace need not be read again for its hash, because it was fingerprinted as
/// it was read.
Json inputs_json_of(const RunSpec& spec, const Configuration& configuration, const Stimulus& ran);

}  // namespace wharf::cli
