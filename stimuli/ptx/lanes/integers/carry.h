#pragma once
// Arithmetic with the carry bit CC.CF, one per lane (CU-36). Each function returns the lane loop for a form.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::integer {

/// add.cc, addc, sub.cc, subc: operands d, carry out, a, b, carry in. The carry of a subtraction is its borrow.
Compute add_carry(const Form& form);
Compute sub_carry(const Form& form);
/// mad.cc, madc: operands d, carry out, a, b, c, carry in.
Compute mad_carry(const Form& form);

}  // namespace wharf::ptx::integer
