#pragma once
// All parameters of a GPU configuration, in the order in which an access meets their blocks.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/bits.h"
#include "model/base/config/binder.h"
#include "model/base/energy/energy_params.h"
#include "model/dram/dram_params.h"
#include "model/front_end/front_end_params.h"
#include "model/l1/l1_params.h"
#include "model/l1_sharing/shared_memory/shared_memory_cache_params.h"
#include "model/l2/l2_params.h"
#include "model/monitor/watchdog_params.h"
#include "model/network/hierarchical/hierarchical_params.h"
#include "model/network/network_params.h"
#include "model/nic/nic_params.h"
#include "model/sm/sm_params.h"
#include "platforms/catalogue.h"
#include "platforms/frame/cuda_params.h"
#include "platforms/frame/design.h"
#include "policies/address_map/address_map.h"

namespace wharf {

struct ClocksParams {
  std::uint32_t core = 1400, network = 700, l2 = 1400, dram = 924;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("core", core, Unit::mhz, "SMs and L1 caches", 1, 100000);
    b.integer("network", network, Unit::mhz, "request and reply network", 1, 100000);
    b.integer("l2", l2, Unit::mhz, "L2 slices", 1, 100000);
    b.integer("dram", dram, Unit::mhz, "command clock of the DRAM channels", 1, 100000);
  }
};

/// How much of the contents of memory the model carries.
enum class DataKept { none, bytes };

/// Which requests occupy places of dram_link_queue.
enum class LinkCounts { waiting, under_way };

struct GpuParams {
  /// The group `l1`: the caches, and what stands in their place or beside them.
  struct L1Group {
    GpuParams& gpu;
    void bind(config::Binder& b) { gpu.bind_l1(b); }
  };

  std::string platform = "private";
  std::uint32_t sms = 80;
  std::uint32_t channels = 16;
  std::uint32_t slices_per_channel = 2;
  std::string address_map = "interleave";
  std::uint32_t channels_per_partition = 1;
  TransactionUnit transaction = TransactionUnit::line;
  bool oracle_directory = true;
  std::uint32_t dram_link_queue = 16;
  LinkCounts dram_link_counts = LinkCounts::waiting;
  DataKept data = DataKept::none;
  ClocksParams clock_mhz;
  FrontEndParams front_end;
  SmParams sm;
  L1Params l1;
  bool single_l1 = false;
  SharedMemoryCacheParams shared_memory_cache;
  PacketParams packets;
  NetworkParams network;
  L2Params l2;
  DramParams dram;
  EnergyParams energy;
  WatchdogParams watchdog;
  CudaParams cuda;
  Designs designs;

  /// The one that `platform` names.
  const Design& design() const { return designs[design_row(platform)]; }
  DesignFacts facts() const { return design().facts(*this); }
  /// The parameters of a design.
  template <class Params>
  Params& of() {
    return designs.of<Params>();
  }
  template <class Params>
  const Params& of() const {
    return designs.of<Params>();
  }

