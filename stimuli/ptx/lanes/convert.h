#pragma once
// Conversions between types (CU-41).

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::convert {

/// cvt.D.S: type 0 is the destination's, type 1 the source's. Returns nullptr for pairs that PTX does not have.
Compute cvt(const Form& form);
/// The same between integers where a register of 64 bits holds a narrower source, as in cvt.s64.s8 %rd1, %rd2. nullptr for other forms.
Compute cvt_of_wide(const Form& form);
/// cvt.rn.f16x2.f32 d, a, b, and of bf16x2: a in the high half. Operands: d, a, b.
Compute cvt_pair(const Form& form);

}  // namespace wharf::ptx::convert
