#pragma once
// A 16-bit print of each of 32 keys, all in one cache line of the host, so that one comparison finds the candidates for a key.

#include <array>
#include <cstdint>

#include "model/base/host/equal_lanes.h"
#include "model/base/host/host_lines.h"

namespace wharf {

class alignas(kHostLineBytes) KeyPrints {
 public:
  static constexpr unsigned kPlaces = 32;

  /// `print` must not be 0.
  void set(unsigned place, std::uint16_t print) { prints_[place] = print; }
  void clear(unsigned place) { prints_[place] = 0; }

  /// Bit p is set if place p has this print.
  std::uint32_t places_of(std::uint16_t print) const { return equal_words(prints_.data(), print); }
  /// Bit p is set if place p is free.
  std::uint32_t free() const { return places_of(0); }

 private:
  std::array<std::uint16_t, kPlaces> prints_{};
};

}  // namespace wharf
