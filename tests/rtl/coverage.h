#pragma once
// The lines of the RTL that the models of this process have reached, for models built with COVERAGE (model/rtl/verilate.cmake).

#include <string>
#include <vector>

namespace wharf::test {

struct LineCoverage {
  std::size_t reached = 0;             // branches and blocks of the file
  std::vector<std::string> unreached;  // "line 12, block else" of the unreached ones
};

/// Coverage of the source called `file`, without its folder; all instances and parameter sets together.
LineCoverage line_coverage(const std::string& file);

}  // namespace wharf::test
