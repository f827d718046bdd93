#pragma once
// A fixed number of contiguous elements, constructed in place and never moved. The first kInline are inside the owner, so that a small
// array touches no memory beyond its owner.

#include <cstddef>
#include <new>
#include <utility>

namespace wharf {

template <class T, std::size_t kInline>
class InlineArray {
 public:
  /// Element i is what make(i) returns.
  template <class Make>
  InlineArray(std::size_t size, Make make) : InlineArray() {
    if (size > kInline) data_ = static_cast<T*>(::operator new (size * sizeof(T), std::align_val_t{alignof(T)}));
    for (; size_ < size; ++size_) new (data_ + size_) T(make(size_));
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;
  ~InlineArray() {
    while (size_ != 0) data_[--size_].~T();
    if (data_ != inside()) ::operator delete (data_, std::align_val_t{alignof(T)});
  }

  std::size_t size() const { return size_; }
  T* data() { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  /// Starts empty, so that the destructor runs correctly if the other constructor throws.
  InlineArray() : data_(inside()) {}
  T* inside() { return reinterpret_cast<T*>(storage_); }

  T* data_;
  std::size_t size_ = 0;
  alignas(T) unsigned char storage_[kInline * sizeof(T)];
};

}  // namespace wharf
