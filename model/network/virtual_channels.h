#pragma once
// Selects the virtual channel of a packet (CM-16): one of its class, by a hash of its line. Packets with the same source, destination,
// class and line thus follow one path and never overtake each other, and a reply uses the same channel of its class as its request.

#include <cstdint>

#include "model/base/types.h"

namespace wharf::network {

/// Virtual channels first .. first + count - 1 of every port.
struct VcClass {
  std::uint8_t first = 0, count = 1;
};

/// The channels of class `index` when `classes` classes share `channels` virtual channels: as even a split as possible, in order, with
/// larger shares last (SL-11: of four, class A = 0 and 1, class B = 2 and 3). channels >= classes.
constexpr VcClass vc_class(unsigned index, unsigned classes, unsigned channels) {
  const unsigned first = index * channels / classes, end = (index + 1) * channels / classes;
  return {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(end - first)};
}

constexpr std::uint8_t virtual_channel(LineAddress line, VcClass channels) {
  const std::uint64_t hash = line.number * 0x9E3779B97F4A7C15ull >> 40;
  const bool power_of_two = (channels.count & (channels.count - 1)) == 0;  // nearly always true, and a division is slow
  return static_cast<std::uint8_t>(channels.first + (power_of_two ? hash & (channels.count - 1u) : hash % channels.count));
}

}  // namespace wharf::network
