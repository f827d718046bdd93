#pragma once
// Energy of a machine over an interval: E = sum of events x energy + sum of structures x leakage x time (common section 14).
//
// Not modelled: energy that depends on data or temperature, clock gating inside a structure, transients of gating other than l2.wake_pj.

#include <array>
#include <string>
#include <vector>

#include "model/base/energy/energy_params.h"
#include "model/base/energy/noc.h"

namespace wharf::energy {

enum class Structure { core, l1, smem, noc_dyn, noc_static, l2_dyn, l2_leak, dram, extras, constant };
inline constexpr std::array<const char*, 10> kStructureNames = {"core",   "l1",      "smem", "noc_dyn", "noc_static",
                                                                "l2_dyn", "l2_leak", "dram", "extras",  "constant"};
inline constexpr std::size_t kStructures = kStructureNames.size();

/// The properties of a machine that stay constant during a run.
struct Machine {
  unsigned sms_on = 0, sms_gated = 0;
  double l1_kib = 0, smem_kib = 0;  // summed over all SMs
  double tags_a_lookup = 1;         // L1s whose tags one lookup compares
  double l2_lines = 0;
  bool searches_l1s = false, has_tag_arrays = false, has_controllers = false, has_count_tables = false,
       has_interference_lists = false;  // designs that have extras (ExtrasParams)
  bool ellc_over_networks = true;       // the messages of an extended LLC, if any, cross the networks
  std::vector<NocNetwork> networks;
};

/// Events and times of an interval.
struct Activity {
  double ns = 0;
  double warp_instructions = 0;
  double l1_lookups = 0, l1_bytes = 0, smem_bytes = 0;
  double l2_reads = 0, l2_writes = 0, l2_fills = 0, l2_tag_only = 0;  // the first three in lines
  double l2_count_updates = 0, l2_wakes = 0, table_accesses = 0;
  double l2_data_on_ns = 0, l2_tag_on_ns = 0;  // summed over lines
  double dram_bytes = 0;
  double ellc_bytes = 0, ellc_tag_only_bytes = 0;
  double ellc_message_bytes = 0;     // bytes of the networks whose energy ellc_bytes and ellc_tag_only_bytes already include
  std::vector<NocTraffic> networks;  // indexed as in Machine
};

/// One term of the sum: `amount` events of `pj` each, or `amount` nanoseconds of a structure that draws `pj` mW (pJ per ns).
struct Cause {
  Structure structure;
  const char* what;
  double amount, pj;
  const NocNetwork* network = nullptr;  // for a term of one network: that network of the machine
  bool in_l2_scope = false;             // an extra that the energy of L2 also includes (loscache section 8)
  double nj() const { return amount * pj / 1000.0; }
};

/// Every term of this machine's energy.
std::vector<Cause> causes_of(const EnergyParams& params, const Machine& machine, const Activity& activity);

/// Energy in nJ by structure, and of scopes that span several structures.
struct Breakdown {
  std::array<double, kStructures> nj{};
  double total = 0;      // sum of all causes: scope `chip`
  double l2_extras = 0;  // the part of nj[extras] that the L2 scope includes
  double of(Structure s) const { return nj[static_cast<std::size_t>(s)]; }
  double noc() const { return of(Structure::noc_dyn) + of(Structure::noc_static); }
  double l2() const { return of(Structure::l2_dyn) + of(Structure::l2_leak) + l2_extras; }
};
Breakdown breakdown_of(const std::vector<Cause>& causes);

}  // namespace wharf::energy
