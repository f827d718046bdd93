#include "model/monitor/kernel_failure.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/base/host/out_of_memory.h"

namespace wharf {

namespace {

std::exception_ptr pausing_error;

template <class Start>
void run(Start start) {
  try {
    start();
  } catch (const sc_core::sc_report& report) {
    if (std::string_view(report.get_msg_type()) != sc_core::SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_) throw;
    const std::string_view text = report.get_msg();
    throw SimulationError(text == std::bad_alloc().what() ? kOutOfMemory : std::string(text));
  }
  if (pausing_error) std::rethrow_exception(std::exchange(pausing_error, nullptr));
}

}  // namespace

void pause_with_error() {
  Islands::on_mainland([error = std::current_exception()] {
    if (pausing_error == nullptr) pausing_error = error;
    sc_core::sc_pause();
  });
}

void run_kernel(Picoseconds duration) {
  run([duration] { sc_core::sc_start(sc_core::sc_time::from_value(duration), sc_core::SC_RUN_TO_TIME); });
}

void run_kernel() {
  run([] { sc_core::sc_start(); });
}

}  // namespace wharf
