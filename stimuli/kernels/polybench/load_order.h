#pragma once
// The argument `batch` of kernels whose loop bodies have several loads and no loop of their own around them.

#include <string>

#include "stimuli/kernels/support.h"  // included here, because another line above a kernel would change its pcs

namespace wharf::spmd {

/// The argument for the order of the `loads` loads in code without a loop.
inline Argument order_argument(int loads) {
  return {"batch", std::to_string(loads), 1, double(loads), "1: each load directly before its use, as in PTX; otherwise all before the first use, as assembled"};
}

/// True if order_argument() asks for one load at a time. Throws InputError for a number between one and all.
inline bool in_program_order(const Arguments& arguments, int loads) {
  const int batch = arguments("batch");
  arguments.require(batch == 1 || batch == loads, "batch is 1 or " + std::to_string(loads) + ", the number of loads");
  return batch == 1;
}

}  // namespace wharf::spmd
