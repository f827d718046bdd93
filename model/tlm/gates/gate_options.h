#pragma once
// How the gate behind a socket communicates with the foreign module that is bound there.

#include <systemc>

namespace wharf {

enum class GatePhases {
  merged,  // uses return values: END_REQ, BEGIN_RESP, END_RESP and TLM_COMPLETED may be returned
  four,    // BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each in a call of its own; every call returns TLM_ACCEPTED
};

struct GateOptions {
  GatePhases phases = GatePhases::merged;
  /// If a partner owes a phase for this long, the run ends with a SimulationError that names it. Zero: never.
  sc_core::sc_time stall{1, sc_core::SC_MS};
};

/// Call before simulation starts. `socket` is that of a block, such as `l2.downstream()`.
void set_gate(sc_core::sc_object& socket, const GateOptions& options);

/// The options that were set; the defaults if none were.
GateOptions gate_options(const sc_core::sc_object& socket);

}  // namespace wharf
