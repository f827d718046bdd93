#pragma once
// iSLIP for switches of up to 16 ports, in a few words, for the many routers of a mesh.
// It gives the same answers as Islip (tests/contract/arbitration.cpp).

#include <array>
#include <cstdint>

#include "model/base/bits.h"

namespace wharf::arbitration {

class SmallIslip {
 public:
  using Ports = std::uint16_t;  // one bit per port
  static constexpr unsigned kPorts = 16;

  /// Visits each matched pair. `by_output[o]` has the free inputs that ask for output o; it is read only for the outputs in `asked`.
  /// `ports` is the number of ports of the switch each way.
  template <class Visit>
  void allocate(const Ports* by_output, Ports asked, unsigned ports, unsigned iterations, Visit&& visit) {
    Ports inputs = static_cast<Ports>(~0u);
    for (unsigned iteration = 0; iteration < iterations && asked != 0; ++iteration) {
      Ports offers[kPorts];
      Ports granted = 0;
      for (const unsigned output : set_bits(asked)) {
        const unsigned asking = by_output[output] & inputs;
        if (asking == 0) continue;
        const unsigned input = next_bit_from(asking, pointers_[output].grant_from);
        offers[input] = static_cast<Ports>(((granted >> input & 1) != 0 ? offers[input] : 0u) | 1u << output);
        granted = static_cast<Ports>(granted | 1u << input);
      }
      if (granted == 0) return;
      for (const unsigned input : set_bits(granted)) {
        const unsigned output = next_bit_from(offers[input], pointers_[input].accept_from);
        inputs = static_cast<Ports>(inputs & ~(1u << input));
        asked = static_cast<Ports>(asked & ~(1u << output));
        if (iteration == 0) matched(input, output, ports);
        visit(input, output);
      }
    }
  }

  /// Moves the pointers as allocate() would, for a pair that was the only candidate.
  void matched(unsigned input, unsigned output, unsigned ports) {
    pointers_[output].grant_from = static_cast<std::uint8_t>(input + 1 == ports ? 0 : input + 1);
    pointers_[input].accept_from = static_cast<std::uint8_t>(output + 1 == ports ? 0 : output + 1);
  }

 private:
  // Stored together, so that a switch with few ports touches few bytes.
  struct Pointers {
    std::uint8_t grant_from = 0;   // of an output
    std::uint8_t accept_from = 0;  // of an input
  };
  std::array<Pointers, kPorts> pointers_{};  // [port]
};

}  // namespace wharf::arbitration
