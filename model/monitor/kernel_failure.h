#pragma once
// Delivers an error thrown inside a process to the caller of the simulation.
//
// SystemC 2.3.4 catches every exception that leaves a process, and rethrows it from sc_start as an sc_report "uncaught exception" (E549)
// with the what() of the original; the type is lost. The kernel cannot be started again after that (E548).

#include <systemc>

#include "model/base/types.h"

namespace wharf {

/// Called in a handler of an error inside a process: pauses the simulation, and run_kernel() then throws this error with its type. What is
/// left of the present instant can still be run, such as its records.
void pause_with_error();

/// Calls sc_start for `duration` ps; time advances even without events. Throws the error of pause_with_error(). Any other exception thrown
/// by a process arrives as a SimulationError with its original text; the kernel's own reports arrive as sc_report.
void run_kernel(Picoseconds duration);

/// Runs until no event is left.
void run_kernel();

}  // namespace wharf
