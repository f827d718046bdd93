#include "platforms/designs/morpheus/characterise_platform.h"

#include <algorithm>

#include "model/designs/morpheus/ellc_geometry.h"

namespace wharf {

namespace {

TrafficPlan plan_of(const GpuParams& params) {
  TrafficPlan plan;
  plan.extended_llc = params.of<ClosedLoopParams>().networks;
  return plan;
}

}  // namespace

CharacterisePlatform::CharacterisePlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus,
                                           stats::Registry& registry, RunObserver& observer)
    : PrivatePlatform(params, options, stimulus, registry, observer, {{}, plan_of(params), {}}) {
  const EllcGeometry geometry(params.of<MorpheusParams>().kernel, 1, partitions(params));
  std::vector<EllcRow> rows;
  for (unsigned warp = 0; warp < params.of<MorpheusParams>().kernel.warps(); ++warp) {
    const EllcGeometry::Place place = geometry.place(0, warp);
    rows.push_back({place.partition, place.row});
  }
  build_cache_sm(rows);
  build_closed_loop(rows);
}

void CharacterisePlatform::build_cache_sm(const std::vector<EllcRow>& rows) {
  const CacheModeSm::Environment environment{*core_,
                                             ellc_pool_,
                                             ellc_pool_,
                                             registry_,
                                             0,
                                             params_.sms - 1,
                                             params_.sms,
                                             params_.of<MorpheusParams>().banks_per_partition,
                                             interconnect_->flit_bytes(),
                                             rows,
                                             {params_.clock_mhz.core, params_.of<MorpheusParams>().miss_fetch, false, options_.seed, {}},
                                             {},
                                             {}};
  cache_sm_ = std::make_unique<CacheModeSm>("cache_mode_sm0", params_.of<MorpheusParams>().kernel, environment);
  watch(*cache_sm_);
}

void CharacterisePlatform::build_closed_loop(const std::vector<EllcRow>& rows) {
  const EllcKernelParams& kernel = params_.of<MorpheusParams>().kernel;
  ClosedLoop::Environment environment{*core_,
                                      ellc_pool_,
                                      registry_,
                                      params_.sms - 1,
                                      params_.sms,
                                      params_.of<MorpheusParams>().banks_per_partition,
                                      interconnect_->flit_bytes(),
                                      params_.of<ClosedLoopParams>().networks,
                                      rows,
                                      {},
                                      [this] { return !front_end_->done_before(core_->present_cycle()); }};
  for (unsigned warp = 0; warp < rows.size(); ++warp) {
    const std::uint32_t blocks = kernel.data_blocks(kernel.unit_of(warp));
    environment.blocks.push_back(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block) cache_sm_->kernel().preload(warp, ClosedLoop::line_of(warp, block));
  }
  closed_loop_ = std::make_unique<ClosedLoop>("closed_loop", environment);
  if (!params_.of<ClosedLoopParams>().networks) {
    connect_messages(closed_loop_->output(0), cache_sm_->input(), "loop_to_ellc");
    connect_messages(cache_sm_->output(), closed_loop_->input(0), "ellc_to_loop");
    return;
  }
  connect_messages(interconnect_->output(params_.sms - 1, Traffic::to_ellc), cache_sm_->input(), "to_ellc_out");
  connect_messages(cache_sm_->output(), interconnect_->input(params_.sms - 1, Traffic::from_ellc), "from_ellc_in");
  for (std::size_t i = 0; i < closed_loop_->endpoints().size(); ++i) {
    const unsigned endpoint = closed_loop_->endpoints()[i], slice = endpoint - params_.sms;
    connect_messages(closed_loop_->output(i), interconnect_->input(endpoint, Traffic::to_ellc), numbered("to_ellc_in", slice));
    connect_messages(interconnect_->output(endpoint, Traffic::from_ellc), closed_loop_->input(i), numbered("from_ellc_out", slice));
  }
  if (params_.network.entry().has_all_sockets) close_unused_ports();
}

void CharacterisePlatform::close_unused_ports() {
  const std::vector<unsigned>& used = closed_loop_->endpoints();
  for (unsigned endpoint = 0; endpoint < params_.sms + params_.slices(); ++endpoint) {
    const bool is_sm = endpoint < params_.sms;
    if (endpoint == params_.sms - 1 || std::find(used.begin(), used.end(), endpoint) != used.end()) continue;
    unused_ports_.push_back(std::make_unique<UnusedPorts>(numbered("unused_ellc_ports_", endpoint).c_str()));
    UnusedPorts& ports = *unused_ports_.back();
    const Traffic in = is_sm ? Traffic::to_ellc : Traffic::from_ellc, out = is_sm ? Traffic::from_ellc : Traffic::to_ellc;
    connect_messages(interconnect_->output(endpoint, in), ports.from_network.socket, numbered("unused_out_", endpoint));
    connect_messages(ports.to_network.socket, interconnect_->input(endpoint, out), numbered("unused_in_", endpoint));
  }
}

}  // namespace wharf
