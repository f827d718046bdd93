#pragma once
// Rooms are folders of sources: how large they are, and which includes which.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// Rooms with more than `most` headers and sources: `<room>: <n> files; ...`.
Findings size_findings(const Tree& tree, std::size_t most);

/// Rooms beside one another that include each other in a circle, whatever rooms they contain: `<room> -> <room> -> <room>: <file> includes
/// <file>, ...`, one finding a circle. A room and those inside it are one; the layers of the top are another check's (layers.h).
Findings circle_findings(const Tree& tree);

}  // namespace wharf::lint
