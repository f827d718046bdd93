#include "platforms/chip_energy.h"

#include <algorithm>

namespace wharf {
namespace {

using energy::Breakdown;
using stats::View;

double ratio(double above, double below) { return below == 0.0 ? 0.0 : above / below; }

bool counts(const stats::Registry& registry, const char* counter) {
  const auto& entries = registry.counters();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.metric() == counter; });
}

/// SMs that leak as if they ran: those of CTAs, those in cache mode, and idle ones that nobody gates.
unsigned sms_on(const GpuParams& params) {
  const bool gated = params.energy.idle_sms == energy::IdleSms::gated && params.platform != "morpheus";
  return gated ? std::min(params.front_end.eligible_sms, params.sms) : params.sms;
}

}  // namespace

ChipEnergy::ChipEnergy(const GpuParams& params, std::vector<energy::NocNetwork> networks, const stats::Registry& registry)
    : params_(params), gates_l2_(counts(registry, "l2.data_on_cycles")) {
  machine_.networks = std::move(networks);
  machine_.sms_on = sms_on(params);
  machine_.sms_gated = params.sms - machine_.sms_on;
  machine_.l1_kib = static_cast<double>(params.l1.capacity_kib) * params.sms;
  machine_.smem_kib = params.sm.unified_kib != 0 ? 0.0 : static_cast<double>(params.sm.shared_kib) * params.sms;
  machine_.tags_a_lookup = params.platform == "ata" ? params.ata.cluster_size : 1;
  machine_.l2_lines = static_cast<double>(params.l2.slice_kib) * 1024 / kLineBytes * params.slices();
  machine_.searches_l1s = params.platform == "remote_sharing" && params.remote_sharing.searches();
  machine_.has_tag_arrays = params.platform == "ata";
  machine_.has_controllers = params.platform == "morpheus";
  machine_.has_count_tables = counts(registry, "sm.prediction_table.accesses");
}

std::vector<std::string> ChipEnergy::counters() const {
  std::vector<std::string> names;
  activity(1, [&names](const std::string& name) {
    names.push_back(name);
    return 0.0;
  });
  return names;
}

std::vector<energy::Cause> ChipEnergy::causes(Cycle core_cycles, const TotalOf& total) const {
  return energy::causes_of(params_.energy, machine_, activity(core_cycles, total));
}

std::vector<energy::Cause> ChipEnergy::causes(const View& view) const {
  return causes(view.sum("run.core_cycles"), [&view](const std::string& name) { return static_cast<double>(view.sum(name)); });
}

Breakdown ChipEnergy::breakdown(const View& view) const { return energy::breakdown_of(causes(view)); }

/// A lookup compares tags; what it finds is read or written, and so is what arrives from below. Reads for other SMs come on top.
void ChipEnergy::count_l1(energy::Activity& activity, const TotalOf& total) const {
  for (const char* kind : {"l1.load", "l1.texture", "l1.store"})
    activity.l1_lookups += total(std::string(kind) + ".accesses") - total(std::string(kind) + ".bypasses");
  activity.l1_lookups += total("l1.remote.probes");
  const double found = total("l1.sectors.accesses") - total("l1.sectors.misses") - total("l1.sectors.pending_hits");
  const double supplied = total("probes.supplied") * kSectorsPerLine + total("cluster.sectors.supplied");
  activity.l1_bytes = (found + supplied) * kSectorBytes + total("nic.sm.reply_bytes");
}

/// Each access reads or writes the data once, a miss when they have come.
void ChipEnergy::count_l2(energy::Activity& activity, const TotalOf& total) const {
  const double loads = total("l2.loads"), stores = total("l2.stores"), atomics = total("l2.atomics");
  // An access is charged a line, however little of it is asked for, but where the sector is what accesses are of.
  const double share = params_.transaction == TransactionUnit::sector ? 1.0 / kSectorsPerLine : 1.0;
  activity.l2_reads = (loads + atomics + total("l2.writebacks")) * share;
  activity.l2_writes = (stores + atomics) * share;
  activity.l2_fills = total("l2.fills") * share;
  activity.l2_tag_only = total("l2.misses") + total("l2.sector_misses") + total("l2.probes");
  activity.l2_count_updates = total("l2.count_updates");
  activity.l2_wakes = total("l2.wakes");
  activity.table_accesses = total("sm.prediction_table.accesses");
  const double all_on = machine_.l2_lines * activity.ns, ns_a_cycle = 1000.0 / params_.clock_mhz.l2;
  activity.l2_data_on_ns = gates_l2_ ? total("l2.data_on_cycles") * ns_a_cycle : all_on;
  activity.l2_tag_on_ns = gates_l2_ ? total("l2.tag_on_cycles") * ns_a_cycle : all_on;
}

