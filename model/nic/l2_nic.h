#pragma once
// The network interface of an L2 slice: turns messages of the request network into accesses on the slice's memory link, and answers into
// messages of the reply network. It adds no time (CM-17: access_cycles and network time exclude each other). A read that the slice forwards
// to an SM leaves as a forward on the request network (CM-19). If forward_places forwards already wait, the slice sends its own data
// instead, so that it never waits for the network that brings its requests.

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
  /// `node` is its endpoint; `slice` numbers the slices, for the counters. `forward_places` is 0 if nothing is forwarded; then there is no
  /// forward socket.
  L2Nic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned slice, std::uint32_t flit_bytes,
        stats::Registry& registry, std::uint32_t forward_places = 0);

  tlm::tlm_target_socket<>& request() { return request_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  tlm::tlm_initiator_socket<>& reply() { return reply_.socket; }
  tlm::tlm_initiator_socket<>& forward() { return forward_->socket; }

  template <class File>
  void archive(File& file) {
    file(reply_flits_);
  }
  /// Flits sent to the reply network so far.
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

  // The members that every packet touches lie together.
  MessageSinkPortOf<L2Nic> request_;
  MemoryInitiatorPortOf<L2Nic> downstream_;
  stats::Counter data_replies_, reply_bytes_, acks_;
  std::array<std::uint8_t, kAllSectors + 1> flits_;  // [sectors]: flits of a packet with their data
  std::uint64_t reply_flits_ = 0;
  std::uint16_t node_;
  MessageSourcePortOf<L2Nic> reply_;
  // The last request and the last reply passed on, stored whether or not they were accepted at once. If one has to wait, it is the last.
  Payload* last_request_ = nullptr;
  Payload* last_reply_ = nullptr;

  /// Forwards that wait for the network; the pending one comes first.
  std::unique_ptr<MessageSourcePortOf<L2Nic>> forward_;
  std::vector<Payload*> forwards_;
  std::uint32_t forward_places_;
  Picoseconds left_at_ = 0;  // the last instant in which entries left the queue; they are free after it
  std::size_t left_ = 0;
};

}  // namespace wharf
