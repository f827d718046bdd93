#pragma once
// Logic, shifts and bit fields (CU-36). Each function returns the lane loop for a form.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::bits {

Compute bit_and(const Form& form);
Compute bit_or(const Form& form);
Compute bit_xor(const Form& form);
Compute bit_not(const Form& form);
Compute cnot(const Form& form);
Compute shl(const Form& form);
Compute shr(const Form& form);
/// Funnel shifts of the 64-bit value {b, a}.
Compute shf(const Form& form);
/// operation.immediate is the lookup table.
Compute lop3(const Form& form);
Compute prmt(const Form& form);
Compute popc(const Form& form);
Compute clz(const Form& form);
Compute brev(const Form& form);
Compute bfind(const Form& form);
Compute bfe(const Form& form);
Compute bfi(const Form& form);
Compute bmsk(const Form& form);

}  // namespace wharf::ptx::bits
