#pragma once
// Cache policies: values of 64 bits that instructions with .L2::cache_hint take (PTX ISA, createpolicy). Programs also write the constants
// that hardware uses: the class of eviction in the top byte, and a share of accesses, in sixteenths, in the four bits below it.

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::cache_policy {

/// createpolicy.fractional d, fraction (absent: 1): adds the share to the operation's immediate, which is policy_of().
Compute fractional(const Form& form);
/// The policy of a createpolicy instruction, without a share.
std::uint64_t policy_of(const Form& form);
/// The hint of an access to a line. A share is by the line's number, so that a line always gets the same one.
Eviction eviction_of(std::uint64_t policy, LineAddress line);

}  // namespace wharf::ptx::cache_policy
