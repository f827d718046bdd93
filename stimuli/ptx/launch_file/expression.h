#pragma once
// Expressions over the elements of arrays, such as `2.5 * a[i] + b[i]`, that fill arrays and say what kernels must have computed.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "stimuli/ptx/text/types.h"

namespace wharf::ptx {

/// An array that expressions name.
struct ArrayView {
  std::string name;
  Type type = Type::f32;
  std::uint64_t count = 0;  // elements
  const std::byte* bytes = nullptr;
};

/// All values are double. There are
///
///   3, 2.5e-3           numbers
///   i                   the element that is computed, from 0
///   a, a[2*i]           element i of the array a; another element, whose index must be whole and inside
///   + - * / %           % as fmod; parentheses; a minus sign in front
///   < <= > >= == !=     1 or 0
///   if(C, X, Y)         X where C is not 0, else Y; the other one is not computed
///   sum(K, FROM, TO, X) the sum of X for K = FROM, FROM + 1, ... up to TO - 1
///   abs sqrt exp log sin cos floor (X), min max pow (X, Y)
class Expression {
 public:
  struct Mistake {
    std::size_t offset = 0;  // in the text
    std::string what;        // "unexpected ')'; write ..."; empty where there is none
  };
  /// Steps of one evaluation of all elements; more would take minutes.
  static constexpr std::uint64_t kMostSteps = 2'000'000'000;

  /// `arrays`: those that it may name; their bytes are not needed yet.
  static Expression parse(const std::string& text, const std::vector<ArrayView>& arrays, Mistake& mistake);

  /// The value for element `i`. `arrays` are those of parse(), in their order. `steps` counts on. Throws InputError for an index outside of
  /// an array, and beyond kMostSteps.
  double value(std::uint64_t i, const std::vector<ArrayView>& arrays, std::uint64_t& steps) const;
  /// Places in `arrays` of those that it names.
  const std::set<std::size_t>& named() const { return named_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::set<std::size_t> named_;
};

}  // namespace wharf::ptx
