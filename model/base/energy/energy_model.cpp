#include "model/base/energy/energy_model.h"

#include <algorithm>

#include "model/base/types.h"

namespace wharf::energy {
namespace {

constexpr double kMilliwatts = 1000.0;  // per watt

using Causes = std::vector<Cause>;

void add_sms(Causes& causes, const EnergyParams& p, const Machine& m, const Activity& a) {
  causes.push_back({Structure::core, "warp instructions", a.warp_instructions, p.core.warp_instruction_pj});
  causes.push_back({Structure::core, "SMs on", m.sms_on * a.ns, p.core.sm_on_w * kMilliwatts});
  causes.push_back({Structure::core, "SMs gated", m.sms_gated * a.ns, p.core.sm_gated_w * kMilliwatts});
  const double leakage_16kib = p.sm_memory.leakage_mw_per_16kib, line_pj = p.sm_memory.access_pj;
  causes.push_back({Structure::l1, "lookups of tags", a.l1_lookups * m.tags_a_lookup, p.sm_memory.tag_pj});
  causes.push_back({Structure::l1, "128 B of data", a.l1_bytes / kLineBytes, line_pj});
  causes.push_back({Structure::l1, "leakage of 16 KiB", m.l1_kib / 16.0 * a.ns, leakage_16kib});
  causes.push_back({Structure::smem, "128 B of data", a.smem_bytes / kLineBytes, line_pj});
  causes.push_back({Structure::smem, "leakage of 16 KiB", m.smem_kib / 16.0 * a.ns, leakage_16kib});
}

void add_traffic(Causes& causes, const EnergyParams& p, const Machine& m, const Activity& a) {
  for (std::size_t i = 0; i < m.networks.size(); ++i) {
    const NocDynamic dynamic = dynamic_of(p.noc, m.networks[i], a.networks[i]);
    const auto add = [&](const char* what, double passes, double pj) {
      causes.push_back({Structure::noc_dyn, what, passes, pj * p.noc.dyn_scale, &m.networks[i]});
    };
    add("passes of switches", dynamic.switch_passes, dynamic.switch_pj);
    add("passes of links", dynamic.link_passes, dynamic.link_pj);
  }
}

/// Adds the dynamic energy of networks if the parameters give it per byte.
void add_traversals(Causes& causes, const EnergyParams& p, const Activity& a) {
  double bytes = -a.ellc_message_bytes;
  for (const NocTraffic& traffic : a.networks) bytes += traffic.bytes;
  causes.push_back({Structure::noc_dyn, "bytes", bytes, p.noc.traversal_pj_per_byte * p.noc.dyn_scale});
}

void add_networks(Causes& causes, const EnergyParams& p, const Machine& m, const Activity& a) {
  if (p.noc.traversal_pj_per_byte > 0.0)
    add_traversals(causes, p, a);
  else
    add_traffic(causes, p, m, a);
  causes.push_back({Structure::noc_static, "leakage", a.ns, relative_static_power(p.noc, m.networks) * p.noc.static_w * kMilliwatts});
}

void add_l2(Causes& causes, const EnergyParams& p, const Machine& m, const Activity& a) {
  causes.push_back({Structure::l2_dyn, "lines read", a.l2_reads, p.l2.read_pj});
  causes.push_back({Structure::l2_dyn, "lines written", a.l2_writes, p.l2.write_pj});
  causes.push_back({Structure::l2_dyn, "lines filled", a.l2_fills, p.l2.fill_pj});
  causes.push_back({Structure::l2_dyn, "lookups without data", a.l2_tag_only, p.l2.tag_pj});
  causes.push_back({Structure::l2_dyn, "counts changed", a.l2_count_updates, p.l2.count_pj});
  causes.push_back({Structure::l2_dyn, "lines switched on", a.l2_wakes, p.l2.wake_pj});
  causes.push_back({Structure::l2_dyn, "accesses to prediction tables", a.table_accesses, p.extras.loscache_table_pj});
  causes.push_back({Structure::l2_leak, "data on", a.l2_data_on_ns, p.l2.data_line_mw});
  const double gated_ns = std::max(0.0, m.l2_lines * a.ns - a.l2_data_on_ns);
  causes.push_back({Structure::l2_leak, "data gated", gated_ns, p.l2.data_line_mw * p.l2.gated_leakage_share});
  causes.push_back({Structure::l2_leak, "tags on", a.l2_tag_on_ns, p.l2.data_line_mw * p.l2.tag_leakage_share});
}

void add_extras(Causes& causes, const EnergyParams& p, const Machine& m, const Activity& a) {
  const unsigned sms = m.sms_on + m.sms_gated;
  if (m.searches_l1s) causes.push_back({Structure::extras, "blocks that search other L1s", sms * a.ns, p.extras.remote_sharing_mw_per_sm});
  if (m.has_tag_arrays) causes.push_back({Structure::extras, "aggregated tag arrays", a.ns, p.extras.ata_mw});
  if (m.has_count_tables) causes.push_back({Structure::extras, "prediction tables and counts", a.ns, p.extras.loscache_mw, nullptr, true});
  if (m.has_interference_lists) causes.push_back({Structure::extras, "victim tags and interference lists", a.ns, p.extras.ciao_mw});
  causes.push_back({Structure::extras, "bytes of extended LLC operations", a.ellc_bytes, p.ellc.pj_per_byte});
  causes.push_back({Structure::extras, "the same without the block", a.ellc_tag_only_bytes, p.ellc.pj_per_byte * p.ellc.tag_only_share});
}

}  // namespace

std::vector<Cause> causes_of(const EnergyParams& p, const Machine& m, const Activity& a) {
  Causes causes;
  causes.reserve(48);
  add_sms(causes, p, m, a);
  add_networks(causes, p, m, a);
  add_l2(causes, p, m, a);
  causes.push_back({Structure::dram, "bytes", a.dram_bytes, p.dram_pj_per_byte});
  add_extras(causes, p, m, a);
  causes.push_back({Structure::constant, "board, I/O, clocks", a.ns, p.constant_w * kMilliwatts});
  if (m.has_controllers) {
    const double others = breakdown_of(causes).total;
    causes.push_back({Structure::extras, "Morpheus controllers, a share of all else", others * 1000.0, p.extras.morpheus_share});
  }
  return causes;
}

Breakdown breakdown_of(const std::vector<Cause>& causes) {
  Breakdown sums;
  for (const Cause& cause : causes) {
    sums.nj[static_cast<std::size_t>(cause.structure)] += cause.nj();
    sums.total += cause.nj();
    if (cause.in_l2_scope) sums.l2_extras += cause.nj();
  }
  return sums;
}

}  // namespace wharf::energy
