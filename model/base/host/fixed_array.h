#pragma once
// Contiguous elements that cannot move or be copied, such as registered counters and bound ports.

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace wharf {

template <class T>
class FixedArray {
 public:
  /// Reserves room for `capacity` elements and creates none.
  explicit FixedArray(std::size_t capacity) : storage_(std::allocator<T>().allocate(capacity)), capacity_(capacity) {}
  FixedArray(const FixedArray&) = delete;
  FixedArray& operator=(const FixedArray&) = delete;
  ~FixedArray() {
    while (size_ != 0) storage_[--size_].~T();
    std::allocator<T>().deallocate(storage_, capacity_);
  }

  /// Appends an element; the caller appends at most `capacity`.
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    T* element = new (storage_ + size_) T(std::forward<Arguments>(arguments)...);
    ++size_;
    return *element;
  }

  std::size_t size() const { return size_; }
  /// Throws std::out_of_range for an index beyond the last element.
  T& at(std::size_t i) {
    if (i >= size_) throw std::out_of_range("element " + std::to_string(i) + " of " + std::to_string(size_));
    return storage_[i];
  }
  T& operator[](std::size_t i) { return storage_[i]; }
  const T& operator[](std::size_t i) const { return storage_[i]; }

 private:
  T* storage_;
  std::size_t capacity_, size_ = 0;
};

}  // namespace wharf
