#pragma once
// What docs/tasks.md says of the files that a change touches: the table of names and of the sources that alone have them.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// For each row `| name | file, file |` of the page's last table: sources that have the name in their code and are not in the row, and files
/// of the row that have not. A page without rows is a finding.
Findings task_findings(const SourceFile& page, const Tree& sources);

}  // namespace wharf::lint
