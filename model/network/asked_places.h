#pragma once
// What the first packets of one input's virtual channels ask for: compared with a place all at once, in one register of the host.

#include <cstdint>
#include <emmintrin.h>

#include "model/network/crossbar_params.h"

namespace wharf::network {

class AskedPlaces {
 public:
  void set(unsigned vc, unsigned place) { place_[vc] = static_cast<std::uint8_t>(place); }
  unsigned of(unsigned vc) const { return place_[vc]; }
  /// The channels that stand for this place, one bit each, whether they ask or have asked.
  unsigned channels_for(unsigned place) const {
    const __m128i places = _mm_load_si128(reinterpret_cast<const __m128i*>(place_));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(places, _mm_set1_epi8(static_cast<char>(place)))));
  }

 private:
  static_assert(kMaxVirtualChannels <= sizeof(__m128i) && arbitration::kMaxPorts <= 256);
  alignas(__m128i) std::uint8_t place_[sizeof(__m128i)] = {};
};

}  // namespace wharf::network
