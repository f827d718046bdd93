#pragma once
// Moves: mov, packing and unpacking of vectors, cvta, isspacep (CU-27, 35).

#include "model/base/types.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

// Windows of the generic address space. Global memory lies above them.
inline constexpr Address kSharedWindow = 0x1000000;    // base; offsets in the CTA's shared memory follow
inline constexpr Address kLocalWindow = 0x2000000;     // offsets in the thread's stack
inline constexpr Address kFunctionWindow = 0x3000000;  // handles of functions, 16 apart; never data
inline constexpr Address kWindowBytes = 0x1000000;     // of each

namespace moves {

Compute mov(const Form& form);
/// mov.b64 d, {a, b}: operands d, a, b(, c, d), the first in the lowest bits.
Compute pack(Type whole, unsigned parts);
/// mov.b64 {d, e}, a: operands d, e(, f, g), a.
Compute unpack(Type whole, unsigned parts);
/// cvta.space and cvta.to.space.
Compute cvta(const Form& form);
/// Operands: predicate, a.
Compute isspacep(const Form& form);

}  // namespace moves
}  // namespace wharf::ptx
