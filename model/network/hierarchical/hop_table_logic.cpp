#include "model/network/hierarchical/hop_table.h"

#include <algorithm>

namespace wharf::network {

std::vector<std::uint16_t> hop_table(const HopParams& keys, const HierarchicalParams& params, const Hierarchy& hierarchy) {
  const std::vector<std::uint16_t>&gpc_of = hierarchy.link_of(Tier::gpc), &tpc_of = hierarchy.link_of(Tier::tpc);
  const std::size_t sms = gpc_of.size();
  std::vector<std::uint32_t> extra(sms);  // by the number of its CPC in the GPC
  for (std::size_t sm = 0, first = 0; sm < sms; ++sm) {
    if (gpc_of[sm] != gpc_of[first]) first = sm;
    const std::size_t cpc = params.cpc_sms == 0 ? 0 : (sm - first) / params.cpc_sms;
    extra[sm] = keys.cpc[std::min(cpc, keys.cpc.size() - 1)];
  }
  std::vector<std::uint16_t> table(sms * sms);
  for (std::size_t from = 0; from < sms; ++from)
    for (std::size_t to = 0; to < sms; ++to) {
      if (gpc_of[from] != gpc_of[to]) continue;
      const bool same_tpc = !tpc_of.empty() && tpc_of[from] == tpc_of[to];
      table[from * sms + to] = static_cast<std::uint16_t>((same_tpc ? keys.same_tpc : keys.base + extra[from] + extra[to]) - 1);
    }
  return table;
}

}  // namespace wharf::network
