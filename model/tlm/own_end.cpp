#include "model/tlm/own_end.h"

#include <fmt/format.h>

#include "model/base/error.h"

namespace wharf {

std::optional<unsigned> island_of(tlm::tlm_bw_transport_if<>* initiator) {
  auto* own = dynamic_cast<OwnInitiator*>(initiator);
  return own == nullptr ? std::nullopt : own->initiator_island();
}

std::optional<unsigned> island_of(tlm::tlm_fw_transport_if<>* target) {
  auto* own = dynamic_cast<OwnTarget*>(target);
  return own == nullptr ? std::nullopt : own->target_island();
}

void fail_across_islands(const char* socket) {
  throw SimulationError(fmt::format("{}: the blocks of this link are on different islands, and only messages go by mail", socket));
}

}  // namespace wharf
