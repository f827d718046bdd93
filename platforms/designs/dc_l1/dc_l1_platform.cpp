#include "platforms/designs/dc_l1/dc_l1_platform.h"

#include "model/base/archive.h"
#include "model/l1_sharing/remote_port.h"

namespace wharf {

DcL1Platform::DcL1Platform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                           RunObserver& observer)
    : GpuFrame(params, options, stimulus, registry, observer),
      geometry_(dc_l1_.geometry(params.sms, params.slices(), params.gpcs())),
      turns_(params.sms) {
  const L1Params cache = dc_l1_.node_cache(params_.l1, params_.sms);
  for (const SmGroups::Group& nodes : geometry_.nodes_of)
    homes_.push_back(make_home_map(dc_l1_.home_map, {nodes.size, cache.sets(), HomeFold::spread, addresses_.get(), params_.slices()}));
  const bool shared = dc_l1_.has_nodes() && geometry_.sms_of.largest() > 1;
  // A store updates or allocates the copy that other SMs read, before L2 has ordered the store.
  const bool keeps_stores = params_.l1.store_hit == StoreHit::update || params_.l1.store_miss == StoreMiss::allocate;
  if (golden() != nullptr && shared && keeps_stores) golden()->allow(Departure::early_peer);
  // Packets of one SM for one line may overtake each other if each packet takes the next port.
  if (golden() != nullptr && dc_l1_.l1_at == L1Place::cores && dc_l1_.cdx_route == PortChoice::round_robin)
    golden()->allow(Departure::stale_own_peer);
  build_networks();
  for (unsigned sm = 0; sm < params_.sms; ++sm) dc_l1_.has_nodes() ? build_core(sm) : build_private_core(sm);
  for (unsigned node = 0; node < geometry_.nodes; ++node) dc_l1_.has_nodes() ? build_node(node) : build_stage_queues(node);
  connect_slices(*noc2_, geometry_.slice_port(0), noc2_flit_bytes_);
  if (!dc_l1_.on_peer_network()) declare_table();
}

void DcL1Platform::build_networks() {
  if (!dc_l1_.on_peer_network()) return build_stages();
  TrafficPlan plan;
  plan.between_sms = true;
  build_interconnect(plan);
  noc1_ = noc2_ = interconnect_.get();
  down_ = Traffic::to_peer;
  up_ = Traffic::from_peer;
  noc1_flit_bytes_ = interconnect_->flit_bytes(down_);
  noc2_flit_bytes_ = interconnect_->flit_bytes();
}

void DcL1Platform::build_stages() {
  noc1_clock_ = clock("noc1_clock", dc_l1_.noc1.clock_mhz);
  NetworkParams first = params_.network;
  auto& crossbar = first.of<network::CrossbarParams>();
  crossbar = dc_l1_.noc1.crossbar;
  first.interface_packets = dc_l1_.noc1.interface_packets;
  if (geometry_.direct_links()) crossbar.latency = dc_l1_.noc1.direct_link_cycles;
  const auto shape = [](const DcL1Geometry::Crossbars& crossbars) {
    return StageShape{crossbars.count, crossbars.inputs, crossbars.outputs};
  };
  stage1_ = std::make_unique<CrossbarStage>("noc1", first, shape(geometry_.noc1()),
                                            CrossbarStage::Names{"net.noc1_request", "net.noc1_reply", "net.noc1_cycles"}, *noc1_clock_,
                                            registry_);
  stage2_ = std::make_unique<CrossbarStage>("noc2", params_.network, shape(geometry_.noc2()),
                                            CrossbarStage::Names{"net.request", "net.reply", "net.cycles"}, *network_, registry_);
  watch(*stage1_);
  watch(*stage2_);
  noc1_ = stage1_.get();
  noc2_ = stage2_.get();
  noc1_flit_bytes_ = dc_l1_.noc1.crossbar.flit_bytes;
  noc2_flit_bytes_ = params_.network.of<network::CrossbarParams>().flit_bytes;
}

std::vector<energy::NocNetwork> DcL1Platform::networks() const {
  if (dc_l1_.on_peer_network()) return GpuFrame::networks();
  std::vector<energy::NocNetwork> networks = stage1_->shapes(energy::Reach::cluster);
  for (energy::NocNetwork& network : stage2_->shapes(energy::Reach::chip)) networks.push_back(std::move(network));
  return networks;
}

