#include "model/rtl/sets.h"

#include <algorithm>
#include <sstream>

#include "model/base/error.h"

namespace wharf::rtl {
namespace {

/// The value of `name` in "NAME=VALUE NAME=VALUE"; empty if it is missing.
std::string value_in(const char* set, const std::string& name) {
  std::istringstream pairs(set);
  for (std::string pair; pairs >> pair;)
    if (pair.compare(0, name.size() + 1, name + '=') == 0) return pair.substr(name.size() + 1);
  return {};
}

bool meets(const char* set, const Need& need) {
  const std::string value = value_in(set, need.name);
  if (!need.at_least) return value == need.value;
  return !value.empty() && std::stoull(value) >= std::stoull(need.value);
}

/// `set`, with the needed values in place of its own.
std::string with_needs(const char* set, const std::vector<Need>& needs) {
  std::istringstream pairs(set);
  std::string text;
  for (std::string pair; pairs >> pair;) {
    const std::string name = pair.substr(0, pair.find('='));
    const auto need = std::find_if(needs.begin(), needs.end(), [&](const Need& one) { return one.name == name; });
    text += (text.empty() ? "" : " ") + (need == needs.end() ? pair : name + '=' + need->value);
  }
  return text;
}

}  // namespace

std::size_t choose_set(const char* block, const std::vector<const char*>& sets, const std::vector<Need>& needs) {
  const auto fits = [&](const char* set) {
    return std::all_of(needs.begin(), needs.end(), [&](const Need& need) { return meets(set, need); });
  };
  const auto found = std::find_if(sets.begin(), sets.end(), fits);
  if (found != sets.end()) return static_cast<std::size_t>(found - sets.begin());
  std::string wanted, upper = block;
  for (const Need& need : needs) wanted += (wanted.empty() ? "" : " ") + need.name + '=' + need.value + (need.at_least ? " or more" : "");
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string message = std::string("the RTL of ") + block + " was not built for " + wanted + "; it was for";
  for (const char* set : sets) message += std::string("\n  ") + set;
  throw InputError(message + "\nAdd what is missing to the CMake cache variable WHARF_RTL_" + upper +
                   "_SETS and rebuild:\n  cmake -D 'WHARF_RTL_" + upper + "_SETS=" + with_needs(sets.front(), needs) + "' build/release");
}

}  // namespace wharf::rtl
