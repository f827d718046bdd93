#pragma once
// The layers of the project, read from the #include lines.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Includes that point to a layer above, or across: `path:line: <layer> includes <file>; ...`.
Findings layer_findings(const Tree& tree);

/// Includes of what a design alone has (model/designs, platforms/designs) by files that are not that design's. What every design may use, the
/// private machine, is free, and so are the catalogue of designs, RTL and tests.
Findings design_findings(const Tree& tree);

/// True for files of the pure layers: model/base, model/cache, policies, stimuli, a block's params and logic, and the tests of those.
bool is_pure(const std::string& path);

/// Pure files that reach SystemC or TLM through whatever they include, with the chain of files that leads there.
Findings purity_findings(const Tree& tree);

}  // namespace wharf::lint
