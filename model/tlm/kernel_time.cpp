#include "model/tlm/kernel_time.h"

#include "model/base/error.h"

namespace wharf {

void require_picoseconds() {
  if (sc_core::sc_time(1, sc_core::SC_PS).value() == 1) return;
  throw InputError("the time resolution is " + sc_core::sc_get_time_resolution().to_string() +
                   ", and Wharf needs a time resolution of 1 ps; call sc_set_time_resolution(1, SC_PS), or leave it at its default");
}

}  // namespace wharf
