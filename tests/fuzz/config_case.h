#pragma once
// One input of the configuration fuzzer: a YAML file in which a comment `# --set key=value` is a command-line setting and
// `# workload NAME` names the workload.

#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/error.h"
#include "tests/support/config_sample.h"

namespace wharf::test {

/// The error when reading the input, or "" if it is accepted. An accepted input must read back from its resolved form; otherwise this
/// throws std::logic_error.
inline std::string fuzz_config(const std::string& input, const std::filesystem::path& root) {
  std::vector<std::string> settings;
  std::string workload;
  std::istringstream lines(input);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("# --set ", 0) == 0) settings.push_back(line.substr(8));
    if (line.rfind("# workload ", 0) == 0) workload = line.substr(11);
  }
  SampleResult result;
  try {
    result = read_sample(input, settings, workload, root);
  } catch (const InputError& e) {
    return std::string(e.what()).empty() ? throw std::logic_error("an error without a message") : e.what();
  }
  const SampleResult again = read_sample(result.resolved_yaml);
  if (!(again.params == result.params)) throw std::logic_error("the resolved configuration reads back differently");
  if (again.resolved_yaml != result.resolved_yaml) throw std::logic_error("the resolved configuration resolves differently");
  return {};
}

}  // namespace wharf::test
