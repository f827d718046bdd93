// Lowers branches, calls, barriers and texture fetches.
#include <fmt/format.h>

#include "stimuli/ptx/program/statement_lowering.h"

namespace wharf::ptx {

using Kind = OperandSyntax::Kind;

SystemFunction system_function(std::string_view name) {
  if (name == "vprintf") return SystemFunction::print;
  if (name == "__assertfail") return SystemFunction::assert_fail;
  if (name == "malloc") return SystemFunction::allocate;
  if (name == "free") return SystemFunction::free;
  return SystemFunction::none;
}

std::uint32_t StatementLowering::label(std::string_view name, std::uint32_t scope, Place place) const {
  for (std::uint32_t block = scope; block != kNone; block = function_.scopes[block])
    if (const auto it = function_.labels.find({block, name}); it != function_.labels.end()) return code_.begin + it->second;
  fail(place, "label " + quoted(name) + " is not in this function",
       "write the label before an instruction of the same or an enclosing block");
}

void StatementLowering::lower_branch(const Statement& statement, Draft& draft) {
  require_count(statement, 1, 1);
  const OperandSyntax& target = statement.operands.front();
  if (target.kind != Kind::symbol) fail(target.place, "the target is not a label", "write the name of a label");
  draft.operation.target = label(target.name, statement.scope, target.place);
}

void StatementLowering::lower_indexed_branch(const Statement& statement, Draft& draft) {
  require_count(statement, 2, 2);
  const OperandSyntax& list = statement.operands[1];
  const auto targets = function_.branch_targets.find(list.name);
  if (list.kind != Kind::symbol || targets == function_.branch_targets.end())
    fail(list.place, "the operand is not a list of targets", "declare it as `name: .branchtargets label, ...;`");
  draft.operation.operands[0] = operands_.source(statement.operands[0], Type::u32);
  draft.operation.target = static_cast<std::uint32_t>(around_.branch_tables.size());
  std::vector<std::uint32_t> table;
  for (const std::string_view name : targets->second) table.push_back(label(name, statement.scope, list.place));
  around_.branch_tables.push_back(std::move(table));
}

void StatementLowering::lower_call(const Statement& statement, Draft& draft) {
  require_count(statement, 1, 4);
  CallSite site;
  std::size_t next = 0;
  const auto take_list = [&](std::vector<CallArgument>& arguments, bool is_result) {
    if (next >= statement.operands.size() || statement.operands[next].kind != Kind::list) return;
    for (const OperandSyntax& part : statement.operands[next].parts) arguments.push_back(operands_.call_argument(part, is_result));
    ++next;
  };
  take_list(site.results, true);
  if (next >= statement.operands.size())
    fail(statement.place, "the call names no function", "write it as call (results), function, (arguments)");
  const OperandSyntax& callee = statement.operands[next++];
  take_list(site.arguments, false);
  if (callee.kind == Kind::reg) {
    draft.operation.action = Action::call_indirect;
    draft.operation.operands[0] = operands_.source(callee, Type::u64);
    code_.calls_indirectly = true;
  } else if (callee.kind == Kind::symbol) {
    const auto symbol = around_.symbols.find(around_.module_index, callee.name);
    site.system = system_function(callee.name);
    if (symbol && symbol->kind == Symbol::Kind::function) {
      site.function = symbol->index;
      site.system = SystemFunction::none;
      code_.callees.push_back(symbol->index);
    } else if (site.system == SystemFunction::none) {
      fail(callee.place, fmt::format("function {} is not defined", quoted(callee.name)), "link the module that defines it");
    }
  } else {
    fail(callee.place, "the call names no function", "write the name of a function, or a register of 64 bits with its address");
  }
  draft.operation.target = static_cast<std::uint32_t>(around_.calls.size());
  around_.calls.push_back(std::move(site));
}

/// tex.2d.v4.f32.s32 {d0, d1, d2, d3}, [handle, {x, y}]; layers stand before coordinates, a level of detail follows.
void StatementLowering::lower_texture(const Statement& statement, const Form& form, Draft& draft) {
  require_count(statement, 2, 3);
  constexpr unsigned kChannels = 4;
  const OperandSyntax &results = statement.operands[0], &source = statement.operands[1];
  if (results.kind != Kind::list || results.parts.size() != kChannels)
    fail(results.place, "expected a list of four registers", "write it as {%f1, %f2, %f3, %f4}");
  if (source.kind != Kind::address || source.parts.size() != 2)
    fail(source.place, "expected a texture and coordinates", "write it as [%rd1, {%f1, %f2}]; separate samplers are not supported");
  Operation& operation = draft.operation;
  for (unsigned i = 0; i < kChannels; ++i) operation.operands[i] = operands_.destination(results.parts[i], form.type(0));
  draft.destinations = kChannels;
  operation.operands[kChannels] = operands_.source(source.parts[0], Type::u64);
  const bool layered = form.has("a1d") || form.has("a2d");
  const unsigned dimensions = form.has("1d") || form.has("a1d") ? 1 : form.has("2d") || form.has("a2d") ? 2 : 3;
  const OperandSyntax& list = source.parts[1];
  const bool single = list.kind != Kind::list;
  const std::size_t given = single ? 1 : list.parts.size(), needed = dimensions + (layered ? 1 : 0);
  if (given < needed || given > kChannels)
    fail(list.place, fmt::format("{} coordinates are given", given), fmt::format("write {}", needed));
  for (unsigned i = 0; i < needed; ++i)
    operation.operands[kChannels + 1 + i] = operands_.source(single ? list : list.parts[i], layered && i == 0 ? Type::u32 : form.type(1));
  // A level of detail has no effect, because mipmaps are not supported.
  operation.type = form.type(0);
  operation.reads_integers = form.type(1) == Type::s32;
  operation.target = static_cast<std::uint32_t>(form.has("cube")  ? TextureShape::cube
                                                : layered         ? (dimensions == 1 ? TextureShape::lines : TextureShape::planes)
                                                : dimensions == 1 ? TextureShape::line
                                                : dimensions == 2 ? TextureShape::plane
                                                                  : TextureShape::volume);
}

void StatementLowering::lower_barrier(const Statement& statement, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  const bool reduces = form.has("red");
  operation.barrier = form.has("arrive") ? BarrierKind::arrive : BarrierKind::sync;
  if (form.has("popc")) operation.barrier = BarrierKind::popc;
  if (form.has("and")) operation.barrier = BarrierKind::all;
  if (form.has("or")) operation.barrier = BarrierKind::any;
  if (reduces)
    require_count(statement, 3, 4);
  else
    require_count(statement, operation.barrier == BarrierKind::arrive ? 2 : 1, 2);
  std::size_t next = 0;
  const std::size_t count = statement.operands.size();
  if (reduces) {
    operation.operands[0] = operands_.destination(statement.operands[next++], form.type());
    draft.destinations = 1;
  } else {
    draft.destinations = 1;  // absent
  }
  operation.operands[1] = operands_.source(statement.operands[next++], Type::u32);
  if (next + (reduces ? 1 : 0) < count) operation.operands[2] = operands_.source(statement.operands[next++], Type::u32);
  if (reduces) {
    operation.operands[3] = operands_.predicate(statement.operands[next]);
    if (statement.operands[next].negated) operation.negated |= 1u << 3;
  }
}

}  // namespace wharf::ptx
