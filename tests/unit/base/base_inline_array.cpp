// Elements stored inside their owner.

#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "model/base/host/inline_array.h"

using namespace wharf;

namespace {

/// Cannot be copied or moved; records its destruction.
struct Fixed {
  Fixed(std::size_t number, std::vector<std::size_t>& destroyed) : number(number), destroyed(destroyed) {}
  Fixed(const Fixed&) = delete;
  ~Fixed() { destroyed.push_back(number); }
  std::size_t number;
  std::vector<std::size_t>& destroyed;
};
using Two = InlineArray<Fixed, 2>;

bool is_inside(const Two& array) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&array), element = reinterpret_cast<std::uintptr_t>(array.begin());
  return begin <= element && element < begin + sizeof(Two);
}

}  // namespace

TEST_CASE("inline array: elements are made in place and in order, those of a small one inside the owner, and go from the last on") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    std::vector<std::size_t> destroyed, expected;
    {
      Two array(size, [&](std::size_t i) { return Fixed(i, destroyed); });
      CHECK(array.size() == size);
      CHECK(is_inside(array) == (size <= 2));
      std::size_t i = 0;
      for (const Fixed& element : array) {
        CHECK(&element == &array[i]);
        CHECK(element.number == i);
        expected.insert(expected.begin(), i++);
      }
      CHECK(i == size);
      CHECK(destroyed.empty());
    }
    CHECK(destroyed == expected);
  }
}

TEST_CASE("inline array: where an element cannot be made, those before it are destroyed") {
  std::vector<std::size_t> destroyed;
  const auto make = [&](std::size_t i) {
    if (i == 3) throw std::runtime_error("no");
    return Fixed(i, destroyed);
  };
  CHECK_THROWS_AS(Two(4, make), std::runtime_error);
  CHECK(destroyed == std::vector<std::size_t>{2, 1, 0});
}
