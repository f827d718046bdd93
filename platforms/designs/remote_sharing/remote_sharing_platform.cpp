#include "platforms/designs/remote_sharing/remote_sharing_platform.h"

#include "model/base/archive.h"
#include "model/l1_sharing/remote_port.h"

namespace wharf {

RemoteSharingPlatform::RemoteSharingPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus,
                                             stats::Registry& registry, RunObserver& observer)
    : GpuFrame(params, options, stimulus, registry, observer), laws_(registry, "remote_sharing") {
  plan_.between_sms = params.facts().between_sms;
  plan_.slices_to_peers = params.forwards_reads();
  declare_departures();
  build_interconnect(plan_);
  build_cores();
  connect_slices(plan_);
  state_laws();
  declare_table();
}

void RemoteSharingPlatform::declare_departures() {
  if (golden() == nullptr || (sharing_.scheme == SharingScheme::none && !params_.forwards_reads())) return;
  // A supplier may give a copy that its SM has just written, while the store is still on its way to the ordering point.
  if (sharing_.written_lines == WrittenLines::give) golden()->allow(Departure::early_peer);
  const bool peers_may_be_old = sharing_.probe_after_own_store == AfterOwnStore::allow && !params_.forwards_reads();
  if (peers_may_be_old) golden()->allow(Departure::stale_own_peer);
}

void RemoteSharingPlatform::build_cores() {
  L1Cache::Environment cache = l1_environment(params_.sm.unified_kib * 1024);
  const PeerTiming timing{sharing_.lookup.tag_cycles, sharing_.lookup.data_cycles, sharing_.fill_cycles,
                          sharing_.written_lines == WrittenLines::give};
  const bool own_peer_network = plan_.between_sms && &interconnect_->input(0, Traffic::to_peer) != &interconnect_->input(0, Traffic::to_l2);
  const SmGroups clusters = params_.facts().groups;
  for (unsigned i = 0; i < params_.sms; ++i) {
    const Islands::Scope scope = at_sm(i);
    cache.companions = make_l1_companions(i);
    if (plan_.between_sms) cache.companions.insert(cache.companions.begin(), l1_companion<RemotePort>(params_.l1.input_queue, timing));
    caches_.push_back(std::make_unique<L1Cache>(numbered("l1_cache", i).c_str(), params_.l1, params_.transaction, i, 1, cache));
    front_end_->to_caches.bind(*caches_.back());
    watch(*caches_.back());
    connect_listeners(*caches_.back(), i);
    connect(sms_[i]->downstream(), caches_.back()->upstream(0), numbered("sm_to_l1_", i), Place::sm_to_l1);

    ProbeAgentLogic::Environment core{i,
                                      params_.sms,
                                      clusters.around(i),
                                      static_cast<unsigned>(params_.l1.misses_at_once()),
                                      {},
                                      options_.seed,
                                      directory_ == nullptr ? nullptr : this,
                                      &pcs_};
    for (unsigned other = 0; other < params_.sms; ++other)
      core.hops.push_back(static_cast<std::uint16_t>(interconnect_->distance(i, other)));
    const ProbeAgent::Environment environment{*core_,
                                              *network_,
                                              pool_,
                                              bodies_,
                                              registry_,
                                              directory_.get(),
                                              l2_route(i),
                                              interconnect_->flit_bytes(),
                                              interconnect_->flit_bytes(own_peer_network ? Traffic::to_peer : Traffic::to_l2),
                                              interconnect_->flit_bytes(own_peer_network ? Traffic::from_peer : Traffic::to_l2),
                                              plan_.between_sms,
                                              own_peer_network};
    agents_.push_back(std::make_unique<ProbeAgent>(numbered("agent", i).c_str(), sharing_, params_.packets, core, environment));
    front_end_->to_caches.bind(*agents_.back());
    watch(*agents_.back());
    connect_agent(i);
  }
}

void RemoteSharingPlatform::connect_agent(unsigned sm) {
  ProbeAgent& agent = *agents_[sm];
  connect_listeners(agent.sent_to_l2);
  agent.below = debug_way();
  agent.gate = gate(core_, sm);
  connect(caches_[sm]->downstream(0), agent.upstream(), numbered("l1_to_agent", sm));
  connect_messages(agent.request(Traffic::to_l2), interconnect_->input(sm, Traffic::to_l2), numbered("request_in", sm));
  connect_messages(interconnect_->output(sm, Traffic::from_l2), agent.reply(Traffic::from_l2), numbered("reply_out", sm));
  if (!plan_.between_sms) return;
  connect(agent.lookups(), caches_[sm]->companion<RemotePort>().socket(), numbered("agent_to_l1_", sm));
  connect_messages(interconnect_->output(sm, Traffic::to_peer), agent.probes(), numbered("probe_out", sm));
  connect_messages(agent.peer_reply(), interconnect_->input(sm, Traffic::from_peer), numbered("data_in", sm));
  if (!agent.own_peer_network()) return;
  connect_messages(agent.request(Traffic::to_peer), interconnect_->input(sm, Traffic::to_peer), numbered("probe_in", sm));
  connect_messages(interconnect_->output(sm, Traffic::from_peer), agent.reply(Traffic::from_peer), numbered("data_out", sm));
}

void RemoteSharingPlatform::state_laws() {
  const auto sum = [this](stats::Counter ProbeCounters::*counter) {
    std::uint64_t total = 0;
    for (const auto& agent : agents_) total += (agent->counters().*counter).value();
    return total;
  };
  laws_.law("probes.injected == probes.supplied + probes.returned + probes.dropped", [sum] {
    return sum(&ProbeCounters::injected) == sum(&ProbeCounters::supplied) + sum(&ProbeCounters::returned) + sum(&ProbeCounters::dropped);
  });
  laws_.law("probes.peer_replies == probes.filled_by_peer + probes.redundant",
            [sum] { return sum(&ProbeCounters::peer_replies) == sum(&ProbeCounters::filled_by_peer) + sum(&ProbeCounters::redundant); });
}

void RemoteSharingPlatform::declare_table() {
  registry_.table("sharing_by_pc", "load primary misses of each pc: all, those that another SM held, those that another SM filled", [this] {
    stats::TableRows table{{"pc", "misses", "held_elsewhere", "filled_by_peer"}, {}};
    for (const PcSharing::Row& row : pcs_.rows())
      table.rows.push_back({std::uint64_t{row.pc}, row.misses, row.held_elsewhere, row.filled_by_peer});
    return table;
  });
}

bool RemoteSharingPlatform::archive_design(Archive& file) {
  for (const auto& agent : agents_) file(*agent);
  file(pcs_);
  return true;
}

bool RemoteSharingPlatform::find_sectors(unsigned core, const Access& access, SectorVersions& versions, std::uint32_t& cta) const {
  const LineOrigin* origin = caches_[core]->logic().copy_of(access, versions);
  if (origin != nullptr) cta = origin->cta;
  return origin != nullptr;
}

}  // namespace wharf
