#pragma once
// Compares measured figures with the published ones of hardware_rows.h.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "platforms/cli/bench/hardware_rows.h"
#include "platforms/cli/results/result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

enum class HardwareVerdict : std::uint8_t {
  within,        // of the row's limit
  known,         // beyond the limit by about as much as listed, with a cause
  outside,       // beyond the limit
  failed,        // the run failed
  not_modelled,  // nothing ran
};
const char* name_of(HardwareVerdict);

struct HardwareResult {
  HardwareRow row;
  double measured = std::numeric_limits<double>::quiet_NaN();  // in the row's unit
  std::string failure;                                         // why a run failed
};

/// The figure of a run of the row's stimulus, from its result.json. `divisor`: that of a run of relative_to; null where the row has none. NaN
/// where the long kernel took no longer than the short one.
double hardware_figure(const HardwareRow& row, const Json& result, const Json& divisor);

/// Relative to the published figure, or to the nearer of two bounds; 0 between them.
double deviation_of(const HardwareResult& result);
HardwareVerdict verdict_of(const HardwareResult& result);

Table hardware_table(const std::string& title, const std::vector<HardwareResult>& results);
/// {"hardware", "rows": [{"what", "machine", "unit", "published", "source", "verdict", ...}], "exceeded": [sentences]}; a row has "stimulus",
/// "kind", "limit", "measured" and "deviation" where something ran, "failure" where it failed, "cause" and "page" where a deviation is
/// known, "not_modelled" where the machine lacks it.
Json hardware_json(const std::string& hardware, const std::vector<HardwareResult>& results);

/// A sentence per known deviation: its cause, and where it is documented.
std::vector<std::string> known_deviations(const std::vector<HardwareResult>& results);
/// A sentence per row that is outside or failed.
std::vector<std::string> exceeded_rows(const std::vector<HardwareResult>& results);

}  // namespace wharf::cli
