#pragma once
// Which links of a hierarchical crossbar an SM's packets take: the numbers of its TPC, CPC and GPC.

#include <array>
#include <cstdint>
#include <vector>

#include "model/network/hierarchical/hierarchical_params.h"

namespace wharf::network {

/// Outputs of the crossbar for which an input has one queue (choice).
inline constexpr unsigned kOutputsPerQueue = 8;

class Hierarchy {
 public:
  /// Throws InputError if the GPCs do not have that many SMs together.
  Hierarchy(const HierarchicalParams& params, unsigned sms);

  /// Links of a tier below `slice`; 0 if the tier is absent.
  unsigned links(Tier tier) const { return counts_[static_cast<unsigned>(tier)]; }
  /// [SM]: its link.
  const std::vector<std::uint16_t>& link_of(Tier tier) const { return link_of_[static_cast<unsigned>(tier)]; }

 private:
  /// Divides the SMs of every GPC into groups of `size`; the last group of a GPC has the rest.
  void divide(Tier tier, const std::vector<std::uint32_t>& gpcs, unsigned size);

  std::array<std::vector<std::uint16_t>, kTiers> link_of_;
  std::array<unsigned, kTiers> counts_{};
};

}  // namespace wharf::network
