// How a controller handles an incoming request: it becomes an operation of its set, joins an MSHR's list, or merges with a pending
// operation.
#include <string>

#include "model/base/error.h"
#include "model/designs/morpheus/controller/controller_logic.h"

namespace wharf {

EllcOperation ControllerLogic::operation_of(Transaction& request, std::uint32_t row, std::uint32_t tag) const {
  const AccessKind kind = request.access.kind;
  EllcOperation operation;
  operation.line = request.access.line;
  operation.tag = tag;
  operation.row = static_cast<std::uint8_t>(row);
  operation.op = kind == AccessKind::store ? EllcOp::write : kind == AccessKind::atomic ? EllcOp::atomic : EllcOp::read;
  operation.requester = &request;
  request.next = nullptr;
  return operation;
}

void ControllerLogic::count_request(const Access& access) {
  ++counters_.requests;
  ++(access.kind == AccessKind::store ? counters_.writes : access.kind == AccessKind::atomic ? counters_.atomics : counters_.reads);
  counters_.sectors += sector_count(access.sectors);
}

stats::Counter* ControllerLogic::full_counter(const EllcOperation& operation) {
  if (!queue_.entry_free()) return &counters_.queue_full;
  return operation.carries_data() && !queue_.slot_free() ? &counters_.payload_full : nullptr;
}

stats::Counter* ControllerLogic::decide(Transaction& request, std::uint32_t row, std::uint32_t tag, Cycle now) {
  EllcOperation operation = operation_of(request, row, tag);
  if (rate_ != nullptr) {
    const Access access = request.access;  // an acknowledged request belongs to its SM again
    stats::Counter* const cause = rate_->decide(request, operation, now);
    if (cause == nullptr) count_request(access);
    return cause;
  }
  const EllcMisses::Index found = misses_.find(operation.line);
  if (found != EllcMisses::kNone) {
    EllcMiss& miss = misses_[found];
    if (misses_.list_full(miss)) return &counters_.targets_full;
    ++counters_.merged;
    operation.counted = true;
    miss.list.push_back(operation);
  } else {
    EllcOperation* pending = youngest_operation(operation.line, row);
    if (pending != nullptr && combine(operation, *pending)) {
      ++counters_.combined;
      ++counters_.merged;
    } else if (stats::Counter* cause = predict_and_queue(operation, pending != nullptr)) {
      return cause;
    }
  }
  count_request(request.access);
  return nullptr;
}

/// Returns the youngest unfinished operation with `line`; null if there is none.
EllcOperation* ControllerLogic::youngest_operation(LineAddress line, std::uint32_t row) {
  if (EllcOperation* queued = queue_.youngest(line)) return queued;
  Row& state = rows_[row];
  return state.busy && state.operation.line == line ? &state.operation : nullptr;
}

/// Merges two operations if no other operation of the line lies between them.
bool ControllerLogic::combine(EllcOperation& operation, EllcOperation& pending) {
  if (!params_.combine) return false;
  if (operation.op == EllcOp::read) {
    if (pending.op != EllcOp::read || rows_[pending.row].answered || pending.riders >= params_.mshr_merges) return false;
    ++pending.riders;
    operation.requester->next = pending.requester->next;
    pending.requester->next = operation.requester;
    return true;
  }
  if (operation.op != EllcOp::write || pending.data == nullptr) return false;
  const Access& write = operation.requester->access;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (write.sectors >> s & 1) pending.data->versions[s] = operation.requester->versions[s];
  pending.data->access.sectors |= write.sectors;
  pending.data->access.covered |= write.covered;
  pending.dirty = true;
  host_.answer(*operation.requester, nullptr, Answer::ack);
  return true;
}

stats::Counter* ControllerLogic::predict_and_queue(EllcOperation& operation, bool pending) {
  operation.forced = pending;
  operation.was_resident = partition_.directory.resident(operation.line);
  const bool hit = pending || host_.predicts_hit(operation);
  if (!hit) {
    if (operation.was_resident && partition_.stop_at_false_negatives)
      throw SimulationError("false negative of the hit predictor: line " + std::to_string(operation.line.number) + " is in row " +
                            std::to_string(operation.row) + " of partition " + std::to_string(partition_.number) +
                            " and was predicted to miss, so that DRAM's older copy would be read");
    return predicted_miss(operation);
  }
  if (stats::Counter* cause = full_counter(operation)) return cause;
  ++(pending ? counters_.forced : counters_.predicted_hits);
  if (operation.op == EllcOp::write) acknowledge(operation);
  enqueue(operation);
  return nullptr;
}

stats::Counter* ControllerLogic::predicted_miss(EllcOperation& operation) {
  const bool l1 = is_l1(operation.row), write = operation.op == EllcOp::write;
  const bool whole = write && operation.requester->access.covered == kAllSectors;
  operation.counted = true;
  if (whole || (l1 && operation.op != EllcOp::read)) {
    // The L1 fetches lines itself, and a write of a whole line needs no data from DRAM.
    if (stats::Counter* cause = full_counter(operation)) return cause;
    if (write) acknowledge(operation);
    if (!l1) {
      operation.op = EllcOp::insert;
      operation.dirty = true;
    }
    enqueue(operation);
  } else {
    EllcOperation touch = operation;
    touch.op = EllcOp::touch;
    touch.requester = nullptr;
    if (misses_.full()) return &counters_.mshr_full;
    if (!host_.dram_room(operation.line)) return &counters_.dram_full;
    if (l1 && !queue_.room(touch)) return &counters_.queue_full;
    const EllcMisses::Index index = misses_.allocate(operation, l1);
    ++counters_.dram_reads;
    host_.read_dram(*operation.requester, index, kAllSectors);
    if (l1) enqueue(touch);
  }
  ++counters_.predicted_misses;
  ++counters_.misses;
  return nullptr;
}

void ControllerLogic::enqueue(EllcOperation operation) {
  if (operation.op == EllcOp::insert) ++counters_.inserts;
  if (operation.op == EllcOp::touch) ++counters_.touches;
  queue_.push(operation);
}

/// Acknowledges a write that has its queue entry, so that its SM need not wait (morpheus section 5.6 rule 2). Its data continue in a
/// separate message.
void ControllerLogic::acknowledge(EllcOperation& operation) {
  if (operation.requester == nullptr) return;
  operation.data = &host_.make(operation.requester->access);
  operation.data->versions = operation.requester->versions;
  host_.answer(*operation.requester, nullptr, Answer::ack);
  operation.requester = nullptr;
}

}  // namespace wharf
