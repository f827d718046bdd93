#pragma once
// The list of departures, docs/deviations.md: whether each row says what it departs from, and what is to become of it.

#include <set>
#include <string>

#include "tests/lint/findings/rules.h"
#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Rows of tables have four columns: a rule, a place on a page of the rule book, or a metric (a dash where there is none of them); the rule
/// as given; what is here; and a status that begins with a word of the page's own list.
Findings deviation_findings(const SourceFile& document, const RuleBook& book, const std::set<std::string>& metrics);

}  // namespace wharf::lint
