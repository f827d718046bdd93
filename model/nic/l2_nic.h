#pragma once
// The network interface of an L2 slice: messages of the request network to the slice's memory link, its answers to the reply network.
// It adds no time (CM-17: network time is never inside access_cycles, nor the other way round).

#include <systemc>

#include "model/base/stats/stats.h"
#include "model/nic/nic_params.h"
#include "model/tlm/message_link.h"

namespace wharf {

class L2Nic : public sc_core::sc_module, private MessageSink, private MemoryInitiator, private MessageSource {
 public:
  /// `node`: its endpoint; `slice`: which of the slices, for the counters.
  L2Nic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned slice, std::uint32_t flit_bytes,
        stats::Registry& registry);

  tlm::tlm_target_socket<>& request() { return request_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  tlm::tlm_initiator_socket<>& reply() { return reply_.socket; }

 private:
  bool message(unsigned, Payload& payload, Picoseconds at) override;
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void posted(unsigned, Picoseconds at) override;

  const PacketParams params_;
  std::uint16_t node_;
  std::uint32_t flit_bytes_;
  stats::Group group_;
  stats::Counter data_replies_, acks_;
  MessageSinkPort request_;
  MemoryInitiatorPort downstream_;
  MessageSourcePort reply_;
  Payload* pending_request_ = nullptr;
  Payload* pending_reply_ = nullptr;
};

}  // namespace wharf
