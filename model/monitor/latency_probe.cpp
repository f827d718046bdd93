#include "model/monitor/latency_probe.h"

#include <string>

namespace wharf {

LatencyProbe::LatencyProbe(sc_core::sc_module_name name, const ClockDomain& clock, stats::Group& group) : PassThrough(name), clock_(clock) {
  for (unsigned i = 0; i < kServedBy; ++i)
    latency_[i] = std::make_unique<stats::Histogram>(group, std::string("latency.") + kServedByNames[i],
                                                     std::string("cycles from request to response, answered by ") + kServedByNames[i],
                                                     stats::Unit::cycles);
}

tlm::tlm_sync_enum LatencyProbe::nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase != tlm::BEGIN_REQ) return PassThrough::nb_transport_fw(transaction, phase, time);
  sent_[&transaction] = clock_.cycle_at((sc_core::sc_time_stamp() + time).value());
  const tlm::tlm_sync_enum status = PassThrough::nb_transport_fw(transaction, phase, time);
  if (!answered(status, phase)) return status;
  if (status == tlm::TLM_COMPLETED && transaction.is_write()) {
    sent_.erase(&transaction);
  } else {
    end(transaction, time);
  }
  return status;
}

tlm::tlm_sync_enum LatencyProbe::nb_transport_bw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) {
  if (phase == tlm::BEGIN_RESP) end(transaction, time);
  return PassThrough::nb_transport_bw(transaction, phase, time);
}

void LatencyProbe::end(tlm::tlm_generic_payload& transaction, const sc_core::sc_time& time) {
  const auto it = sent_.find(&transaction);
  if (it == sent_.end()) return;
  const Cycle cycles = clock_.cycle_at((sc_core::sc_time_stamp() + time).value()) - it->second;
  sent_.erase(it);
  const auto* extension = transaction.get_extension<AccessExtension>();
  const ServedBy served_by = extension == nullptr ? ServedBy::none : extension->carried().reply.served_by;
  latency_[static_cast<unsigned>(served_by)]->add(cycles);
}

}  // namespace wharf
