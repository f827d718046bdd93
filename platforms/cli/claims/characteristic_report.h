#pragma once
// The characteristics of workloads as a document and as data.

#include <string>
#include <vector>

#include "platforms/cli/claims/characteristic_results.h"
#include "platforms/cli/claims/claim_report.h"

namespace wharf::cli {

/// A characteristic's measured value, for example "62.0 %".
std::string value_text(double value, bool is_share);
/// For example "locality above 25 %; gain above 1.05".
std::string criteria_text(const std::vector<Published>& criteria);

/// A document with one section per source, in their order. `mark` stands at its head, in bold.
std::string characteristics_markdown(const std::vector<JudgedCharacteristics>& sources, const std::string& mark = "");

Json characteristics_json(const std::vector<JudgedCharacteristics>& sources);

/// For example "41 of 52 named workloads with published characteristics lie within them, 44 where merges count as misses".
std::string within_range_text(const WithinRange& count);

}  // namespace wharf::cli
