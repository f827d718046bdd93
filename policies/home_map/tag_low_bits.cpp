#include "policies/home_map/tag_low_bits.h"

#include "model/base/bits.h"

namespace wharf {

TagLowBits::TagLowBits(const HomeMapOptions& options)
    : sets_(options.sets), homes_(options.homes), bits_(ceil_log2(options.homes)), fold_(options.fold) {}

HomeMap::Home TagLowBits::locate(LineAddress line) const {
  const std::uint64_t tag = line.number / sets_;
  const auto value = static_cast<std::uint32_t>(tag & ((std::uint64_t{1} << bits_) - 1));
  if (value < homes_) return {value, line.number};
  return {static_cast<std::uint32_t>((fold_ == HomeFold::spread ? tag >> bits_ : value) % homes_), line.number};
}

}  // namespace wharf
