#pragma once
// The GPU whose L1s supply each other: SM - L1 - probe agent - network - NIC - L2 - DRAM (remote_sharing). The agents replace the SMs'
// network interfaces and look up probes over the L1s' remote ports.

#include "model/designs/remote_sharing/probe_agent.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

class RemoteSharingPlatform final : public GpuFrame, private PeerTags {
 public:
  RemoteSharingPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                        RunObserver& observer);

  void add_to(energy::Machine& machine) const override { machine.searches_l1s = sharing_.searches(); }
  void declare_metrics(stats::Registry& registry) const override;

 private:
  bool archive_design(Archive& file) override;
  bool find_sectors(unsigned core, const Access& access, SectorVersions& versions, std::uint32_t& cta) const override;
  void count_supplier(unsigned core) override { ++agents_[core]->counters().supplier_possible; }

  void declare_departures();
  void build_cores();
  void connect_agent(unsigned sm);
  void state_laws();
  void declare_table();

  const RemoteSharingParams& sharing_ = params_.of<RemoteSharingParams>();
  TrafficPlan plan_;
  ProbePool bodies_;
  PcSharing pcs_;
  std::vector<std::unique_ptr<ProbeAgent>> agents_;
  stats::Group laws_;
};

}  // namespace wharf
