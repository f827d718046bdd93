#include "model/monitor/pass_through.h"

#include "model/tlm/kernel_time.h"

namespace wharf {

PassThrough::PassThrough(sc_core::sc_module_name name)
    : sc_module(name), target_socket("target_socket"), initiator_socket("initiator_socket") {
  require_picoseconds();
  target_socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  initiator_socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
}

}  // namespace wharf
