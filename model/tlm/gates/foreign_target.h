#pragma once
// The gate behind an initiator port to which a foreign module is bound: a memory, or a module that forwards to a block of this model. It
// accepts any legal sequence of phases.
//
// The module sees only transactions of this link (link_transaction.h). If another port of this model receives such a transaction, the
// exchange is between the two blocks: the gate passes on phases, return values and times unchanged, so that the module in between changes
// nothing.
//
// For a memory, the gate adds the bytes that the block's payloads lack. The transaction has the address and length of the payload's
// sectors. If a store's sectors have a gap, it uses byte enables; after the first TLM_BYTE_ENABLE_ERROR_RESPONSE, it sends one transaction
// per run of sectors. An atomic becomes a write, because its result is known (sector_contents.h). A memory may serve requests in any order,
// so a request waits for an unanswered store to its line, and a store waits for any unanswered request to its line. The block sees an
// answer at the first edge at or after its arrival, but not before the next cycle. It gets the next answer only after it has taken the
// last.
//
// A response other than TLM_OK_RESPONSE ends the run with a SimulationError.
//
// Without contents (`data: none`), all bytes of a store are disabled.
//
// Not modelled: direct memory of the module, because the time of each access matters.

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "model/tlm/gates/gate_options.h"
#include "model/tlm/gates/link_transaction.h"
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
    answered,  // the block does not know the answer yet
    held,      // the block has refused the answer
  };
  /// A request that a memory has, or that is on its way to another block.
  struct Out {
    Payload* payload = nullptr;
    LinkTransaction* transaction = nullptr;  // represents the payload; null before the first is sent
    State state = State::waiting;
    SectorMask unsent = 0;     // sectors still to be sent
    SectorMask sent = 0;       // those of `unsent` that are in flight
    bool owner_waits = false;  // the owner got TLM_ACCEPTED and waits for the acceptance
    bool end_pending = false;  // END_RESP must still be sent to the module
    Picoseconds at = 0;        // time of its next step
    Picoseconds since = 0;     // time of the module's last step
    std::array<unsigned char, kLineBytes> data{};
  };

  // Called by the block's port:
  tlm::tlm_sync_enum nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void b_transport(GenericPayload& transaction, sc_core::sc_time& time) override { socket_->b_transport(transaction, time); }
  bool get_direct_mem_ptr(GenericPayload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(GenericPayload& transaction) override;

  // Requests that a port of this model has received:
  void finish_request(Out& out);
  tlm::tlm_sync_enum pass_phase_back(LinkTransaction& transaction, tlm::tlm_phase& phase, Picoseconds at);

  Out* find(const GenericPayload& transaction);
  Out& outgoing_of(const Payload& payload);
  Out& add(Payload& payload, Picoseconds at);
  void remove(Out& out);
  bool can_send(const Out& out) const;
  bool holds_answer() const;
  void prepare(Out& out);
  /// The result of sending. `passed`: status and phase are another block's. `accepted`: the module has room for the next request.
  struct Sent {
    tlm::tlm_sync_enum status;
    tlm::tlm_phase phase;
    bool passed, accepted;
  };
  Sent send(Out& out, bool late);
  void accepted(Out& out, Picoseconds at);
  void receive_answer(Out& out, Picoseconds at);
  void copy_data(Out& out);
  bool retry_without_enables(Out& out);
  bool is_due(const Out& out) const;
  bool deliver(Out& out);
  tlm::tlm_sync_enum taken(LinkTransaction& transaction, tlm::tlm_phase& phase);
  void send_end(LinkTransaction& transaction, Picoseconds delay);
  void end_response(Payload& payload, Picoseconds delay);
  void end_response(Out& out, Picoseconds delay);
  void end_transaction(Out& out, Picoseconds delay);
  void work();
  bool advance(Out& out);
  void check_stall();
  void watch();
  Picoseconds seen_at(Picoseconds at) const;
  void wake(Picoseconds at);
  std::string partner() const;

  MemoryInitiator& owner_;
  const unsigned index_;
  tlm::tlm_initiator_socket<>& socket_;
  const GateTerms terms_;
  const GateOptions options_;
  LinkTransactions link_;
  sc_core::sc_event work_, watchdog_;
  bool watching_ = false, has_watchdog_ = false;  // watchdog_ is notified; its process exists
  bool byte_enables_ = true;                      // the module has not refused any so far
  Out* calling_ = nullptr;                        // the request whose call is in progress
  Picoseconds request_free_ = 0;                  // acceptance of the last request
  std::vector<std::unique_ptr<Out>> outgoing_;    // oldest first
  std::vector<std::unique_ptr<Out>> free_;
  std::unordered_map<const Payload*, LinkTransaction*> passed_;  // payloads received by a port of this model
  const Payload* refused_ = nullptr;                             // the one in passed_ whose answer waits for the block
  std::vector<LinkTransaction*> ending_;                         // GatePhases::four: END_RESP follows in a call of its own
};

}  // namespace wharf
