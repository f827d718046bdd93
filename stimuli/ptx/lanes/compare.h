#pragma once
// Comparisons and choices (CU-39): setp, set, selp, slct. Each function returns the lane loop for a form.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::compare {

/// What setp and set compare, for `Operation::compare`.
Compare comparison(const Form& form);
/// Operands: p, q (may be absent), a, b, c (may be absent).
Compute setp(const Form& form);
/// Operands: d, a, b, c (may be absent).
Compute set(const Form& form);
/// Operands: d, a, b, predicate.
Compute selp(const Form& form);
/// d = c >= 0 ? a : b. Operands: d, a, b, c.
Compute slct(const Form& form);

}  // namespace wharf::ptx::compare
