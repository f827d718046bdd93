#pragma once
// Parameters of the decoupled L1s and of their two-stage network (specification dc_l1; DC-n are its choices).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/designs/dc_l1/dc_l1_geometry.h"
#include "model/l1/l1_params.h"
#include "model/l1_sharing/carrier.h"
#include "model/l1_sharing/write_forward.h"
#include "model/network/crossbar/crossbar_params.h"
#include "policies/home_map/home_map.h"

namespace wharf {

enum class L1Place { nodes, cores };
enum class PortChoice { home, round_robin };
enum class Textures { bypass, cached };

/// The NoC between SMs and nodes. `network` is the NoC between nodes and L2 slices.
struct Noc1Params {
  Carrier carrier = Carrier::own;
  std::uint32_t clock_mhz = 700;
  std::uint32_t interface_packets = 2;
  std::uint32_t direct_link_cycles = 1;
  network::CrossbarParams crossbar;

  void bind(config::Binder& b) {
    using config::Unit;
    bind_carrier(b, carrier, {"clock_mhz", "interface_packets", "direct_link_cycles", "crossbar"});
    b.integer("clock_mhz", clock_mhz, Unit::mhz, "clock of NoC#1: twice that of NoC#2 is the Boost of dc_l1 section 6", 1, 100000);
    b.integer("interface_packets", interface_packets, Unit::count, "packets that a network interface holds before the first buffer", 1, 64);
    b.integer("direct_link_cycles", direct_link_cycles, Unit::cycles,
              "latency of the link that replaces the crossbar where a cluster is one SM and one node (DC-17)", 1, 1024);
    b.group("crossbar", crossbar, "the crossbar of each direction and cluster");
  }
};

/// Packets that each queue of a node holds (DC-7).
struct NodeQueueParams {
  std::uint32_t q1 = 4, q2 = 4, q3 = 4, q4 = 4;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("q1", q1, Unit::count, "requests from SMs, including those in the tag pipeline", 1, 4096);
    b.integer("q2", q2, Unit::count, "replies and acknowledgements to SMs", 1, 4096);
    b.integer("q3", q3, Unit::count, "misses, writes and bypassing accesses to L2", 1, 4096);
    b.integer("q4", q4, Unit::count, "replies and acknowledgements from L2", 1, 4096);
  }
};

struct DcL1Params {
  L1Place l1_at = L1Place::nodes;
  std::uint32_t nodes = 40;
  std::uint32_t clusters = 10;
  std::string home_map = "slice_range";
  PortChoice cdx_route = PortChoice::home;
  NodeQueueParams queues;
  std::uint32_t stage_queue = 4;
  double latency_growth = 30.0 / 28.0;
  bool sectored_replies = true;
  WriteForward write_forward = WriteForward::payload;
  Textures textures = Textures::bypass;
  Noc1Params noc1;

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("l1_at", l1_at, {{"nodes", L1Place::nodes}, {"cores", L1Place::cores}},
             "where the L1s are. nodes: decoupled, between NoC#1 and NoC#2. cores: private in the SMs, so the two NoCs are the two stages "
             "of a CDXBar (DC-22)");
    const bool decoupled = l1_at == L1Place::nodes;
    const char* const in_cores = "dc_l1.l1_at is cores: there are no DC-L1 nodes";
    b.integer("nodes", nodes, Unit::count, "DC-L1 nodes Y, or converged ports of the CDXBar; DC-L1 nodes share the L1 capacity of all SMs",
              1, 160);
    b.integer_or("gpc", "clusters", clusters, Unit::count,
                 "clusters Z of SMs and nodes: 1 is ShY, as many as nodes PrY (dc_l1 section 6); gpc: one per GPC (CL-7)", 1, 160);
    b.policy("home_map", home_map, home_map_catalogue_names(), "line to node of the SM's cluster (CM-21, DC-4, DC-5)");
    b.choice("cdx_route", cdx_route, {{"group", PortChoice::home}, {"rr", PortChoice::round_robin}},
             "converged port of a packet. group: the port of its slice's group. rr: round robin; the second "
             "stage then reaches all slices (DC-22)");
    b.ineffective_unless(!decoupled, "cdx_route", "dc_l1.l1_at is nodes: the home of a line decides");
    b.group("queues", queues, "queues of a DC-L1 node (dc_l1 section 3)");
    b.integer("stage_queue", stage_queue, Unit::count, "packets that wait between the stages of a CDXBar, per port and direction (DC-22)",
              1, 4096);
    b.ineffective_unless(!decoupled, "stage_queue", "dc_l1.l1_at is nodes: a node has four queues of its own");
    b.real("latency_growth", latency_growth, Unit::ratio,
           "hit latency of a cache, as a multiple of that of a cache of half its capacity (DC-9)", 1.0, 2.0);
    b.flag("sectored_replies", sectored_replies, "a reply to an SM carries only the requested 32 B sectors (DC-13), not the line");
    b.choice("write_forward", write_forward, {{"payload", WriteForward::payload}, {"full_line", WriteForward::full_line}},
             "what a store that hits sends to L2: the written sectors or the line (DC-12)");
    b.choice("textures", textures, {{"bypass", Textures::bypass}, {"cached", Textures::cached}},
             "texture loads bypass the DC-L1 cache, like misses of an SM's texture cache (dc_l1 section 5), or use it (CM-26)");
    for (const char* key : {"queues", "latency_growth", "sectored_replies", "write_forward", "textures"})
      b.ineffective_unless(decoupled, key, in_cores);
    b.group("noc1", noc1, "the network between SMs and nodes");
  }

  bool has_nodes() const { return l1_at == L1Place::nodes; }
  /// The network between SMs is NoC#1, and that of L2 traffic NoC#2. Nodes are at the SMs.
  bool on_peer_network() const { return noc1.carrier == Carrier::peer; }
  DcL1Geometry geometry(unsigned sms, unsigned slices, const SmGroups& gpcs) const {
    const bool in_turn = l1_at == L1Place::cores && cdx_route == PortChoice::round_robin;
    const bool own_slices = home_map == "slice_range" && !in_turn && !on_peer_network();
    if (clusters != kGpcGroups) return {sms, nodes, clusters, slices, own_slices};
    return {sms, nodes, gpcs.count(), slices, own_slices, gpcs, gpcs};
  }

  /// Returns the parameters of a node's cache, given the L1 that each of `sms` SMs would have. The nodes share the capacity and MSHRs of
  /// all these L1s. Latency grows with capacity (DC-8, DC-9).
  L1Params node_cache(const L1Params& l1, std::uint32_t sms) const {
    L1Params cache = l1;
    cache.capacity_kib = l1.capacity_kib * sms / nodes;
    cache.mshr_entries = l1.mshr_entries * sms / nodes;
    const double merged = static_cast<double>(sms) / nodes;
    cache.set_hit_latency(static_cast<std::uint32_t>(std::lround(l1.hit_latency() * std::pow(latency_growth, std::log2(merged)))));
    cache.miss_queue = queues.q3;
    cache.fill_queue = queues.q4;
    cache.passes_textures = textures == Textures::bypass;
    return cache;
  }
};

}  // namespace wharf
