#pragma once
// Access properties that a program associates with pointers (cuda::associate_access_property). `wharf.associate.b64 d, a, policy` is a move of
// ours, which the headers write: the assembler of a GPU has the compiler's knowledge instead.

#include <vector>

#include "stimuli/ptx/program/draft.h"

namespace wharf::ptx {

/// Gives accesses the policy of the pointer that their address is computed from, as if they had .L2::cache_hint. An address with several
/// definitions has a policy where all agree. Accesses with a hint of their own keep it.
void apply_associated_policies(DraftFunction& function, const std::vector<CallSite>& calls);

}  // namespace wharf::ptx
