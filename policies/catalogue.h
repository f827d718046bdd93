#pragma once
// What the catalogue.cpp of every policy family shares: a family is a constant table of entries {name, help, ...}. Where members may come
// from outside, from a plugin or as RTL, the table begins a Catalogue.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/error.h"

namespace wharf {

/// Names and help texts of a table of entries, for Binder::policy.
template <class Entries>
std::vector<config::PolicyName> names_of(const Entries& catalogue) {
  std::vector<config::PolicyName> names;
  names.reserve(std::size(catalogue));
  for (const auto& entry : catalogue) names.push_back({entry.name, entry.help});
  return names;
}

/// The entry called `name`. Throws InputError that lists what `family` offers.
template <class Entries>
const auto& find_policy(const Entries& catalogue, std::string_view family, std::string_view name) {
  for (const auto& entry : catalogue)
    if (name == entry.name) return entry;
  std::string message = "unknown " + std::string(family) + " '" + std::string(name) + "'; choose one of";
  const char* separator = " ";
  for (const auto& entry : catalogue) {
    message += separator;
    message += entry.name;
    separator = ", ";
  }
  throw InputError(message);
}

/// " [bits=1..8, default 2: width]" for what may follow a policy's name, empty for nothing.
std::string in_brackets(const std::vector<Argument>& arguments);

/// A family that can be added to. There is one of each in a process, as there is one set of loaded libraries; it is filled before the first
/// configuration is read and only read from then on.
template <class Entry>
class Catalogue {
 public:
  template <std::size_t n>
  Catalogue(std::string_view family, const Entry (&table)[n]) : family_(family), entries_(std::begin(table), std::end(table)) {}

  /// `arguments`: what `name:key=value,...` may set. Throws InputError where the family has a member of that name.
  void add(const Entry& entry, std::vector<Argument> arguments = {}) {
    const std::string_view name = entry.name;
    if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& other) { return name == other.name; }))
      throw InputError("there is a " + family_ + " '" + std::string(name) + "' already; give the one that is added another name");
    entries_.push_back(entry);
    arguments_.resize(entries_.size());
    arguments_.back() = std::move(arguments);
  }

  std::vector<config::PolicyName> names() const {
    std::vector<config::PolicyName> names = names_of(entries_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      names[i].arguments = arguments_[i];
      names[i].help += in_brackets(arguments_[i]);
    }
    return names;
  }

  /// The member of this name, whatever arguments follow it.
  const Entry& find(std::string_view text) const { return find_policy(entries_, family_, text.substr(0, text.find(':'))); }

  /// The values of its arguments. Throws InputError for one that it does not have or that is out of range.
  Arguments arguments_in(std::string_view text) const {
    const Entry& entry = find(text);
    const auto place = static_cast<std::size_t>(&entry - entries_.data());
    const bool has_some = place < arguments_.size() && !arguments_[place].empty();
    if (!has_some && text == entry.name) return {};
    return resolve(text, entry.name, has_some ? arguments_[place] : std::vector<Argument>());
  }

 private:
  std::string family_;
  std::vector<Entry> entries_;
  std::vector<std::vector<Argument>> arguments_;  // of each entry; none of those behind the last that was added
};

}  // namespace wharf