  std::uint32_t slices() const { return channels * slices_per_channel; }
  /// Places for requests between one slice and its channel. A slice sends one request per cycle, so the path itself needs one place per
  /// cycle of its length.
  std::uint32_t dram_link_places() const { return dram_link_queue + (dram_link_counts == LinkCounts::waiting ? l2.dram_extra_cycles : 0); }
  /// The address map of this GPU.
  std::unique_ptr<AddressMap> addresses() const {
    if (!l2.partition.on()) return make_address_map(address_map, channels, slices_per_channel, channels_per_partition);
    return make_partitioned_address_map(address_map, channels, slices_per_channel, channels_per_partition, l2.partition.chunk_kib * 1024);
  }
  /// The SMs of each GPC.
  SmGroups gpcs() const {
    const std::vector<std::uint32_t>& sizes = network.of<network::HierarchicalParams>().gpcs;
    return sizes.empty() ? SmGroups::of(sms, sms) : SmGroups(sizes);
  }
  /// The SMs in groups of `size`: a number, 0 for one group of all, or kGpcGroups.
  SmGroups groups_of(std::uint32_t size) const { return size == kGpcGroups ? gpcs() : SmGroups::of(sms, size); }
  /// Number of caches of the L1 class.
  std::uint32_t caches() const {
    const std::uint32_t own = facts().caches;
    return own != 0 ? own : single_l1 ? 1 : sms;
  }
  /// The parameters of the slices as built.
  L2Params built_l2() const {
    L2Params built = l2;
    if (l2.latency_semantics == LatencySemantics::load_to_use) built.access_cycles -= l1.hit_latency();
    return built;
  }
  /// As built_l2(), without the cycles at the entry of an L2 in two partitions.
  L2Params built_slices() const {
    L2Params built = built_l2();
    if (built.partition.on()) built.access_cycles -= built.partition.entry_cycles;
    return built;
  }
  /// Number of SMs in cache mode: those that take no CTAs.
  std::uint32_t cache_sms() const { return facts().cache_sms; }
  bool forwards_reads() const { return l2.line_policy == "last_sharer"; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("platform", platform, platform_names(), "the design: how the blocks are connected");
    b.integer("sms", sms, Unit::count, "SMs, each a node of the network", 1, 160);
    b.integer("channels", channels, Unit::count, "DRAM channels", 1, 128);
    b.integer("slices_per_channel", slices_per_channel, Unit::count, "L2 slices per channel, each a node of the network", 1, 8);
    b.policy("address_map", address_map, address_map_catalogue_names(), "maps an address to channel, slice and line in the slice (CM-20)");
    b.integer("channels_per_partition", channels_per_partition, Unit::count,
              "channels whose L2 slices are the banks of one memory partition (morpheus section 2)", 1, 16);
    b.ineffective_unless(address_map == "rotating", "channels_per_partition", "address_map is not rotating");
    b.require(address_map != "rotating" || channels % channels_per_partition == 0, "channels_per_partition", "does not divide the channels",
              "choose a divisor");
    b.require(address_map != "rotating" || (is_power_of_two(channels_per_partition) && is_power_of_two(slices_per_channel)), "address_map",
              "rotating needs slices_per_channel and channels_per_partition to be powers of two", "choose such counts, or interleave");
    b.choice(
        "transaction", transaction, {{"line", TransactionUnit::line}, {"sector", TransactionUnit::sector}},
        "accesses that the load/store unit sends for a warp instruction: one per line, or one per 32 B sector (CM-38). A sector that byte "
        "masks track has its own when a store does not cover it (CM-45)");
    b.flag("oracle_directory", oracle_directory,
           "keep the directory behind inter_core_locality and replicas (CM-13); costs host time only");
    b.integer("dram_link_queue", dram_link_queue, Unit::count, "requests of one slice that wait at the channel", 1, 4096);
    b.choice(
        "dram_link_counts", dram_link_counts, {{"waiting", LinkCounts::waiting}, {"under_way", LinkCounts::under_way}},
        "which requests hold a place of dram_link_queue: those that have arrived, or also those in flight during l2.dram_extra_cycles");
    b.choice("data", data, {{"none", DataKept::none}, {"bytes", DataKept::bytes}},
             "contents of caches and memory that the model keeps: none, or the bytes of every sector, for debug access and foreign "
             "modules; costs host time and changes no simulated time");
    b.group("clock_mhz", clock_mhz, "clocks");
    front_end.runs_clusters = facts().runs_clusters;
    b.group("front_end", front_end, "kernels and CTAs");
    b.group("sm", sm, "one SM");
    for (std::size_t i = 0; i < designs.size(); ++i) designs[i].bind(b, *this);
    l1.queues_elsewhere = facts().l1_queues_elsewhere;
    shared_memory_cache.isolates = sm.isolates_warps();
    L1Group l1_and_around{*this};
    b.group("l1", l1_and_around, "one L1 data cache; in dc_l1 the share of one SM, and a node has the sum over its SMs (dc_l1 section 3)");
    b.group("packets", packets, "accesses as packets");
    l2.slices = slices();
    b.group("l2", l2, "one L2 slice");
    sm.byte_masks = l1.byte_masks || l2.byte_masks;
    network.sms = sms;
    network.slices = slices();
    network.between_sms = facts().between_sms;
    b.group("network", network, "the network between SMs and L2 slices");
    network.groups = facts().groups;
    b.group("dram", dram, "one DRAM channel");
    b.group("energy", energy, "energy of events and power of structures (common section 14)");
    b.group("watchdog", watchdog, "when a standstill is reported as a deadlock");
    b.group("cuda", cuda, "CUDA programs and kernels in PTX; other stimuli ignore it");
    check(b);
    design().check(b, *this);
  }

