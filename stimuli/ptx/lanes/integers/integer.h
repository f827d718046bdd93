#pragma once
// Integer arithmetic: add, sub, mul, mad, div, rem, min, max, abs, neg, sad, 24-bit products and dot products (CU-36). Each function
// returns the lane loop for a form.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::integer {

Compute add(const Form& form);
Compute sub(const Form& form);
Compute mul(const Form& form);
Compute mad(const Form& form);
Compute mul24(const Form& form);
Compute mad24(const Form& form);
Compute sad(const Form& form);
Compute div(const Form& form);
Compute rem(const Form& form);
Compute abs(const Form& form);
Compute neg(const Form& form);
Compute min(const Form& form);
Compute max(const Form& form);
/// Sums of products of bytes (dp4a) or of 16-bit halves with bytes (dp2a).
Compute dp4a(const Form& form);
Compute dp2a(const Form& form);

}  // namespace wharf::ptx::integer
