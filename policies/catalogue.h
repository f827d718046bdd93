#pragma once
// What the catalogue.cpp of every policy family shares: a family is a constant table of entries {name, help, ...}.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/error.h"

namespace wharf {

/// Names and help texts of a catalogue, for Binder::policy.
template <class Entry, std::size_t n>
std::vector<config::PolicyName> names_of(const Entry (&catalogue)[n]) {
  std::vector<config::PolicyName> names;
  names.reserve(n);
  for (const Entry& entry : catalogue) names.push_back({entry.name, entry.help});
  return names;
}

/// The entry called `name`. Throws InputError that lists what `family` offers.
template <class Entry, std::size_t n>
const Entry& find_policy(const Entry (&catalogue)[n], std::string_view family, std::string_view name) {
  for (const Entry& entry : catalogue)
    if (name == entry.name) return entry;
  std::string message = "unknown " + std::string(family) + " '" + std::string(name) + "'; choose one of";
  const char* separator = " ";
  for (const Entry& entry : catalogue) {
    message += separator;
    message += entry.name;
    separator = ", ";
  }
  throw InputError(message);
}

}  // namespace wharf