 private:
  void bind_l1(config::Binder& b) {
    l1.bind(b);
    b.flag("single", single_l1,
           "idealisation (DC-20): one L1 for all SMs with the capacity, ports and MSHRs of all together, no network before it");
    b.group("shared_memory_cache", shared_memory_cache, "shared memory that no CTA uses as a cache beside the L1 (ciao section 6)");
    b.require(!single_l1 || (l1.store_hit == StoreHit::evict && l1.store_miss == StoreMiss::no_allocate), "single",
              "keeps no written data: stores of several SMs reach L2 in another order than this cache",
              "set l1.store_hit: evict and l1.store_miss: no_allocate");
    b.require(!shared_memory_cache.on() || !(single_l1 || l1.perfect), "shared_memory_cache", "needs a private L1 that can miss",
              "set l1.single: false and l1.perfect: false, or a policy that isolates no warps");
  }

  void check_concurrent_kernels(config::Binder& b) {
    if (!front_end.runs_kernels_together()) return;
    b.require(!sm.prediction.on() || !sm.prediction.has_phases(), "front_end",
              "concurrent_kernels: " + std::to_string(front_end.concurrent_kernels) + " and sm.prediction keeps one table for one kernel",
              "set front_end.concurrent_kernels: 1, or sm.prediction.scheme: none");
    b.require(sm.unified_kib == 0 || l1.local_stores == LocalStores::as_global, "front_end",
              "concurrent_kernels: " + std::to_string(front_end.concurrent_kernels) +
                  " changes the size of an L1 that holds dirty lines of running kernels",
              "set l1.local_stores: as_global, sm.unified_kib: 0, or front_end.concurrent_kernels: 1");
    const bool empty_sm = front_end.l1_invalidation == L1Invalidation::empty_sm;
    b.require(!empty_sm || (platform == "private" && !single_l1), "front_end", "l1_invalidation: empty_sm needs a private L1 per SM",
              "set front_end.l1_invalidation: every_start, or platform: private");
    b.require(!empty_sm || !shared_memory_cache.on(), "front_end",
              "l1_invalidation: empty_sm does not clear the shared-memory cache of a busy SM",
              "set front_end.l1_invalidation: every_start, or a policy that isolates no warps");
    b.require(!empty_sm || l1.local_stores == LocalStores::as_global, "front_end",
              "l1_invalidation: empty_sm invalidates dirty lines whose stores no other memory has",
              "set front_end.l1_invalidation: every_start, or l1.local_stores: as_global");
  }

  void check_groups(config::Binder& b) {
    const SmGroups& groups = network.groups;
    b.require(!network.peers_on(PeerNetwork::cluster) || groups.lie_within(gpcs()), "network",
              "peer is cluster, and groups of " + std::to_string(groups.largest()) + " SMs that share their L1s cross GPCs (CL-7)",
              "choose groups that divide each of network.hierarchical_crossbar.gpcs, or gpc");
    const bool rings = network.peers_on(PeerNetwork::ring) || network.peers_on(PeerNetwork::rings);
    b.require(!rings || groups.are_equal(), "network",
              "peer gives each group of SMs that share their L1s a ring, and the groups differ in size",
              "choose equal groups, or network.peer: cluster");
  }

  void check_partitions(config::Binder& b) {
    if (!l2.partition.on()) return;
    b.require(facts().uses_near_slices, "l2",
              "partitions: 2 and platform: " + platform + ", whose blocks send every request to its home slice",
              "set platform: private, or l2.partitions: 1");
    b.require(channels % 2 == 0, "channels", std::to_string(channels) + " do not divide into the halves of l2.partitions: 2",
              "choose an even number, or l2.partitions: 1");
    b.require(address_map != "rotating" || channels / 2 % channels_per_partition == 0, "channels_per_partition",
              std::to_string(channels_per_partition) + " does not divide the " + std::to_string(channels / 2) +
                  " channels of a half of l2.partitions: 2",
              "choose a divisor");
    b.require(sms > std::max(l2.partition.near_sms, 1u), "l2",
              "near_sms: " + std::to_string(l2.partition.near_sms) + " leaves none of the " + std::to_string(sms) + " SMs near partition 1",
              "choose near_sms below sms, and at least 2 sms");
    b.require(built_l2().access_cycles > l2.partition.entry_cycles, "l2",
              "entry_cycles: " + std::to_string(l2.partition.entry_cycles) + " takes up all " + std::to_string(built_l2().access_cycles) +
                  " access_cycles of a slice",
              "make entry_cycles smaller, or access_cycles larger");
  }

