#include "tests/rtl/coverage.h"

#include <verilated.h>
#include <verilated_cov.h>

#include <cstdint>
#include <fstream>
#include <map>

#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

/// The value of a key of a point in Verilator's format: \001key\002value\001...
std::string value_of(const std::string& point, char key) {
  const std::size_t begin = point.find(std::string("\001") + key + "\002");
  if (begin == std::string::npos) return {};
  return point.substr(begin + 3, point.find_first_of("\001'", begin + 3) - begin - 3);
}

}  // namespace

LineCoverage line_coverage(const std::string& file) {
  const cli::TemporaryFolder folder;
  Verilated::threadContextp()->coveragep()->write((folder / "coverage.dat").c_str());
  std::ifstream data(folder / "coverage.dat");
  std::map<std::string, std::uint64_t> counts;
  for (std::string line; std::getline(data, line);) {
    const std::string source = value_of(line, 'f');
    if (source.substr(source.rfind('/') + 1) != file) continue;
    const std::string name = "line " + value_of(line, 'l') + ", column " + value_of(line, 'n') + ", " + value_of(line, 'o');
    counts[name] += std::stoull(line.substr(line.rfind(' ')));
  }
  LineCoverage coverage;
  for (const auto& [name, count] : counts) {
    if (count == 0)
      coverage.unreached.push_back(name);
    else
      ++coverage.reached;
  }
  return coverage;
}

}  // namespace wharf::test
