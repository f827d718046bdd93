#pragma once
// The private-L1 GPU with one SM in cache mode. A closed loop of reads replaces the Morpheus controllers (morpheus section 9.2). The loop
// runs as long as the stimulus, which does not affect it otherwise.

#include "model/designs/morpheus/cache_mode/cache_mode_sm.h"
#include "model/designs/morpheus/cache_mode/closed_loop.h"
#include "platforms/designs/morpheus/morpheus_design.h"
#include "platforms/designs/morpheus/unused_ports.h"
#include "platforms/designs/private/private_platform.h"

namespace wharf {

class CharacterisePlatform final : public PrivatePlatform {
 public:
  CharacterisePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                       RunObserver& observer);

  void add_to(energy::Machine& machine) const override { machine.ellc_over_networks = params_.of<ClosedLoopParams>().networks; }
  void declare_metrics(stats::Registry& registry) const override;

 private:
  void build_cache_sm(const std::vector<EllcRow>& rows);
  void build_closed_loop(const std::vector<EllcRow>& rows);
  void close_unused_ports();

  PayloadPool ellc_pool_{false};  // separate, because the front end waits for all payloads of the machine's own pool
  std::unique_ptr<CacheModeSm> cache_sm_;
  std::unique_ptr<ClosedLoop> closed_loop_;
  std::vector<std::unique_ptr<UnusedPorts>> unused_ports_;
};

}  // namespace wharf