  void check(config::Binder& b) {
    const NetworkEntry& carrier = network.entry();
    b.require(
        slices() <= carrier.most_slices, "channels",
        "and slices_per_channel make more than the " + std::to_string(carrier.most_slices) + " slices of network.topology: " + carrier.name,
        "choose fewer");
    b.require(transaction == TransactionUnit::line || (l1.sectored && l2.sectored), "transaction", "sector needs sectored caches",
              "set l1.sectored and l2.sectored, or transaction: line");
    b.require(front_end.kernel_end == KernelEnd::drained || (sm.cta_waits_for_stores && l1.local_stores == LocalStores::as_global),
              "front_end", "kernel_end: ctas_done lets stores of a kernel arrive in the next",
              "set sm.cta_waits_for_stores: true and l1.local_stores: as_global");
    b.require(transaction == TransactionUnit::line || l1.local_stores == LocalStores::as_global, "l1",
              "local_stores: write_back sends whole lines, but the transaction is the sector",
              "set l1.local_stores: as_global, or transaction: line");
    b.require(sm.unified_kib == 0 || sm.unified_kib == l1.capacity_kib, "sm",
              "unified_kib differs from l1.capacity_kib, the capacity of the L1 without shared memory",
              "set l1.capacity_kib to sm.unified_kib");
    b.require(l2.latency_semantics == LatencySemantics::beyond_l1 || l2.access_cycles > l1.hit_latency(), "l2",
              "latency_semantics: load_to_use includes the L1's hit latency, which takes up all of access_cycles",
              "make l2.access_cycles larger than l1.tag_cycles + l1.data_cycles, or set l2.latency_semantics: beyond_l1");
    b.require(l2.latency_semantics == LatencySemantics::beyond_l1 || clock_mhz.l2 == clock_mhz.core, "l2",
              "latency_semantics: load_to_use subtracts core cycles of the L1 from L2 cycles, but the clocks differ",
              "make clock_mhz.l2 and clock_mhz.core the same, or set l2.latency_semantics: beyond_l1");
    b.require(!sm.prediction.on() || l2.gates_lines(), "sm",
              "prediction has no effect, because L2 neither counts the accesses of lines nor switches lines off",
              "set l2.line_policy: loscache, or sm.prediction.scheme: none");
    b.require(!sm.prediction.on() || front_end.kernel_end == KernelEnd::drained, "front_end",
              "kernel_end: ctas_done lets accesses of a kernel arrive in the prediction phase of the next",
              "set front_end.kernel_end: drained, or sm.prediction.scheme: none");
    check_concurrent_kernels(b);
    check_groups(b);
    check_partitions(b);
    const bool keeps = l1.kernel_boundary == KernelBoundary::keep_clean;
    b.require(!keeps || facts().sees_all_stores, "l1",
              "kernel_boundary: keep_clean needs a platform in which every store passes through a cache of the L1 class",
              "set l1.kernel_boundary: flush, or platform: private or dc_l1");
    b.require(!keeps || sm.unified_kib == 0, "l1", "kernel_boundary: keep_clean needs an L1 whose size does not change with the kernel",
              "set l1.kernel_boundary: flush, or sm.unified_kib: 0");
    b.require(!keeps || front_end.kernel_end == KernelEnd::drained, "l1",
              "kernel_boundary: keep_clean, and front_end.kernel_end: ctas_done lets stores of a kernel arrive in the next",
              "set l1.kernel_boundary: flush, or front_end.kernel_end: drained");
    const std::uint64_t refresh_cycles =
        dram.refresh.enabled ? dram.clocks_to_column() * clock_mhz.core / std::max(clock_mhz.dram, 1u) + 1 : 0;
    b.require(refresh_cycles < watchdog.interval_cycles, "watchdog",
              "interval_cycles: " + std::to_string(watchdog.interval_cycles) + " reports a DRAM refresh of up to " +
                  std::to_string(refresh_cycles) + " core cycles as a deadlock",
              "set watchdog.interval_cycles to " + std::to_string(10 * refresh_cycles) + ", or shorten dram.refresh.tRFC");
    b.require(!single_l1 || sm.unified_kib == 0, "l1", "single needs L1 caches of a fixed size", "set sm.unified_kib: 0");
    b.require(!forwards_reads() || facts().answers_forwards, "l2",
              "line_policy: last_sharer forwards reads to SMs, which cannot answer them on this platform", "set platform: remote_sharing");
  }
};

}  // namespace wharf
