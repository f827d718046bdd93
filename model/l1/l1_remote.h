#pragma once
// The L1's port for accesses of other SMs: the class behind local accesses and fills (CM-10). Probes are only looked up (RS-28, RS-29);
// everything else is a full access of this cache (shared_l1 section 6), answered over this port whenever it is served.
//
// One access a cycle, in order of arrival; the one at the head that is refused blocks those behind it. Answers leave in the order in which
// the cache is done with them. While the other side has not taken one, no lookup of this port and no fill begins: what they yield could
// not leave. There is no guard against starvation (SL-12, RS-30); the longest wait is the maximum of l1.remote.wait.

#include "model/l1/l1_cache.h"

namespace wharf {

class L1Cache::Remote final : private MemoryTarget {
 public:
  /// `places`: accesses that may wait, those in the pipeline included.
  Remote(L1Cache& owner, std::uint32_t places);

  tlm::tlm_target_socket<>& socket() { return upstream_.socket; }
  LookupPort& lookups() { return lookups_; }

  /// True where `access` is of an SM other than the cache's own; a detached cache has none.
  bool owns(const Access& access) const { return owner_.detached_ || access.sm != owner_.group_.instance(); }
  /// From when on the other side has taken all answers so far; kNever where that is not known yet.
  Cycle flows_from() const { return first_ == nullptr ? free_at_ : kNever; }
  bool flows(Cycle now) const { return flows_from() <= now; }
  /// `port_free`: neither a local access nor a fill has taken the cycle. True where an access was served.
  bool act(Cycle now, bool port_free);
  /// Tells of a lookup, of whichever SM.
  void report(Payload& payload, const L1Logic::Verdict& verdict);
  /// An access of another SM is answered: the answer arrives in cycle `at`.
  void answer(Payload& payload, Cycle at);
  /// `changes`: of this cycle, what a refused access may wait for.
  Cycle next_work(const Changes& changes, Cycle now) const;
  void catch_up(Cycle present) { owner_.count_refused(refused_, present); }
  void inspect(std::vector<Wait>& waits) const;

 private:
  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  /// For accesses of another SM than the cache's own.
  GateTerms gate_terms(unsigned port) const override {
    GateTerms terms = owner_.gate_terms(port);
    ++terms.sm;
    return terms;
  }

  bool serve(Cycle now);
  void probe(Payload& payload, Cycle now);
  void show(Payload& payload, Cycle at);

  L1Cache& owner_;
  MemoryTargetPort upstream_;
  LookupPort lookups_;
  RequestQueue queue_;
  Refused refused_;
  Transaction *first_ = nullptr, *last_ = nullptr;  // answers behind one that has not been taken
  Cycle free_at_ = 0;                           // the last answer shown has been taken by this cycle; kNever: not yet
  stats::Counter accesses_, probes_, probe_hits_, withheld_, wait_cycles_;
  stats::Histogram wait_;
};

}  // namespace wharf
