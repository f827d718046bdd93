#pragma once
// cuda::access_property: a cache policy of PTX under the names of C++. stimuli/ptx/lanes/cache_policy.h has the layout.

namespace cuda {

class access_property {
 public:
  struct shared {};
  struct global {};
#define WHARF_PROPERTY(name, value)                                                              \
  struct name {                                                                                  \
    __host__ __device__ constexpr operator cudaAccessProperty() const noexcept { return value; } \
  };
  WHARF_PROPERTY(normal, cudaAccessPropertyNormal)
  WHARF_PROPERTY(streaming, cudaAccessPropertyStreaming)
  WHARF_PROPERTY(persisting, cudaAccessPropertyPersisting)
#undef WHARF_PROPERTY

  constexpr __host__ __device__ access_property() noexcept : access_property(global()) {}
  constexpr __host__ __device__ access_property(global) noexcept : policy_(interleaved(1, unchanged, unchanged)) {}
  constexpr __host__ __device__ access_property(normal) noexcept : access_property(normal(), 1) {}
  constexpr __host__ __device__ access_property(streaming) noexcept : access_property(streaming(), 1) {}
  constexpr __host__ __device__ access_property(persisting) noexcept : access_property(persisting(), 1) {}

  // A share of the lines, more than 0 and at most 1, has the first property, the rest the last one, or none.
  constexpr __host__ __device__ access_property(normal, float share) noexcept : policy_(interleaved(share, evict_normal, unchanged)) {}
  constexpr __host__ __device__ access_property(streaming, float share) noexcept : policy_(interleaved(share, evict_first, unchanged)) {}
  constexpr __host__ __device__ access_property(persisting, float share) noexcept : policy_(interleaved(share, evict_last, unchanged)) {}
  constexpr __host__ __device__ access_property(normal, float share, streaming) noexcept
      : policy_(interleaved(share, evict_normal, evict_first)) {}
  constexpr __host__ __device__ access_property(persisting, float share, streaming) noexcept
      : policy_(interleaved(share, evict_last, evict_first)) {}

  // The first `leading` of `total` bytes from `begin` on, at most 4 GB, have the first property, the rest the last one, or none.
#define WHARF_RANGE(name, priority)                                                                        \
  __host__ __device__ access_property(void* begin, size_t leading, size_t total, name) noexcept            \
      : policy_(range(begin, leading, total, priority, unchanged)) {}                                      \
  __host__ __device__ access_property(void* begin, size_t leading, size_t total, name, streaming) noexcept \
      : policy_(range(begin, leading, total, priority, evict_first)) {}
  WHARF_RANGE(global, unchanged)
  WHARF_RANGE(normal, evict_normal)
  WHARF_RANGE(streaming, evict_first)
  WHARF_RANGE(persisting, evict_last)
#undef WHARF_RANGE

  /// The operand of .L2::cache_hint.
  constexpr __host__ __device__ explicit operator unsigned long long() const noexcept { return policy_; }

 private:
  enum Priority : unsigned long long { unchanged, evict_first, evict_last, evict_normal };

  static constexpr __host__ __device__ unsigned long long kind(unsigned mode, Priority first, Priority rest) {
    return static_cast<unsigned long long>(mode) << 59 | first << 57 | rest << 56;
  }
  static constexpr __host__ __device__ unsigned long long interleaved(float share, Priority first, Priority rest) {
    const float sixteenths = share * 16;
    const auto whole = static_cast<unsigned long long>(sixteenths);
    const unsigned long long count = static_cast<float>(whole) < sixteenths ? whole + 1 : whole;
    return kind(2, first, rest) | ((count < 1 ? 1 : count > 16 ? 16 : count) - 1) << 52;
  }
  /// The window is 128 blocks of 4 KiB times a power of two, and the leading bytes grow to whole blocks.
  static __host__ __device__ unsigned long long range(const void* pointer, size_t leading, size_t total, Priority first, Priority rest) {
    const auto begin = reinterpret_cast<unsigned long long>(pointer);
    unsigned block = 12;  // log2 of its bytes
    while ((128ull << block) < total) ++block;
    const unsigned long long from = begin >> block, end = (begin + leading + (1ull << block) - 1) >> block;
    const unsigned long long blocks = end - from < 127 ? end - from : 127;
    return kind(3, first, rest) | static_cast<unsigned long long>(block - 12) << 52 | (from & 127) << 44 | blocks << 37;
  }

  unsigned long long policy_;
};

}  // namespace cuda
