#pragma once
// Sixteen bits of each of 32 keys, side by side in one cache line of the host: which of them may be a key's, all are asked at once.

#include <array>
#include <cstdint>
#include <emmintrin.h>

#include "model/base/host_lines.h"

namespace wharf {

class alignas(kHostLineBytes) KeyPrints {
 public:
  static constexpr unsigned kPlaces = 32;

  /// `print`: not 0.
  void set(unsigned place, std::uint16_t print) { prints_[place] = print; }
  void clear(unsigned place) { prints_[place] = 0; }

  /// Bit p: place p has this print.
  std::uint32_t places_of(std::uint16_t print) const {
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(print));
    const auto* const prints = reinterpret_cast<const __m128i*>(prints_.data());
    const auto equal = [&](unsigned i) { return _mm_cmpeq_epi16(_mm_load_si128(prints + i), wanted); };
    const auto places = [&](unsigned i) { return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(equal(i), equal(i + 1)))); };
    return places(0) | places(2) << 16;
  }
  /// Bit p: place p has none.
  std::uint32_t free() const { return places_of(0); }

 private:
  std::array<std::uint16_t, kPlaces> prints_{};
};

}  // namespace wharf
