#include "platforms/designs/morpheus/characterise_platform.h"
#include "platforms/measure/metrics.h"

namespace wharf {

using measure::ratio;
using measure::total;
using stats::View;

/// Metrics of one SM in cache mode (morpheus section 9.2).
void CharacterisePlatform::declare_metrics(stats::Registry& r) const {
  const EllcKernelParams& kernel = params_.of<MorpheusParams>().kernel;
  std::uint32_t blocks = 0;
  for (std::uint32_t warp = 0; warp < kernel.warps(); ++warp) blocks += kernel.data_blocks(kernel.unit_of(warp));
  const double kib = static_cast<double>(blocks) * kLineBytes / 1024, mhz = params_.clock_mhz.core;
  r.derived("eLLC.capacity_kib", "what the warps of a cache-mode SM hold without compression", stats::Unit::kib,
            [kib](const View&) { return kib; });
  r.derived("eLLC.c2c_latency", "from controller to controller of a read, mean", stats::Unit::nanoseconds,
            [](const View& v) { return v.ratio("closed_loop.c2c_ps", "closed_loop.reads") / 1000; });
  r.derived("eLLC.bandwidth", "bytes read per ns: GB/s", stats::Unit::ratio,
            [mhz](const View& v) { return ratio(total(v, "closed_loop.bytes"), total(v, "run.core_cycles") * 1000 / mhz); });
  r.derived("eLLC.busy_warps", "warps of a cache-mode SM with an operation, mean", stats::Unit::warps,
            [](const View& v) { return v.ratio("ellc.busy_warp_cycles", "run.core_cycles"); });
  // The energy per byte includes the networks, so it exists only with networks.
  if (!params_.of<ClosedLoopParams>().networks) return;
  const auto& energy = params_.energy;
  r.derived("eLLC.energy_per_byte", "pJ of a byte read: its price and the static power of the SM meanwhile (morpheus section 10)",
            stats::Unit::none, [mhz, price = energy.ellc.pj_per_byte, watts = energy.core.sm_on_w](const View& v) {
              const double operations = total(v, "ellc.block_operations") * kLineBytes, ns = total(v, "run.core_cycles") * 1000 / mhz;
              return ratio(operations * price + ns * watts * 1000, total(v, "closed_loop.bytes"));
            });
}

}  // namespace wharf
