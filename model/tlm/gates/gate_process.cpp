#include "model/tlm/gates/gate_process.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <utility>

namespace wharf {

void spawn_gate(std::function<void()> work, const sc_core::sc_event& event, const char* name) {
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&event);
  sc_core::sc_spawn(std::move(work), sc_core::sc_gen_unique_name(name), &options);
}

}  // namespace wharf
