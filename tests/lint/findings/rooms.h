#pragma once
// Rooms are folders of sources. These checks limit their size and their includes of each other.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Rooms with more than `most` headers and sources: `<room>: <n> files; ...`.
Findings size_findings(const Tree& tree, std::size_t most);

/// Neighbouring rooms that include each other in a cycle: `<room> -> <room> -> <room>: <file> includes <file>, ...`, one finding per cycle.
/// A room counts as one with the rooms inside it. The layers of the top are checked in layers.h.
Findings circle_findings(const Tree& tree);

}  // namespace wharf::lint
