#pragma once
// The files of the project, read once.

#include "tests/lint/source_tree.h"

namespace wharf::lint {

inline const Tree& project() {
  static const Tree kTree = read_project();
  return kTree;
}

inline const Tree& sources_and_tests() {
  static const Tree kTree = select(project(), {"model/", "policies/", "stimuli/", "platforms/", "tests/"}, {".h", ".cpp"});
  return kTree;
}

}  // namespace wharf::lint
