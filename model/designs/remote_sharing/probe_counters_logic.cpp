#include "model/designs/remote_sharing/probe_counters.h"

namespace wharf {

using stats::Unit;

ProbeCounters::ProbeCounters(stats::Registry& registry, unsigned core)
    : probes_(registry, "probes", static_cast<int>(core)),
      predictor_(registry, "predictor", static_cast<int>(core)),
      supplier_(registry, "supplier", static_cast<int>(core)),
      la_llc_(registry, "la_llc", static_cast<int>(core)),
      distance_(registry, "cta_distance", static_cast<int>(core)),
      misses(probes_, "misses", "load primary misses", Unit::accesses),
      filled_by_peer(probes_, "filled_by_peer", "load primary misses filled by another SM", Unit::accesses),
      searches(probes_, "searches", "load primary misses searched for by probes", Unit::accesses),
      failed_searches(probes_, "failed_searches", "searches whose probes all returned without data", Unit::accesses),
      timeouts(probes_, "timeouts", "searches that timed out after timeout_cycles", Unit::accesses),
      injected(probes_, "injected", "own probes sent, of both levels", Unit::count),
      second_level(probes_, "second_level", "own probes of the second level created", Unit::count),
      returned(probes_, "returned", "own probes that returned without data: NACKs and scouts", Unit::count),
      late_returns(probes_, "late_returns", "own probes that returned after their search had ended", Unit::count),
      redundant(probes_, "redundant", "data replies of SMs for misses that were already filled", Unit::count),
      cancelled(probes_, "cancelled", "own probes cancelled before they were sent", Unit::count),
      unanswered(probes_, "unanswered", "own probes neither answered nor returned when their search timed out", Unit::count),
      late_l2_replies(probes_, "late_l2_replies", "replies of L2 to misses that another SM had filled", Unit::count),
      received(probes_, "received", "probes and forwards of other SMs received", Unit::count),
      lookups(probes_, "lookups", "received probes and forwards looked up in this SM's L1", Unit::count),
      found(probes_, "found", "lookups that found the line", Unit::count),
      supplied(probes_, "supplied", "probes of other SMs answered with data", Unit::count),
      withheld(probes_, "withheld", "probes of other SMs that found the line but got no data, because this SM has written to it",
               Unit::count),
      forwarded(probes_, "forwarded", "probes of other SMs forwarded to their next target or back home", Unit::count),
      deflected(probes_, "deflected", "probes of other SMs that skipped this SM", Unit::count),
      dropped(probes_, "dropped", "probes of other SMs dropped", Unit::count),
      wait_cycles(probes_, "wait_cycles", "cycles that probes and their answers waited in this SM's queues because of other traffic",
                  Unit::cycles),
      deflected_waiting(probes_, "deflected_waiting",
                        "deflected probes waiting for the request network, sampled at each deflection, which counts itself", Unit::count),
      peer_replies(probes_, "peer_replies", "data replies received from SMs", Unit::count),
      true_positive(predictor_, "true_positive", "misses predicted shared that are shared, by the directory at the miss", Unit::accesses),
      false_positive(predictor_, "false_positive", "misses predicted shared, but no other SM had the line", Unit::accesses),
      false_negative(predictor_, "false_negative", "misses predicted not shared, but another SM had the line", Unit::accesses),
      true_negative(predictor_, "true_negative", "misses predicted not shared that are not shared", Unit::accesses),
      supplier_replies(supplier_, "replies", "data replies that this SM supplied", Unit::count),
      supplier_possible(supplier_, "possible", "misses of other SMs that this SM could have served (perfect probing)", Unit::count),
      forwards(la_llc_, "forwards", "reads that a slice forwarded to this SM", Unit::count),
      forwards_found(la_llc_, "found", "forwards that found their line", Unit::count),
      forwards_turned_back(la_llc_, "turned_back", "forwards that found the queue full: their requesters ask again", Unit::count),
      cta_near(distance_, "near", "shared misses whose nearest supplier got the line for a CTA at most near_ctas away (RS-42)",
               Unit::accesses),
      cta_far(distance_, "far", "shared misses whose nearest supplier got the line for a CTA further away", Unit::accesses) {
  probes_.law("lookups == received - deflected - dropped - la_llc.turned_back",
              [this] { return lookups.value() == received.value() - deflected.value() - dropped.value() - forwards_turned_back.value(); });
}

}  // namespace wharf
