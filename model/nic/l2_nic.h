#pragma once
// The network interface of an L2 slice: messages of the request network to the slice's memory link, its answers to the reply network.
// It adds no time (CM-17: network time is never inside access_cycles, nor the other way round). A read that the slice lets an SM answer
// goes out as a forward on the request network (CM-19); where forward_places of them wait there already, the slice's own data go out
// instead, so that the slice never waits for the network that brings it its requests.

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/nic/nic_params.h"
#include "model/tlm/message_link.h"

namespace wharf {

class L2Nic final : public sc_core::sc_module, private MessageSink, private MemoryInitiator, private MessageSource {
 public:
  /// `node`: its endpoint; `slice`: which of the slices, for the counters.
  /// `forward_places`: 0 where nothing is forwarded; then there is no forward socket.
  L2Nic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned slice, std::uint32_t flit_bytes,
        stats::Registry& registry, std::uint32_t forward_places = 0);

  tlm::tlm_target_socket<>& request() { return request_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  tlm::tlm_initiator_socket<>& reply() { return reply_.socket; }
  tlm::tlm_initiator_socket<>& forward() { return forward_->socket; }

  /// Of everything sent to the reply network so far.
  std::uint64_t reply_flits() const { return reply_flits_; }

 private:
  friend class MessageSinkPortOf<L2Nic>;
  friend class MemoryInitiatorPortOf<L2Nic>;
  friend class MessageSourcePortOf<L2Nic>;

  bool message(unsigned, Payload& payload, Picoseconds at) override;
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void posted(unsigned port, Picoseconds at) override;
  bool forward(Payload& payload, Picoseconds at);
  void forward_taken(Picoseconds at);

  stats::Group group_;

  // What every packet looks at lies together.
  MessageSinkPortOf<L2Nic> request_;
  MemoryInitiatorPortOf<L2Nic> downstream_;
  stats::Counter data_replies_, reply_bytes_, acks_;
  std::array<std::uint8_t, kAllSectors + 1> flits_;  // [sectors]: of a packet with their data
  std::uint64_t reply_flits_ = 0;
  std::uint16_t node_;
  MessageSourcePortOf<L2Nic> reply_;
  // The last that were handed on. Whether one is taken at once nobody can guess, so it is kept unasked: what has to wait is the last.
  Payload* last_request_ = nullptr;
  Payload* last_reply_ = nullptr;

  /// Forwards that wait for the network, the pending one first.
  std::unique_ptr<MessageSourcePortOf<L2Nic>> forward_;
  std::vector<Payload*> forwards_;
  std::uint32_t forward_places_;
  Picoseconds left_at_ = 0;  // when some last left the queue: their places are free after that instant
  std::size_t left_ = 0;
};

}  // namespace wharf
