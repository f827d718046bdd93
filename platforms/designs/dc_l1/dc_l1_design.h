#pragma once
// What dc_l1 says of a GPU: the group `dc_l1`, and what L1s apart from the cores ask of the rest.

#include "model/designs/dc_l1/dc_l1_params.h"
#include "platforms/frame/design.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

class DcL1Design final : public ParamsOf<DcL1Params>, public SharesL1s {
 public:
  std::unique_ptr<Design> copy() const override { return std::make_unique<DcL1Design>(*this); }
  void bind(config::Binder& b, const GpuParams& gpu) override;
  const char* l1_queues_elsewhere() const override { return params.has_nodes() ? "the queues of a DC-L1 node are dc_l1.queues" : nullptr; }
  void check(config::Binder& b, const GpuParams& gpu) const override;
  std::uint32_t caches(const GpuParams& gpu) const override { return params.has_nodes() ? params.nodes : Design::caches(gpu); }
  bool sees_all_stores() const override { return true; }
  Reach reach(const GpuParams& gpu) const override;
  FirstNetwork first_network() const override { return {params.noc1.clock_mhz, params.has_nodes()}; }
};

}  // namespace wharf
