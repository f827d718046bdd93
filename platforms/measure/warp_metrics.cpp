#include "platforms/measure/warp_metrics.h"

#include "platforms/measure/metrics.h"

namespace wharf {

using stats::View;

namespace {

using measure::ratio;
using measure::total;

/// Mean number of warps per SM over time, from a counter of warp-cycles.
double warps_of_an_sm(const View& v, const char* counter) {
  return ratio(total(v, counter), total(v, "run.core_cycles") * static_cast<double>(v.instances(counter)));
}

/// A tag entry of the shared-memory cache is half a bank row, 4 B (ciao section 6.2).
constexpr double kSharedCacheLineBytes = kLineBytes + 4;

/// Total of a counter over all shared-memory caches, next to L1s or in front of L1s that are homes for several SMs.
double of_shared_cache(const View& v, const char* name) {
  double sum = 0.0;
  for (const char* group : {"l1", "front"}) sum += static_cast<double>(v.sum(std::string(group) + ".shared_memory_cache." + name));
  return sum;
}

/// Byte-cycles of valid lines of the shared-memory cache, including their tags.
double shared_cache_byte_cycles(const View& v) { return of_shared_cache(v, "valid_line_cycles") * kSharedCacheLineBytes; }

void declare_states(stats::Registry& r) {
  r.derived("isolated", "active warps of an SM whose loads go to the shared-memory cache, mean", stats::Unit::warps,
            [](const View& v) { return warps_of_an_sm(v, kIsolatedCycles); });
  r.derived("stalled", "warps of an SM that are not finished and may not issue, mean", stats::Unit::warps,
            [](const View& v) { return warps_of_an_sm(v, kStalledCycles); });
}

void declare_interference(stats::Registry& r) {
  const auto a_million = [&r](const char* name, const char* help, double l1, double shared) {
    r.derived(name, help, stats::Unit::none, [l1, shared](const View& v) {
      const double in_shared = total(v, kLostShared), in_l1 = total(v, kLostLines) - in_shared;
      return ratio(1e6 * (l1 * in_l1 + shared * in_shared), total(v, "sm.thread_instructions"));
    });
  };
  a_million("vta.hits", "hits in victim tags per million thread instructions: cache interference (CIAO-O31)", 1, 1);
  a_million("vta.hits.l1", "hits in victim tags on lines that the L1 lost, per million thread instructions", 1, 0);
  a_million("vta.hits.shared", "hits in victim tags on lines that the shared-memory cache lost, per million thread instructions", 0, 1);
}

void declare_shared_cache(stats::Registry& r, const GpuParams& params) {
  r.derived("smem_cache.hits", "loads that found their line in the shared-memory cache", stats::Unit::accesses,
            [](const View& v) { return of_shared_cache(v, "hits"); });
  r.derived("smem_cache.misses", "loads that did not find their line in the shared-memory cache", stats::Unit::accesses,
            [](const View& v) { return of_shared_cache(v, "misses"); });
  r.derived("smem_cache.hit_rate", "hits per load looked up in the shared-memory cache", stats::Unit::ratio,
            [](const View& v) { return ratio(of_shared_cache(v, "hits"), of_shared_cache(v, "loads")); });
  r.derived("l1.hit_rate_combined", "loads that hit in the L1 or the shared-memory cache, per load", stats::Unit::ratio,
            [](const View& v) { return ratio(total(v, "l1.load.hits") + of_shared_cache(v, "hits"), total(v, "l1.load.accesses")); });
  r.derived("smem_cache.share_of_unused", "valid lines of the shared-memory cache and their tags, per shared memory that CTAs do not use",
            stats::Unit::ratio, [bytes = params.sms * params.sm.shared_kib * 1024.0](const View& v) {
              const double unused = total(v, "run.core_cycles") * bytes - total(v, "front_end.shared_byte_cycles");
              return ratio(shared_cache_byte_cycles(v), unused);
            });
}

}  // namespace

void declare_warp_metrics(stats::Registry& r, const GpuParams& params) {
  r.derived("l1.hit_rate", "loads that hit in the L1, per load (ciao section 8)", stats::Unit::ratio,
            [](const View& v) { return ratio(total(v, "l1.load.hits"), total(v, "l1.load.accesses")); });
  r.derived("smem.utilisation", "share of shared memory that running CTAs or valid cached lines and their tags use, mean over time",
            stats::Unit::ratio, [bytes = params.sms * params.sm.shared_kib * 1024.0](const View& v) {
              return ratio(total(v, "front_end.shared_byte_cycles") + shared_cache_byte_cycles(v), total(v, "run.core_cycles") * bytes);
            });
  r.derived("active_warps", "resident warps of an SM, mean; if sm.warp_filter restricts warps, those that may issue", stats::Unit::warps,
            [](const View& v) { return warps_of_an_sm(v, v.has(kActiveCycles) ? kActiveCycles : "sm.warp_cycles"); });
  if (!params.sm.interference.measured()) return;
  declare_states(r);
  declare_interference(r);
  declare_shared_cache(r, params);
}

}  // namespace wharf
