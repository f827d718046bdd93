#include "platforms/designs/morpheus/morpheus_platform.h"
#include "platforms/measure/metrics.h"

namespace wharf {

using measure::ratio;
using measure::total;
using stats::View;

/// Metrics of docs/designs/morpheus.md, "Measured by", and of common section 12.
void MorpheusPlatform::declare_metrics(stats::Registry& r) const {
  const auto count = [&r](const char* name, const char* help, const char* counter) {
    r.derived(name, help, stats::Unit::accesses, [counter](const View& v) { return total(v, counter); });
  };
  count("eLLC.hits", "requests that found their line in the extended LLC", "morpheus.hits");
  count("eLLC.misses", "requests that did not find their line in the extended LLC, predicted or not", "morpheus.misses");
  count("eLLC.false_positives", "predicted hits of absent lines", "morpheus.false_positives");
  count("eLLC.false_negatives", "predicted misses of present lines; one stops the run", "morpheus.false_negatives");
  r.derived("eLLC.false_positive_rate", "false positives per miss in the extended LLC", stats::Unit::ratio,
            [](const View& v) { return v.ratio("morpheus.false_positives", "morpheus.misses"); });
  r.derived("eLLC.c2c_latency", "time of a read hit from the controller to the warp and back, mean in ns (morpheus section 9.3)",
            stats::Unit::nanoseconds,
            [mhz = params_.clock_mhz.l2](const View& v) { return 1000.0 / mhz * v.ratio("morpheus.c2c_sum", "morpheus.c2c_reads"); });
  r.derived("eLLC.bandwidth", "bytes of operations that moved a block, per cache-mode SM and time in ns: GB/s (morpheus section 9.2)",
            stats::Unit::ratio, [mhz = params_.clock_mhz.core, sms = params_.cache_sms()](const View& v) {
              return ratio(total(v, "ellc.block_operations") * kLineBytes, sms * total(v, "run.core_cycles") * 1000.0 / mhz);
            });
  r.derived(
      "eLLC.busy_warps", "warps of a cache-mode SM with an operation, mean", stats::Unit::warps,
      [sms = params_.cache_sms()](const View& v) { return ratio(total(v, "ellc.busy_warp_cycles"), sms * total(v, "run.core_cycles")); });
  if (params_.of<MorpheusParams>().kernel.compression.on())
    r.derived("eLLC.kappa", "blocks per data register of full compressing sets; use it as compression.kappa", stats::Unit::ratio,
              [](const View& v) { return v.ratio("ellc.profiled_blocks", "ellc.profiled_places"); });
  count("eLLC.predictor_swaps", "times that a set's predictor dropped lines that the set can no longer hold", "hit_predictor.swaps");
  r.derived("round_trip.ellc", "mean round trip of loads answered by the extended LLC", stats::Unit::cycles,
            [](const View& v) { return v.ratio("sm.served_by_cycles.ellc", "sm.served_by.ellc"); });
}

}  // namespace wharf
