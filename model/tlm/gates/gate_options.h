#pragma once
// How the gate behind a socket speaks to the module of another library that is bound there.

#include <systemc>

namespace wharf {

enum class GatePhases {
  merged,  // uses return values: END_REQ, BEGIN_RESP and END_RESP may be returned, and TLM_COMPLETED
  four,    // BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each by a call of its own; no return value says anything but TLM_ACCEPTED
};

struct GateOptions {
  GatePhases phases = GatePhases::merged;
  /// A partner that owes a phase for so long ends the run with a SimulationError that names it; zero: never.
  sc_core::sc_time stall{1, sc_core::SC_MS};
};

/// Call before simulation starts. `socket` is that of a block, such as `l2.downstream()`.
void set_gate(sc_core::sc_object& socket, const GateOptions& options);

/// What was set; the defaults where nothing was.
GateOptions gate_options(const sc_core::sc_object& socket);

}  // namespace wharf
