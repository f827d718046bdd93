#pragma once
// Compares several numbers side by side with one value, all at once and without branches.

#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace wharf {

/// Portable form of the two functions below: bit i is set if lanes[i] equals `value`.
template <unsigned count, class Lane>
constexpr std::uint32_t equal_lanes(const Lane* lanes, Lane value) {
  static_assert(count <= 32);
  std::uint32_t equal = 0;
  for (unsigned i = 0; i < count; ++i) equal |= std::uint32_t{lanes[i] == value} << i;
  return equal;
}

/// Bit i is set if byte i of 16 equals `value`. `lanes` must be aligned to 16.
inline std::uint32_t equal_bytes(const std::uint8_t* lanes, std::uint8_t value) {
#if defined(__SSE2__)
  const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(lanes));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(value)))));
#else
  return equal_lanes<16>(lanes, value);
#endif
}

/// Bit i is set if number i of 32 equals `value`. `lanes` must be aligned to 16.
inline std::uint32_t equal_words(const std::uint16_t* lanes, std::uint16_t value) {
#if defined(__SSE2__)
  const __m128i wanted = _mm_set1_epi16(static_cast<short>(value));
  const auto* const eights = reinterpret_cast<const __m128i*>(lanes);
  const auto equal = [&](unsigned i) { return _mm_cmpeq_epi16(_mm_load_si128(eights + i), wanted); };
  const auto half = [&](unsigned i) { return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(equal(i), equal(i + 1)))); };
  return half(0) | half(2) << 16;
#else
  return equal_lanes<32>(lanes, value);
#endif
}

}  // namespace wharf
