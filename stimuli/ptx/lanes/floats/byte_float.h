#pragma once
// Floats of 8 bits: e4m3, which has NaNs but no infinities, and e5m2, the upper byte of a half.

#include <cstdint>

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::byte_float {

/// The exact value. `type`: e4m3 or e5m2.
double value_of(Type type, std::uint8_t bits);
/// Rounds to nearest even; beyond the largest value to that. NaN becomes 0x7f.
std::uint8_t rounded_to(Type type, double value);

/// cvt.rn.satfinite.e4m3x2.f32 d, a, b, a in the upper byte, and of e5m2x2. Operands: d, a, b.
Compute pack(const Form& form);
/// cvt.rn.satfinite.e4m3x2.f16x2 d, a.
Compute narrow(const Form& form);
/// cvt.rn.f16x2.e4m3x2 d, a.
Compute widen(const Form& form);

}  // namespace wharf::ptx::byte_float
