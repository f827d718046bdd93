#include "stimuli/ptx/program/analysis/associated_policies.h"

#include <algorithm>
#include <string_view>

namespace wharf::ptx {

namespace {

/// What the definitions of a register say about its policy.
struct Association {
  enum class Kind : std::uint8_t { unknown, one, none };
  Kind kind = Kind::unknown;
  Operand policy = {};

  friend bool operator==(const Association& a, const Association& b) { return a.kind == b.kind && a.policy == b.policy; }
  friend bool operator!=(const Association& a, const Association& b) { return !(a == b); }
};
using Kind = Association::Kind;
using Associations = std::vector<Association>;  // [virtual register]

constexpr Association kNothing{Kind::none, {}};

bool associates(const Draft& draft) { return draft.row->opcode == "wharf" && draft.operation.action == Action::compute; }

/// True for an instruction whose result may be an address computed from its sources.
bool computes_address(const Draft& draft) {
  constexpr std::string_view kOpcodes[] = {"mov", "add", "sub", "mad", "cvta"};
  return draft.operation.action == Action::compute && draft.destinations == 1 &&
         std::find(std::begin(kOpcodes), std::end(kOpcodes), draft.row->opcode) != std::end(kOpcodes);
}

/// Of a register with two definitions.
Association meet(const Association& a, const Association& b) {
  if (a.kind == Kind::unknown || a == b) return b;
  return b.kind == Kind::unknown ? a : kNothing;
}

/// Of the sum of two sources: an offset has no policy.
Association sum(const Association& a, const Association& b) {
  if (a.kind == Kind::none) return b;
  if (b.kind == Kind::none) return a;
  return meet(a, b);
}

Association of_result(const Draft& draft, const Associations& now) {
  if (associates(draft)) return {Kind::one, draft.operation.operands[2]};
  if (!computes_address(draft)) return kNothing;
  Association result = kNothing;
  for (std::size_t i = 1; i < draft.operation.operands.size(); ++i)
    if (is_register(draft.operation.operands[i])) result = sum(result, now[draft.operation.operands[i].offset()]);
  return result;
}

/// The least that holds for all registers at once.
Associations associations_of(const DraftFunction& function, const std::vector<CallSite>& calls) {
  Associations now(function.registers.size());
  for (;;) {
    Associations next(now.size());
    for (const Draft& draft : function.drafts) {
      const Association result = of_result(draft, now);
      for_each_definition(draft, calls, [&](std::uint32_t r) { next[r] = meet(next[r], result); });
    }
    if (next == now) return now;
    now = std::move(next);
  }
}

/// The operand that holds the address in global memory of an access; kNoSlot for what takes no policy.
unsigned hinted_slot(const Draft& draft) {
  const Operation& operation = draft.operation;
  if (operation.action == Action::copy) return 0;
  const bool accesses = operation.action == Action::load || operation.action == Action::store || operation.action == Action::atomic;
  const bool is_global = operation.space == StateSpace::global || operation.space == StateSpace::generic;
  return accesses && is_global && operation.eviction == Eviction::unhinted ? address_slot(draft) : kNoSlot;
}

}  // namespace

void apply_associated_policies(DraftFunction& function, const std::vector<CallSite>& calls) {
  if (std::none_of(function.drafts.begin(), function.drafts.end(), associates)) return;
  const Associations associations = associations_of(function, calls);
  for (Draft& draft : function.drafts) {
    const unsigned slot = hinted_slot(draft);
    if (slot == kNoSlot || draft.operation.operands[kPolicySlot].present() || !is_register(draft.operation.operands[slot])) continue;
    const Association& address = associations[draft.operation.operands[slot].offset()];
    if (address.kind == Kind::one) draft.operation.operands[kPolicySlot] = address.policy;
  }
}

}  // namespace wharf::ptx
