#pragma once
// Video instructions: arithmetic on a register as one number, two halves or four bytes.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::video {

/// vadd, vsub, vavrg, vabsdiff, vmin, vmax, each also with 2 or 4 behind its name for two halves or four bytes.
Compute arithmetic(const Form& form);
/// vset2, vset4: 1 for each part that compares true.
Compute compare(const Form& form);
/// vshl, vshr
Compute shift(const Form& form);

}  // namespace wharf::ptx::video
