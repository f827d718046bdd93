#include "model/monitor/kernel_failure.h"

#include <new>
#include <string>
#include <string_view>

#include "model/base/error.h"
#include "model/base/host/out_of_memory.h"

namespace wharf {

namespace {

template <class Start>
void run(Start start) {
  try {
    start();
  } catch (const sc_core::sc_report& report) {
    if (std::string_view(report.get_msg_type()) != sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) throw;
    const std::string_view text = report.get_msg();
    throw SimulationError(text == std::bad_alloc().what() ? kOutOfMemory : std::string(text));
  }
}

}  // namespace

void run_kernel(Picoseconds duration) {
  run([duration] { sc_core::sc_start(sc_core::sc_time::from_value(duration), sc_core::SC_RUN_TO_TIME); });
}

void run_kernel() {
  run([] { sc_core::sc_start(); });
}

}  // namespace wharf
