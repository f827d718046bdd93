#pragma once
// The kernel's time without a call into its library for every look at it.

#include <cstring>
#include <systemc>
#include <type_traits>

#include "model/base/types.h"

namespace wharf {

/// The simulation context's own variable: what sc_time_stamp() refers to for the whole life of the context. Bound before main, so that
/// no look at it asks whether it is bound.
inline const sc_core::sc_time& kKernelTime = sc_core::sc_time_stamp();

inline const sc_core::sc_time& kernel_time() { return kKernelTime; }

inline Picoseconds present() { return kernel_time().value(); }

/// sc_time::from_value without the call into the library, which every phase of every transaction would pay.
inline sc_core::sc_time after(Picoseconds delay) {
  static_assert(sizeof(sc_core::sc_time) == sizeof(Picoseconds) && std::is_standard_layout_v<sc_core::sc_time>);
  sc_core::sc_time time;
  std::memcpy(static_cast<void*>(&time), &delay, sizeof(delay));
  return time;
}

}  // namespace wharf
