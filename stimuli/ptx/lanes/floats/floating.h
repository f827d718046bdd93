#pragma once
// Arithmetic of f32 and f64 (CU-37 to CU-40). Each function returns the lane loop for a form.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::floating {

Compute add(const Form& form);
Compute sub(const Form& form);
Compute mul(const Form& form);
/// One rounding; mad of floats is the same instruction.
Compute fma(const Form& form);
Compute div(const Form& form);
Compute rcp(const Form& form);
Compute sqrt(const Form& form);
Compute rsqrt(const Form& form);
Compute min(const Form& form);
Compute max(const Form& form);
Compute abs(const Form& form);
Compute neg(const Form& form);
Compute copysign(const Form& form);
/// Operands: predicate, a.
Compute testp(const Form& form);
/// sin, cos, ex2, lg2 and tanh: all approximate.
Compute sin(const Form& form);
Compute cos(const Form& form);
Compute ex2(const Form& form);
Compute lg2(const Form& form);
Compute tanh(const Form& form);

}  // namespace wharf::ptx::floating
