#pragma once
// The kernel's time without a call into its library for every look at it.

#include <systemc>

namespace wharf {

/// The simulation context's own variable: what sc_time_stamp() refers to for the whole life of the context.
inline const sc_core::sc_time& kernel_time() {
  static const sc_core::sc_time* time = nullptr;  // initialised without a guard, which would be looked at in every call
  if (time == nullptr) time = &sc_core::sc_time_stamp();
  return *time;
}

}  // namespace wharf
