#include "platforms/designs/dc_l1/dc_l1_design.h"

#include <algorithm>
#include <string>

#include "platforms/frame/sharing_checks.h"

namespace wharf {

void DcL1Design::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("dc_l1", params, "L1 caches decoupled from the SMs, and the NoC before them");
  b.ineffective_unless(gpu.platform == "dc_l1", "dc_l1", "platform is not dc_l1");
}

DesignFacts DcL1Design::facts(const GpuParams& gpu) const {
  DesignFacts facts;
  facts.sees_all_stores = true;
  // An SM can send several messages in a cycle only if the network answers each at once, which a network in another thread does not.
  facts.islands = gpu.groups_of(params.has_nodes() && gpu.sm.lsu_lines_per_cycle > 1 ? 0 : 1);
  facts.between_sms = facts.uses_near_slices = params.on_peer_network();
  facts.groups = gpu.groups_of(cluster_sms(gpu));
  if (!params.on_peer_network()) facts.first_network = {params.noc1.clock_mhz, params.has_nodes()};
  if (!params.has_nodes()) return facts;
  facts.caches = params.nodes;
  facts.l1_queues_elsewhere = "the queues of a DC-L1 node are dc_l1.queues";
  return facts;
}

void DcL1Design::check(config::Binder& b, const GpuParams& gpu) const {
  const L1Params& l1 = gpu.l1;
  check_groups(b, gpu, "dc_l1", "clusters", cluster_sms(gpu));
  const DcL1Geometry::Mistake mistake = params.geometry(gpu.sms, gpu.slices(), gpu.gpcs()).mistake();
  b.require(mistake.what.empty(), "dc_l1", mistake.what, mistake.remedy);
  check_carrier(b, gpu, params.noc1.carrier);
  b.require(!params.on_peer_network() || (params.has_nodes() && params.nodes == gpu.sms), "dc_l1",
            "noc1.carrier: peer needs a node at each SM", "set dc_l1.l1_at: nodes and dc_l1.nodes: " + std::to_string(gpu.sms));
  const SmGroups homes = gpu.groups_of(cluster_sms(gpu));
  const auto divides_slices = [&](const SmGroups::Group& group) { return gpu.slices() % group.size == 0; };
  b.require(!params.on_peer_network() || params.home_map != "slice_range" || std::all_of(homes.begin(), homes.end(), divides_slices),
            "dc_l1", "home_map: slice_range gives each node of a cluster as many of the " + std::to_string(gpu.slices()) + " L2 slices",
            "set dc_l1.home_map: chunk_mod, or choose clusters whose nodes divide the slices");
  b.require(params.on_peer_network() || gpu.network.topology == "crossbar", "network",
            "topology: NoC#2 is made of crossbars (dc_l1 section 3)", "set network.topology: crossbar");
  b.require(!gpu.single_l1, "l1", "single has no network before it", "set l1.single: false, or platform: private");
  b.require(params.has_nodes() || params.home_map == "slice_range" || params.cdx_route == PortChoice::round_robin, "dc_l1",
            "l1_at: cores with a home_map that differs from that of the second stage's slices (DC-22)", "set dc_l1.home_map: slice_range");
  if (!params.has_nodes()) return;
  b.require(gpu.transaction == TransactionUnit::line, "transaction", "sector: homes are homes of lines", "set transaction: line");
  b.require(!l1.spare_miss_place || params.queues.q3 >= 2, "dc_l1", "queues.q3: no load misses with a single entry (CM-49)",
            "make it at least 2, or set l1.spare_miss_place: false");
  b.require(l1.banks == 1, "l1", "banks: a node looks up one access per cycle (DC-8)", "set l1.banks: 1");
  b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores in an L1 that others read",
            "set l1.local_stores: as_global");
  b.require(gpu.sm.unified_kib == 0, "sm", "unified_kib: the L1s of dc_l1 are not in the SMs", "set sm.unified_kib: 0");
  const std::uint64_t ways_kib = std::uint64_t{kLineBytes} * l1.ways, bytes = std::uint64_t{l1.capacity_kib} * 1024 * gpu.sms;
  b.require(params.nodes <= gpu.sms && std::uint64_t{l1.capacity_kib} * gpu.sms % params.nodes == 0 && bytes / params.nodes % ways_kib == 0,
            "dc_l1", "nodes do not share the capacity of the SMs' L1s in whole sets", "choose nodes that divide sms * l1.capacity_kib");
  b.require(std::uint64_t{l1.mshr_entries} * gpu.sms % params.nodes == 0, "dc_l1",
            "nodes do not share the MSHR entries of the SMs' L1s evenly", "choose nodes that divide sms * l1.mshr_entries");
}

std::uint32_t DcL1Design::cluster_sms(const GpuParams& gpu) const {
  return params.clusters == kGpcGroups ? kGpcGroups : std::max(1u, gpu.sms / params.clusters);
}

SharesL1s::Reach DcL1Design::reach(const GpuParams& gpu) const {
  if (!params.has_nodes()) return {1, "dc_l1.l1_at", "nodes"};
  const std::uint32_t sms = gpu.groups_of(cluster_sms(gpu)).largest();
  if (params.on_peer_network()) return reach_in_gpcs(gpu, sms, "dc_l1.clusters");
  for (std::uint32_t parts = 2; parts <= params.clusters; ++parts)
    if (params.clusters % parts == 0) return {sms, "dc_l1.clusters", std::to_string(params.clusters / parts)};
  return {sms, {}, {}};
}

}  // namespace wharf
