#include "platforms/designs/remote_sharing/remote_sharing_design.h"

#include <algorithm>
#include <string>

#include "platforms/frame/sharing_checks.h"

namespace wharf {

void RemoteSharingDesign::bind(config::Binder& b, const GpuParams& gpu) {
  b.group("remote_sharing", params, "lines from the L1s of other SMs");
  b.ineffective_unless(gpu.platform == "remote_sharing", "remote_sharing", "platform is not remote_sharing");
}

DesignFacts RemoteSharingDesign::facts(const GpuParams& gpu) const {
  DesignFacts facts;
  facts.between_sms = params.searches() || gpu.forwards_reads();
  facts.groups = gpu.groups_of(params.cluster_sms);
  facts.answers_forwards = true;
  facts.islands = gpu.groups_of(1);
  facts.uses_near_slices = true;
  return facts;
}

void RemoteSharingDesign::check(config::Binder& b, const GpuParams& gpu) const {
  const RemoteSharingParams& r = params;
  const L1Params& l1 = gpu.l1;
  const std::uint32_t sms = gpu.sms;
  b.require(sms >= 2, "sms", "is 1: there is no other L1 to share with", "choose at least 2");
  b.require(gpu.transaction == TransactionUnit::line, "transaction", "sector: SMs search for lines", "set transaction: line");
  const SmGroups clusters = gpu.groups_of(r.cluster_sms);
  check_group_size(b, gpu, "remote_sharing", "cluster_sms", r.cluster_sms);
  b.require(
      sms < 2 || clusters.smallest() >= 2, "remote_sharing", "cluster_sms leaves an SM no other L1 to search",
      r.cluster_sms == kGpcGroups ? "choose GPCs of at least 2 SMs, or a number that divides them" : "choose clusters of at least 2 SMs");
  b.require(!gpu.single_l1, "l1", "single leaves no other L1 to search", "set l1.single: false");
  b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps lines that no other copy may replace",
            "set l1.local_stores: as_global");
  b.require(gpu.oracle_directory || !r.asks_oracle(), "oracle_directory", "is off, and the scheme asks the oracle",
            "set oracle_directory: true, or a predictor and a selector that do not ask it");
  b.require(!gpu.forwards_reads() || r.scheme == SharingScheme::none, "l2", "line_policy: last_sharer beside remote_sharing.scheme",
            "set remote_sharing.scheme: none, or l2.line_policy: none");
  if (!r.searches()) return;
  const std::string misses = l1.sectored ? "4 * l1.mshr_entries" : "l1.mshr_entries";
  const std::uint64_t at_once = l1.misses_at_once() * std::min(r.probes, r.targets(std::max(clusters.largest(), 2u)));
  b.require(r.queues.outgoing >= at_once, "remote_sharing", "queues.outgoing would have to refuse a miss its probes (RS-27)",
            "make it at least " + misses + " * remote_sharing.probes");
  b.require(r.queues.selective_l2 >= l1.misses_at_once(), "remote_sharing", "queues.selective_l2 has no place for every miss (RS-27)",
            "make it at least " + misses);
}

SharesL1s::Reach RemoteSharingDesign::reach(const GpuParams& gpu) const {
  if (gpu.forwards_reads()) return {gpu.sms, {}, {}};
  if (params.scheme == SharingScheme::none) return {1, "remote_sharing.scheme", "probe"};
  const std::uint32_t cluster = gpu.groups_of(params.cluster_sms).largest();
  const std::uint32_t reached = params.searches() && params.selector != "nearest" ? params.targets(std::max(cluster, 2u)) + 1 : cluster;
  if (reached == cluster && gpu.network.peers_on(PeerNetwork::cluster)) return reach_in_gpcs(gpu, cluster, "remote_sharing.cluster_sms");
  if (reached == cluster) return cluster == gpu.sms ? Reach{cluster, {}, {}} : Reach{cluster, "remote_sharing.cluster_sms", "0"};
  if (params.coverage_percent != 0)
    return {reached, "remote_sharing.coverage_percent", std::to_string(std::min(100u, 2 * params.coverage_percent))};
  return {reached, "remote_sharing.coverage", std::to_string(std::min(cluster - 1, 2 * (reached - 1)))};
}

}  // namespace wharf
