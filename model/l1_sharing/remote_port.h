#pragma once
// The L1's port for accesses by other SMs: the class that yields to local accesses and fills (CM-10). Probes are only looked up (RS-28,
// RS-29). All others are full accesses of this cache (shared_l1 section 6), and their answers return over this port.
//
// The port serves one access per cycle, in order of arrival; a refused head blocks those behind it. Answers leave in the order in which the
// cache completes them. While the other side has not accepted an answer, no lookup of this port and no fill begins, because their answers
// could not leave. There is no guard against starvation (SL-12, RS-30); the maximum of l1.remote.wait shows the longest wait.

#include "model/base/transaction_list.h"
#include "model/l1/l1_companion.h"
#include "model/tlm/outlet.h"

namespace wharf {

/// Latencies of other SMs' probes and data, if they differ from those of the cache's own accesses and fills (ATA-O29).
struct PeerTiming {
  std::uint32_t tag_cycles = 0;   // from acceptance of a probe to its answer or its data stage; 0: as for the cache's own accesses
  std::uint32_t data_cycles = 0;  // data stage of a probe that finds the line; 0: as for the cache's own accesses
  std::uint32_t fill_cycles = 0;  // from the arrival of another SM's data to data at the SM; 0: as for the cache's own fills
  bool supplies_written = true;   // other SMs may get a line that this SM has written to
};

class RemotePort final : public L1Companion, private PeerAnswers, private MemoryTarget {
 public:
  /// `places`: accesses that may wait, including those in the pipeline.
  RemotePort(L1Cache& cache, std::uint32_t places, const PeerTiming& timing = {});

  tlm::tlm_target_socket<>& socket() { return upstream_.socket; }
  /// Reports every lookup of global or local space, by any SM.
  LookupPort& lookups() { return lookups_; }

  void looked_up(Payload& payload, const L1Logic::Verdict& verdict) override;
  /// Serves an access if neither a local access nor a fill has used the cycle.
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
  /// For accesses by another SM than the cache's own.
  GateTerms gate_terms(unsigned) const override {
    GateTerms terms = L1Companion::gate_terms();
    ++terms.sm;
    return terms;
  }

  /// From when on the other side has accepted all answers so far; kNever if that is not known yet.
  Cycle flows_from() const { return waiting_.empty() ? outlet_.opens_at() : kNever; }
  bool flows(Cycle now) const { return flows_from() <= now; }
  bool serve(Cycle now);
  void probe(Payload& payload, Cycle now);
  void show(Payload& payload, Cycle at);

  const PeerTiming timing_;  // with defaults resolved: no zeros
  MemoryTargetPort upstream_;
  LookupPort lookups_;
  RequestQueue queue_;
  L1Cache::Refused refused_;
  TransactionList waiting_;  // answers behind one that has not been accepted
  Outlet outlet_;            // of answers
  stats::Counter accesses_, probes_, probe_hits_, withheld_, wait_cycles_;
  stats::Histogram wait_;
};

}  // namespace wharf
