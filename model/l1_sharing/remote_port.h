#pragma once
// The L1's port for accesses of other SMs: the class behind local accesses and fills (CM-10). Probes are only looked up (RS-28, RS-29);
// everything else is a full access of this cache (shared_l1 section 6), answered over this port whenever it is served.
//
// One access a cycle, in order of arrival; the one at the head that is refused blocks those behind it. Answers leave in the order in which
// the cache is done with them. While the other side has not taken one, no lookup of this port and no fill begins: what they yield could
// not leave. There is no guard against starvation (SL-12, RS-30); the longest wait is the maximum of l1.remote.wait.

#include "model/base/transaction_list.h"
#include "model/l1/l1_companion.h"

namespace wharf {

/// What other SMs' probes and data cost where that is not what the cache's own accesses and fills do (ATA-O29).
struct PeerTiming {
  std::uint32_t tag_cycles = 0;   // acceptance of a probe to its answer, or its data stage; 0: as the cache's own
  std::uint32_t data_cycles = 0;  // data stage of a probe that finds the line; 0: as the cache's own
  std::uint32_t fill_cycles = 0;  // data of another SM to data at the SM; 0: as the cache's own
  bool gives_written = true;      // a line that this SM has written to is given to others
};

class RemotePort final : public L1Companion, private PeerAnswers, private MemoryTarget {
 public:
  /// `places`: accesses that may wait, those in the pipeline included.
  RemotePort(L1Cache& cache, std::uint32_t places, const PeerTiming& timing = {});

  tlm::tlm_target_socket<>& socket() { return upstream_.socket; }
  /// Tells of every lookup of global or local space, of whichever SM.
  LookupPort& lookups() { return lookups_; }

  void looked_up(Payload& payload, const L1Logic::Verdict& verdict) override;
  /// In a cycle that neither a local access nor a fill has taken, an access is served.
  void end(Cycle now, L1Cache::Work& work) override;
  Cycle next_work(Cycle now, const L1Cache::Changes& changes) override;
  void catch_up(Cycle present) override { count_refused(refused_, present); }
  bool archive(Archive& file) override;
  void inspect(std::vector<Wait>& waits) const override;

 private:
  void answer(Payload& payload, Cycle at) override;
  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  /// For accesses of another SM than the cache's own.
  GateTerms gate_terms(unsigned) const override {
    GateTerms terms = L1Companion::gate_terms();
    ++terms.sm;
    return terms;
  }

  /// From when on the other side has taken all answers so far; kNever where that is not known yet.
  Cycle flows_from() const { return waiting_.empty() ? free_at_ : kNever; }
  bool flows(Cycle now) const { return flows_from() <= now; }
  bool serve(Cycle now);
  void probe(Payload& payload, Cycle now);
  void show(Payload& payload, Cycle at);

  const PeerTiming timing_;  // with no zeros
  MemoryTargetPort upstream_;
  LookupPort lookups_;
  RequestQueue queue_;
  L1Cache::Refused refused_;
  TransactionList waiting_;  // answers behind one that has not been taken
  Cycle free_at_ = 0;        // the last answer shown has been taken by this cycle; kNever: not yet
  stats::Counter accesses_, probes_, probe_hits_, withheld_, wait_cycles_;
  stats::Histogram wait_;
};

}  // namespace wharf