unsigned DcL1Platform::home_of(unsigned sm, LineAddress line) const {
  return geometry_.node_of(sm, homes_[geometry_.cluster_of(sm)]->locate(line).core);
}

/// A node of the network between SMs is at the SM of its number.
L2Route DcL1Platform::l2_route_of(unsigned node) const {
  return dc_l1_.on_peer_network() ? l2_route(node) : L2Route(*addresses_, geometry_.slice_port(0), params_.slices());
}

/// Builds a lite core. Only a network interface separates its load/store unit from NoC#1.
void DcL1Platform::build_core(unsigned sm) {
  const Islands::Scope scope = at_sm(sm);
  const SmNic::Route route{[this, sm](const Access& access) { return home_port(sm, access.line); }, noc1_flit_bytes_, "nic.core", false,
                           down_};
  core_nics_.push_back(std::make_unique<SmNic>(numbered("core_nic", sm).c_str(), params_.packets, sm, sm, route, registry_));
  SmNic& nic = *core_nics_.back();
  nic.gate = gate(nullptr, sm);
  nic.below = [this, sm](tlm::tlm_generic_payload& transaction) {
    return debug_by_lines(transaction, [this, sm](tlm::tlm_generic_payload& part) {
      return caches_[home_of(sm, LineAddress::of(part.get_address()))]->debug(part);
    });
  };
  connect_to_homes(sm, nic.upstream(), "noc1_");
  connect_messages(nic.request(), noc1_->input(sm, down_), numbered("noc1_request_in", sm));
  connect_messages(noc1_->output(sm, up_), nic.reply(), numbered("noc1_reply_out", sm));
}

L1Cache& DcL1Platform::add_cache(unsigned number, const L1Params& params, bool detached) {
  L1Cache::Environment environment = l1_environment(0);
  environment.in_order = dc_l1_.l1_at == L1Place::nodes || dc_l1_.cdx_route == PortChoice::home;
  if (!detached) environment.companions = make_l1_companions(number);
  if (detached) {
    environment.companions = {l1_companion<RemotePort>(dc_l1_.queues.q1)};
    environment.detached = true;
    environment.homes = homes_[geometry_.nodes_of.number_of(number)].get();
  }
  caches_.push_back(std::make_unique<L1Cache>(numbered("l1_cache", number).c_str(), params, params_.transaction, number, 1, environment));
  front_end_->to_caches.bind(*caches_.back());
  watch(*caches_.back());
  return *caches_.back();
}

void DcL1Platform::build_node(unsigned n) {
  const Islands::Scope scope = at_sm(n * params_.sms / geometry_.nodes);
  const DcL1Params& params = dc_l1_;
  L1Cache& cache = add_cache(n, params.node_cache(params_.l1, params_.sms), true);
  const SmGroups::Group& cores = geometry_.sms_of[geometry_.nodes_of.number_of(n)];
  connect_listeners(cache, cores.first, cores.size);
  const DcL1NodeLogic::Place place{n, upper_port(n), noc1_flit_bytes_, up_};
  node_logics_.push_back(std::make_unique<DcL1NodeLogic>(params, params_.packets, place, registry_));
  nodes_.push_back(std::make_unique<DcL1Node>(numbered("dc_l1_node", n).c_str(), params, *node_logics_.back(), *core_));
  DcL1Node& node = *nodes_.back();
  watch(node);
  connect_messages(noc1_->output(upper_port(n), down_), node.request(), numbered("noc1_request_out", n));
  connect(node.cache(), cache.companion<RemotePort>().socket(), numbered("node_to_l1_", n));
  connect_messages(node.reply(), noc1_->input(upper_port(n), up_), numbered("noc1_reply_in", n));

  const unsigned lower = geometry_.lower_port(n);
  const SmNic::Route route{SmNic::to_l2(l2_route_of(n)), noc2_flit_bytes_, "nic.sm", params.write_forward == WriteForward::full_line};
  node_nics_.push_back(std::make_unique<SmNic>(numbered("node_nic", n).c_str(), params_.packets, lower, n, route, registry_));
  SmNic& nic = *node_nics_.back();
  connect_listeners(nic.sent_to_l2);
  nic.below = debug_way();
  nic.gate = gate(nullptr, n);
  connect(cache.downstream(0), nic.upstream(), numbered("l1_to_nic", n));
  connect_messages(nic.request(), noc2_->input(lower, Traffic::to_l2), numbered("request_in", n));
  connect_messages(noc2_->output(lower, Traffic::from_l2), nic.reply(), numbered("reply_out", n));
}

