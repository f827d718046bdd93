#pragma once
// Pointers with an access property. On hardware the compiler carries a property from a pointer to the accesses through it. Here the
// instruction wharf.associate marks the pointer, and the executor finds the accesses (stimuli/ptx/program/analysis/associated_policies.h).

namespace cuda {

template <class T, class Property>
__host__ __device__ inline T* associate_access_property(T* pointer, Property property) noexcept {
#if defined(__CUDA_ARCH__)
  using Global = __attribute__((address_space(1))) T*;
  size_t marked;
  asm("wharf.associate.b64 %0, %1, %2;"
      : "=l"(marked)
      : "l"((size_t)(Global)pointer), "l"(static_cast<unsigned long long>(access_property(property))));
  return (T*)(Global)marked;
#else
  (void)property;
  return pointer;
#endif
}
template <class T>
__host__ __device__ inline T* associate_access_property(T* pointer, access_property::shared) noexcept {
  return pointer;
}
/// No property, so that the compiler may use what it knows of the pointer.
template <class T>
__host__ __device__ inline T* associate_access_property(T* pointer, access_property::global) noexcept {
  return pointer;
}

template <class T, class Property>
class annotated_ptr;

}  // namespace cuda

namespace wharf_access {

/// A property that the type knows.
template <class Property>
struct Held {
  constexpr Held() noexcept = default;
  constexpr __host__ __device__ explicit Held(Property) noexcept {}
  constexpr __host__ __device__ Property get() const noexcept { return Property(); }
};
template <>
struct Held<cuda::access_property> {
  cuda::access_property property;
  constexpr __host__ __device__ Held() noexcept : property() {}
  constexpr __host__ __device__ explicit Held(cuda::access_property given) noexcept : property(given) {}
  constexpr __host__ __device__ cuda::access_property get() const noexcept { return property; }
};

template <class One, class Other>
constexpr bool is_same = false;
template <class One>
constexpr bool is_same<One, One> = true;

}  // namespace wharf_access

namespace cuda {

template <class T, class Property>
class annotated_ptr : private wharf_access::Held<Property> {
  using Held = wharf_access::Held<Property>;
  template <class U, class Q>
  friend class annotated_ptr;
  static constexpr bool is_shared = wharf_access::is_same<Property, access_property::shared>;
  static constexpr bool is_dynamic = wharf_access::is_same<Property, access_property>;
  static_assert(is_shared || is_dynamic || wharf_access::is_same<Property, access_property::global> ||
                    wharf_access::is_same<Property, access_property::normal> ||
                    wharf_access::is_same<Property, access_property::streaming> ||
                    wharf_access::is_same<Property, access_property::persisting>,
                "the property is one of cuda::access_property");

 public:
  using value_type = T;
  using size_type = size_t;
  using reference = T&;
  using pointer = T*;
  using const_pointer = const T*;
  using difference_type = ptrdiff_t;

  constexpr __host__ __device__ annotated_ptr() noexcept : pointer_(nullptr) {}
  constexpr __host__ __device__ annotated_ptr(decltype(nullptr)) noexcept : pointer_(nullptr) {}
  constexpr __host__ __device__ explicit annotated_ptr(T* pointer) noexcept : pointer_(pointer) {}
  template <class Given>
  constexpr __host__ __device__ annotated_ptr(T* pointer, Given property) noexcept : Held(Property(property)), pointer_(pointer) {
    static_assert(is_dynamic, "only annotated_ptr<T, cuda::access_property> takes a property at run time");
  }
  template <class U, class Q>
  constexpr __host__ __device__ annotated_ptr(const annotated_ptr<U, Q>& other) noexcept
      : Held(Property(other.property())), pointer_(other.pointer_) {
    static_assert(is_dynamic || wharf_access::is_same<Property, Q>, "the property of a type cannot change");
    static_assert(is_shared == annotated_ptr<U, Q>::is_shared, "one points to shared memory, the other to global memory");
  }

  constexpr __host__ __device__ explicit operator bool() const noexcept { return pointer_ != nullptr; }
  /// Without the property.
  constexpr __host__ __device__ T* get() const noexcept { return pointer_; }
  __host__ __device__ T& operator*() const noexcept { return *associated(); }
  __host__ __device__ T* operator->() const noexcept { return associated(); }
  __host__ __device__ T& operator[](ptrdiff_t i) const noexcept { return associated()[i]; }
  constexpr __host__ __device__ ptrdiff_t operator-(annotated_ptr other) const noexcept { return pointer_ - other.pointer_; }

  /// With it.
  __host__ __device__ T* associated() const noexcept { return associate_access_property(pointer_, property()); }

 private:
  constexpr __host__ __device__ Property property() const noexcept { return Held::get(); }

  T* pointer_;
};

/// The share of a copy's accesses to global memory that read has the property of `from`.
template <class T, class P, class U, class Q, class Size, class Sync>
__device__ inline void memcpy_async(annotated_ptr<T, P> to, annotated_ptr<U, Q> from, Size bytes, Sync& sync) {
  memcpy_async(to.get(), from.associated(), bytes, sync);
}
template <class T, class U, class Q, class Size, class Sync>
__device__ inline void memcpy_async(T* to, annotated_ptr<U, Q> from, Size bytes, Sync& sync) {
  memcpy_async(to, from.associated(), bytes, sync);
}
template <class Group, class T, class P, class U, class Q, class Size, class Sync>
__device__ inline void memcpy_async(const Group& group, annotated_ptr<T, P> to, annotated_ptr<U, Q> from, Size bytes, Sync& sync) {
  memcpy_async(group, to.get(), from.associated(), bytes, sync);
}
template <class Group, class T, class U, class Q, class Size, class Sync>
__device__ inline void memcpy_async(const Group& group, T* to, annotated_ptr<U, Q> from, Size bytes, Sync& sync) {
  memcpy_async(group, to, from.associated(), bytes, sync);
}

#if defined(__CUDA_ARCH__)
#define WHARF_FOR_LINES(instruction, begin, end, operands) \
  for (size_t line = (begin) & ~size_t{127}; line < (end); line += 128) asm volatile(instruction operands ";" : : "l"(line) : "memory")
#else
#define WHARF_FOR_LINES(instruction, begin, end, operands) (void)(begin), (void)(end)
#endif
/// L2 reads the lines, and keeps them as the property says. Nothing happens on the host.
template <class Shape>
__host__ __device__ inline void apply_access_property(const volatile void* pointer, Shape bytes, access_property::persisting) noexcept {
  const auto begin = reinterpret_cast<size_t>(pointer);
  WHARF_FOR_LINES("prefetch.global.L2::evict_last [%0]", begin, begin + static_cast<size_t>(bytes), "");
}
template <class Shape>
__host__ __device__ inline void apply_access_property(const volatile void* pointer, Shape bytes, access_property::normal) noexcept {
  const auto begin = reinterpret_cast<size_t>(pointer);
  WHARF_FOR_LINES("prefetch.global.L2::evict_normal [%0]", begin, begin + static_cast<size_t>(bytes), "");
}
/// The contents of the bytes are of no use any more; whole lines lose them.
__device__ inline void discard_memory(volatile void* pointer, size_t bytes) noexcept {
  const auto begin = reinterpret_cast<size_t>(pointer);
  WHARF_FOR_LINES("discard.global.L2 [%0]", begin + 127, (begin + bytes) & ~size_t{127}, ", 128");
}
#undef WHARF_FOR_LINES

}  // namespace cuda
