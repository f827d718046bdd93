#pragma once
// Parameters of clusters of L1s with an aggregated tag array (ata sections 4 to 6).

#include <cstdint>
#include <string>

#include "model/base/config/binder.h"
#include "model/designs/ata/cluster_tags.h"
#include "model/l1_sharing/carrier.h"
#include "model/network/ports.h"
#include "model/network/sm_groups.h"

namespace wharf {

/// The two crossbars inside a cluster. They run at core clock (ATA-O19, ATA-O20).
struct ClusterCrossbarParams {
  Carrier carrier = Carrier::own;
  std::uint32_t latency = 4;
  std::uint32_t flit_bytes = 40;
  std::uint32_t voq_flits = 8;

  void bind(config::Binder& b) {
    using config::Unit;
    bind_carrier(b, carrier, {"latency", "flit_bytes", "voq_flits"});
    b.integer("latency", latency, Unit::cycles, "arbitration and wire of a one-flit packet, unloaded (ATA-O20)", 2, 1024);
    b.integer("flit_bytes", flit_bytes, Unit::bytes, "width of a port, one flit per cycle (ATA-O19)", 8, 256);
    b.integer("voq_flits", voq_flits, Unit::flits, "depth of each virtual output queue, one per input and output (ATA-O19)", 1, 4096);
  }
  /// Bytes of a flit of the messages.
  std::uint32_t message_flit_bytes() const { return carrier == Carrier::own ? flit_bytes : network::kPortFlitBytes; }
};

struct AtaParams {
  /// Limit on the SMs of a cluster with crossbars of its own: virtual output queues are virtual channels, of which a crossbar has at most
  /// this many.
  static constexpr std::uint32_t kMostOnOwnCrossbars = 16;
  static constexpr std::uint32_t kMostInCluster = ClusterShape::kMostL1s;

  std::uint32_t cluster_size = 10;
  std::uint32_t extra_tag_cycles = 1;
  std::string tag_array = "map";
  bool dirty_in_tag = false;
  bool store_invalidates_cluster = false;
  bool divert_when_full = false;
  bool remote_lru_touch = false;
  std::uint32_t request_queue = 10;
  std::uint32_t read_queue = 8;
  ClusterCrossbarParams crossbar;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer_or("gpc", "cluster_size", cluster_size, Unit::count,
                 "SMs of a cluster, whose tags one array holds: up to 16 with crossbar.carrier: own; gpc: those of a GPC (CL-7)", 1,
                 kMostInCluster);
    b.integer("extra_tag_cycles", extra_tag_cycles, Unit::cycles,
              "latency that the lookup of all tags in the cluster adds to each load (ATA-O13)", 0, 1000);
    b.policy("tag_array", tag_array, cluster_tags::catalogue_names(),
             "implementation of the cluster's tag array; it does not change results");
    b.flag("dirty_in_tag", dirty_in_tag, "a lookup does not report lines that their own SM has written (ATA-O23)");
    b.flag("store_invalidates_cluster", store_invalidates_cluster,
           "a store invalidates its sectors in the other L1s of the cluster, and its SM does not read lines that it has written from those "
           "L1s (ATA-O26)");
    b.flag("divert_when_full", divert_when_full, "a miss goes to L2 instead of waiting when the request crossbar is full (ATA-O18)");
    b.flag("remote_lru_touch", remote_lru_touch, "a read by another SM counts as a use of the line (ATA-O21)");
    b.integer("request_queue", request_queue, Unit::count, "requests of an L1 that wait for the request crossbar", 1, 4096);
    b.integer("read_queue", read_queue, Unit::count, "reads by other SMs that wait for the data banks of an L1", 1, 4096);
    b.group("crossbar", crossbar, "the request and the reply crossbar of a cluster, or what replaces them");
  }
};

/// One cluster as seen by its L1s.
struct ClusterPlace {
  AtaParams params;
  SmGroups::Group sms;
  std::uint8_t data_flits[5];  // of a packet with this many sectors; [0]: of a header alone
};

}  // namespace wharf
