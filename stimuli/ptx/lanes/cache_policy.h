#pragma once
// Cache policies: values of 64 bits that instructions with .L2::cache_hint take (PTX ISA, createpolicy). Access properties of CUDA are the
// same values, and programs also write them as constants. The layout is that of libcu++ (cuda/__annotated_ptr/access_property_encoding.h):
//
//   bits 59-60  2: fractional, 3: range; others give no hint
//   bits 57-58  priority of the primary lines: 0 unchanged, 1 evict_first, 2 evict_last, 3 evict_normal
//   bit  56     priority of the others: 0 unchanged, 1 evict_first
//   bits 52-55  fractional: share of the primary lines in sixteenths, less 1; range: log2 of a block's size over 4 KiB
//   bits 44-50  range: number of the first primary block, modulo 128
//   bits 37-43  range: number of primary blocks, 1 to 127

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::cache_policy {

/// The bits of a policy from bit 56 on, which the words of createpolicy.fractional or createpolicy.range give.
std::uint32_t kind_of(const Form& form);
/// createpolicy.fractional d, fraction (absent: 1): the operation's target is kind_of().
Compute fractional(const Form& form);
/// createpolicy.range for `primary` bytes from `begin` on, in a window of `total` bytes; 0 < primary <= total. The primary range grows to whole
/// blocks, 128 of which are the window, rounded up to a power of two, or 512 KiB.
std::uint64_t range(std::uint32_t kind, Address begin, std::uint32_t primary, std::uint32_t total);
/// The hint of an access to a line. A share is by the line's number, so that a line always gets the same one.
Eviction eviction_of(std::uint64_t policy, LineAddress line);

}  // namespace wharf::ptx::cache_policy
