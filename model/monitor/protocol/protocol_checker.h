#pragma once
// Checks the rules of the TLM-2.0 base protocol (IEEE 1666-2011, clauses 14 and 15.2) on one link, call by call.
//
// The ports treat it as a foreign module, so it sees what any foreign module in its place would see.
//
// A lookup link has no phases: it uses only b_transport, which takes no time.
//
// Not modelled: ignorable phases (the model uses none); rules that only checkers of several links of one path could check together
// (15.2.11); and extensions that a module leaves behind without a memory manager.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/monitor/pass_through.h"
#include "model/monitor/protocol/protocol_attributes.h"

namespace wharf {

enum class LinkKind : std::uint8_t { memory, message, lookup };

enum class ProtocolRule : std::uint8_t {
  phase_order,           // BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, each once and on its own path
  request_exclusion,     // no BEGIN_REQ before the socket's previous request has been accepted
  response_exclusion,    // no BEGIN_RESP before the socket's previous response has been accepted
  return_value,          // TLM_ACCEPTED changes nothing, TLM_UPDATED advances the phase, TLM_COMPLETED ends the transaction
  unknown_transaction,   // an answer to no live transaction
  reuse,                 // a live transaction is sent again
  time_order,            // the phases of a transaction never go back in annotated time
  past_time,             // an annotated time before the present (sc_time subtraction wraps)
  response_status,       // incomplete when sent, set at BEGIN_RESP, TLM_COMPLETED and the end of b_transport
  initial_attributes,    // what a transaction must have when it is sent (14.8..14.16)
  immutable_attributes,  // what may not change until the call that ends a transaction has returned (14.7)
  memory_management,     // with phases: a memory manager, and a reference until the call that ends a transaction has returned (14.5)
  blocking_call,         // b_transport from a thread, and not for a transaction in flight with phases (11.1.1.4, 15.2.10)
  debug_access,          // a data pointer, and no more bytes returned than asked for (11.3.4)
  direct_memory,         // a descriptor as its constructor initialises it (11.2.5)
  time_taken,            // a lookup is answered at the time of its request
};
const char* name_of(ProtocolRule rule);

class ProtocolChecker final : public PassThrough {
 public:
  struct Violation {
    ProtocolRule rule;
    std::string text;
  };

  ProtocolChecker(sc_core::sc_module_name name, LinkKind kind);

  /// A violation throws SimulationError out of the call that commits it. The first one is also kept here, because an exception that leaves
  /// a process reaches sc_start's caller as an sc_report (kernel_failure.h).
  const std::optional<Violation>& first_violation() const { return violation_; }

  /// Open transactions, oldest first, one line each. Empty when the run has drained and nothing was lost.
  std::vector<std::string> check_end() const;

  /// Number of completed transactions.
  std::uint64_t completed() const { return completed_; }

 private:
  using GenericPayload = tlm::tlm_generic_payload;

  std::optional<unsigned> initiator_island() override { return std::nullopt; }
  std::optional<unsigned> target_island() override { return std::nullopt; }

  enum class State : std::uint8_t { requested, request_ended, responding };
  struct Open {
    LiveAttributes attributes;
    std::optional<std::uint64_t> access;  // id; none for a foreign transaction
    std::uint64_t serial;
    Picoseconds begin, last;  // annotated times of BEGIN_REQ and of the latest phase
    State state = State::requested;
  };

  tlm::tlm_sync_enum nb_transport_fw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void b_transport(GenericPayload& transaction, sc_core::sc_time& time) override;
  unsigned transport_dbg(GenericPayload& transaction) override;
  bool get_direct_mem_ptr(GenericPayload& transaction, tlm::tlm_dmi& dmi) override;

  void check_sent(const GenericPayload& transaction);
  void check_call(const GenericPayload& transaction, const sc_core::sc_time& time);
  std::uint64_t begin_request(const GenericPayload& transaction, const sc_core::sc_time& time);
  void request_returned(const GenericPayload& transaction, std::uint64_t serial, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                        const sc_core::sc_time& sent, const sc_core::sc_time& time);
  void response_returned(const GenericPayload& transaction, std::uint64_t serial, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                         const sc_core::sc_time& sent, const sc_core::sc_time& time);
  void end_request(const GenericPayload& transaction, const sc_core::sc_time& time);
  void begin_response(const GenericPayload& transaction, const sc_core::sc_time& time);
  void end_response(const GenericPayload& transaction, const sc_core::sc_time& time);
  void complete(const GenericPayload& transaction, const sc_core::sc_time& time);
  void finish(const GenericPayload& transaction);

  static std::string describe(const Open& open);
  Open* find(const GenericPayload& transaction, std::uint64_t serial);
  void check_attributes(const GenericPayload& transaction, const Open& open, const char* phase);
  Open& advance(const GenericPayload& transaction, const sc_core::sc_time& time, const char* phase);
  void check_ended(const GenericPayload& transaction, const LiveAttributes& attributes, const char* call);
  void check_status(const GenericPayload& transaction, std::string_view when);
  void check_unchanged(const GenericPayload& transaction, const tlm::tlm_phase& sent_phase, const tlm::tlm_phase& phase,
                       const sc_core::sc_time& sent, const sc_core::sc_time& time);
  [[noreturn]] void violate(ProtocolRule rule, const GenericPayload& transaction, std::string_view what);

  LinkKind kind_;
  std::unordered_map<const GenericPayload*, Open> open_;
  const GenericPayload* request_ = nullptr;   // the transaction whose BEGIN_REQ is not accepted
  const GenericPayload* response_ = nullptr;  // the transaction whose BEGIN_RESP is not accepted
  std::uint64_t serial_ = 0;
  std::uint64_t completed_ = 0;
  std::optional<Violation> violation_;
};

}  // namespace wharf
