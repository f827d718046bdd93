#pragma once
// The private-L1 GPU in clusters of L1s with an aggregated tag array (ata). In addition to its path to L2, each L1 has a lookup link to the
// array of its cluster, and a request and a reply crossbar to the other L1s of the cluster, or the network between SMs in their place.

#include "model/designs/ata/aggregated_tag_array.h"
#include "model/designs/ata/ata_params.h"
#include "model/network/crossbar/crossbar.h"
#include "platforms/designs/private/private_platform.h"

namespace wharf {

/// The clusters of a GPU. A base class of the platform, because the L1s need the clusters at construction.
struct AtaClusters {
  explicit AtaClusters(const GpuParams& params);
  const SmGroups groups;
  std::vector<ClusterPlace> places;  // [group]
};

class AtaPlatform final : private AtaClusters, public PrivatePlatform {
 public:
  AtaPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer);

  std::vector<energy::NocNetwork> networks() const override;
  void add_to(energy::Machine& machine) const override {
    machine.has_tag_arrays = true;
    machine.tags_a_lookup = tags_a_lookup();
  }

 private:
  bool archive_design(Archive& file) override;
  double tags_a_lookup() const;
  void build_crossbars(unsigned number);
  void connect_cluster(unsigned number);

  const AtaParams& ata_ = params_.of<AtaParams>();
  std::vector<std::unique_ptr<AggregatedTagArray>> arrays_;
  std::vector<std::unique_ptr<Crossbar>> crossbars_;  // per cluster: requests, replies; empty if network.peer carries them
};

}  // namespace wharf
