#pragma once
// The layers of the project, checked by the #include lines.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Includes of a layer above, or of a layer at the same level: `path:line: <layer> includes <file>; ...`.
Findings layer_findings(const Tree& tree);

/// Includes of a design's own files (model/designs, platforms/designs) by files outside that design. The private machine, which every
/// design may use, is exempt, and so are the catalogue of designs, RTL and tests.
Findings design_findings(const Tree& tree);

/// True for files of the pure layers: model/base, model/cache, policies, stimuli, the params and logic of blocks, and the tests of all
/// these.
bool is_pure(const std::string& path);

/// Pure files that include SystemC or TLM through any chain of files, with this chain.
Findings purity_findings(const Tree& tree);

}  // namespace wharf::lint