void DcL1Platform::build_private_core(unsigned sm) {
  const Islands::Scope scope = at_sm(sm);
  L1Cache& cache = add_cache(sm, params_.l1, false);
  connect_listeners(cache, sm);
  const bool in_turn = dc_l1_.cdx_route == PortChoice::round_robin;
  const SmNic::Route route{[this, sm, in_turn](const Access& access) {
                             if (!in_turn) return home_port(sm, access.line);
                             const unsigned port = turns_[sm]++ % geometry_.nodes_per_cluster();
                             return static_cast<std::uint16_t>(geometry_.upper_port(geometry_.node_of(sm, port)));
                           },
                           noc1_flit_bytes_};
  core_nics_.push_back(std::make_unique<SmNic>(numbered("sm_nic", sm).c_str(), params_.packets, sm, sm, route, registry_));
  SmNic& nic = *core_nics_.back();
  connect_listeners(nic.sent_to_l2);
  nic.below = debug_way();
  nic.gate = gate(nullptr, sm);
  connect(sms_[sm]->downstream(), cache.upstream(0), numbered("sm_to_l1_", sm), Place::sm_to_l1);
  connect(cache.downstream(0), nic.upstream(), numbered("l1_to_nic", sm));
  connect_messages(nic.request(), noc1_->input(sm, down_), numbered("noc1_request_in", sm));
  connect_messages(noc1_->output(sm, up_), nic.reply(), numbered("noc1_reply_out", sm));
}

void DcL1Platform::build_stage_queues(unsigned n) {
  const Islands::Scope scope = at_sm(n * params_.sms / geometry_.nodes);
  const unsigned upper = geometry_.upper_port(n), lower = geometry_.lower_port(n);
  const auto add = [&](const char* name, ClockDomain& clock, StageQueue::Readdress readdress) -> StageQueue& {
    stage_queues_.push_back(std::make_unique<StageQueue>(numbered(name, n).c_str(), dc_l1_.stage_queue, clock, std::move(readdress)));
    watch(*stage_queues_.back());
    return *stage_queues_.back();
  };
  StageQueue& down = add("stage_down", *noc1_clock_, [lower, route = l2_route_of(n)](Transaction& transaction) {
    transaction.message.source = static_cast<std::uint16_t>(lower);
    transaction.message.destination = route.endpoint_of(transaction.access.line);
  });
  StageQueue& up = add("stage_up", *network_, [upper](Transaction& transaction) {
    transaction.message.source = static_cast<std::uint16_t>(upper);
    transaction.message.destination = transaction.access.sm;
  });
  connect_messages(noc1_->output(upper, Traffic::to_l2), down.input(), numbered("noc1_request_out", n));
  connect_messages(down.output(), noc2_->input(lower, Traffic::to_l2), numbered("request_in", n));
  connect_messages(noc2_->output(lower, Traffic::from_l2), up.input(), numbered("reply_out", n));
  connect_messages(up.output(), noc1_->input(upper, Traffic::from_l2), numbered("noc1_reply_in", n));
}

bool DcL1Platform::archive_design(Archive& file) {
  for (const auto& node : nodes_) file(*node);
  for (const auto& queue : stage_queues_) file(*queue);
  file.elements(turns_);
  return dc_l1_.on_peer_network() || (stage1_->archive(file) && stage2_->archive(file));
}

/// DC-25: reports which clocks the source considers possible, but does not enforce them.
void DcL1Platform::declare_table() {
  registry_.table("crossbars", "crossbars of each direction, and whether the source takes their clock for possible (DC-25)", [this] {
    stats::TableRows table{{"network", "crossbars", "inputs", "outputs", "clock_mhz", "clock"}, {}};
    const auto row = [&](const char* name, const DcL1Geometry::Crossbars& c, std::uint64_t mhz) {
      const bool possible = mhz <= 700 || (c.inputs <= 10 && c.outputs <= 8);
      table.rows.push_back({std::string(name), std::uint64_t{c.count}, std::uint64_t{c.inputs}, std::uint64_t{c.outputs}, mhz,
                            std::string(possible ? "possible" : "hypothetical")});
    };
    row("noc1", geometry_.noc1(), dc_l1_.noc1.clock_mhz);
    row("noc2", geometry_.noc2(), params_.clock_mhz.network);
    return table;
  });
}

}  // namespace wharf
