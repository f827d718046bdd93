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
      filled_by_peer(probes_, "filled_by_peer", "of them filled by another SM", Unit::accesses),
      searches(probes_, "searches", "of them searched for by probes", Unit::accesses),
      failed_searches(probes_, "failed_searches", "searches whose probes all came home without data", Unit::accesses),
      timeouts(probes_, "timeouts", "searches that were given up after timeout_cycles", Unit::accesses),
      injected(probes_, "injected", "own probes sent, of both levels", Unit::count),
      second_level(probes_, "second_level", "own probes of the second level, made", Unit::count),
      returned(probes_, "returned", "own probes that came home without data: NACKs and scouts", Unit::count),
      late_returns(probes_, "late_returns", "of them those that nobody waited for", Unit::count),
      redundant(probes_, "redundant", "data replies of SMs that nobody waited for", Unit::count),
      cancelled(probes_, "cancelled", "own probes taken back before they were sent", Unit::count),
      unanswered(probes_, "unanswered", "own probes neither answered nor home when their search timed out", Unit::count),
      late_l2_replies(probes_, "late_l2_replies", "replies of L2 to misses that an SM had filled", Unit::count),
      received(probes_, "received", "probes and forwards of others taken in", Unit::count),
      lookups(probes_, "lookups", "of them looked up in this SM's L1", Unit::count),
      found(probes_, "found", "of the lookups: the line was here", Unit::count),
      supplied(probes_, "supplied", "probes of others answered with data", Unit::count),
      withheld(probes_, "withheld", "probes of others whose line was here and not given, its SM having written to it", Unit::count),
      forwarded(probes_, "forwarded", "probes of others sent on, to their next target or home", Unit::count),
      deflected(probes_, "deflected", "probes of others sent past this SM", Unit::count),
      dropped(probes_, "dropped", "probes of others dropped", Unit::count),
      wait_cycles(probes_, "wait_cycles", "cycles that probes and their answers waited in this SM's queues for what others did",
                  Unit::cycles),
      deflected_waiting(probes_, "deflected_waiting",
                        "deflected probes that wait for the request network with each that is deflected, itself included", Unit::count),
      peer_replies(probes_, "peer_replies", "data replies of SMs received", Unit::count),
      true_positive(predictor_, "true_positive", "shared and taken for shared, by the directory at the miss", Unit::accesses),
      false_positive(predictor_, "false_positive", "taken for shared, and no other SM had the line", Unit::accesses),
      false_negative(predictor_, "false_negative", "another SM had the line, and it was not taken for shared", Unit::accesses),
      true_negative(predictor_, "true_negative", "neither", Unit::accesses),
      supplier_replies(supplier_, "replies", "data replies that this SM supplied", Unit::count),
      supplier_possible(supplier_, "possible", "misses of others that this SM could have served (perfect probing)", Unit::count),
      forwards(la_llc_, "forwards", "reads that a slice forwarded to this SM", Unit::count),
      forwards_found(la_llc_, "found", "of them those whose line was here", Unit::count),
      forwards_turned_back(la_llc_, "turned_back", "of them those that found every place taken: their requesters ask again", Unit::count),
      cta_near(distance_, "near", "shared misses whose nearest supplier got the line for a CTA at most near_ctas away (RS-42)",
               Unit::accesses),
      cta_far(distance_, "far", "the same, further away", Unit::accesses) {
  probes_.law("lookups == received - deflected - dropped - la_llc.turned_back",
              [this] { return lookups.value() == received.value() - deflected.value() - dropped.value() - forwards_turned_back.value(); });
}

}  // namespace wharf
