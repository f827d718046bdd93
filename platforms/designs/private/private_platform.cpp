#include "platforms/designs/private/private_platform.h"

namespace wharf {

PrivatePlatform::PrivatePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                 RunObserver& observer, const Additions& additions, bool plain)
    : GpuFrame(params, options, stimulus, registry, observer), plain_(plain) {
  const unsigned ports = params.single_l1 ? params.sms : additions.sms_an_l1;
  // Each SM has its own path to L2. So another SM's fetch may overtake this SM's store, and leave an old copy in the L1 that they share
  // (DC-20).
  if (golden() != nullptr && ports > 1) golden()->allow(Departure::stale_own_peer);
  build_caches(additions.companion_of, ports);
  build_network(additions, ports);
}

PrivatePlatform::~PrivatePlatform() = default;

void PrivatePlatform::build_caches(const CompanionOf& companion_of, unsigned ports) {
  L1Cache::Environment environment = l1_environment(params_.sm.unified_kib * 1024);
  environment.in_order = ports == 1;
  for (unsigned i = 0; i < params_.sms / ports; ++i) {
    const Islands::Scope scope = at_sm(i * ports);
    environment.first_sm = i * ports;
    environment.companions = make_l1_companions(i);
    if (companion_of) environment.companions.insert(environment.companions.begin(), companion_of(i));
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

void PrivatePlatform::build_network(const Additions& additions, unsigned ports) {
  build_interconnect(additions.plan);
  SmNic::Route route{{}, interconnect_->flit_bytes()};
  route.takes_lines = additions.plan.multicast;
  for (unsigned i = 0; i < params_.sms; ++i) {
    const Islands::Scope scope = at_sm(i);
    route.destination = SmNic::to_l2(l2_route(i));
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
