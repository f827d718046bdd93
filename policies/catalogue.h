#pragma once
// Shared by the catalogue.cpp of every policy family. A family is a constant table of entries {name, help, ...}; where plugins or RTL may
// add members, the table initialises a Catalogue.

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

/// The entry called `name`. Throws InputError with the names that `family` offers.
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

/// For example " [bits=1..8, default 2: width]", for the arguments that may follow a policy's name; empty if there are none.
std::string in_brackets(const std::vector<Argument>& arguments);

/// A family to which members can be added. A process has one instance of each, like its set of loaded libraries; it is filled before the
/// first configuration is read, and constant from then on.
template <class Entry>
class Catalogue {
 public:
  template <std::size_t n>
  Catalogue(std::string_view family, const Entry (&table)[n]) : family_(family), entries_(std::begin(table), std::end(table)) {}

  /// `arguments` are those that `name:key=value,...` may set. Throws InputError if the family already has a member of that name.
  void add(const Entry& entry, std::vector<Argument> arguments = {}) {
    const std::string_view name = entry.name;
    if (std::any_of(entries_.begin(), entries_.end(), [&](const Entry& other) { return name == other.name; }))
      throw InputError("there is a " + family_ + " '" + std::string(name) + "' already; give the added one another name");
    entries_.push_back(entry);
    arguments_.resize(entries_.size());
    arguments_.back() = std::move(arguments);
  }

  const std::vector<Entry>& entries() const { return entries_; }

  std::vector<config::PolicyName> names() const {
    std::vector<config::PolicyName> names = names_of(entries_);
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      names[i].arguments = arguments_[i];
      names[i].help += in_brackets(arguments_[i]);
    }
    return names;
  }

  /// The member that `text` names, whatever arguments follow.
  const Entry& find(std::string_view text) const { return find_policy(entries_, family_, text.substr(0, text.find(':'))); }

  /// What the maker of `entry` has returned. Throws InputError if that is nothing: an added member's maker may be wrong.
  template <class Made>
  Made made_by(const Entry& entry, Made made) const {
    if (!made)
      throw InputError("the maker of " + family_ + " '" + entry.name + "' (" + entry.help +
                       ") has returned nothing; let it return an object");
    return made;
  }
  /// Makes the member that `text` names.
  template <class... Options>
  auto make(std::string_view text, Options&&... options) const {
    const Entry& entry = find(text);
    return made_by(entry, entry.make(std::forward<Options>(options)...));
  }

  /// The values of the arguments in `text`. Throws InputError for one that the member does not have or that is out of range.
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
  std::vector<std::vector<Argument>> arguments_;  // by entry; shorter where the last entries have none
};

}  // namespace wharf
