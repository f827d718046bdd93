#pragma once
// Named lists of workloads from a YAML file (stimuli/suites.yaml): a mapping of suite names to lists of workload specs.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wharf {

struct Suite {
  std::string name;
  std::vector<std::string> workloads;  // specs that make_stimulus() takes
};

/// All suites, in the file's order. Throws InputError with every mistake as file:line:column: not YAML, a suite that is no list or empty,
/// a workload that does not exist or has wrong arguments, one named twice.
std::vector<Suite> load_suites(const std::filesystem::path& file);

/// The suite of that name. Throws InputError with the names that there are.
const Suite& find_suite(const std::vector<Suite>& suites, std::string_view name);

}  // namespace wharf
