// Costs by the rows of the instruction table and by what surrounds an instruction.
#include "stimuli/ptx/program/analysis/issue_table.h"

#include <algorithm>

namespace wharf::ptx {

namespace {

/// The registers of the fragments that an operation reads, the last of each fragment first: the scoreboard has room for few, and that one is
/// mostly the last to be ready.
template <class Visit>
void for_each_fragment_source(const Draft& draft, Visit visit) {
  const std::size_t first = draft.writes_fragment ? 1 : 0;
  std::size_t most = 0;
  for (std::size_t i = first; i < draft.fragments.size(); ++i) most = std::max(most, draft.fragments[i].size());
  for (std::size_t from_end = 1; from_end <= most; ++from_end)
    for (std::size_t i = first; i < draft.fragments.size(); ++i)
      if (const std::vector<Operand>& registers = draft.fragments[i]; from_end <= registers.size())
        visit(registers[registers.size() - from_end]);
}

/// For each virtual register, whether it is read other than as an address.
std::vector<bool> read_as_value(const DraftFunction& function, const std::vector<CallSite>& calls) {
  std::vector<bool> result(function.registers.size());
  for (const Draft& draft : function.drafts) {
    const unsigned address = address_slot(draft);
    for (unsigned i = draft.destinations; i < draft.operation.operands.size(); ++i)
      if (i != address && is_register(draft.operation.operands[i])) result[draft.operation.operands[i].offset()] = true;
    for_each_fragment_source(draft, [&](Operand operand) {
      if (is_register(operand)) result[operand.offset()] = true;
    });
    if (draft.operation.action == Action::call || draft.operation.action == Action::call_indirect)
      for_each_use(draft, calls, [&](std::uint32_t r) { result[r] = true; });
  }
  return result;
}

Cost one_of(Unit unit) { return {{Share{unit, 1}}}; }

Cost memory_cost(const Operation& operation) {
  switch (operation.space) {
    case StateSpace::param:
      return {};
    case StateSpace::constant:
      return one_of(Unit::alu);  // the constant cache never misses
    case StateSpace::shared:
    case StateSpace::shared_cluster:
      return one_of(operation.action == Action::atomic ? Unit::shared_atomic : Unit::shared);
    default:
      break;
  }
  const bool loads = operation.action == Action::load || operation.action == Action::matrix_load || operation.action == Action::prefetch;
  if (loads) return one_of(Unit::load);
  const bool stores = operation.action == Action::store || operation.action == Action::matrix_store;
  return one_of(stores ? Unit::store : Unit::atomic);
}

Cost machine_cost(const Draft& draft, const std::vector<bool>& values) {
  const Operation& operation = draft.operation;
  switch (draft.row->cost_rule) {
    case CostRule::bit_field:
      if (draft.literal_field) return {{Share{Unit::alu, 2}}};
      break;
    case CostRule::address_sum:
      if (is_register(operation.operands[0]) && !values[operation.operands[0].offset()]) return one_of(Unit::alu);
      break;
    case CostRule::special: {
      const unsigned bank = operation.operands[1].present() ? operation.operands[1].bank() : 0;
      const bool special = operation.action == Action::clock || bank >= static_cast<unsigned>(Bank::launch);
      return special ? one_of(Unit::alu) : Cost{};
    }
    case CostRule::fixed:
      break;
  }
  return draft.row->cost;
}

/// One slot per instruction: the special-function unit for its functions, but divisions where their type is computed.
Cost single_cost(const Draft& draft) {
  const Cost& cost = draft.row->cost;
  if (cost.size() == 0) return one_of(Unit::alu);
  const bool divides = draft.row->opcode == "div" || draft.row->opcode == "rem";
  if (divides && cost.size() > 1) return one_of(cost.shares[1].unit);
  const bool is_function =
      std::any_of(cost.shares.begin(), cost.shares.end(), [](const Share& one) { return one.unit == Unit::sfu && one.count != 0; });
  return one_of(is_function ? Unit::sfu : cost.shares[0].unit);
}

}  // namespace

std::vector<Issue> issue_table(const DraftFunction& function, const Liveness& live, const std::vector<CallSite>& calls, bool is_kernel,
                               Timing timing) {
  const std::vector<RegisterId> names = scoreboard_names(function, live);
  const std::vector<bool> values = read_as_value(function, calls);
  std::vector<Issue> table;
  table.reserve(function.drafts.size());
  for (const Draft& draft : function.drafts) {
    const Operation& operation = draft.operation;
    Issue issue;
    const unsigned address = address_slot(draft);
    if (address != kNoSlot)
      issue.cost = memory_cost(operation);
    else
      issue.cost = timing == Timing::sass ? machine_cost(draft, values) : single_cost(draft);
    if (operation.action == Action::texture) issue.cost = one_of(Unit::texture);
    if (operation.action == Action::prefetch && operation.space == StateSpace::local) issue.cost = one_of(Unit::alu);
    if (operation.action == Action::ret && is_kernel) issue.cost = one_of(Unit::exit);
    for (unsigned i = 0; i < draft.destinations && issue.destination == kNoRegister; ++i)
      if (is_register(operation.operands[i])) issue.destination = names[operation.operands[i].offset()];
    for (const Operand written : draft.writes_fragment ? draft.fragments.front() : std::vector<Operand>())
      if (is_register(written)) issue.destination = names[written.offset()];
    std::size_t count = 0;
    const auto add = [&](Operand operand) {
      if (!is_register(operand) || count == issue.sources.size()) return;
      const RegisterId name = names[operand.offset()];
      if (std::find(issue.sources.begin(), issue.sources.end(), name) == issue.sources.end()) issue.sources[count++] = name;
    };
    if (address != kNoSlot) add(operation.operands[address]);
    add(operation.guard);
    for (unsigned i = draft.destinations; i < operation.operands.size(); ++i) add(operation.operands[i]);
    for_each_fragment_source(draft, add);
    table.push_back(issue);
  }
  return table;
}

}  // namespace wharf::ptx
