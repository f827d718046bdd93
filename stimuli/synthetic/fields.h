#pragma once
// Parses the arguments of synthetic stimuli: "loads=10,ctas=80", whole numbers with a range each.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf {

template <class Params>
struct Field {
  const char* name;
  std::uint32_t Params::*value;
  std::uint32_t min, max;
};

/// Throws InputError, which begins with the name of the stimulus, for an unknown, repeated or out-of-range argument.
template <class Params, std::size_t N>
Params parse_fields(const std::string& stimulus, const Field<Params> (&fields)[N], const std::string& arguments) {
  const auto find = [&](const std::string& name) -> const Field<Params>& {
    std::vector<std::string> names;
    for (const Field<Params>& field : fields) {
      if (name == field.name) return field;
      names.emplace_back(field.name);
    }
    throw InputError(stimulus + ": unknown argument " + quote(name) + did_you_mean(name, names) + "; it takes " + join(names, N));
  };
  Params params;
  std::set<std::string> given;
  std::istringstream stream(arguments);
  for (std::string argument; std::getline(stream, argument, ',');) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals), text = equals == std::string::npos ? "" : argument.substr(equals + 1);
    const Field<Params>& field = find(name);
    if (!given.insert(name).second) throw InputError(stimulus + ": argument " + quote(name) + " is given twice; keep one");
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < field.min || value > field.max) {
      throw InputError(stimulus + ": " + name + "=" + quote(text) + " is not a whole number from " + std::to_string(field.min) + " to " +
                       std::to_string(field.max));
    }
    params.*field.value = value;
  }
  return params;
}

}  // namespace wharf
