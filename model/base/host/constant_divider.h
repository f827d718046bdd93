#pragma once
// Division of 64-bit numbers by a divisor fixed at construction: a multiplication and one correction instead of a division instruction.
// Channel counts (6, 12, 10) and set counts need not be powers of two.

#include <cstdint>

#include "model/base/bits.h"

namespace wharf {

class ConstantDivider {
 public:
  struct Result {
    std::uint64_t quotient, remainder;
  };

  /// `divisor` >= 1.
  explicit constexpr ConstantDivider(std::uint64_t divisor)
      : divisor_(divisor),
        reciprocal_(~std::uint64_t{0} / divisor),
        zeros_(static_cast<std::uint8_t>(lowest_bit(divisor))),
        power_of_two_((divisor & (divisor - 1)) == 0) {}

  constexpr std::uint64_t divisor() const { return divisor_; }

  constexpr Result divide(std::uint64_t value) const {
    // Most machines have powers of two, and a multiplication takes longer than a shift.
    if (power_of_two_) return {value >> zeros_, value & (divisor_ - 1)};
    // reciprocal > 2^64/divisor - 1, so the estimate is the quotient or one less, for every value and divisor.
    const std::uint64_t quotient = static_cast<std::uint64_t>((Wide{value} * reciprocal_) >> 64);
    const std::uint64_t remainder = value - quotient * divisor_;
    const std::uint64_t less = remainder >= divisor_;  // unpredictable, so no branch
    return {quotient + less, remainder - divisor_ * less};
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
  std::uint8_t zeros_;  // trailing zeros of the divisor
  bool power_of_two_;
};

}  // namespace wharf
