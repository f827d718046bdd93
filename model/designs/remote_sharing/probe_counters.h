#pragma once
// Counters of the agents of inter-core communication (remote_sharing section 18, common section 12).

#include "model/base/stats/stats.h"

namespace wharf {

class ProbeCounters {
 public:
  ProbeCounters(stats::Registry& registry, unsigned core);

 private:
  stats::Group probes_, predictor_, supplier_, la_llc_, distance_;

 public:
  stats::Counter misses, filled_by_peer, searches, failed_searches, timeouts;
  stats::Counter injected, second_level, returned, late_returns, redundant, cancelled, unanswered, late_l2_replies;
  stats::Counter received, lookups, found, supplied, withheld, forwarded, deflected, dropped, wait_cycles;
  stats::Histogram deflected_waiting;
  stats::Counter peer_replies;
  stats::Counter true_positive, false_positive, false_negative, true_negative;
  stats::Counter supplier_replies, supplier_possible;
  stats::Counter forwards, forwards_found, forwards_turned_back;
  stats::Counter cta_near, cta_far;
};

}  // namespace wharf
