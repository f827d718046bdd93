#include "platforms/designs/ata/ata_platform.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/designs/ata/distributor.h"
#include "model/network/crossbar/crossbar_counters.h"

namespace wharf {

namespace {

TrafficPlan plan(const AtaParams& ata) {
  TrafficPlan plan;
  plan.between_sms = ata.crossbar.carrier == Carrier::peer;
  return plan;
}

/// Parameters of a crossbar inside a cluster. A message is processed in the last cycle of its flight (distributor.h).
NetworkParams network_of(const ClusterPlace& cluster) {
  const ClusterCrossbarParams& params = cluster.params.crossbar;
  NetworkParams inside;
  inside.interface_packets = 2;  // to sustain one per cycle
  auto& crossbar = inside.of<network::CrossbarParams>();
  crossbar.flit_bytes = params.flit_bytes;
  crossbar.virtual_channels = cluster.sms.size;  // one per destination
  crossbar.buffer_flits = params.voq_flits;
  crossbar.latency = params.latency - 1;
  return inside;
}

}  // namespace

AtaClusters::AtaClusters(const GpuParams& params) : groups(params.facts().groups) {
  const AtaParams& ata = params.of<AtaParams>();
  for (const SmGroups::Group& sms : groups) {
    ClusterPlace place{ata, sms, {}};
    for (unsigned sectors = 0; sectors <= kSectorsPerLine; ++sectors)
      place.data_flits[sectors] = params.packets.flits(static_cast<SectorMask>((1u << sectors) - 1), ata.crossbar.message_flit_bytes());
    places.push_back(place);
  }
}

AtaPlatform::AtaPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                         RunObserver& observer)
    : AtaClusters(params),
      PrivatePlatform(
          params, options, stimulus, registry, observer,
          {[this, &registry](unsigned sm) { return l1_companion<Distributor>(places[groups.number_of(sm)], std::ref(registry)); },
           plan(params.of<AtaParams>()),
           {}}) {
  // A neighbour may still hold an old copy of a line that this SM has written (ATA-O26).
  if (golden() != nullptr && !ata_.store_invalidates_cluster) golden()->allow(Departure::stale_own_peer);
  for (unsigned i = 0; i < places.size(); ++i) connect_cluster(i);
  if (crossbars_.empty()) return;
  for (const char* crossbar : {"cluster.request", "cluster.reply"}) network::derive_port_metrics(registry_, crossbar, "run.core_cycles");
}

std::vector<energy::NocNetwork> AtaPlatform::networks() const {
  std::vector<energy::NocNetwork> networks = PrivatePlatform::networks();
  if (crossbars_.empty()) return networks;
  const unsigned clusters = groups.count(), size = (groups.sms() + clusters - 1) / clusters;
  for (const char* way : {"cluster.request", "cluster.reply"})
    networks.push_back(energy::crossbars(way, clusters, size, size, ata_.crossbar.flit_bytes, energy::Reach::cluster));
  return networks;
}

/// The mean over the SMs.
double AtaPlatform::tags_a_lookup() const {
  double tags = 0;
  for (const SmGroups::Group& cluster : groups) tags += double{1} * cluster.size * cluster.size;
  return tags / groups.sms();
}

bool AtaPlatform::archive_design(Archive& file) {
  const auto known = [&](const auto& block) { return block->archive(file); };
  return std::all_of(arrays_.begin(), arrays_.end(), known) && std::all_of(crossbars_.begin(), crossbars_.end(), known);
}

void AtaPlatform::build_crossbars(unsigned number) {
  const ClusterPlace& place = places[number];
  const EndpointRange sms{place.sms.first, place.sms.size};
  TrafficClasses channels;
  channels.output_queues = true;
  for (const char* direction : {"request", "reply"}) {
    crossbars_.push_back(std::make_unique<Crossbar>(numbered((std::string("cluster_") + direction).c_str(), number).c_str(),
                                                    network_of(place), sms, sms, std::string("cluster.") + direction, *core_, registry_,
                                                    channels, static_cast<int>(number)));
    watch(*crossbars_.back());
  }
}

void AtaPlatform::connect_cluster(unsigned number) {
  const ClusterPlace& place = places[number];
  const Islands::Scope scope = at_sm(place.sms.first);
  const ClusterShape shape{place.sms.size, params_.l1.ways, make_set_index(params_.l1.set_index, params_.l1.sets())};
  arrays_.push_back(std::make_unique<AggregatedTagArray>(numbered("tag_array", number).c_str(), ata_.tag_array, shape, *core_));
  const bool own = ata_.crossbar.carrier == Carrier::own;
  if (own) build_crossbars(number);
  Network& requests = own ? static_cast<Network&>(*crossbars_[2 * number]) : *interconnect_;
  Network& replies = own ? static_cast<Network&>(*crossbars_[2 * number + 1]) : *interconnect_;
  for (unsigned i = 0; i < place.sms.size; ++i) {
    const unsigned sm = place.sms.first + i;
    const Distributor::Sockets l1 = caches_[sm]->companion<Distributor>().sockets();
    connect_messages(l1.tags, arrays_.back()->port(i), numbered("l1_to_tags_", sm), LinkKind::lookup);
    connect_messages(l1.requests, requests.input(sm, Traffic::to_peer), numbered("peer_request_in", sm));
    connect_messages(requests.output(sm, Traffic::to_peer), l1.reads, numbered("peer_request_out", sm));
    connect_messages(l1.supplies, replies.input(sm, Traffic::from_peer), numbered("peer_reply_in", sm));
    connect_messages(replies.output(sm, Traffic::from_peer), l1.answers, numbered("peer_reply_out", sm));
  }
}

}  // namespace wharf
