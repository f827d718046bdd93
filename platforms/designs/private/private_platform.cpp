#include "platforms/designs/private/private_platform.h"

namespace wharf {

PrivatePlatform::PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                 RunObserver& observer, const Additions& additions)
    : GpuFrame(params, options, stimulus, registry, observer) {
  build_caches(additions.cluster_of);
  build_network(additions);
}

void PrivatePlatform::build_caches(const ClusterOf& cluster_of) {
  const unsigned ports = params_.l1.single ? params_.sms : 1;
  L1Cache::Environment environment{
      *core_, pool_, registry_, directory_.get(), directory_commit_.get(), keeps_versions(), params_.sm.unified_kib * 1024, options_.seed};
  environment.newest = newest();
  environment.written = stored_lines_.get();
  environment.in_order = ports == 1;
  for (unsigned i = 0; i < params_.sms / ports; ++i) {
    if (cluster_of) environment.cluster = cluster_of(i);
    environment.shared_memory = shared_memory_turns(i);
    caches_.push_back(std::make_unique<L1Cache>(numbered("l1_cache", i).c_str(), params_.l1, params_.transaction, i, ports, environment));
    front_end_->to_caches.bind(*caches_.back());
    watch(*caches_.back());
    connect_listeners(*caches_.back(), i * ports, ports);
    for (unsigned p = 0; p < ports; ++p) {
      const unsigned sm = i * ports + p;
      connect(sms_[sm]->downstream(), caches_.back()->upstream(p), numbered("sm_to_l1_", sm), Place::sm_to_l1);
    }
  }
}

void PrivatePlatform::build_network(const Additions& additions) {
  build_interconnect(additions.plan);
  const SmNic::Route route{SmNic::to_slice(*addresses_, params_.sms), interconnect_->flit_bytes()};
  const unsigned ports = params_.l1.single ? params_.sms : 1;
  for (unsigned i = 0; i < params_.sms; ++i) {
    sm_nics_.push_back(std::make_unique<SmNic>(numbered("sm_nic", i).c_str(), params_.packets, i, i, route, registry_));
    connect_listeners(sm_nics_.back()->sent_to_l2);
    sm_nics_.back()->below = debug_way();
    sm_nics_.back()->gate = gate(nullptr, i);
    connect(caches_[i / ports]->downstream(i % ports), sm_nics_.back()->upstream(), numbered("l1_to_nic", i));
    connect_messages(sm_nics_.back()->request(), interconnect_->input(i, Traffic::to_l2), numbered("request_in", i));
    connect_messages(interconnect_->output(i, Traffic::from_l2), sm_nics_.back()->reply(), numbered("reply_out", i));
  }
  if (!additions.connects_slices) connect_slices(additions.plan);
}

}  // namespace wharf
