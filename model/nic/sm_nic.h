#pragma once
// A network interface towards memory: turns accesses of a memory link (of an L1, or in dc_l1 of an SM or a DC-L1$) into messages of the
// request network, and messages of the reply network into answers. It adds no time: its work is part of the L1's tag_cycles and fill_cycles
// (CM-9, CM-15).

#include <functional>
#include <memory>
#include <systemc>

#include "model/base/stats/stats.h"
#include "model/nic/l2_route.h"
#include "model/nic/nic_params.h"
#include "model/tlm/debug_access.h"
#include "model/tlm/message_link.h"
#include "model/tlm/sideband.h"

namespace wharf {

class SmNic final : public sc_core::sc_module, private MemoryTarget, private MessageSource, private MessageSink {
 public:
  struct Route {
    std::function<std::uint16_t(const Access&)> destination;  // the destination endpoint of an access
    std::uint32_t flit_bytes;
    const char* counters = "nic.sm";   // prefix of the counters
    bool lines_of_hit_stores = false;  // a store hit carries its whole line (DC-12)
    Traffic traffic = Traffic::to_l2;  // of its requests
    bool takes_lines = false;          // some replies bring lines of other SMs' bulk copies (MG-15); then there is a socket `lines`
  };

  /// `node` is its endpoint; `number` distinguishes interfaces with the same counter prefix.
  SmNic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned number, const Route& route,
        stats::Registry& registry);
  /// The destinations of accesses to L2.
  static std::function<std::uint16_t(const Access&)> to_l2(const L2Route& route) {
    return [route](const Access& access) { return route.endpoint_of(access.line); };
  }

  SentToL2Port sent_to_l2;  // reports accesses that leave for L2
  DebugWay below;           // debug access to the block that receives its requests
  GateTerms gate;           // for a foreign module upstream

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& request() { return request_.socket; }
  tlm::tlm_target_socket<>& reply() { return reply_.socket; }
  /// Where the lines of other SMs' bulk copies go.
  tlm::tlm_initiator_socket<>& lines() { return lines_->socket; }

 private:
  static constexpr unsigned kLines = 1;  // index in posted(); 0 is the request network

  friend class MemoryTargetPortOf<SmNic>;
  friend class MessageSourcePortOf<SmNic>;
  friend class MessageSinkPortOf<SmNic>;

  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override { return below ? below(transaction) : 0; }
  GateTerms gate_terms(unsigned) const override { return gate; }
  void posted(unsigned port, Picoseconds at) override;
  bool message(unsigned, Payload& payload, Picoseconds at) override;

  const PacketParams params_;
  Payload* last_request_ = nullptr;  // as in L2Nic
  Payload* last_reply_ = nullptr;
  stats::Group group_;

  // The members that every packet touches lie together.
  Route route_;
  std::uint16_t node_;
  std::uint8_t header_flits_;  // of a request without data
  stats::Counter requests_;
  MessageSourcePortOf<SmNic> request_;
  MemoryTargetPortOf<SmNic> upstream_;
  MessageSinkPortOf<SmNic> reply_;
  stats::Counter replies_, reply_bytes_;
  std::unique_ptr<MessageSourcePortOf<SmNic>> lines_;  // null without Route::takes_lines
};

}  // namespace wharf