energy::Activity ChipEnergy::activity(Cycle core_cycles, const TotalOf& total) const {
  energy::Activity activity;
  activity.ns = ns(core_cycles);
  activity.warp_instructions = total("sm.warp_instructions");
  activity.smem_bytes = total("sm.shared.accesses") * kLineBytes;
  count_l1(activity, total);
  count_l2(activity, total);
  activity.dram_bytes = (total("dram.reads") + total("dram.writes")) * params_.dram.burst_bytes;
  activity.ellc_bytes = total("ellc.block_operations") * kLineBytes;
  activity.ellc_tag_only_bytes = total("ellc.tag_only_operations") * kLineBytes;
  for (const energy::NocNetwork& network : machine_.networks)
    activity.networks.push_back(
        {total(network.counters + ".flits"), total(network.counters + ".flit_hops"), total(network.counters + ".bytes")});
  return activity;
}

void ChipEnergy::declare(stats::Registry& r) const {
  const auto metric = [&](const std::string& name, const std::string& what, auto of) {
    r.derived("energy." + name, "energy of " + what, stats::Unit::nanojoules, [this, of](const View& v) { return of(breakdown(v)); });
    r.derived("power." + name, "mean power of " + what, stats::Unit::watts, [this, of](const View& v) {
      const Cycle cycles = v.sum("run.core_cycles");
      return ratio(of(breakdown(v)), ns(cycles));
    });
  };
  static constexpr std::array<const char*, energy::kStructures> kWhat = {
      "SMs without their memories", "L1 caches",  "shared memory", "traffic in networks",      "networks, whether used or not",
      "accesses to L2",             "L2 leakage", "DRAM",          "what the design adds (common.md section 14)", "board, I/O and clocks"};
  for (std::size_t i = 0; i < energy::kStructures; ++i)
    metric(energy::kStructureNames[i], kWhat[i], [i](const Breakdown& b) { return b.nj[i]; });
  metric("noc", "networks, scope noc", [](const Breakdown& b) { return b.noc(); });
  metric("l2", "L2 and what its lines' counts take, scope l2", [](const Breakdown& b) { return b.l2(); });
  metric("total", "everything, scope chip", [](const Breakdown& b) { return b.total; });
  r.derived("energy.l2_leakage_share", "leakage of L2 by its energy (loscache section 8)", stats::Unit::ratio, [this](const View& v) {
    const Breakdown b = breakdown(v);
    return ratio(b.of(energy::Structure::l2_leak), b.l2());
  });
  r.derived("energy.l2_share", "energy of L2 by that of everything (loscache section 8)", stats::Unit::ratio, [this](const View& v) {
    const Breakdown b = breakdown(v);
    return ratio(b.l2(), b.total);
  });
  r.derived("noc.area_relative", "area of all networks by that of two 80 x 32 crossbars, a fitted formula (common.md section 14)",
            stats::Unit::ratio, [this](const View&) { return energy::relative_area(params_.energy.noc, machine_.networks); });
  r.derived("noc.static_relative", "static power of all networks by that of two 80 x 32 crossbars, a fitted formula (common.md section 14)",
            stats::Unit::ratio, [this](const View&) { return energy::relative_static_power(params_.energy.noc, machine_.networks); });
  r.table("energy_causes", "what energy.total is made of: events and pJ of each, or nanoseconds and mW", [this](const View& run) {
    stats::TableRows table{{"structure", "cause", "amount", "pj_each", "nj"}, {}};
    for (const energy::Cause& cause : causes(run)) {
      const std::string structure = energy::kStructureNames[static_cast<std::size_t>(cause.structure)];
      if (cause.amount != 0.0) table.rows.push_back({structure, cause.what, cause.amount, cause.pj, cause.nj()});
    }
    return table;
  });
}

}  // namespace wharf
