#pragma once
// Creates the process of a gate while the simulation runs.

#include <functional>
#include <systemc>

namespace wharf {

/// Spawns a method process that calls `work` whenever `event` is notified.
void spawn_gate(std::function<void()> work, const sc_core::sc_event& event, const char* name);

}  // namespace wharf
