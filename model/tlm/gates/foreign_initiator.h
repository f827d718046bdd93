#pragma once
// The gate behind a target port to which a foreign module is bound. It accepts any generic payload of the base protocol, with phases or
// blocking, and acts towards its block like an initiator of this model.
//
// A transaction is split at the ends of lines (or of sectors, if the block wants that) and of its streaming width. Each part with an
// enabled byte becomes an access, one per cycle, in order. A part that comes at or between edges arrives at the next edge; with an
// annotated time, it arrives at the first edge at or after that time. The transaction's request is accepted when its last part is accepted,
// and answered when the last answer has arrived.
//
// A read returns the bytes of the versions in its answer; a write changes the image and makes new versions (model/cache/sector_contents.h).
// Without contents a transaction must have no data pointer: it is timed but moves no bytes.
//
// A transaction that represents another block's payload reaches the block as that payload (link_transaction.h). The gate passes on phases,
// return values and times unchanged, so a module that only forwards transactions changes nothing.
//
// Not modelled: direct memory, which would bypass the caches; atomicity of a transaction of several parts.

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/tlm/gates/gate_options.h"
#include "model/tlm/gates/link_transaction.h"
#include "model/tlm/own_end.h"
#include "model/tlm/payload.h"

namespace wharf {

class MemoryTarget;

class ForeignInitiator final : public OwnInitiator {
 public:
  ForeignInitiator(MemoryTarget& owner, unsigned index, tlm::tlm_target_socket<>& socket);

  /// Handles nb_transport_fw of the foreign module.
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time);
  /// Handles b_transport of the foreign module. A call from a method process, which cannot wait, is refused.
  void block(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time);

 private:
  using GenericPayload = tlm::tlm_generic_payload;
  struct Job {
    GenericPayload* transaction = nullptr;
    Picoseconds at = 0;  // arrival of its request
    unsigned next = 0;   // bytes of its data processed so far
    unsigned open = 0;   // unanswered parts
    Picoseconds accepted_at = 0, ends = 0;
    bool sent = false;  // all parts are accepted
    bool done = false;
    bool blocking = false;
    bool nothing = false;       // the transaction is refused, or accesses nothing
    sc_core::sc_event returns;  // wakes a blocking call
  };
  struct Part {
    Job* job = nullptr;
    unsigned data = 0, line = 0, bytes = 0;  // offsets in the transaction's data and in the line
  };

  tlm::tlm_sync_enum nb_transport_bw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_sync_enum receive(Payload& payload, GenericPayload& transaction, tlm::tlm_phase& phase, Picoseconds at);
  tlm::tlm_sync_enum answer(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& time);
  tlm::tlm_response_status refusal(const GenericPayload& transaction) const;
  tlm::tlm_sync_enum request(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time);
  bool complete(GenericPayload& transaction) const;
  Job& begin(GenericPayload& transaction, Picoseconds at);
  void end(Job& job);
  void work();
  void send_parts();
  bool find_part(const GenericPayload& transaction, unsigned& next, Part& part) const;
  Payload& make(const Part& part);
  void part_accepted(Job& job, Picoseconds at);
  void part_answered(Payload& payload, Picoseconds at);
  void copy_data(Payload& payload, const Part& part) const;
  void complete_empty_part(Job& job);
  void respond();
  void watch();
  void check_stall();

  MemoryTarget& owner_;
  const unsigned index_;
  tlm::tlm_target_socket<>& socket_;
  const GateTerms terms_;
  const GateOptions options_;
  PayloadPool pool_;
  ReceivedTransactions received_;  // of other blocks
  sc_core::sc_event work_, watchdog_;
  bool has_watchdog_ = false;  // the process of watchdog_ exists
  bool busy_ = false;          // a call to or from the block is in progress; further work follows it

  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<Job*> free_, sending_, answered_;  // sending_, answered_: oldest first
  std::vector<Part> parts_;                      // [Access::slot]
  std::vector<std::uint32_t> free_parts_;
  Payload* pending_ = nullptr;     // a part that the block has not accepted
  Job* requesting_ = nullptr;      // with phases: the job whose request is not accepted
  Job* calling_ = nullptr;         // the job whose call is in progress
  Job* responding_ = nullptr;      // the job whose response is not accepted
  Picoseconds response_free_ = 0;  // acceptance of the last response
  Cycle free_cycle_ = 0;           // earliest arrival of the next part
};

}  // namespace wharf
