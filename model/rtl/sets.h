#pragma once
// Selects the built parameter set that fits a configuration.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wharf::rtl {

/// A Verilated class and the parameters that it was built with, as "NAME=VALUE NAME=VALUE".
template <class M>
struct ParameterSet {
  using Model = M;
  const char* text;
};

/// The required value of a parameter. With `at_least` it is the minimum, for sizes that may be partly unused.
struct Need {
  std::string name, value;
  bool at_least = false;
};
inline Need equal(const char* name, std::uint64_t value) { return {name, std::to_string(value)}; }
inline Need at_least(const char* name, std::uint64_t value) { return {name, std::to_string(value), true}; }

/// The index of the first of `sets` that meets every need. Throws InputError if none does; the message lists the sets and tells how to add
/// one to `block`.
std::size_t choose_set(const char* block, const std::vector<const char*>& sets, const std::vector<Need>& needs);

/// Calls `make` with the parameter set that fits, and returns its result. `visit_sets` is a visit_*_sets of verilate.cmake.
template <class Made, class VisitSets, class Make>
std::unique_ptr<Made> make_of_set(const char* block, VisitSets visit_sets, const std::vector<Need>& needs, Make make) {
  std::vector<const char*> sets;
  visit_sets([&](auto set) { sets.push_back(set.text); });
  std::size_t left = choose_set(block, sets, needs);
  std::unique_ptr<Made> made;
  visit_sets([&](auto set) {
    if (left-- == 0) made = make(set);
  });
  return made;
}

}  // namespace wharf::rtl
