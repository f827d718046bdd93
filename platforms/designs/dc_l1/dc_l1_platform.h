#pragma once
// The GPU whose L1 caches are outside the SMs: SM (lite) - NoC#1 - DC-L1 node - NoC#2 - L2 - DRAM (dc_l1). If the L1s are in the SMs, the
// two NoCs are the stages of a CDXBar (dc_l1 section 9). If the network between SMs is NoC#1, the network of L2 traffic is NoC#2.

#include "model/designs/dc_l1/dc_l1_node.h"
#include "model/designs/dc_l1/stage_queue.h"
#include "model/network/crossbar/crossbar_stage.h"
#include "model/nic/sm_nic.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

class DcL1Platform final : public GpuFrame {
 public:
  DcL1Platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer);

  std::vector<energy::NocNetwork> networks() const override;

 private:
  bool archive_design(Archive& file) override;
  void build_networks();
  void build_stages();
  void build_core(unsigned sm);
  void build_node(unsigned node);
  void build_private_core(unsigned sm);
  void build_stage_queues(unsigned node);
  L1Cache& add_cache(unsigned number, const L1Params& params, bool detached);
  /// The endpoint of NoC#1 at a node.
  unsigned upper_port(unsigned node) const { return dc_l1_.on_peer_network() ? node : geometry_.upper_port(node); }
  /// The node that is the line's home for an SM.
  unsigned home_of(unsigned sm, LineAddress line) const;
  std::uint16_t home_port(unsigned sm, LineAddress line) const { return static_cast<std::uint16_t>(upper_port(home_of(sm, line))); }
  L2Route l2_route_of(unsigned node) const;
  void declare_table();

  const DcL1Params& dc_l1_ = params_.of<DcL1Params>();
  const DcL1Geometry geometry_;
  std::vector<std::unique_ptr<HomeMap>> homes_;  // [cluster]
  ClockDomain* noc1_clock_;
  std::unique_ptr<CrossbarStage> stage1_, stage2_;
  Network *noc1_ = nullptr, *noc2_ = nullptr;              // the stages, or interconnect_ twice, which then has two kinds of traffic
  Traffic down_ = Traffic::to_l2, up_ = Traffic::from_l2;  // of NoC#1
  std::uint32_t noc1_flit_bytes_ = 0, noc2_flit_bytes_ = 0;
  std::vector<std::unique_ptr<SmNic>> core_nics_, node_nics_;
  std::vector<std::unique_ptr<DcL1NodeLogic>> node_logics_;
  std::vector<std::unique_ptr<DcL1Node>> nodes_;
  std::vector<std::unique_ptr<StageQueue>> stage_queues_;
  std::vector<unsigned> turns_;  // [SM]: packets sent (cdx_route: rr)
};

}  // namespace wharf
