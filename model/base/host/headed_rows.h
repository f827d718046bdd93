#pragma once
// Rows of one Header and several Elements, each contiguous. The host then fetches the state of a queue together with its first entries,
// which are nearly always the ones in use.

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace wharf {

template <class Header, class Element>
class HeadedRows {
 public:
  /// Makes `rows` rows of `elements` elements, all value-initialised.
  HeadedRows(std::size_t rows, std::size_t elements)
      : units_((sizeof(Header) + elements * sizeof(Element) + sizeof(Unit) - 1) / sizeof(Unit)), storage_(rows * units_), rows_(rows) {
    for (std::size_t row = 0; row < rows; ++row) {
      Header* header = new (&storage_[row * units_]) Header{};
      for (std::size_t i = 0; i < elements; ++i) new (elements_of(*header) + i) Element{};
    }
  }

  std::size_t size() const { return rows_; }
  Header& operator[](std::size_t row) { return *reinterpret_cast<Header*>(&storage_[row * units_]); }
  const Header& operator[](std::size_t row) const { return *reinterpret_cast<const Header*>(&storage_[row * units_]); }
  /// The elements of the row that begins with `header`.
  static Element* elements_of(Header& header) { return reinterpret_cast<Element*>(&header + 1); }
  static const Element* elements_of(const Header& header) { return reinterpret_cast<const Element*>(&header + 1); }

 private:
  static constexpr std::size_t kAlignment = std::max(alignof(Header), alignof(Element));
  struct alignas(kAlignment) Unit {
    std::byte bytes[kAlignment];
  };
  static_assert(std::is_trivially_destructible_v<Header> && std::is_trivially_destructible_v<Element>);
  static_assert(std::is_trivially_copyable_v<Header> && std::is_trivially_copyable_v<Element>);
  static_assert(sizeof(Header) % alignof(Element) == 0);

  std::size_t units_;  // of a row
  std::vector<Unit> storage_;
  std::size_t rows_;
};

}  // namespace wharf
