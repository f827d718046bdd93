#pragma once
// All parameters of a GPU configuration, in the order in which an access meets their blocks.

#include <cstdint>
#include <memory>
#include <string>

#include "model/base/bits.h"
#include "model/base/config/binder.h"
#include "model/base/energy/energy_params.h"
#include "model/dram/dram_params.h"
#include "model/front_end/front_end_params.h"
#include "model/l1/l1_params.h"
#include "model/l1_sharing/dc_l1/dc_l1_params.h"
#include "model/l1_sharing/ata/ata_params.h"
#include "model/l1_sharing/probes/probe_params.h"
#include "model/l1_sharing/homes/shared_l1_params.h"
#include "model/l2/l2_params.h"
#include "model/monitor/watchdog.h"
#include "model/morpheus/cache_mode/closed_loop_params.h"
#include "model/morpheus/ellc_geometry.h"
#include "model/morpheus/morpheus_params.h"
#include "model/network/network_params.h"
#include "model/nic/nic_params.h"
#include "model/sm/sm_params.h"
#include "platforms/catalogue.h"
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
  DcL1Params dc_l1;
  L1Params l1;
  SharedL1Params shared_l1;
  AtaParams ata;
  PacketParams packets;
  RemoteSharingParams remote_sharing;
  MorpheusParams morpheus;
  ClosedLoopParams closed_loop;
  NetworkParams network;
  L2Params l2;
  DramParams dram;
  EnergyParams energy;
  WatchdogParams watchdog;

  std::uint32_t slices() const { return channels * slices_per_channel; }
  /// Places for requests between one slice and its channel. A slice sends one request per cycle, so the path itself needs one place per
  /// cycle of its length.
  std::uint32_t dram_link_places() const {
    return dram_link_queue + (dram_link_counts == LinkCounts::waiting ? l2.dram_extra_cycles : 0);
  }
  /// The address map of this GPU.
  std::unique_ptr<AddressMap> addresses() const {
    return make_address_map(address_map, channels, slices_per_channel, channels_per_partition);
  }
  DcL1Geometry geometry() const { return dc_l1.geometry(sms, slices()); }
  bool has_nodes() const { return platform == "dc_l1" && dc_l1.l1_at == L1Place::nodes; }
  /// Number of caches of the L1 class.
  std::uint32_t caches() const { return l1.single ? 1 : has_nodes() ? dc_l1.nodes : sms; }
  /// The parameters of the slices as built.
  L2Params built_l2() const {
    L2Params built = l2;
    if (l2.latency_semantics == LatencySemantics::load_to_use) built.access_cycles -= l1.tag_cycles + l1.data_cycles;
    return built;
  }
  /// Number of SMs in cache mode: those that take no CTAs.
  std::uint32_t cache_sms() const { return platform == "morpheus" && front_end.eligible_sms < sms ? sms - front_end.eligible_sms : 0; }
  std::uint32_t partitions() const { return slices() / morpheus.banks_per_partition; }
  bool forwards_reads() const { return l2.line_policy == "last_sharer"; }
  /// True where SMs send each other messages.
  bool between_sms() const {
    return platform == "shared_l1" || (platform == "remote_sharing" && (remote_sharing.searches() || forwards_reads()));
  }

  void bind(config::Binder& b) {
    using config::Unit;
    b.policy("platform", platform, platform_names(), "how the blocks are wired");
    b.integer("sms", sms, Unit::count, "SMs, each a node of the network", 1, 128);
    b.integer("channels", channels, Unit::count, "DRAM channels", 1, 128);
    b.integer("slices_per_channel", slices_per_channel, Unit::count, "L2 slices of a channel, each a node of the network", 1, 8);
    b.policy("address_map", address_map, address_map_catalogue_names(), "address to channel, slice and line in the slice (CM-20)");
    b.integer("channels_per_partition", channels_per_partition, Unit::count,
              "channels whose L2 slices are the banks of one memory partition (morpheus section 2)", 1, 16);
    b.ineffective_unless(address_map == "rotating", "channels_per_partition", "address_map is not rotating");
    b.require(address_map != "rotating" || channels % channels_per_partition == 0, "channels_per_partition", "does not divide the channels",
              "choose one that does");
    b.require(address_map != "rotating" || (is_power_of_two(channels_per_partition) && is_power_of_two(slices_per_channel)), "address_map",
              "rotating needs powers of two of slices_per_channel and channels_per_partition", "choose such counts, or interleave");
    b.choice("transaction", transaction, {{"line", TransactionUnit::line}, {"sector", TransactionUnit::sector}},
             "accesses that the load/store unit sends for a warp instruction: one per line, or one per 32 B sector (CM-38)");
    b.flag("oracle_directory", oracle_directory,
           "keep the directory behind inter_core_locality and replicas (CM-13); costs host time only");
    b.integer("dram_link_queue", dram_link_queue, Unit::count, "requests of one slice that wait at the channel", 1, 4096);
    b.choice("dram_link_counts", dram_link_counts, {{"waiting", LinkCounts::waiting}, {"under_way", LinkCounts::under_way}},
             "which requests hold a place of dram_link_queue: those that have arrived; or also those in flight, for l2.dram_extra_cycles");
    b.choice("data", data, {{"none", DataKept::none}, {"bytes", DataKept::bytes}},
             "contents of caches and memory that the model keeps: none, or the bytes of every sector, for debug access and foreign "
             "modules; costs host time and changes no simulated time");
    b.group("clock_mhz", clock_mhz, "clocks");
    b.group("front_end", front_end, "kernels and CTAs");
    b.group("sm", sm, "one SM");
    b.group("dc_l1", dc_l1, "L1 caches decoupled from the cores, and the NoC before them");
    b.ineffective_unless(platform == "dc_l1", "dc_l1", "platform is not dc_l1");
    l1.at_node = has_nodes();
    l1.shared_memory_cache.isolates = sm.isolates_warps();
    b.group("l1", l1, "one L1 data cache; in dc_l1 what a core would have, the nodes have that of all (dc_l1 section 3)");
    b.group("shared_l1", shared_l1, "L1 caches that are homes for all SMs");
    b.ineffective_unless(platform == "shared_l1", "shared_l1", "platform is not shared_l1");
    b.group("ata", ata, "L1 caches whose tags a cluster has in one array");
    b.ineffective_unless(platform == "ata", "ata", "platform is not ata");
    b.group("packets", packets, "accesses as packets");
    b.group("remote_sharing", remote_sharing, "lines from the L1s of other SMs");
    b.ineffective_unless(platform == "remote_sharing", "remote_sharing", "platform is not remote_sharing");
    b.group("morpheus", morpheus, "an extended LLC in the SMs that take no CTAs (front_end.eligible_sms)");
    b.ineffective_unless(platform == "morpheus" || platform == "characterise", "morpheus", "platform is neither morpheus nor characterise");
    b.group("closed_loop", closed_loop, "the closed loop that reads blocks from one SM in cache mode");
    b.ineffective_unless(platform == "characterise", "closed_loop", "platform is not characterise");
    b.group("l2", l2, "one L2 slice");
    network.sms = sms;
    network.slices = slices();
    network.between_sms = between_sms();
    network.cluster_sms = platform == "remote_sharing" ? remote_sharing.cluster_sms : 0;
    b.group("network", network, "between SMs and L2 slices");
    b.group("dram", dram, "one DRAM channel");
    b.group("energy", energy, "energy of events and power of structures (common section 14)");
    b.group("watchdog", watchdog, "when a standstill counts as a deadlock");
    check(b);
    check_remote_sharing(b);
    check_shared_l1(b);
    if (platform == "dc_l1") check_dc_l1(b);
    if (platform == "ata") check_ata(b);
    if (platform == "morpheus" || platform == "characterise") check_morpheus(b);
  }

 private:
  void check(config::Binder& b) {
    const bool rate = network.topology == "rate";
    b.require(slices() <= 128 || (rate && slices() <= 256), "channels",
              "and slices_per_channel make more than 128 slices, or 256 with network.topology: rate", "choose fewer");
    b.require(transaction == TransactionUnit::line || (l1.sectored && l2.sectored), "transaction", "sector needs sectored caches",
              "set l1.sectored and l2.sectored, or transaction: line");
    b.require(front_end.kernel_end == KernelEnd::drained || (sm.cta_waits_for_stores && l1.local_stores == LocalStores::as_global),
              "front_end", "kernel_end: ctas_done lets stores of a kernel arrive in the next",
              "set sm.cta_waits_for_stores: true and l1.local_stores: as_global");
    b.require(transaction == TransactionUnit::sector || !(l1.byte_masks || l2.byte_masks), "transaction",
              "line: an access says of its sectors only which ones a store covers, and byte_masks needs its bytes",
              "set l1.byte_masks and l2.byte_masks: false, or transaction: sector");
    b.require(transaction == TransactionUnit::line || l1.local_stores == LocalStores::as_global, "l1",
              "local_stores: write_back sends whole lines below and the transaction is the sector",
              "set l1.local_stores: as_global, or transaction: line");
    b.require(sm.unified_kib == 0 || sm.unified_kib == l1.capacity_kib, "sm",
              "unified_kib is not the capacity of the L1 without shared memory", "set l1.capacity_kib to sm.unified_kib");
    b.require(l2.latency_semantics == LatencySemantics::beyond_l1 || l2.access_cycles > l1.tag_cycles + l1.data_cycles, "l2",
              "latency_semantics: load_to_use leaves nothing of access_cycles beside the L1's hit latency",
              "make l2.access_cycles larger than l1.tag_cycles + l1.data_cycles, or set l2.latency_semantics: beyond_l1");
    b.require(l2.latency_semantics == LatencySemantics::beyond_l1 || clock_mhz.l2 == clock_mhz.core, "l2",
              "latency_semantics: load_to_use takes cycles of the L1 from those of another clock",
              "make clock_mhz.l2 and clock_mhz.core the same, or set l2.latency_semantics: beyond_l1");
    b.require(!sm.prediction.on() || l2.gates_lines(), "sm", "prediction: no line of L2 counts accesses or is switched off",
              "set l2.line_policy: loscache, or sm.prediction.scheme: none");
    b.require(!sm.prediction.on() || front_end.kernel_end == KernelEnd::drained, "front_end",
              "kernel_end: ctas_done lets accesses of a kernel arrive in the prediction phase of the next",
              "set front_end.kernel_end: drained, or sm.prediction.scheme: none");
    const bool keeps = l1.kernel_boundary == KernelBoundary::keep_clean;
    b.require(!keeps || platform == "private" || platform == "dc_l1", "l1",
              "kernel_boundary: keep_clean needs stores that all pass through a cache of the L1 class",
              "set l1.kernel_boundary: flush, or platform: private or dc_l1");
    b.require(!keeps || sm.unified_kib == 0, "l1", "kernel_boundary: keep_clean beside an L1 whose size changes with the kernel",
              "set l1.kernel_boundary: flush, or sm.unified_kib: 0");
    b.require(!keeps || front_end.kernel_end == KernelEnd::drained, "l1",
              "kernel_boundary: keep_clean, and front_end.kernel_end: ctas_done lets stores of a kernel arrive in the next",
              "set l1.kernel_boundary: flush, or front_end.kernel_end: drained");
    b.require(!l1.single || sm.unified_kib == 0, "l1", "single needs L1 caches of a fixed size", "set sm.unified_kib: 0");
  }

  void check_remote_sharing(config::Binder& b) {
    b.require(!forwards_reads() || platform == "remote_sharing", "l2",
              "line_policy: last_sharer forwards reads to SMs that do not answer any", "set platform: remote_sharing");
    if (platform != "remote_sharing") return;
    const RemoteSharingParams& r = remote_sharing;
    b.require(sms >= 2, "sms", "is 1: there is no other L1 to share with", "choose at least 2");
    b.require(transaction == TransactionUnit::line, "transaction", "sector: cores search for lines", "set transaction: line");
    const std::string clusters = std::to_string(r.cluster_sms) + " does not divide " + std::to_string(sms);
    b.require(r.cluster_sms == 0 || (r.cluster_sms >= 2 && sms % r.cluster_sms == 0), "remote_sharing",
              "cluster_sms: " + clusters + " SMs into clusters of at least 2", "choose one that does, or 0");
    b.require(!l1.single, "l1", "single leaves no other L1 to search", "set l1.single: false");
    b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps lines that no other copy may replace",
              "set l1.local_stores: as_global");
    b.require(oracle_directory || !r.asks_oracle(), "oracle_directory", "is off, and the scheme asks the oracle",
              "set oracle_directory: true, or a predictor and a selector that do not ask it");
    b.require(!forwards_reads() || r.scheme == SharingScheme::none, "l2", "line_policy: last_sharer beside remote_sharing.scheme",
              "set remote_sharing.scheme: none, or l2.line_policy: none");
    if (!r.searches()) return;
    const std::string misses = l1.sectored ? "4 * l1.mshr_entries" : "l1.mshr_entries";
    const std::uint64_t at_once = l1.misses_at_once() * std::min(r.probes, r.targets(std::max({sms, r.cluster_sms, 2u})));
    b.require(r.queues.outgoing >= at_once, "remote_sharing", "queues.outgoing would have to refuse a miss its probes (RS-27)",
              "make it at least " + misses + " * remote_sharing.probes");
    b.require(r.queues.selective_l2 >= l1.misses_at_once(), "remote_sharing", "queues.selective_l2 has no place for every miss (RS-27)",
              "make it at least " + misses);
  }

  void check_shared_l1(config::Binder& b) {
    const bool here = platform == "shared_l1";
    b.require(!here || !l1.single, "l1", "single has no neighbours to share with", "set l1.single: false, or platform: private");
    b.require(!here || l1.banks == 1, "l1", "banks: a home looks up one access a cycle (shared_l1 section 6)", "set l1.banks: 1");
    b.require(!here || l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores in an L1 that others read",
              "set l1.local_stores: as_global");
    b.require(!here || transaction == TransactionUnit::line, "transaction", "sector: homes are homes of lines", "set transaction: line");
    b.require(!here || shared_l1.home_map != "slice_range" || slices() % sms == 0, "shared_l1",
              "home_map: slice_range needs the same number of L2 slices for each SM", "choose another home_map");
  }

  void check_dc_l1(config::Binder& b) {
    const DcL1Geometry::Mistake mistake = geometry().mistake();
    b.require(mistake.what.empty(), "dc_l1", mistake.what, mistake.remedy);
    b.require(network.topology == "crossbar", "network", "topology: NoC#2 is made of crossbars (dc_l1 section 3)",
              "set network.topology: crossbar");
    b.require(!l1.single, "l1", "single has no network before it", "set l1.single: false, or platform: private");
    b.require(dc_l1.l1_at == L1Place::nodes || dc_l1.home_map == "slice_range" || dc_l1.cdx_route == PortChoice::round_robin, "dc_l1",
              "l1_at: cores with a home_map that is not that of the second stage's slices (DC-22)", "set dc_l1.home_map: slice_range");
    if (!has_nodes()) return;
    b.require(transaction == TransactionUnit::line, "transaction", "sector: homes are homes of lines", "set transaction: line");
    b.require(l1.banks == 1, "l1", "banks: a node looks up one access a cycle (DC-8)", "set l1.banks: 1");
    b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores in an L1 that others read",
              "set l1.local_stores: as_global");
    b.require(sm.unified_kib == 0, "sm", "unified_kib: the L1s of dc_l1 are not in the SMs", "set sm.unified_kib: 0");
    const std::uint64_t ways_kib = std::uint64_t{kLineBytes} * l1.ways, bytes = std::uint64_t{l1.capacity_kib} * 1024 * sms;
    b.require(dc_l1.nodes <= sms && std::uint64_t{l1.capacity_kib} * sms % dc_l1.nodes == 0 && bytes / dc_l1.nodes % ways_kib == 0, "dc_l1",
              "nodes do not share the capacity of the SMs' L1s in whole sets", "choose nodes that divide sms * l1.capacity_kib");
    b.require(std::uint64_t{l1.mshr_entries} * sms % dc_l1.nodes == 0, "dc_l1", "nodes do not share the MSHR entries of the SMs' L1s evenly",
              "choose nodes that divide sms * l1.mshr_entries");
  }

  void check_morpheus(config::Binder& b) {
    const std::uint32_t banks = morpheus.banks_per_partition;
    const bool whole = banks != 0 && banks % slices_per_channel == 0 && slices() % banks == 0;
    b.require(whole, "morpheus", "banks_per_partition does not make partitions of whole channels", "choose a multiple of slices_per_channel");
    b.require(cache_sms() * 4 <= sms * 3, "front_end", "eligible_sms leaves more than 75 % of the SMs in cache mode (morpheus section 3)",
              "make it at least a quarter of sms");
    b.require(transaction == TransactionUnit::line, "transaction", "sector: the extended LLC keeps lines", "set transaction: line");
    b.require(!l1.single, "l1", "single leaves a cache-mode SM no L1 of its own", "set l1.single: false");
    b.require(!l2.gates_lines(), "l2",
              "line_policy: loscache learns from accesses that lines of L2 count, and those of the extended LLC count none and have nothing to "
              "switch off",
              "set l2.line_policy: none, or another platform");
    const bool crossbar = network.topology == "crossbar";
    b.require(network.is_two_sided(), "network",
              "topology does not have SMs on one side and slices on the other, as the traffic of an extended LLC needs",
              "set network.topology: rate or crossbar");
    b.require(!crossbar || network.crossbar.virtual_channels >= 2, "network",
              "crossbar has one virtual channel for two classes (morpheus section 5.6)",
              "set network.crossbar.virtual_channels: 2 or more");
    b.require(platform != "characterise" || morpheus.kernel.delivery == Delivery::parked, "morpheus",
              "kernel.delivery: spin has no controller to poll: the closed loop hands each warp its next read itself",
              "set morpheus.kernel.delivery: parked");
    if (!whole) return;
    const unsigned rows = EllcGeometry(morpheus.kernel, cache_sms(), partitions()).most_rows();
    b.require(rows <= EllcGeometry::kMostRows, "morpheus",
              "kernel makes " + std::to_string(rows) + " sets in a partition, and a controller has rows for " +
                  std::to_string(EllcGeometry::kMostRows),
              "choose fewer warps or cache-mode SMs");
  }

  void check_ata(config::Binder& b) {
    b.require(sms % ata.cluster_size == 0, "sms", "are not whole clusters of ata.cluster_size", "make sms a multiple of it");
    b.require(transaction == TransactionUnit::line && l1.sectored && l2.sectored, "l1", "and L2 must be looked up by line and keep sectors: "
              "a hit vector says which sectors each L1 has (ATA-O14)", "set transaction: line, l1.sectored: true and l2.sectored: true");
    b.require(!l1.single, "l1", "single leaves no other L1 to share with", "set l1.single: false");
    b.require(l1.banks == 1, "l1", "banks: one access a cycle is looked up, in order (ATA-O11)", "set l1.banks: 1");
    b.require(l1.local_stores == LocalStores::as_global, "l1", "local_stores: write_back keeps stores that L2 does not have (ATA-O6)",
              "set l1.local_stores: as_global");
    b.require(l1.input_queue >= l1.tag_cycles + ata.extra_tag_cycles, "l1",
              "input_queue is smaller than tag_cycles and ata.extra_tag_cycles, so that it could not accept one load a cycle",
              "make it at least their sum");
  }
};

}  // namespace wharf
