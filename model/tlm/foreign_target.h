#pragma once
// The gate behind an initiator port that a foreign module, usually a memory, is bound to. It adds the bytes that the block's payloads lack,
// and accepts any legal sequence of phases.
//
// The payload itself goes out with its extension, a line buffer as its data, and the address and length of its sectors. Where a store's
// sectors have a gap, it uses byte enables; after the first TLM_BYTE_ENABLE_ERROR_RESPONSE, it sends one transaction per run of sectors. An
// atomic becomes a write, because its result is known (sector_contents.h). Because the module may serve requests in any order, a request
// waits for an unanswered store to its line, and a store for any unanswered request to its line. The block sees an answer at the first edge
// at or after its arrival, but not before the next cycle.
//
// A response other than TLM_OK_RESPONSE ends the run with a SimulationError. Where the module only passes payloads on to another block of
// this model, that block's answer counts, and the buffer does not.
//
// Without contents (`data: none`), all bytes of a store are disabled.
//
// Not modelled: direct memory of the module, because the time of each access matters.

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

  /// Handles nb_transport_bw of the foreign module.
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time);

 private:
  using GenericPayload = tlm::tlm_generic_payload;
  enum class State : std::uint8_t {
    waiting,    // not yet sent
    requested,  // BEGIN_REQ has been sent
    accepted,
    answered,   // the block does not know the answer yet
    held,       // the block has refused the answer
  };
  struct Out {
    Payload* payload = nullptr;
    State state = State::waiting;
    SectorMask todo = 0;            // sectors still to be sent
    SectorMask sent = 0;            // of them, those in flight
    bool owner_waits = false;       // it was told TLM_ACCEPTED
    bool owes_end = false;          // END_RESP must still be sent to the module
    Picoseconds at = 0;             // time of its next step
    std::array<unsigned char, kLineBytes> data{}, enables{};
  };

  // Called by the block's port:
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
  Out* calling_ = nullptr;                  // the transaction whose call is in progress
  Picoseconds request_free_ = 0;            // acceptance of the last request
  std::vector<std::unique_ptr<Out>> outs_;  // oldest first
  std::vector<std::unique_ptr<Out>> free_;
};

}  // namespace wharf
