#include "model/tlm/own_end.h"

namespace wharf {

bool is_own(tlm::tlm_bw_transport_if<>* initiator) {
  auto* own = dynamic_cast<OwnInitiator*>(initiator);
  return own != nullptr && own->is_own_initiator();
}

bool is_own(tlm::tlm_fw_transport_if<>* target) {
  auto* own = dynamic_cast<OwnTarget*>(target);
  return own != nullptr && own->is_own_target();
}

}  // namespace wharf
