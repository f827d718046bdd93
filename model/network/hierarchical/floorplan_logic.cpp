#include <algorithm>
#include <cmath>
#include <string>

#include "model/base/error.h"
#include "model/network/hierarchical/floorplan.h"

namespace wharf::network {
namespace {

/// GPCs and groups of slices that lie side by side.
struct Part {
  unsigned first_gpc, gpcs, first_group, groups;
};

/// A GPC and a group of slices to which it sends.
struct Pair {
  unsigned gpc, group;
  double distance, weight;  // weight: pairs of an SM and a slice
};

void expect_latency(const HierarchicalParams& params, Tier tier, int least) {
  const std::uint32_t latency = params.request[tier].latency;
  if (static_cast<int>(latency) + least >= 1) return;
  throw InputError("network.hierarchical_crossbar.request." + std::string(kTierNames[static_cast<unsigned>(tier)]) + ".latency: " +
                   std::to_string(latency) + ", of which offsets: floorplan saves the nearest packets " + std::to_string(-least) +
                   "; choose " + std::to_string(1 - least) + " or more, and lower another latency by as much, or lower offset_spread");
}

}  // namespace

Floorplan::Floorplan(const HierarchicalParams& params, const Hierarchy& hierarchy, const Chip& chip)
    : groups_((chip.slices + kOutputsPerQueue - 1) / kOutputsPerQueue),
      of_gpc_(std::size_t{hierarchy.links(Tier::gpc)} * groups_),
      of_tpc_(hierarchy.links(Tier::tpc)) {
  place_gpcs(params, hierarchy, chip);
  place_tpcs(hierarchy);
  expect_latency(params, Tier::gpc, least_of_gpcs_);
  if (!of_tpc_.empty()) expect_latency(params, Tier::tpc, least_of_tpcs_);
}

void Floorplan::place_gpcs(const HierarchicalParams& params, const Hierarchy& hierarchy, const Chip& chip) {
  const unsigned gpcs = hierarchy.links(Tier::gpc);
  std::vector<unsigned> sms(gpcs), slices(groups_);
  for (const std::uint16_t gpc : hierarchy.link_of(Tier::gpc)) ++sms[gpc];
  for (unsigned slice = 0; slice < chip.slices; ++slice) ++slices[slice / kOutputsPerQueue];
  std::vector<Part> parts = {{0, gpcs, 0, groups_}};
  if (chip.near_sms != 0) {
    const unsigned near_gpcs = hierarchy.link_of(Tier::gpc)[std::min(chip.near_sms, chip.sms) - 1] + 1u;
    const unsigned near_groups = (chip.slices / 2 + kOutputsPerQueue - 1) / kOutputsPerQueue;
    parts = {{0, near_gpcs, 0, near_groups}, {near_gpcs, gpcs - near_gpcs, near_groups, groups_ - near_groups}};
  }
  std::vector<Pair> pairs;
  for (const Part& part : parts)
    for (unsigned g = 0; g < part.gpcs; ++g)
      for (unsigned s = 0; s < part.groups; ++s) {
        const unsigned gpc = part.first_gpc + g, group = part.first_group + s;
        pairs.push_back({gpc, group, std::fabs((g + 0.5) / part.gpcs - (s + 0.5) / part.groups), double{1} * sms[gpc] * slices[group]});
      }
  double sum = 0.0, weight = 0.0, nearest = pairs.front().distance, farthest = nearest;
  for (const Pair& pair : pairs) {
    sum += pair.distance * pair.weight;
    weight += pair.weight;
    nearest = std::min(nearest, pair.distance);
    farthest = std::max(farthest, pair.distance);
  }
  if (farthest <= nearest) return;  // all are equally far
  const double per_distance = params.offset_spread / (farthest - nearest);
  for (const Pair& pair : pairs) {
    const int offset = static_cast<int>(std::lround(per_distance * (pair.distance - sum / weight)));
    of_gpc_[pair.gpc * groups_ + pair.group] = offset;
    least_of_gpcs_ = std::min(least_of_gpcs_, offset);
  }
}

void Floorplan::place_tpcs(const Hierarchy& hierarchy) {
  if (of_tpc_.empty()) return;
  const auto &tpc_of = hierarchy.link_of(Tier::tpc), &gpc_of = hierarchy.link_of(Tier::gpc);
  unsigned first = 0;  // the first TPC of the GPC
  for (std::size_t sm = 0; sm < tpc_of.size(); ++sm) {
    if (sm == 0 || gpc_of[sm] != gpc_of[sm - 1]) first = tpc_of[sm];
    const int turn = static_cast<int>((tpc_of[sm] - first) % 3), sign = gpc_of[sm] % 2 == 0 ? 1 : -1;
    of_tpc_[tpc_of[sm]] = turn == 0 ? 0 : turn == 1 ? -sign : sign;
  }
  least_of_tpcs_ = *std::min_element(of_tpc_.begin(), of_tpc_.end());
}

}  // namespace wharf::network
