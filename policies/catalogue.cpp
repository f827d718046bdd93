#include "policies/catalogue.h"

#include <fmt/core.h>

namespace wharf {

std::string in_brackets(const std::vector<Argument>& arguments) {
  std::string text;
  for (const Argument& argument : arguments) {
    text += fmt::format("{}{}={}..{}, default {}: {}", text.empty() ? " [" : "; ", argument.name, argument.low, argument.high,
                        argument.preset, argument.help);
  }
  return text.empty() ? text : text + "]";
}

}  // namespace wharf
