#pragma once
// Options of the device for executing a program, which the program itself does not choose.

#include "stimuli/ptx/checks/check_set.h"
#include "stimuli/ptx/program/options.h"

namespace wharf::cuda {

struct DeviceOptions {
  ptx::Options program = {};    // of modules, as the configuration has them
  ptx::CheckSet checks = {};    // CU-59
  bool poisons = false;         // fresh allocations and shared memory hold bytes 0xCD, not 0 (CU-46)
  bool returns_faults = false;  // a kernel that fails gives its launch an error, and the program goes on (CU-21)
};

}  // namespace wharf::cuda
