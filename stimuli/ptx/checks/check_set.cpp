// Names of checks.
#include "stimuli/ptx/checks/check_set.h"

#include <array>
#include <vector>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::ptx {

namespace {

constexpr std::array<std::string_view, kChecks> kNames = {"bounds", "init", "race", "sync"};

void add_named(CheckSet& checks, const std::string& name) {
  for (std::size_t i = 0; i < kChecks; ++i)
    if (name == kNames[i]) return checks.add(static_cast<Check>(i));
  const std::vector<std::string> names(kNames.begin(), kNames.end());
  throw InputError("--check: " + quote(name) + " is not a check" + did_you_mean(name, names) + "; choose from " + join(names));
}

}  // namespace

std::string_view name_of(Check check) { return kNames[static_cast<std::size_t>(check)]; }

CheckSet parse_checks(const std::string& text) {
  CheckSet checks;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    add_named(checks, text.substr(begin, end - begin));
    begin = end + 1;
  }
  return checks;
}

std::string to_text(CheckSet checks) {
  std::string text;
  for (std::size_t i = 0; i < kChecks; ++i)
    if (checks.has(static_cast<Check>(i))) text.append(text.empty() ? "" : ",").append(kNames[i]);
  return text;
}

}  // namespace wharf::ptx
