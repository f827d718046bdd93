#pragma once
// Reads the kernel's time without a call into the SystemC library.

#include <cstring>
#include <systemc>
#include <type_traits>

#include "model/base/types.h"

namespace wharf {

/// The variable of the simulation context that sc_time_stamp() refers to for the context's whole life. Bound before main, so that no read
/// checks whether it is initialised.
inline const sc_core::sc_time& kKernelTime = sc_core::sc_time_stamp();

inline const sc_core::sc_time& kernel_time() { return kKernelTime; }

inline Picoseconds present() { return kernel_time().value(); }

/// Throws InputError unless one unit of sc_time::value() is 1 ps, as present() and after() assume. From then on it cannot be changed.
void require_picoseconds();

/// Equals sc_time::from_value, but without the library call, because every phase of every transaction would pay for it.
inline sc_core::sc_time after(Picoseconds delay) {
  static_assert(sizeof(sc_core::sc_time) == sizeof(Picoseconds) && std::is_standard_layout_v<sc_core::sc_time>);
  sc_core::sc_time time;
  std::memcpy(static_cast<void*>(&time), &delay, sizeof(delay));
  return time;
}

}  // namespace wharf
