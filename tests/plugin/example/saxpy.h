#pragma once
// The stimulus saxpy: y = a x + y.

#include "stimuli/kernels/kernels.h"

namespace example {

wharf::spmd::Entry saxpy_entry();

}  // namespace example
