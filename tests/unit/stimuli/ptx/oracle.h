#pragma once
// The results of PTX instructions, written independently of the executor: 128-bit integers, bit loops, and floats in 113 bits.

#include <array>
#include <cstdint>
#include <optional>

#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

/// Bits of the sources, in the order of the instruction, zero-extended. A predicate is 0 or 1.
using Sources = std::array<std::uint64_t, 4>;

/// Bits of the results: the destination or p, and q if there are two.
struct Expected {
  std::uint64_t first = 0, second = 0;
  bool nearly = false;  // the first result is a float within one unit in the last place
};

/// Empty for a form that the oracle does not know.
std::optional<Expected> integer_oracle(const Form& form, const Sources& sources, std::uint64_t literal);
std::optional<Expected> float_oracle(const Form& form, const Sources& sources);
std::optional<Expected> conversion_oracle(const Form& form, const Sources& sources);

using Wide = __float128;

/// The exact value of a float of any width.
Wide wide_value(Type type, std::uint64_t bits);
/// Rounds to f16, f32 or f64: mode 'n', 'z', 'm' or 'p'. The NaN is the canonical one.
std::uint64_t round_to(Type type, Wide value, char mode);
/// The rounding of a form, from its modifiers rn, rz, rm, rp.
char mode_of(const Form& form);
/// The value as a signed or unsigned number of the type's width.
__int128 number_of(Type type, std::uint64_t bits);

}  // namespace wharf::ptx
