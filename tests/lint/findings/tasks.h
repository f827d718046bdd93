#pragma once
// The table of docs/tasks.md: names, and the only sources that may have them in their code.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Checks each row `| name | file, file |` of the page's last table. Findings are sources that have the name in their code but are not in
/// the row, and files of the row that do not have it. A page without rows is a finding.
Findings task_findings(const SourceFile& page, const Tree& sources);

}  // namespace wharf::lint
