// Lowers mbarriers and asynchronous copies, whose operands differ with their modifiers.
#include <fmt/format.h>

#include "model/base/bits.h"
#include "stimuli/ptx/lanes/atomics.h"
#include "stimuli/ptx/program/statement_lowering.h"

namespace wharf::ptx {
namespace {

using Kind = OperandSyntax::Kind;

MbarrierKind mbarrier_kind(const Form& form) {
  if (form.opcode == "cp" && form.has("bulk")) {
    if (form.has("commit_group")) return MbarrierKind::commit_bulk;
    return form.has("read") ? MbarrierKind::await_bulk_reads : MbarrierKind::await_bulk;
  }
  if (form.opcode == "cp") {
    if (form.has("commit_group")) return MbarrierKind::commit_copies;
    if (form.has("wait_group")) return MbarrierKind::await_groups;
    if (form.has("wait_all")) return MbarrierKind::await_copies;
    return form.has("noinc") ? MbarrierKind::arrive_later : MbarrierKind::expect_later;
  }
  if (form.has("init")) return MbarrierKind::init;
  if (form.has("inval")) return MbarrierKind::invalidate;
  if (form.has("arrive")) return MbarrierKind::arrive;
  if (form.has("arrive_drop")) return MbarrierKind::arrive_drop;
  if (form.has("expect_tx")) return MbarrierKind::expect;
  if (form.has("complete_tx")) return MbarrierKind::complete;
  return form.has("test_wait") ? MbarrierKind::test : MbarrierKind::try_wait;
}

StateSpace shared_space(const Form& form) {
  if (form.has("shared::cluster")) return StateSpace::shared_cluster;
  return form.has("shared") || form.has("shared::cta") ? StateSpace::shared : StateSpace::generic;
}

BulkCopy::Direction direction_of(const Form& form) {
  if (form.has("prefetch")) return BulkCopy::Direction::prefetch;
  if (form.has("bulk_group")) return form.has("reduce") ? BulkCopy::Direction::reduce_in_global : BulkCopy::Direction::to_global;
  return form.has("global") ? BulkCopy::Direction::to_shared : BulkCopy::Direction::between_shared;
}

}  // namespace

void StatementLowering::lower_mbarrier(const Statement& statement, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  const MbarrierKind kind = operation.mbarrier = mbarrier_kind(form);
  operation.space = shared_space(form);
  operation.names_parity = form.has("parity");
  std::size_t next = 0;
  const auto take = [&](unsigned slot, Type type) { operation.operands[slot] = operands_.source(statement.operands[next++], type); };
  draft.destinations = 1;  // absent with most
  switch (kind) {
    case MbarrierKind::commit_copies:
    case MbarrierKind::commit_bulk:
    case MbarrierKind::await_copies:
      return require_count(statement, 0, 0);
    case MbarrierKind::await_groups:
    case MbarrierKind::await_bulk:
    case MbarrierKind::await_bulk_reads:
      require_count(statement, 1, 1);
      operation.immediate = static_cast<std::int64_t>(operands_.literal(statement.operands[0]));
      if (operation.immediate < 0 || operation.immediate > INT32_MAX)
        fail(statement.operands[0].place, "so many groups cannot be open", "write a small number, 0 for all of them to end");
      return;
    case MbarrierKind::arrive:
    case MbarrierKind::arrive_drop:
      require_count(statement, form.has("expect_tx") || form.has("noComplete") ? 3 : 2, 3);
      break;
    case MbarrierKind::test:
    case MbarrierKind::try_wait:
      require_count(statement, 3, kind == MbarrierKind::test ? 3 : 4);
      break;
    default: {
      const bool has_value = kind == MbarrierKind::init || kind == MbarrierKind::expect || kind == MbarrierKind::complete;
      require_count(statement, has_value ? 2 : 1, has_value ? 2 : 1);
    }
  }
  if (is_arrival(kind) || is_test(kind))
    operation.operands[0] = operands_.destination(statement.operands[next++], is_test(kind) ? Type::pred : Type::b64);
  operation.operands[1] = operands_.address(statement.operands[next++], operation);
  if (next == statement.operands.size()) return;
  const bool counts_bytes = form.has("expect_tx") || form.has("complete_tx");
  take(counts_bytes ? 3 : 2, is_test(kind) && !operation.names_parity ? Type::b64 : Type::u32);
  if (next != statement.operands.size() && kind == MbarrierKind::try_wait) take(4, Type::u32);
}

/// An address behind the first one of the operation: `number` is 0 or 1.
Operand StatementLowering::further_address(const OperandSyntax& syntax, unsigned number, Operation& operation) {
  Operation own;
  const Operand base = operands_.address(syntax, own);
  operation.more_offsets[number] = static_cast<std::int32_t>(own.immediate);
  operation.further_wide |= static_cast<std::uint8_t>(static_cast<unsigned>(own.address_wide) << number);
  return base;
}

/// cp.async.ca.shared.global [to], [from], bytes(, bytes to read, or a predicate);
void StatementLowering::lower_copy(const Statement& statement, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  require_count(statement, 3, 4);
  operation.space = StateSpace::global;
  operation.bypasses_l1 = form.has("cg");
  operation.operands[1] = further_address(statement.operands[0], 0, operation);
  operation.operands[0] = operands_.address(statement.operands[1], operation);
  const std::uint64_t bytes = operands_.literal(statement.operands[2]);
  if (bytes != 16 && (form.has("cg") || (bytes != 4 && bytes != 8)))
    fail(statement.operands[2].place, fmt::format("a copy of {} bytes", bytes), form.has("cg") ? "write 16" : "write 4, 8 or 16");
  operation.type = Type::b32;
  operation.elements = static_cast<std::uint8_t>(bytes / bytes_of(Type::b32));
  if (statement.operands.size() == 3) return;
  const OperandSyntax& last = statement.operands[3];
  operation.ignores_source = last.kind == Kind::reg && operands_.register_of(last).type == Type::pred;
  if (operation.ignores_source && last.negated) operation.negated |= 1u << 2;
  operation.operands[2] = operation.ignores_source ? operands_.predicate(last) : operands_.source(last, Type::u32);
}

/// cp(.reduce).async.bulk... ([to], )[from], bytes(, [mbarrier](, ranks)); only a prefetch writes nothing.
void StatementLowering::lower_bulk_copy(const Statement& statement, const Form& form, Draft& draft) {
  Operation& operation = draft.operation;
  operation.direction = direction_of(form);
  const bool multicasts = form.has("multicast::cluster"), writes = operation.direction != BulkCopy::Direction::prefetch;
  const bool has_mbarrier = form.has("mbarrier::complete_tx::bytes");
  const std::size_t count = 2 + (writes ? 1 : 0) + (has_mbarrier ? 1 : 0) + (multicasts ? 1 : 0);
  require_count(statement, count, count);
  std::size_t next = 0;
  if (writes) operation.operands[1] = further_address(statement.operands[next++], 0, operation);
  operation.operands[0] = operands_.address(statement.operands[next++], operation);
  operation.operands[2] = operands_.source(statement.operands[next++], Type::u32);
  if (has_mbarrier) operation.operands[3] = further_address(statement.operands[next++], 1, operation);
  if (multicasts) operation.operands[4] = operands_.source(statement.operands[next++], Type::u16);
  if (!form.has("reduce")) return;
  operation.type = form.type();
  operation.modify = atomics::modify(form);
}

}  // namespace wharf::ptx
