#pragma once
// Functions of the lanes of a warp (CU-49): vote, match, shfl, activemask, redux, elect.

#include "stimuli/ptx/lanes/operation.h"
#include "stimuli/ptx/text/form.h"

namespace wharf::ptx::warp_functions {

/// vote.{all,any,uni}.pred p, a(, mask) and vote.ballot.b32 d, a(, mask). The mask is of no consequence: who waits for whom is decided
/// before.
Compute vote(const Form& form);
/// match.any d, a, mask. Operands: d, a, mask; of match.all: d, p (may be absent), a, mask.
Compute match(const Form& form);
/// Operands: d, p (may be absent), a, b, c(, mask).
Compute shfl(const Form& form);
/// True for what shfl() returns.
bool is_shuffle(Compute compute);
Compute activemask(const Form& form);
/// redux.op d, a, mask: every lane gets the result over the lanes that execute it.
Compute redux(const Form& form);
/// elect d|p, mask: operands: d (may be absent), p, mask. The lowest lane that executes it is the leader.
Compute elect(const Form& form);

}  // namespace wharf::ptx::warp_functions
