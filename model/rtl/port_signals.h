#pragma once
// Signals for ports whose width is a parameter of the RTL: Verilator maps them to bool, 32 or 64 bits, or sc_bv.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <type_traits>

#include "model/rtl/immediate_signal.h"
#include "policies/arbitration/port_mask.h"

namespace wharf::rtl {

/// `Port` is the decltype of a port of a Verilated module.
template <class Port>
using SignalOf = ImmediateSignal<typename std::remove_reference_t<Port>::data_type>;

/// One signal per port of an unpacked array.
template <class Ports>
class SignalArray {
 public:
  static constexpr std::size_t kSize = std::extent_v<std::remove_reference_t<Ports>>;
  using Signal = SignalOf<std::remove_extent_t<std::remove_reference_t<Ports>>>;

  explicit SignalArray(Ports ports) {
    for (auto& port : ports) signals_.emplace_back(port);
  }
  Signal& operator[](std::size_t index) { return signals_[index]; }
  const Signal& operator[](std::size_t index) const { return signals_[index]; }

 private:
  std::deque<Signal> signals_;  // a deque, because a bound signal must not move
};

/// Drops the bits beyond the signal's width.
template <class Word>
void write_word(ImmediateSignal<Word>& signal, std::uint64_t word) {
  signal.write(static_cast<Word>(word));
}

template <class Word>
void write_mask(ImmediateSignal<Word>& signal, const arbitration::PortMask& mask) {
  if constexpr (std::is_integral_v<Word>) {
    write_word(signal, mask.word(0));
  } else {
    Word bits = signal.read();
    for (int w = 0; w < bits.size(); ++w) bits.set_word(w, static_cast<sc_dt::sc_digit>(mask.word(w / 2) >> 32 * (w % 2)));
    signal.write(bits);
  }
}

template <class Word>
bool bit_of(const Word& word, unsigned bit) {
  if constexpr (std::is_integral_v<Word>)
    return (word >> bit & 1) != 0;
  else
    return word.get_bit(static_cast<int>(bit)) != sc_dt::SC_LOGIC_0;
}

}  // namespace wharf::rtl
