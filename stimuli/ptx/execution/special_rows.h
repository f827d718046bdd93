#pragma once
// The special registers of a launch, of its CTAs and of their warps, as rows.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stimuli/ptx/execution/launch_state.h"

namespace wharf::ptx {

/// Bank::launch of launch `number` of the program, whose request and resources are known.
std::vector<std::byte> launch_rows(const LaunchState& launch, std::uint64_t number);
/// Bank::warp of all warps of a CTA of such a block: kWarpRowsBytes each.
std::vector<std::byte> warp_rows(const Dim3& block);
/// Sets Bank::cta of a CTA whose index is known.
void fill_cta_rows(CtaState& cta);

}  // namespace wharf::ptx
