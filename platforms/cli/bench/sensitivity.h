#pragma once
// Compares how much a key changes a machine's figures with their deviations from a reference: validate --sensitivity.
//
// A deviation that is smaller than the machine's own response to a small change, such as a cycle of a latency, says nothing about the
// model.

#include <string>
#include <vector>

#include "platforms/cli/bench/validation.h"

namespace wharf::cli {

/// A key with the values that replace its own, one at a time.
struct VariedKey {
  std::string key;
  std::vector<std::string> values;
};

/// Parses "l1.tag_cycles=19,21"; a comma inside brackets does not separate values. Throws InputError.
VariedKey parse_varied_key(const std::string& text);

/// One case on the machine as it is and with each value of a key.
struct Response {
  ValidationCase as_is;
  std::vector<ValidationCase> varied;  // in the order of VariedKey::values
};

struct Sensitivity {
  VariedKey varied;
  std::vector<Response> responses;
};

/// The change of a figure's deviation with the value number `value`; NaN where a run failed.
double change_of(const Response& response, const Figure& figure, std::size_t value);

/// The largest absolute change; 0 where no run with another value was made.
double largest_change(const Response& response, const Figure& figure);

/// A row for the cycles of each case, and for each other figure that deviates.
Table sensitivity_table(const Sensitivity& sensitivity);

/// Has all figures of all cases.
Json sensitivity_json(const std::vector<Sensitivity>& sensitivities);

/// A sentence for each run with a changed key that failed.
std::vector<std::string> failed_variations(const Sensitivity& sensitivity);

}  // namespace wharf::cli
