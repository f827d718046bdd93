#include "platforms/designs/shared_l1/shared_l1_platform.h"

#include "model/base/archive.h"
#include "model/l1_sharing/remote_port.h"

namespace wharf {

SharedL1Platform::SharedL1Platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                                   RunObserver& observer)
    : GpuFrame(params, options, stimulus, registry, observer) {
  if (golden() != nullptr && ever_shares(shared_l1_.organisation)) {
    // CM-32: atomics bypass the home's copy. Other SMs see a store in that copy before L2 has ordered the store.
    golden()->allow(Departure::stale_own_atomic);
    // CM-26: a texture line has no home. So a texture load is not ordered behind the SM's own store, which is sent to the home.
    golden()->allow(Departure::stale_own_texture);
    golden()->allow(Departure::early_peer);
    if (is_dynamic(shared_l1_.organisation)) golden()->allow(Departure::stale_own_mode_change);
  }
  TrafficPlan plan;
  plan.between_sms = true;
  plan.split_classes = true;  // SL-11
  build_interconnect(plan);
  for (unsigned i = 0; i < params_.sms; ++i) build_node(i);
  connect_slices(plan);
  if (!is_dynamic(shared_l1_.organisation)) return;
  registry.table("execution_phases",
                 "of each SM that has had a CTA: S sampling, Ex-Pr private, Ex-Sh shared, and the core cycle in which it begins", [this] {
                   stats::TableRows table{{"sm", "phase", "begin"}, {}};
                   for (const PhaseSpan& span : phases(0))
                     table.rows.push_back({std::uint64_t{span.sm}, std::string(span.name), span.begin});
                   return table;
                 });
}

void SharedL1Platform::build_node(unsigned i) {
  const Islands::Scope scope = at_sm(i);
  const SharedL1Params& sharing = shared_l1_;
  L1Cache::Environment environment = l1_environment(params_.sm.unified_kib * 1024);
  environment.companions = {l1_companion<RemotePort>(sharing.in_queue)};
  if (sharing.leftover_victim_first && is_dynamic(sharing.organisation))
    environment.preferred_victim = [this, i](LineAddress line) { return router_logics_[i]->leftover(line, core_->now()); };
  caches_.push_back(std::make_unique<L1Cache>(numbered("l1_cache", i).c_str(), params_.l1, params_.transaction, i, 1, environment));
  L1Cache& cache = *caches_.back();
  front_end_->to_caches.bind(cache);
  watch(cache);
  const SmGroups::Group group = groups_.around(i);
  connect_listeners(cache, group.first, group.size);

  const HomeRouterLogic::Place place{i,
                                     params_.sms,
                                     group,
                                     l2_route(i),
                                     interconnect_->flit_bytes(Traffic::to_l2),
                                     interconnect_->flit_bytes(Traffic::to_peer),
                                     [this](unsigned from, unsigned to) { return interconnect_->hops(from, to); },
                                     params_.slices()};
  router_logics_.push_back(std::make_unique<HomeRouterLogic>(
      sharing, params_.packets, make_set_index(params_.l1.set_index, params_.l1.sets()), params_.l1.sets(), place, registry_));
  routers_.push_back(std::make_unique<HomeRouter>(numbered("home_router", i).c_str(), sharing, *router_logics_.back(), i, *core_));
  HomeRouter& router = *routers_.back();
  watch(router);
  RemotePort& remote = cache.companion<RemotePort>();
  remote.lookups().bind(router);
  front_end_->to_caches.bind(router);
  router.to_l1.bind(cache);
  connect_listeners(router.sent_to_l2);
  router.home = [this, i](tlm::tlm_generic_payload& transaction) {
    return debug_by_lines(transaction, [this, i](tlm::tlm_generic_payload& part) {
      return caches_[router_logics_[i]->home_of(LineAddress::of(part.get_address()))]->debug(part);
    });
  };
  router.below = debug_way();
  router.gate = gate(core_, i);
  connect_to_homes(i, router.upstream(), "router_");
  connect(router.l1(), cache.upstream(0), numbered("router_to_l1_", i));
  connect(router.remote(), remote.socket(), numbered("router_to_remote_", i));
  connect(cache.downstream(0), router.l1_below(), numbered("l1_to_router_", i));
  for (const auto& [traffic, link] :
       {std::pair{Traffic::to_l2, "to_l2_"}, std::pair{Traffic::to_peer, "to_peer_"}, std::pair{Traffic::from_peer, "to_requester_"}})
    connect_messages(router.output(traffic), interconnect_->input(i, traffic), numbered(link, i));
  for (const auto& [traffic, link] :
       {std::pair{Traffic::from_l2, "from_l2_"}, std::pair{Traffic::from_peer, "from_home_"}, std::pair{Traffic::to_peer, "from_peer_"}})
    connect_messages(interconnect_->output(i, traffic), router.input(traffic), numbered(link, i));
}

bool SharedL1Platform::archive_design(Archive& file) {
  for (const auto& router : routers_) file(*router);
  return true;
}

std::vector<PhaseSpan> SharedL1Platform::phases(Cycle end) const {
  constexpr const char* kNames[] = {"S", "Ex-Pr", "Ex-Sh"};
  std::vector<PhaseSpan> spans;
  for (unsigned i = 0; i < router_logics_.size(); ++i) {
    if (sms_[i]->logic().warp_instructions() == 0) continue;  // it never had a CTA, so it samples forever
    const auto& phases = router_logics_[i]->organisation().phases();
    for (std::size_t p = 0; p < phases.size(); ++p)
      spans.push_back({i, kNames[static_cast<unsigned>(phases[p].phase)], phases[p].begin,
                       p + 1 < phases.size() ? phases[p + 1].begin : std::max(end, phases[p].begin)});
  }
  return spans;
}

}  // namespace wharf
