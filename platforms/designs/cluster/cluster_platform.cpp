#include "platforms/designs/cluster/cluster_platform.h"

#include "model/base/archive.h"

namespace wharf {

namespace {

TrafficPlan plan(const ClusterParams& params) {
  TrafficPlan plan;
  plan.between_sms = true;
  plan.multicast = params.tma.multicast_at == MulticastAt::gpc;
  return plan;
}

}  // namespace

ClusterPlatform::ClusterPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                 RunObserver& observer)
    : PrivatePlatform(params, options, stimulus, registry, observer, {{}, plan(params.of<ClusterParams>()), {}}),
      hierarchy_(params.network.of<network::HierarchicalParams>(), params.sms),
      laws_(registry, "cluster") {
  front_end_->run_clusters(params.gpcs());
  if (golden() != nullptr) golden()->check_shared_memory();
  shared_memory_turns_.resize(params.sms);
  for (unsigned sm = 0; sm < params.sms; ++sm) connect_port(sm);
  laws_.law("sum of dsm.served == sum of dsm.by_distance", [this] {
    std::uint64_t sent = 0, served = 0;
    for (const auto& port : ports_) sent += port->sent(), served += port->served();
    return sent == served;
  });
  laws_.law("sum of tma.bytes == sum of tma.delivered_bytes", [this] {
    std::uint64_t bytes = 0, delivered = 0;
    for (const auto& sm : sms_) {
      const CopyEngine& copies = *sm->logic().copy_engine();
      bytes += copies.bytes(), delivered += copies.delivered_bytes();
    }
    return bytes == delivered;
  });
}

void ClusterPlatform::connect_port(unsigned sm) {
  const Islands::Scope scope = at_sm(sm);
  const ClusterPort::Environment environment{*core_,
                                             pool_,
                                             registry_,
                                             hierarchy_,
                                             params_.sm.shared_cycles,
                                             params_.sm.ctas,
                                             [this, sm](const Access& arrival) { sms_[sm]->peer_arrives(arrival); },
                                             golden() == nullptr ? nullptr : golden()->shared_memory()};
  ports_.push_back(std::make_unique<ClusterPort>(numbered("cluster_port", sm).c_str(), params_.of<ClusterParams>(), sm,
                                                 shared_memory_turns_[sm], environment));
  ClusterPort& port = *ports_.back();
  watch(port);
  SmLogic& logic = sms_[sm]->logic();
  logic.share_memory(shared_memory_turns_[sm]);
  if (golden() != nullptr) logic.report_to(*golden()->shared_memory());
  logic.add_copy_engine(std::make_unique<CopyEngine>(params_.of<ClusterParams>().tma, registry_, sm));
  sms_[sm]->finished.bind(port);
  front_end_->to_sms.bind(port);
  connect(sms_[sm]->peers(), port.upstream(), numbered("sm_to_cluster", sm));
  connect_messages(port.request(), interconnect_->input(sm, Traffic::to_peer), numbered("cluster_request_in", sm));
  connect_messages(interconnect_->output(sm, Traffic::to_peer), port.arriving_request(), numbered("cluster_request_out", sm));
  connect_messages(port.reply(), interconnect_->input(sm, Traffic::from_peer), numbered("cluster_reply_in", sm));
  connect_messages(interconnect_->output(sm, Traffic::from_peer), port.arriving_reply(), numbered("cluster_reply_out", sm));
  if (params_.of<ClusterParams>().tma.multicast_at == MulticastAt::gpc)
    connect_messages(sm_nic(sm).lines(), port.arriving_line(), numbered("copied_line", sm));
}

bool ClusterPlatform::archive_design(Archive& file) {
  for (const auto& port : ports_) file(*port);
  return true;
}

}  // namespace wharf
