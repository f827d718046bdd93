#pragma once
// Starts the simulation of RTL blocks.

#include <systemc>

namespace wharf::rtl {

/// RTL must be created before simulation starts, and can be evaluated only afterwards.
inline void start() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

}  // namespace wharf::rtl
