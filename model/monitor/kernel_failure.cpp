#include "model/monitor/kernel_failure.h"

#include <string_view>

#include "model/base/error.h"

namespace wharf {

namespace {

template <class Start>
void run(Start start) {
  try {
    start();
  } catch (const sc_core::sc_report& report) {
    if (std::string_view(report.get_msg_type()) == sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) throw SimulationError(report.get_msg());
    throw;
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
