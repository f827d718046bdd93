#pragma once
// Division of 64-bit numbers by a number that is fixed at construction: a multiplication and one correction instead of
// a division instruction. Channel counts (6, 12, 10) and set counts need not be powers of two.

#include <cstdint>

namespace wharf {

class ConstantDivider {
 public:
  struct Result {
    std::uint64_t quotient, remainder;
  };

  /// `divisor` >= 1.
  explicit constexpr ConstantDivider(std::uint64_t divisor) : divisor_(divisor), reciprocal_(~std::uint64_t{0} / divisor) {}

  constexpr std::uint64_t divisor() const { return divisor_; }

  constexpr Result divide(std::uint64_t value) const {
    // reciprocal > 2^64/divisor - 1, so the estimate is the quotient or one less, for every value and divisor.
    std::uint64_t quotient = static_cast<std::uint64_t>((Wide{value} * reciprocal_) >> 64);
    std::uint64_t remainder = value - quotient * divisor_;
    if (remainder >= divisor_) {
      ++quotient;
      remainder -= divisor_;
    }
    return {quotient, remainder};
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace wharf
