#pragma once
// The gate behind a target port to which a module is bound that is not of this model: it takes any generic payload of the base protocol, with
// phases or blocking, and is to its block what an initiator of this model would be.
//
// A transaction is cut at the ends of lines (where the block wants that, of sectors) and of its streaming width; each part with an enabled
// byte is an access of its own, one a cycle, in order. A part that comes at an edge, or between two, arrives at the next edge; with an annotated
// time, at the edge at or after that. The transaction's request is accepted when its last part is, and answered with the last answer.
//
// Reads bring the bytes of the versions that come back; writes change the image and become new versions (model/cache/sector_contents.h). Without
// contents a transaction must have no data pointer: it is timed and moves nothing.
//
// Payloads of this model that somebody else's module only hands on go to the block as they are.
//
// Not modelled: direct memory (it would go past the caches); atomicity of a transaction of several parts.

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "model/tlm/own_end.h"
#include "model/tlm/payload.h"

namespace wharf {

class MemoryTarget;

class ForeignInitiator final : public OwnInitiator {
 public:
  ForeignInitiator(MemoryTarget& owner, unsigned index, tlm::tlm_target_socket<>& socket);

  /// nb_transport_fw of the foreign module.
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time);
  /// b_transport of the foreign module. From a method process, which cannot wait, it is refused.
  void block(tlm::tlm_generic_payload& transaction, sc_core::sc_time& time);

 private:
  using GenericPayload = tlm::tlm_generic_payload;
  struct Job {
    GenericPayload* transaction = nullptr;
    Picoseconds at = 0;     // when its request arrives
    unsigned next = 0;      // bytes of its data that have been looked at
    unsigned open = 0;      // parts without an answer
    Picoseconds accepted_at = 0, ends = 0;
    bool sent = false;      // all parts are accepted
    bool done = false;
    bool blocking = false;
    sc_core::sc_event returns;  // of a blocking call
  };
  struct Part {
    Job* job = nullptr;
    unsigned data = 0, line = 0, bytes = 0;  // offsets in the transaction's data and in the line
  };

  tlm::tlm_sync_enum nb_transport_bw(GenericPayload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

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
  void take_data(Payload& payload, const Part& part) const;
  void respond();

  MemoryTarget& owner_;
  const unsigned index_;
  tlm::tlm_target_socket<>& socket_;
  const GateTerms terms_;
  PayloadPool pool_;
  sc_core::sc_event work_;
  bool busy_ = false;  // a call of the block, or to it, is under way: what else there is to do is done after it

  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<Job*> free_, sending_, answered_;  // sending_, answered_: oldest first
  std::vector<Part> parts_;                      // [Access::slot]
  std::vector<std::uint32_t> free_parts_;
  Payload* pending_ = nullptr;     // a part that the block has not accepted
  Job* requesting_ = nullptr;      // with phases: its request is not accepted
  Job* calling_ = nullptr;         // in the call that brings it
  Job* responding_ = nullptr;      // its response is not accepted
  Picoseconds response_free_ = 0;  // when the last one was
  Cycle free_cycle_ = 0;           // the next part arrives then at the earliest
};

}  // namespace wharf
