#pragma once
// Measures the latency of the requests on one memory link, by the block that answers.

#include <array>
#include <memory>
#include <unordered_map>

#include "model/base/access.h"
#include "model/base/stats/stats.h"
#include "model/monitor/pass_through.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/payload.h"

namespace wharf {

/// Cycles of `clock` from BEGIN_REQ to BEGIN_RESP, as annotated, in the histograms `latency.none`, `latency.l1` ... `latency.dram` of
/// `group`. A read completed at once counts with its annotated time; posted writes have no response and do not count.
class LatencyProbe final : public PassThrough {
 public:
  LatencyProbe(sc_core::sc_module_name name, const ClockDomain& clock, stats::Group& group);

  const stats::Histogram& latency(ServedBy served_by) const { return *latency_[static_cast<unsigned>(served_by)]; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override;
  void end(tlm::tlm_generic_payload& transaction, const sc_core::sc_time& time);

  const ClockDomain& clock_;
  std::array<std::unique_ptr<stats::Histogram>, kServedBy> latency_;  // pointers, because the registry refers to each histogram
  std::unordered_map<const tlm::tlm_generic_payload*, Cycle> sent_;
};

}  // namespace wharf
