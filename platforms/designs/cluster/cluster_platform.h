#pragma once
// The private-L1 GPU whose CTAs form thread-block clusters: each SM has a port to the shared memory of the other SMs of its GPC, over a
// network of their own (modern_gpus section 4).

#include "model/designs/cluster/cluster_port.h"
#include "platforms/designs/private/private_platform.h"

namespace wharf {

class ClusterPlatform final : public PrivatePlatform {
 public:
  ClusterPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer);

 private:
  bool archive_design(Archive& file) override;
  void connect_port(unsigned sm);

  const network::Hierarchy hierarchy_;
  std::vector<std::unique_ptr<ClusterPort>> ports_;  // [SM]
  stats::Group laws_;
};

}  // namespace wharf
