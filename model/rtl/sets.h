#pragma once
// Which of the parameter sets that were built fits what a configuration asks for.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wharf::rtl {

/// A Verilated class and the parameters it was built with, as "NAME=VALUE NAME=VALUE".
template <class M>
struct ParameterSet {
  using Model = M;
  const char* text;
};

/// What a parameter must be, or, for sizes of which a part may stay unused, at least be.
struct Need {
  std::string name, value;
  bool at_least = false;
};
inline Need equal(const char* name, std::uint64_t value) { return {name, std::to_string(value)}; }
inline Need at_least(const char* name, std::uint64_t value) { return {name, std::to_string(value), true}; }

/// The index of the first of `sets` that meets every need. Throws InputError that lists the sets and tells how to add one to `block`.
std::size_t choose_set(const char* block, const std::vector<const char*>& sets, const std::vector<Need>& needs);

/// What `make`, called with the parameter set that fits, returns as a std::unique_ptr<Made>. `visit_sets`: a visit_*_sets of verilate.cmake.
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
