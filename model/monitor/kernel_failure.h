#pragma once
// How an error thrown inside a process reaches whoever started the simulation.
//
// SystemC 2.3.4 catches every exception that leaves a process and rethrows it from sc_start as an sc_report "uncaught exception" (E549)
// whose message is the what() of the original; the type is lost. The kernel cannot be started again after that (E548).

#include <systemc>

#include "model/base/types.h"

namespace wharf {

/// sc_start for `duration` ps; time passes even where nothing happens. An exception thrown by a process arrives as a SimulationError with
/// the text it was thrown with; the kernel's own reports arrive as sc_report.
void run_kernel(Picoseconds duration);

/// The same until nothing is left to happen.
void run_kernel();

}  // namespace wharf
