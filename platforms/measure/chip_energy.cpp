#include "platforms/measure/chip_energy.h"

#include <algorithm>

#include "platforms/frame/gpu_frame.h"
#include "platforms/measure/metrics.h"

namespace wharf {
namespace {

using measure::ratio;

using energy::Breakdown;
using energy::Structure;
using stats::View;

/// Total of a counter over all shared-memory caches, next to L1s or in front of L1s that are homes for several SMs.
template <class TotalOf>
double of_shared_cache(const TotalOf& total, const std::string& name) {
  return total("l1.shared_memory_cache." + name) + total("front.shared_memory_cache." + name);
}

/// Lines fetched from below that bypass the L1.
template <class TotalOf>
double fetched_to_shared_memory(const TotalOf& total) {
  return of_shared_cache(total, "fills") - of_shared_cache(total, "migrations");
}

bool counts(const stats::Registry& registry, const char* counter) { return registry.find_metric(counter) != nullptr; }

/// Number of SMs with full leakage: SMs that run CTAs, and idle SMs that are not gated.
unsigned sms_on(const GpuParams& params) {
  const bool gated = params.energy.idle_sms == energy::IdleSms::gated;
  return gated ? std::min(params.front_end.eligible_sms, params.sms) : params.sms;
}

}  // namespace

ChipEnergy::ChipEnergy(const GpuParams& params, const GpuFrame& frame, const stats::Registry& registry)
    : params_(params), gates_l2_(counts(registry, "l2.data_on_cycles")), passes_single_use_(counts(registry, "l2.reused.reads")) {
  machine_.networks = frame.networks();
  machine_.sms_on = sms_on(params);
  machine_.sms_gated = params.sms - machine_.sms_on;
  machine_.l1_kib = static_cast<double>(params.l1.capacity_kib) * params.sms;
  machine_.smem_kib = params.sm.unified_kib != 0 ? 0.0 : static_cast<double>(params.sm.shared_kib) * params.sms;
  machine_.l2_lines = static_cast<double>(params.l2.lines()) * params.slices();
  machine_.has_interference_lists = params.sm.warp_filter.rfind("ciao_", 0) == 0;
  machine_.has_count_tables = counts(registry, "sm.prediction_table.accesses");
  frame.add_to(machine_);
}

std::vector<std::string> ChipEnergy::counters() const {
  std::vector<std::string> names;
  const auto note = [&names](const std::string& name) {
    names.push_back(name);
    return 0.0;
  };
  activity(1, note, nullptr);
  return names;
}

std::vector<energy::Cause> ChipEnergy::causes(Cycle core_cycles, const TotalOf& total) const {
  return energy::causes_of(params_.energy, machine_, activity(core_cycles, total, nullptr));
}

std::vector<energy::Cause> ChipEnergy::causes(const View& view, Wanted wanted) const {
  const auto total = [&view](const std::string& name) { return static_cast<double>(view.sum(name)); };
  return energy::causes_of(params_.energy, machine_, activity(view.sum("run.core_cycles"), total, wanted));
}

Breakdown ChipEnergy::breakdown(const View& run) const { return energy::breakdown_of(causes(run, nullptr)); }

/// Reads only the counters that it needs, because a run has many windows, and each computes all metrics.
double ChipEnergy::nj(const View& view, Structure structure) const {
  const bool needs_all = structure == Structure::extras && machine_.has_controllers;
  return energy::breakdown_of(causes(view, needs_all ? nullptr : &structure)).of(structure);
}

/// Counts tag lookups, and the bytes that hits and fills read or write. Includes reads for other SMs.
void ChipEnergy::count_l1(energy::Activity& activity, const TotalOf& total) const {
  for (const char* kind : {"l1.load", "l1.texture", "l1.store"})
    activity.l1_lookups += total(std::string(kind) + ".accesses") - total(std::string(kind) + ".bypasses");
  activity.l1_lookups += total("l1.remote.probes");
  const double found = total("l1.sectors.accesses") - total("l1.sectors.misses") - total("l1.sectors.pending_hits");
  const double supplied = total("probes.supplied") * kSectorsPerLine + total("cluster.sectors.supplied");
  activity.l1_bytes = (found + supplied) * kSectorBytes + total("nic.sm.reply_bytes") - fetched_to_shared_memory(total) * kLineBytes;
}

/// Counts the accesses of the program's instructions, and those of the cache in the unused part. Each of the latter reads or writes a line
/// and its tag (ciao section 6.2).
void ChipEnergy::count_shared_memory(energy::Activity& activity, const TotalOf& total) const {
  constexpr std::uint32_t kTagBytes = 4;
  activity.smem_bytes = total("sm.shared.accesses") * kLineBytes + of_shared_cache(total, "accesses") * (kLineBytes + kTagBytes);
}

/// Each access reads or writes data once; a miss does so after its fill. A bypassing access only looks up tags. Ideal-Gating knows which
/// data are accessed only once, and bypasses the lines for these too.
void ChipEnergy::count_l2(energy::Activity& activity, const TotalOf& total) const {
  // An access is charged for a whole line, even if it needs less, unless the access unit is the sector.
  const double share = params_.transaction == TransactionUnit::sector ? 1.0 / kSectorsPerLine : 1.0;
  if (passes_single_use_) {
    activity.l2_reads = total("l2.reused.reads") * share;
    activity.l2_writes = total("l2.reused.writes") * share;
    activity.l2_fills = total("l2.reused.fills") * share;
  } else {
    const double atomics = total("l2.atomics"), written_back = total("l2.writebacks") + total("l2.gates.dirty");
    activity.l2_reads = (total("l2.loads") + total("l2.copy.hits") + atomics - total("l2.bypassed_reads") + written_back) * share;
    activity.l2_writes = (total("l2.stores") + atomics - total("l2.bypassed_writes")) * share;
    activity.l2_fills = (total("l2.fills") + total("l2.copy.misses") + total("l2.copy.prefetched") - total("l2.bypassed_fills")) * share;
  }
  activity.l2_tag_only = total("l2.misses") + total("l2.sector_misses") + total("l2.probes");
  activity.l2_count_updates = total("l2.count_updates");
  activity.l2_wakes = total("l2.wakes");
  activity.table_accesses = total("sm.prediction_table.accesses");
}

void ChipEnergy::count_l2_lines(energy::Activity& activity, const TotalOf& total) const {
  activity.l2_data_on_ns = activity.l2_tag_on_ns = machine_.l2_lines * activity.ns;
  if (!gates_l2_) return;
  const double ns_a_cycle = 1000.0 / params_.clock_mhz.l2;
  activity.l2_data_on_ns = total("l2.data_on_cycles") * ns_a_cycle;
  activity.l2_tag_on_ns = total("l2.tag_on_cycles") * ns_a_cycle;
}

void ChipEnergy::count_extras(energy::Activity& activity, const TotalOf& total) const {
  activity.ellc_bytes = total("ellc.block_operations") * kLineBytes;
  activity.ellc_tag_only_bytes = total("ellc.tag_only_operations") * kLineBytes;
}

energy::Activity ChipEnergy::activity(Cycle core_cycles, const TotalOf& total, Wanted wanted) const {
  energy::Activity activity;
  activity.ns = ns(core_cycles);
  activity.networks.resize(machine_.networks.size());
  const auto wants = [wanted](Structure structure) { return wanted == nullptr || *wanted == structure; };
  // The kernel's instructions in cache-mode SMs are included in the cost of its operations. Loads of empty rows belong to no operation.
  if (wants(Structure::core)) activity.warp_instructions = total("sm.warp_instructions") + total("ellc.polls.instructions");
  if (wants(Structure::l1)) count_l1(activity, total);
  if (wants(Structure::smem)) count_shared_memory(activity, total);
  if (wants(Structure::l2_dyn)) count_l2(activity, total);
  if (wants(Structure::l2_leak)) count_l2_lines(activity, total);
  if (wants(Structure::dram)) activity.dram_bytes = (total("dram.reads") + total("dram.writes")) * params_.dram.burst_bytes;
  if (wants(Structure::extras)) count_extras(activity, total);
  if (!wants(Structure::noc_dyn)) return activity;
  // A closed loop may be bound to the SM without networks.
  if (machine_.ellc_over_networks) activity.ellc_message_bytes = total("ellc.message_bytes");
  for (std::size_t i = 0; i < machine_.networks.size(); ++i) {
    const std::string& name = machine_.networks[i].counters;
    activity.networks[i] = {total(name + ".flits"), total(name + ".flit_hops"), total(name + ".bytes")};
  }
  return activity;
}

void ChipEnergy::declare(stats::Registry& r) const {
  const auto metric = [&](const std::string& name, const std::string& what, auto nj_of) {
    r.derived("energy." + name, "energy of " + what, stats::Unit::nanojoules, nj_of);
    r.derived("power." + name, "mean power of " + what, stats::Unit::watts,
              [this, nj_of](const View& v) { return ratio(nj_of(v), ns(v.sum("run.core_cycles"))); });
  };
  static constexpr std::array<const char*, energy::kStructures> kWhat = {"SMs without their memories",
                                                                         "L1 caches",
                                                                         "shared memory",
                                                                         "traffic in networks",
                                                                         "networks, whether used or not",
                                                                         "accesses to L2",
                                                                         "L2 leakage",
                                                                         "DRAM",
                                                                         "what the design adds (common section 14)",
                                                                         "board, I/O and clocks"};
  for (std::size_t i = 0; i < energy::kStructures; ++i)
    metric(energy::kStructureNames[i], kWhat[i], [this, i](const View& v) { return nj(v, static_cast<Structure>(i)); });
  metric("noc", "networks, scope noc", [this](const View& v) { return nj(v, Structure::noc_dyn) + nj(v, Structure::noc_static); });
  metric("l2", "L2 and what its lines' counts take, scope l2", [this](const View& v) { return breakdown(v).l2(); });
  metric("total", "everything, scope chip", [this](const View& v) { return breakdown(v).total; });
  r.derived("energy.l2_leakage_share", "leakage of L2 by its energy (loscache section 8)", stats::Unit::ratio,
            [this](const View& v) { return ratio(nj(v, Structure::l2_leak), breakdown(v).l2()); });
  const auto& noc = params_.energy.noc;
  const double area = energy::relative_area(noc, machine_.networks), leakage = energy::relative_static_power(noc, machine_.networks);
  r.derived("noc.area_relative", "area of all networks by that of two 80 x 32 crossbars, a fitted formula (common section 14)",
            stats::Unit::ratio, [area](const View&) { return area; });
  r.derived("noc.static_relative", "static power of all networks by that of two 80 x 32 crossbars, a fitted formula (common section 14)",
            stats::Unit::ratio, [leakage](const View&) { return leakage; });
  r.table("energy_causes", "what energy.total is made of: events and pJ of each, or nanoseconds and mW", [this](const View& run) {
    stats::TableRows table{{"structure", "cause", "amount", "pj_each", "nj"}, {}};
    for (const energy::Cause& cause : causes(run, nullptr)) {
      const std::string structure = energy::kStructureNames[static_cast<std::size_t>(cause.structure)];
      const std::string what = (cause.network == nullptr ? "" : cause.network->counters + ": ") + cause.what;
      if (cause.amount != 0.0) table.rows.push_back({structure, what, cause.amount, cause.pj, cause.nj()});
    }
    return table;
  });
}

}  // namespace wharf
