#pragma once
// The new values that atomics, and bulk copies that combine, write (CU-48).

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::atomics {

/// The function of the old value and the operands; values are zero-extended.
Modify modify(const Form& form);

}  // namespace wharf::ptx::atomics
