#pragma once
// Moves: mov, packing and unpacking of vectors, cvta, isspacep (CU-27, 35).

#include "model/base/cluster_member.h"
#include "model/base/types.h"
#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx {

// Windows of the generic address space. Global memory lies above them.
inline constexpr Address kWindowBytes = 0x1000000;          // of each
inline constexpr Address kSharedWindow = 0x1000000;         // base; offsets in the CTA's shared memory follow
inline constexpr Address kClusterWindow = 0x2000000;        // offsets in the shared memory of the CTA of rank 0, of rank 1, ...
inline constexpr std::uint32_t kNoRank = kMostClusterCtas;  // of addresses in a CTA that no cluster has; they have a window too
inline constexpr Address kLocalWindow = kClusterWindow + (kNoRank + 1) * kWindowBytes;  // offsets in the thread's stack
inline constexpr Address kFunctionWindow = kLocalWindow + kWindowBytes;                 // handles of functions, 16 apart; never data

namespace moves {

Compute mov(const Form& form);
/// mov.b64 d, {a, b}: operands d, a, b(, c, d), the first in the lowest bits.
Compute pack(Type whole, unsigned parts);
/// mov.b64 {d, e}, a: operands d, e(, f, g), a.
Compute unpack(Type whole, unsigned parts);
/// mapa d, a, b: the address of the variable at `a` in the CTA of rank b; operands: d, a, b, the own rank. The own CTA keeps the addresses
/// that other instructions know. Ranks that no cluster has become kNoRank: an access there is wrong, its address is not.
Compute mapa(const Form& form);
/// getctarank d, a: operands d, a, the own rank.
Compute getctarank(const Form& form);
/// mbarrier.pending_count d, a: the arrivals that the phase of the state `a` lacked.
Compute pending_count(const Form& form);
/// cvta.space and cvta.to.space.
Compute cvta(const Form& form);
/// Operands: predicate, a.
Compute isspacep(const Form& form);

}  // namespace moves
}  // namespace wharf::ptx
