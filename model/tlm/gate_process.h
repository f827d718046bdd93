#pragma once
// The process of a gate: gates are made when the simulation runs already.

#include <functional>
#include <systemc>

namespace wharf {

/// A method process that calls `work` whenever `event` is notified.
void spawn_gate(std::function<void()> work, const sc_core::sc_event& event, const char* name);

}  // namespace wharf
