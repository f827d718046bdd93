#include "platforms/designs/remote_sharing/remote_sharing_platform.h"
#include "platforms/measure/metrics.h"

namespace wharf {

using measure::ratio;
using measure::total;
using stats::View;

/// Metrics of remote_sharing section 18.
void RemoteSharingPlatform::declare_metrics(stats::Registry& r) const {
  const double sms = params_.sms;
  const auto per_core_cycle = [&r, sms](const char* name, const char* help, const char* counter) {
    r.derived(name, help, stats::Unit::ratio,
              [sms, counter](const View& v) { return ratio(total(v, counter), sms * total(v, "run.core_cycles")); });
  };
  const auto share = [&r](const char* name, const char* help, const char* part, const char* rest) {
    r.derived(name, help, stats::Unit::ratio,
              [part, rest](const View& v) { return ratio(total(v, part), total(v, part) + total(v, rest)); });
  };
  r.derived("remote_hit_rate", "load primary misses filled by another SM per load primary miss", stats::Unit::ratio,
            [](const View& v) { return v.ratio("probes.filled_by_peer", "probes.misses"); });
  per_core_cycle("reply.bandwidth.l1", "loads served by the SM's own L1 per SM and core cycle", "sm.served_by.l1");
  per_core_cycle("reply.bandwidth.peer", "data replies of other SMs received per SM and core cycle", "probes.peer_replies");
  per_core_cycle("request.rate.own_probes", "own probes injected per SM and core cycle", "probes.injected");
  r.derived("request.rate.forwarded", "probes of other SMs forwarded per SM and core cycle", stats::Unit::ratio, [sms](const View& v) {
    return ratio(total(v, "probes.forwarded") + total(v, "probes.deflected"), sms * total(v, "run.core_cycles"));
  });
  r.derived("round_trip.peer", "mean round trip of loads answered by another SM", stats::Unit::cycles,
            [](const View& v) { return v.ratio("sm.served_by_cycles.peer", "sm.served_by.peer"); });
  share("predictor.precision", "shared misses per miss predicted shared", "predictor.true_positive", "predictor.false_positive");
  share("predictor.recall", "misses predicted shared per shared miss", "predictor.true_positive", "predictor.false_negative");
  share("predictor.degraded_as_defined", "misses predicted not shared per non-shared miss (remote_sharing section 5.2)",
        "predictor.true_negative", "predictor.false_positive");
  r.derived("la_llc.precision", "forwards that found the line, per forward of an L2 slice", stats::Unit::ratio,
            [](const View& v) { return v.ratio("la_llc.found", "la_llc.forwards"); });
  r.derived("probes.failure_rate", "probes neither answered nor returned in time, per probe sent", stats::Unit::ratio,
            [](const View& v) { return v.ratio("probes.unanswered", "probes.injected"); });
  r.derived("supplier.busiest", "data replies of the SM that supplied most", stats::Unit::count,
            [](const View& v) { return static_cast<double>(v.max("supplier.replies")); });
  r.derived("supplier.least", "data replies of the SM that supplied least", stats::Unit::count,
            [](const View& v) { return static_cast<double>(v.min("supplier.replies")); });
  r.derived("supplier.most_possible", "misses of other SMs that one SM could have served, largest over SMs", stats::Unit::count,
            [](const View& v) { return static_cast<double>(v.max("supplier.possible")); });
  r.derived("supplier.fewest_possible", "misses of other SMs that one SM could have served, smallest over SMs", stats::Unit::count,
            [](const View& v) { return static_cast<double>(v.min("supplier.possible")); });
  share("cta_distance.far_share", "shared misses whose nearest supplier's CTA is further than near_ctas away (RS-42)", "cta_distance.far",
        "cta_distance.near");
}

}  // namespace wharf
