#pragma once
// Bit fields of 64-bit values that clang's PTX takes beyond the sign bit.

#include <string>

namespace wharf::cuda {

/// clang up to at least 14 writes `bfe.u64 d, a, 63, 3` for `(a >> 63) & 7` of a signed a, because it compares the width of the field with
/// the 32 bits of the shift's amount. Beyond the sign `bfe.u64` gives zeros and the shift copies of the sign. Returns the PTX with a shift
/// and a mask in place of such instructions. Inline assembly stays as it is.
std::string with_sign_fields(std::string ptx);

}  // namespace wharf::cuda
