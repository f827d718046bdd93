#pragma once
// All parameters of a run, as JSON Schema (https://json-schema.org, draft 2020-12).

#include <string>

#include "platforms/cli/results/result.h"

namespace wharf::cli {

/// The schema of the params of a run. `set` has every configuration key by its dotted path, with type, range, unit (the member `unit`), help,
/// and as default its value in the configuration `config`. Conditions over several keys are not in it; a run reports them. Throws InputError
/// where there is no such configuration.
Json space_schema(const std::string& config);

}  // namespace wharf::cli
