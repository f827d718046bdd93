#include <algorithm>
#include <numeric>
#include <string>

#include "model/base/error.h"
#include "model/network/hierarchical/hierarchy.h"

namespace wharf::network {

Hierarchy::Hierarchy(const HierarchicalParams& params, unsigned sms) {
  const std::vector<std::uint32_t> gpcs = params.gpcs.empty() ? std::vector<std::uint32_t>{sms} : params.gpcs;
  const unsigned sum = std::accumulate(gpcs.begin(), gpcs.end(), 0u);
  if (sum != sms)
    throw InputError("network.hierarchical_crossbar.gpcs: the GPCs have " + std::to_string(sum) + " SMs, but the network connects " +
                     std::to_string(sms) + "; make their sum " + std::to_string(sms));
  divide(Tier::sm, gpcs, 1);
  if (params.has(Tier::tpc)) divide(Tier::tpc, gpcs, params.tpc_sms);
  if (params.has(Tier::cpc)) divide(Tier::cpc, gpcs, params.cpc_sms);
  divide(Tier::gpc, gpcs, sms);
}

void Hierarchy::divide(Tier tier, const std::vector<std::uint32_t>& gpcs, unsigned size) {
  unsigned& count = counts_[static_cast<unsigned>(tier)];
  auto& link_of = link_of_[static_cast<unsigned>(tier)];
  for (const std::uint32_t sms : gpcs) {
    for (unsigned sm = 0; sm < sms; ++sm) link_of.push_back(static_cast<std::uint16_t>(count + sm / size));
    count += (sms + size - 1) / size;
  }
}

}  // namespace wharf::network
