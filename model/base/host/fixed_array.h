#pragma once
// Elements side by side that neither move nor can be copied: counters that are registered, ports that are bound.

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
  /// Room for `capacity` elements; there are none yet.
  explicit FixedArray(std::size_t capacity) : storage_(std::allocator<T>().allocate(capacity)), capacity_(capacity) {}
  FixedArray(const FixedArray&) = delete;
  FixedArray& operator=(const FixedArray&) = delete;
  ~FixedArray() {
    while (size_ != 0) storage_[--size_].~T();
    std::allocator<T>().deallocate(storage_, capacity_);
  }

  /// Not more than there is room for.
  template <class... Arguments>
  T& emplace_back(Arguments&&... arguments) {
    T* element = new (storage_ + size_) T(std::forward<Arguments>(arguments)...);
    ++size_;
    return *element;
  }

  std::size_t size() const { return size_; }
  /// Throws std::out_of_range.
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
