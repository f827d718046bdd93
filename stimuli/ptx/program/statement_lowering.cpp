// Lowers statements by the signatures of their rows.
#include "stimuli/ptx/program/statement_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "stimuli/ptx/lanes/atomics.h"
#include "stimuli/ptx/lanes/cache_policy.h"
#include "stimuli/ptx/lanes/compare.h"
#include "stimuli/ptx/lanes/convert.h"
#include "stimuli/ptx/lanes/integers/integer.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/program/special_registers.h"
#include "stimuli/ptx/table/refused.h"
#include "stimuli/ptx/text/pattern_text.h"

namespace wharf::ptx {

using Kind = OperandSyntax::Kind;

namespace {

/// The next word of a signature, which is cut off it.
std::string_view pop_token(std::string_view& signature) {
  const std::string_view token = signature.substr(0, signature.find(' '));
  signature.remove_prefix(std::min(signature.size(), token.size() + 1));
  return token;
}

/// The type that a word of a signature denotes.
Type type_of(std::string_view token, const Form& form) {
  if (token == "0") return form.type(0);
  if (token == "1") return form.type(1);
  if (token == "w") return widened(form.type(0));
  return type_named(token).value_or(Type::none);
}

unsigned vector_length(const Form& form) { return form.has("v4") ? 4 : form.has("v2") ? 2 : 1; }

std::string spelling(const Statement& statement) {
  std::string text(statement.opcode);
  for (const std::string_view word : statement.words) text += "." + std::string(word);
  return text;
}

/// A last use ends the line's use, as streaming does (LR-2). Priorities of L1 mean nothing to L2.
Eviction eviction_of(const Form& form) {
  if (form.has("L2::evict_last")) return Eviction::last;
  if (form.has("L2::evict_normal")) return Eviction::normal;
  return form.has("L2::evict_first") || form.has("cs") || form.has("lu") ? Eviction::first : Eviction::unhinted;
}

}  // namespace

const std::vector<std::string_view>& refused_opcodes() {
  static const std::vector<std::string_view> kOpcodes = {"wgmma", "tcgen05", "alloca", "stacksave", "stackrestore", "fns",
                                                         "szext", "txq",     "suld",   "sust",      "sured",        "suq",
                                                         "tld4",  "istypep", "vmad",   "vset"};
  return kOpcodes;
}

unsigned tier_of(std::string_view opcode) {
  constexpr std::array<std::string_view, 2> kHardware = {"wgmma", "tcgen05"};
  if (is_opcode(opcode)) return 1;
  if (std::find(kHardware.begin(), kHardware.end(), opcode) != kHardware.end()) return 3;
  const std::vector<std::string_view>& refused = refused_opcodes();
  return std::find(refused.begin(), refused.end(), opcode) != refused.end() ? 2 : 0;
}

void StatementLowering::run() {
  for (const Statement& statement : function_.statements) out_.drafts.push_back(lower(statement));
  const bool ends = !out_.drafts.empty() && !out_.drafts.back().operation.guard.present() &&
                    (out_.drafts.back().operation.action == Action::ret || out_.drafts.back().operation.action == Action::exit ||
                     out_.drafts.back().operation.action == Action::branch);
  const std::size_t end = function_.statements.size();
  const bool has_label_at_end =
      std::any_of(function_.labels.begin(), function_.labels.end(), [end](const auto& label) { return label.second == end; });
  if (ends && !has_label_at_end) return;
  Draft draft;
  Form form;
  draft.row = find_instruction("ret", {}, form);
  draft.operation.action = Action::ret;
  out_.drafts.push_back(draft);
}

const Instruction& StatementLowering::find_row(const Statement& statement, Form& form) const {
  if (const Instruction* row = find_instruction(statement.opcode, statement.words, form)) {
    if (row->target > around_.module.target)
      fail(statement.place,
           fmt::format("{} needs sm_{}, and the module is for sm_{}", spelling(statement), row->target, around_.module.target),
           fmt::format("compile it with -arch=sm_{0} or more, or set cuda.compute_capability to {1}.{2} or more", row->target,
                       row->target / 10, row->target % 10));
    return *row;
  }
  if (!is_opcode(statement.opcode)) {
    if (const unsigned tier = tier_of(statement.opcode); tier != 0)
      fail(statement.place, fmt::format("{} is not supported (tier {})", spelling(statement), tier), "write the kernel without it");
    fail(statement.place, "unknown instruction " + quoted(statement.opcode), "check the spelling; PTX versions up to 9.x are read");
  }
  std::string forms;
  for (const std::string_view pattern : patterns_of(statement.opcode))
    forms += fmt::format("\n    {} {}", statement.opcode, expand_sets(pattern));
  fail(statement.place, fmt::format("{} is not a supported form of {}", spelling(statement), statement.opcode), "these are:" + forms);
}

void StatementLowering::require_count(const Statement& statement, std::size_t least, std::size_t most) const {
  const std::size_t count = statement.operands.size();
  if (count >= least && count <= most) return;
  const std::string expected = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  fail(statement.place, fmt::format("{} has {} operands", spelling(statement), count), "write " + expected);
}

/// Instructions with a cache policy have it as their last operand.
Draft StatementLowering::lower(const Statement& statement) {
  Form form;
  const Instruction& row = find_row(statement, form);
  if (!form.has("L2::cache_hint")) return lower(statement, row, form);
  if (statement.operands.empty()) require_count(statement, 3, 4);
  Statement rest = statement;
  rest.operands.pop_back();
  Draft draft = lower(rest, row, form);
  draft.operation.operands[kPolicySlot] = operands_.source(statement.operands.back(), Type::b64);
  return draft;
}

Draft StatementLowering::lower(const Statement& statement, const Instruction& row, const Form& form) {
  Draft draft;
  draft.row = &row;
  draft.operation.action = row.action;
  if (statement.guard != kNone) {
    OperandSyntax guard;
    guard.kind = Kind::reg;
    guard.index = statement.guard;
    guard.place = statement.place;
    draft.operation.guard = operands_.predicate(guard);
    draft.operation.guard_negated = statement.guard_negated;
  }
  if (row.compute != nullptr) draft.operation.compute = row.compute(form);
  if (statement.opcode == "setp" || statement.opcode == "set") draft.operation.compare = compare::comparison(form);
  switch (row.action) {
    case Action::branch:
      lower_branch(statement, draft);
      break;
    case Action::branch_indexed:
      lower_indexed_branch(statement, draft);
      break;
    case Action::call:
      lower_call(statement, draft);
      break;
    case Action::texture:
      lower_texture(statement, form, draft);
      break;
    case Action::barrier:
      lower_barrier(statement, form, draft);
      break;
    case Action::cluster_barrier:
      draft.operation.barrier = form.has("arrive") ? BarrierKind::arrive : BarrierKind::sync;
      break;
    case Action::mbarrier:
      lower_mbarrier(statement, form, draft);
      break;
    case Action::copy:
      lower_copy(statement, form, draft);
      break;
    case Action::bulk_copy:
      lower_bulk_copy(statement, form, draft);
      break;
    case Action::matrix_product:
      lower_matrix_product(statement, form, draft);
      break;
    case Action::matrix_load:
    case Action::matrix_store:
      lower_matrix_access(statement, form, draft);
      break;
    default:
      if (statement.opcode == "mov" && row.operands == "*")
        lower_mov(statement, form, draft);
      else if (row.operands != "*")
        lower_by_signature(statement, row, form, draft);
  }
  if (statement.opcode == "createpolicy") {
    draft.operation.target = cache_policy::kind_of(form);
    draft.operation.space = form.has("global") ? StateSpace::global : StateSpace::generic;
  }
  if (row.action == Action::surface_place)
    draft.operation.target = static_cast<std::uint32_t>(form.has("zero")    ? SurfaceBounds::zero
                                                        : form.has("clamp") ? SurfaceBounds::clamp
                                                                            : SurfaceBounds::trap);
  draft.operation.is_aligned = statement.opcode == "bar" || form.has("aligned");
  const bool is_matrix = row.action == Action::matrix_product || is_matrix_access(row.action);
  if (form.has("sync") && (row.action == Action::compute || is_matrix)) draft.operation.waits_for_lanes = true;
  return draft;
}

void StatementLowering::lower_by_signature(const Statement& statement, const Instruction& row, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  set_memory_fields(statement, form, draft);
  const bool loose = statement.opcode == "cvt";
  std::size_t next = 0;  // operand of the statement
  unsigned slot = 0;     // operand of the operation
  const auto take = [&](bool optional) -> const OperandSyntax* {
    if (next < statement.operands.size()) return &statement.operands[next++];
    if (!optional)
      fail(statement.place, fmt::format("{} has only {} operands", spelling(statement), next),
           "write one for each of: " + std::string(row.operands));
    return nullptr;
  };
  if (row.action == Action::atomic && row.operands.front() == 'm') slot = 1;  // red has no destination
  for (std::string_view signature = row.operands; !signature.empty();) {
    std::string_view token = pop_token(signature);
    const bool is_destination = token.front() == '=', optional = token.back() == '?';
    if (is_destination) token.remove_prefix(1);
    if (optional) token.remove_suffix(1);
    if (token == "cc" || token == "rank") {
      operation.operands[slot++] = token == "cc" ? operands_.carry() : *special_row("%cluster_ctarank");
    } else if (token == "m") {
      operation.operands[slot++] = operands_.address(*take(false), operation);
    } else if (token == "mbarrier") {
      operation.operands[kMbarrierSlot] = further_address(*take(false), 0, operation);
    } else if (token == "v") {
      slot = lower_vector(*take(false), slot, is_destination, operation);
    } else if (token == "imm") {
      operation.immediate = static_cast<std::int64_t>(operands_.literal(*take(false)));
    } else if (const std::size_t bar = token.find('|'); bar != std::string_view::npos) {
      const OperandSyntax& syntax = *take(false);
      const bool both = syntax.kind == Kind::both;
      operation.operands[slot++] = operands_.destination(both ? syntax.parts[0] : syntax, type_of(token.substr(0, bar), form));
      operation.operands[slot++] = both ? operands_.destination(syntax.parts[1], type_of(token.substr(bar + 1), form)) : Operand();
    } else if (const OperandSyntax* syntax = take(optional)) {
      const Type type = type_of(token, form);
      if (is_destination) {
        operation.operands[slot] = operands_.destination(*syntax, type, loose);
      } else if (type == Type::pred) {
        operation.operands[slot] = operands_.predicate(*syntax);
        if (syntax->negated) operation.negated |= static_cast<std::uint8_t>(1u << slot);
      } else if (loose && syntax->kind == Kind::reg && class_of(operands_.register_of(*syntax).type) == RegisterClass::wide &&
                 bytes_of(type) < 8) {
        operation.operands[slot] = Operand(Bank::frame, syntax->index);
        operation.compute = convert::cvt_of_wide(form);
        if (operation.compute == nullptr)
          fail(syntax->place, spelling(statement) + " reads a register of 64 bits", "narrow it with cvt.u32.u64 first");
      } else {
        operation.operands[slot] = operands_.source(*syntax, type, loose);
      }
      ++slot;
    }
    if (is_destination) draft.destinations = slot;
  }
  if (statement.opcode == "applypriority" || statement.opcode == "discard") require_line(statement);
  if (next < statement.operands.size())
    fail(statement.operands[next].place, fmt::format("{} has too many operands", spelling(statement)),
         "write one for each of: " + std::string(row.operands));
  if (row.action == Action::atomic) draft.destinations = 1;
  if (row.cost_rule == CostRule::bit_field && slot >= 3) {
    const auto is_literal = [&](unsigned i) { return operation.operands[i].bank() == static_cast<unsigned>(Bank::constants); };
    draft.literal_field = is_literal(slot - 1) && is_literal(slot - 2);
  }
  if (row.action == Action::compute && draft.destinations == 1 && !operation.operands[0].present())
    operation.compute = nullptr;  // the result goes to _
}

/// The last operand of an instruction on a line of L2 is its size.
void StatementLowering::require_line(const Statement& statement) const {
  const OperandSyntax& size = statement.operands.back();
  if (operands_.literal(size) != kLineBytes) fail(size.place, spelling(statement) + " of another size than a line", "write 128");
}

/// The elements of an access, from operand `slot` on. Returns the next slot.
unsigned StatementLowering::lower_vector(const OperandSyntax& syntax, unsigned slot, bool is_destination, Operation& operation) {
  const unsigned length = operation.elements;
  if (length > 1 && (syntax.kind != Kind::list || syntax.parts.size() != length))
    fail(syntax.place, fmt::format("expected a list of {} registers", length), "write it as {%f1, %f2}");
  for (unsigned i = 0; i < length; ++i)
    operation.operands[slot++] = operands_.data(length > 1 ? syntax.parts[i] : syntax, operation.type, i, operation, is_destination);
  return slot;
}

void StatementLowering::set_memory_fields(const Statement& statement, const Form& form, Draft& draft) const {
  Operation& operation = draft.operation;
  switch (operation.action) {
    case Action::compute:
    case Action::range_policy:
    case Action::surface_place:
    case Action::fence:
      return;
    default:
      break;
  }
  operation.type = form.type();
  operation.elements = static_cast<std::uint8_t>(vector_length(form));
  for (const std::string_view word : form.words)
    if (const auto space = space_named(word)) operation.space = *space;
  if (statement.opcode == "ldu") operation.space = StateSpace::global;
  const bool wide_scope = form.has("gpu") || form.has("sys") || form.has("cluster");
  const bool prefetches_l2 = operation.action == Action::prefetch && !form.has("L1");
  operation.bypasses_l1 = prefetches_l2 || form.has("volatile") || form.has("cg") || form.has("cv") ||
                          (wide_scope && (form.has("relaxed") || form.has("acquire")));
  operation.eviction = eviction_of(form);
  for (const std::string_view order : {"volatile", "relaxed", "acquire", "release"}) operation.is_strong |= form.has(order);
  for (const std::string_view word : {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc"}) draft.is_ordered |= form.has(word);
  if (operation.elements * bytes_of(operation.type) > 16)
    fail(statement.place, spelling(statement) + " moves more than 16 bytes per lane", "use two instructions");
  if (operation.action == Action::atomic) operation.modify = atomics::modify(form);
}

void StatementLowering::lower_mov(const Statement& statement, const Form& form, Draft& draft) {
  require_count(statement, 2, 2);
  const OperandSyntax &to = statement.operands[0], &from = statement.operands[1];
  const Type type = form.type();
  if (to.kind == Kind::list || from.kind == Kind::list) return lower_pack(statement, type, draft);
  Operation& operation = draft.operation;
  operation.operands[0] = operands_.destination(to, type);
  draft.destinations = 1;
  if (from.kind == Kind::special) {
    if (const auto clock = clock_named(from.name)) {
      const bool wide = *clock == Clock::both || *clock == Clock::nanoseconds;
      if (wide != (bytes_of(type) == 8))
        fail(from.place, fmt::format("{} has {} bits", quoted(from.name), wide ? 64 : 32), wide ? "use mov.u64" : "use mov.u32");
      operation.action = Action::clock;
      operation.immediate = static_cast<std::int64_t>(*clock);
      return;
    }
  }
  if (from.kind == Kind::variable || from.kind == Kind::symbol) return lower_move_of_place(from, type, draft);
  operation.operands[1] = operands_.source(from, type);
  if (!operation.operands[0].present()) operation.compute = nullptr;
}

void StatementLowering::lower_move_of_place(const OperandSyntax& from, Type type, Draft& draft) {
  const bool wide = bytes_of(type) == 8;
  if (bytes_of(type) < 4) fail(from.place, "an address does not fit the type of the instruction", "use mov.u64 or mov.u32");
  const OperandLowering::NamedPlace place = operands_.place_of(from, wide);
  Operation& operation = draft.operation;
  const Operand offset = around_.constants.row(static_cast<std::uint64_t>(place.offset), wide);
  if (!place.row.present() || place.offset == 0) {
    operation.operands[1] = place.row.present() ? place.row : offset;
    return;
  }
  Form sum;
  sum.types = {wide ? Type::u64 : Type::u32};
  operation.compute = integer::add(sum);
  operation.operands[1] = place.row;
  operation.operands[2] = offset;
}

void StatementLowering::lower_pack(const Statement& statement, Type type, Draft& draft) {
  const bool packs = statement.operands[1].kind == Kind::list;
  const OperandSyntax &list = statement.operands[packs ? 1 : 0], &whole = statement.operands[packs ? 0 : 1];
  const auto parts = static_cast<unsigned>(list.parts.size());
  const unsigned bits = 8 * bytes_of(type);
  if ((parts != 2 && parts != 4) || bits / parts < 8 || (bits == 16 && parts != 2))
    fail(list.place, fmt::format("{} parts do not make .{}", parts, name_of(type)), "use two parts, or four of a 32-bit or 64-bit type");
  const unsigned part_bits = bits / parts;
  const Type part = part_bits == 32 ? Type::b32 : part_bits == 16 ? Type::b16 : Type::b8;
  Operation& operation = draft.operation;
  operation.compute = packs ? moves::pack(type, parts) : moves::unpack(type, parts);
  if (packs) operation.operands[0] = operands_.destination(whole, type);
  for (unsigned i = 0; i < parts; ++i)
    operation.operands[packs ? 1 + i : i] =
        packs ? operands_.source(list.parts[i], part, part == Type::b8) : operands_.destination(list.parts[i], part, part == Type::b8);
  if (!packs) operation.operands[parts] = operands_.source(whole, type);
  draft.destinations = packs ? 1 : parts;
}

}  // namespace wharf::ptx
