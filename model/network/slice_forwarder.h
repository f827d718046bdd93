#pragma once
// Forwards messages between SMs at an L2 slice (SL-30): from the crossbar towards the slices to the crossbar towards the SMs, one network
// cycle later, without entering the slice. Each kind of traffic has its own register, so that neither blocks the other.
//
// Not modelled: a joint limit on both kinds of traffic; one message of each may pass per cycle.

#include <algorithm>
#include <iterator>
#include <systemc>

#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"

namespace wharf {

class SliceForwarder final : public sc_core::sc_module, private MessageSink, private MessageSource {
 public:
  SliceForwarder(sc_core::sc_module_name name, ClockDomain& clock)
      : sc_module(name), clock_(clock), ways_{{"to_peer_in", "to_peer_out", *this, 0}, {"from_peer_in", "from_peer_out", *this, 1}} {}

  tlm::tlm_target_socket<>& input(unsigned way) { return ways_[way].in.socket; }
  tlm::tlm_initiator_socket<>& output(unsigned way) { return ways_[way].out.socket; }
  /// No message is in flight, as between kernels; the forwarder then has no state.
  bool idle() const {
    return std::none_of(std::begin(ways_), std::end(ways_), [](const Way& way) { return way.busy || way.waiting != nullptr; });
  }

 private:
  struct Way {
    Way(const char* in_name, const char* out_name, SliceForwarder& owner, unsigned index)
        : in(in_name, owner, index), out(out_name, owner, index) {}
    MessageSinkPort in;
    MessageSourcePort out;
    bool busy = false;           // its last message has not been accepted
    Payload* waiting = nullptr;  // the message after that one
  };

  /// Sends at the first edge after `at`; returns true if the message is accepted at once.
  bool send(Way& way, Payload& payload, Picoseconds at) {
    const Picoseconds leaves = clock_.edge(clock_.cycle_at(at) + 1);
    payload.stages().claim_to(network_stage(payload.message().traffic), leaves);
    return way.out.post(payload, leaves - present());
  }
  bool message(unsigned index, Payload& payload, Picoseconds at) override {
    Way& way = ways_[index];
    if (way.busy) {
      way.waiting = &payload;
      return false;
    }
    way.busy = !send(way, payload, at);
    return true;
  }
  void posted(unsigned index, Picoseconds at) override {
    Way& way = ways_[index];
    way.busy = false;
    if (way.waiting == nullptr) return;
    Payload& next = *way.waiting;
    way.waiting = nullptr;
    way.busy = !send(way, next, at);
    way.in.accept(next, at - present());
  }

  ClockDomain& clock_;
  Way ways_[2];
};

}  // namespace wharf
