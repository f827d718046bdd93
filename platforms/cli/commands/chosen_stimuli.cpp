#include "platforms/cli/commands/chosen_stimuli.h"

#include <algorithm>

#include "model/base/error.h"
#include "platforms/cli/stimuli.h"

namespace wharf::cli {

std::vector<std::string> without_repetitions(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return once;
}

std::vector<std::string> chosen_stimuli(const CommandLine& arguments, const std::string& otherwise) {
  if (arguments.has("suite") && arguments.has("stimuli")) throw InputError("--suite and --stimuli exclude each other; give one");
  const std::vector<std::string> names =
      arguments.has("stimuli") ? split_list(arguments.text("stimuli")) : stimuli_of_suite(arguments.text("suite", otherwise));
  if (names.empty()) throw InputError("--stimuli names none; give at least one, such as gemm@std");
  return without_repetitions(names);
}

}  // namespace wharf::cli
