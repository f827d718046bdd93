#pragma once
// What the designs whose L1s supply lines to each other require, and how far they reach.

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/l1_sharing/carrier.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf {

/// Of those whose messages between SMs may move to the network between SMs.
inline void check_carrier(config::Binder& b, const GpuParams& gpu, Carrier carrier) {
  b.require(carrier == Carrier::own || gpu.network.peer == PeerNetwork::cluster, "network",
            "peer names no SM-to-SM network of each GPC, the one that carrier: peer needs", "set network.peer: cluster, or carrier: own");
}

/// Of the groups of SMs that share L1s, whose size is `value`, as GpuParams::groups_of takes it. `key` of `group` determines it.
inline void check_groups(config::Binder& b, const GpuParams& gpu, const char* group, const std::string& key, std::uint32_t value) {
  b.require(value != kGpcGroups || gpu.network.entry().has_gpcs, group,
            key + ": gpc, but network.topology: " + gpu.network.topology + " has no GPCs",
            "choose a number, or set network.topology: hierarchical_crossbar");
  const PartitionParams& partition = gpu.l2.partition;
  const auto half_of = [&](unsigned sm) { return partition.near_partition(sm, gpu.sms); };
  const SmGroups groups = gpu.groups_of(value);
  const bool is_cut = std::any_of(groups.begin(), groups.end(),
                                  [&](const SmGroups::Group& each) { return half_of(each.first) != half_of(each.first + each.size - 1); });
  b.require(!partition.expires() || !is_cut, "l2",
            "partition_coherence: expire, but some SMs that share L1s by " + std::string(group) + "." + key +
                " are near one half of L2 and some near the other: an SM's store by way of one half leaves a copy in the other",
            "set partition_coherence: invalidate, or near_sms to the SMs of whole groups");
}

/// As check_groups(), if the value of the key is that size.
inline void check_group_size(config::Binder& b, const GpuParams& gpu, const char* group, const std::string& key, std::uint32_t value) {
  check_groups(b, gpu, group, key, value);
  b.require(value == kGpcGroups || value == 0 || gpu.sms % value == 0, group,
            key + ": " + std::to_string(value) + " does not divide the " + std::to_string(gpu.sms) + " SMs", "choose a divisor");
}

/// The reach of groups of `sms` SMs by `key` on the SM-to-SM networks of GPCs, which no group crosses.
inline SharesL1s::Reach reach_in_gpcs(const GpuParams& gpu, std::uint32_t sms, const char* key) {
  if (!gpu.network.entry().has_gpcs || sms >= gpu.gpcs().largest()) return {sms, {}, {}};
  return {sms, key, "gpc"};
}

}  // namespace wharf
