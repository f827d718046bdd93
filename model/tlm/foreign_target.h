#pragma once
// The gate behind an initiator port to which a module is bound that is not of this model: memory, mostly. It gives the payloads of its block
// the bytes that they lack and takes any legal sequence of phases.
//
// The payload itself goes out, with its extension, a buffer of a line as its data, and address and length of its sectors; where the sectors of a
// store have a gap, with byte enables, and after the first TLM_BYTE_ENABLE_ERROR_RESPONSE as a transaction for each run of sectors. An atomic is
// a write: its result is known (sector_contents.h). A request to a line with an unanswered store, and a store to a line with an unanswered
// request, wait for that: what is behind the socket may serve requests in any order. The block sees an answer at the edge after the one at
// which, or after which, it comes.
//
// A response that is no TLM_OK_RESPONSE ends the run: SimulationError. Where the module only hands payloads on to another block of this model,
// that one's answer counts and not the buffer.
//
// Without contents (`data: none`) a store has all its bytes disabled.
//
// Not modelled: direct memory of the module (the time of each access is the point).

#include <array>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/tlm/own_end.h"
#include "model/tlm/payload.h"

namespace wharf {

class MemoryInitiator;

class ForeignTarget final : public OwnTarget {
 public:
  ForeignTarget(MemoryInitiator& owner, unsigned index, tlm::tlm_initiator_socket<>& socket);

  /// nb_transport_bw of the foreign module.
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time);

 private:
  using GenericPayload = tlm::tlm_generic_payload;
  enum class State : std::uint8_t {
    waiting,    // to be sent
    requested,  // BEGIN_REQ is out
    accepted,
    answered,   // the block is to hear of it
    held,       // the block has not taken the answer
  };
  struct Out {
    Payload* payload = nullptr;
    State state = State::waiting;
    SectorMask todo = 0;            // sectors that are still to be sent
    SectorMask sent = 0;            // of them, those under way
    bool owner_waits = false;       // it has been told TLM_ACCEPTED
    bool owes_end = false;          // the module is owed END_RESP
    Picoseconds at = 0;             // of its next step
    std::array<unsigned char, kLineBytes> data{}, enables{};
  };

  // From the block's port.
  tlm::tlm_sync_enum nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void b_transport(GenericPayload& transaction, sc_core::sc_time& time) override { socket_->b_transport(transaction, time); }
  bool get_direct_mem_ptr(GenericPayload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(GenericPayload& transaction) override;

  Out& find(const GenericPayload& transaction);
  Out& add(Payload& payload, Picoseconds at);
  void remove(Out& out);
  bool may_go(const Out& out) const;
  void prepare(Out& out);
  bool send(Out& out);
  void accepted(Out& out, Picoseconds at);
  void take_answer(Out& out, Picoseconds at);
  void take_data(Out& out);
  bool retry_without_enables(Out& out);
  bool is_due(const Out& out) const;
  bool deliver(Out& out);
  void end_response(Out& out, Picoseconds delay);
  void work();
  Picoseconds seen_at(Picoseconds at) const;
  void wake(Picoseconds at);

  MemoryInitiator& owner_;
  const unsigned index_;
  tlm::tlm_initiator_socket<>& socket_;
  const GateTerms terms_;
  sc_core::sc_event work_;
  bool byte_enables_ = true;                // not refused so far
  Out* calling_ = nullptr;                  // in the call that sends it
  Picoseconds request_free_ = 0;            // the last request was accepted then
  std::vector<std::unique_ptr<Out>> outs_;  // oldest first
  std::vector<std::unique_ptr<Out>> free_;
};

}  // namespace wharf
