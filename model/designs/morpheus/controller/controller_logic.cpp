#include "model/designs/morpheus/controller/controller_logic.h"

#include <string>
#include <utility>

#include "model/base/error.h"

namespace wharf {

ControllerLogic::ControllerLogic(const MorpheusParams& params, const Partition& partition, ControllerHost& host, stats::Group& group)
    : params_(params),
      partition_(partition),
      host_(host),
      counters_(group, params.kernel.delivery),
      queue_(params.request_queue, params.payload_slots),
      misses_(params.mshr_entries * params.banks_per_partition, params.mshr_merges),
      rows_(partition.rows.size()) {
  if (params.kernel.service == EllcService::warps) return;
  const RateService::Partition sets{partition.number,    partition_.rows,    partition.directory,
                                    partition.kernel_of, partition.sectored, partition.write_miss};
  rate_ = std::make_unique<RateService>(
      params_, sets, host, [this](Transaction& request, const Transaction& source, Answer how) { answer_unchanged(request, source, how); },
      counters_, misses_);
}

bool ControllerLogic::dispatch(Cycle now) {
  EllcOperation operation;
  const bool found = queue_.pop_first(
      [this](const EllcOperation& candidate) {
        if (rows_[candidate.row].busy) return EllcQueue::Choice::skip;
        // Later operations of the same set must not overtake this one.
        return candidate.carries_data() && write_buffer_used_ >= params_.write_buffer ? EllcQueue::Choice::stop : EllcQueue::Choice::take;
      },
      operation);
  if (!found) return false;
  ++busy_rows_;
  Row& row = rows_[operation.row];
  row.busy = true;
  row.operation = operation;
  send_operation(row, now);
  return true;
}

void ControllerLogic::send_operation(Row& row, Cycle now) {
  EllcOperation& operation = row.operation;
  EllcWord word;
  word.row = operation.row;
  word.op = operation.op;
  word.dirty = operation.dirty;
  word.data = operation.carries_data();
  word.clear_touched = row.clear_touched;
  row.clear_touched = false;
  if (word.data) ++write_buffer_used_;
  Transaction* message = operation.data;
  if (message == nullptr) {
    Access access;
    if (operation.requester != nullptr) access = operation.requester->access;
    access.line = operation.line;
    message = &host_.make(access);
    if (operation.requester != nullptr) {
      message->versions = operation.requester->versions;
      message->stages = operation.requester->stages;
    }
  }
  operation.data = nullptr;
  send_or_park(row, *message, MessageKind::ellc_request, word, now);
}

/// Sends the message to a warp. If the warp's load waits in the row, it returns the message at once; a spinning warp's next load returns
/// it. A warp that reads from DRAM itself waits for the line in either case.
void ControllerLogic::send_or_park(Row& row, Transaction& message, MessageKind kind, const EllcWord& word, Cycle now) {
  row.sent = now;
  const bool waits = kind == MessageKind::ellc_block && params_.miss_fetch == MissFetch::warp;
  if (params_.kernel.delivery == Delivery::parked || waits) {
    host_.send(message, kind, word);
    return;
  }
  row.ready = &message;
  message.message.kind = kind;
  message.message.tag = word.pack();
}

void ControllerLogic::answer_polls(Cycle now) {
  for (Transaction* poll : polls_) {
    EllcWord word = EllcWord::unpack(poll->message.tag);
    Row& row = rows_.at(word.row);
    if (row.ready == nullptr) {
      word.nothing = true;
      host_.send(*poll, MessageKind::ellc_poll, word);
      continue;
    }
    Transaction& message = *std::exchange(row.ready, nullptr);
    *counters_.poll_wait += now - row.sent;
    row.sent = now;
    host_.send(message, message.message.kind, EllcWord::unpack(message.message.tag));
    host_.release(*poll);
  }
  polls_.clear();
}

void ControllerLogic::result(Transaction& message, Cycle now) {
  const EllcWord word = EllcWord::unpack(message.message.tag);
  if (rate_ != nullptr) return rate_->result(message, word, now);
  if (word.row >= rows_.size() || !rows_[word.row].busy || rows_[word.row].operation.line != message.access.line)
    throw SimulationError("a cache-mode SM has sent the result of an operation that row " + std::to_string(word.row) + " of partition " +
                          std::to_string(partition_.number) + " does not wait for");
  Row& row = rows_[word.row];
  const bool present = word.result != EllcResult::miss && !row.fetching && partition_.directory.resident(row.operation.line);
  classify(row.operation, present);
  if (word.result == EllcResult::miss)
    missed(row, message);
  else
    finish(row, message, word, now);
  host_.release(message);
}

/// Classifies each request once. `present`: the line was in its set when the request was served.
void ControllerLogic::classify(EllcOperation& operation, bool present) {
  if (operation.counted || operation.op == EllcOp::insert || operation.op == EllcOp::touch) return;
  operation.counted = true;
  ++(present ? counters_.hits : counters_.misses);
  if (!present && !operation.forced) ++(operation.was_resident ? counters_.overtaken : counters_.false_positives);
}

/// The line is absent from its register-file or shared-memory set. Only the requester waits for a read's line, so the warp becomes free. A
/// write or an atomic stays with the warp, which holds its data.
void ControllerLogic::missed(Row& row, const Transaction& message) {
  ++counters_.dram_reads;
  EllcOperation& operation = row.operation;
  if (operation.op == EllcOp::read && params_.miss_fetch == MissFetch::controller && !misses_.full()) {
    const EllcMisses::Index index = misses_.allocate(operation, false);
    EllcMiss& miss = misses_[index];
    if (message.stages.counted()) operation.requester->stages = message.stages;
    host_.read_dram(*operation.requester, index, kAllSectors);
    queue_.pull(operation.line, [&](EllcOperation& younger) {
      if (!younger.counted) ++counters_.merged;
      younger.counted = true;
      ++miss.held;
      ++counters_.pulled;
      miss.list.push_back(younger);
    });
    free(row);
    return;
  }
  ++counters_.row_fetches;
  row.fetching = true;
  host_.read_dram(message, kRow | operation.row, kAllSectors);
}

void ControllerLogic::finish(Row& row, const Transaction& message, const EllcWord& word, Cycle now) {
  EllcOperation& operation = row.operation;
  if (word.result == EllcResult::dropped) ++counters_.duplicate_inserts;
  if (operation.op == EllcOp::read && !row.fetching) {
    ++counters_.c2c_reads;
    counters_.c2c_sum += now - row.sent;
  }
  if (operation.requester != nullptr && !row.answered)
    answer(*operation.requester, message.versions, message, word.data ? Answer::from_buffer : Answer::from_set);
  if (operation.op == EllcOp::touch && word.result != EllcResult::done) {
    // The line was present, so the L1 will not request it.
    const EllcMisses::Index index = misses_.find(operation.line);
    if (index != EllcMisses::kNone) misses_[index].l1_served = true;
  }
  // A dropped operation leaves the set's LRU order unchanged, so its line must not count as used.
  if (word.result != EllcResult::dropped) host_.accessed(operation, word.all_touched);
  row.clear_touched = word.all_touched;
  free(row);
}

void ControllerLogic::free(Row& row) {
  partition_.directory.apply(partition_.number, row.operation.row);
  --busy_rows_;
  row.busy = row.fetching = row.answered = false;
  row.fetch = nullptr;
}

void ControllerLogic::answer(Transaction& request, const SectorVersions& image, const Transaction& source, Answer how) {
  Transaction* rider = request.next;
  request.versions = image;
  request.reply.served_by = how == Answer::from_dram ? ServedBy::dram : ServedBy::ellc;
  if (how == Answer::from_buffer) ++read_buffer_used_;
  host_.answer(request, &source, how);
  if (rider != nullptr) answer(*rider, image, source, how == Answer::from_buffer ? Answer::from_set : how);
}

/// Answers each request with the versions that it already carries. Requests behind the first share its entry of the buffer.
void ControllerLogic::answer_unchanged(Transaction& request, const Transaction& source, Answer how) {
  if (how == Answer::from_buffer) ++read_buffer_used_;
  for (Transaction* one = &request; one != nullptr; how = how == Answer::from_buffer ? Answer::from_set : how) {
    Transaction& answered = *one;
    one = one->next;
    answered.reply.served_by = how == Answer::from_dram ? ServedBy::dram : ServedBy::ellc;
    host_.answer(answered, &source, how);
  }
}

void ControllerLogic::fetch(Transaction& message) {
  const LineAddress line = message.access.line;
  const EllcMisses::Index index = misses_.find(line);
  if (index != EllcMisses::kNone && misses_[index].l1 && misses_[index].l1_fetch == nullptr && !misses_[index].l1_served) {
    misses_[index].l1_fetch = &message;
    return;
  }
  const EllcWord word = EllcWord::unpack(message.message.tag);
  Row& row = rows_.at(word.row);
  ++counters_.dram_reads;
  if (row.busy && row.operation.line == line && row.operation.op != EllcOp::touch && row.fetch == nullptr) {
    ++counters_.row_fetches;
    row.fetching = true;
    row.fetch = &message;
    host_.read_dram(message, kRow | word.row, kAllSectors);
    return;
  }
  ++counters_.late_rereads;
  late_.push_back(&message);
  host_.read_dram(message, kLate, kAllSectors);
}

void ControllerLogic::filled(const Transaction& reply, Cycle now) {
  const std::uint32_t code = reply.access.slot;
  if (rate_ != nullptr) return rate_->filled(code, reply, now);
  if ((code & kLate) != 0) {
    const auto fetch =
        std::find_if(late_.begin(), late_.end(), [&](const Transaction* one) { return one->access.line == reply.access.line; });
    Transaction& message = **fetch;
    late_.erase(fetch);
    fill(message, reply.versions);
  } else if ((code & kRow) != 0) {
    row_filled(rows_[code & ~kRow], reply, now);
  } else {
    EllcMiss& miss = misses_[code];
    miss.arrived = true;
    miss.image = reply.versions;
    if (!serve(code, &reply)) arrived_.push_back(code);
  }
}

void ControllerLogic::row_filled(Row& row, const Transaction& reply, Cycle now) {
  const EllcOperation& operation = row.operation;
  // A warp that reads from DRAM itself passes the line on.
  const bool through_warp = params_.miss_fetch == MissFetch::warp && !is_l1(operation.row);
  if (operation.op == EllcOp::read && !row.answered && !through_warp) {
    answer(*operation.requester, reply.versions, reply, Answer::from_dram);
    row.answered = true;
  }
  if (row.fetch != nullptr) {
    fill(*row.fetch, reply.versions);
    return;
  }
  Access access = reply.access;
  access.kind = AccessKind::store;
  Transaction& message = host_.make(access);
  message.versions = reply.versions;
  EllcWord word;
  word.row = operation.row;
  word.op = operation.op;
  word.data = true;
  send_or_park(row, message, MessageKind::ellc_block, word, now);
}

void ControllerLogic::fill(Transaction& fetch, const SectorVersions& image) {
  fetch.versions = image;
  EllcWord word = EllcWord::unpack(fetch.message.tag);
  word.data = true;
  host_.send(fetch, MessageKind::ellc_fill, word);
}

bool ControllerLogic::serve_arrived() {
  bool moved = false;
  auto kept = arrived_.begin();
  for (const EllcMisses::Index index : arrived_) {
    const std::size_t waiting = misses_[index].list.size();
    if (serve(index, nullptr)) {
      moved = true;
    } else {
      moved |= misses_[index].list.size() != waiting;
      *kept++ = index;
    }
  }
  arrived_.erase(kept, arrived_.end());
  return moved;
}

/// Does everything possible for an arrived line. Returns true if its entry has become free.
bool ControllerLogic::serve(EllcMisses::Index index, const Transaction* reply) {
  EllcMiss& miss = misses_[index];
  serve_list(miss, reply);
  if (!miss.l1 && !miss.inserted && !insert(miss)) return false;
  if (miss.l1_fetch != nullptr) {
    fill(*miss.l1_fetch, miss.image);
    miss.l1_fetch = nullptr;
    miss.l1_served = true;
  }
  if (!queue_list(miss) || (miss.l1 && !miss.l1_served)) return false;
  misses_.release(index);
  return true;
}

/// Serves the operations that the line itself can answer: those before the first atomic, because an atomic must be performed in the set.
/// For an L1 set, only those before the first one that writes.
void ControllerLogic::serve_list(EllcMiss& miss, const Transaction* reply) {
  std::size_t served = 0;
  for (; served < miss.list.size() && !miss.queueing; ++served) {
    EllcOperation& operation = miss.list[served];
    if (operation.op == EllcOp::atomic || (miss.l1 && operation.op == EllcOp::write)) {
      miss.queueing = true;
      break;
    }
    if (operation.op == EllcOp::write) {
      acknowledge(operation);
      for (unsigned s = 0; s < kSectorsPerLine; ++s)
        if (operation.data->access.sectors >> s & 1) miss.image[s] = operation.data->versions[s];
      host_.release(*operation.data);
      miss.dirty = true;
    } else {
      // The request may have arrived after the line, when `reply` no longer exists.
      operation.requester->versions = miss.image;
      answer(*operation.requester, miss.image, reply != nullptr ? *reply : *operation.requester, Answer::from_dram);
    }
    if (operation.held) {
      queue_.release(operation);
      --miss.held;
    }
  }
  miss.list.erase(miss.list.begin(), miss.list.begin() + static_cast<std::ptrdiff_t>(served));
}

/// Queues the insertion of the line. Returns false if it must wait for room.
bool ControllerLogic::insert(EllcMiss& miss) {
  EllcOperation operation;
  operation.line = miss.line;
  operation.tag = miss.tag;
  operation.row = miss.row;
  operation.op = EllcOp::insert;
  operation.dirty = miss.dirty;
  if (miss.queueing && miss.list.front().held && !queue_.room(operation)) {
    // Operations that wait for this line may hold all entries. The first of them, an atomic with data, gives up its entry.
    EllcOperation& first = miss.list.front();
    queue_.release(first);
    first.held = false;
    --miss.held;
  }
  if (!queue_.room(operation)) {
    const bool pressed = misses_.in_use() * 100ull > std::uint64_t{misses_.capacity()} * params_.fill_drop_percent;
    if (!params_.fill_drop || !pressed || miss.dirty || miss.queueing || queue_.slot_free()) return false;
    ++counters_.fills_dropped;
  } else {
    Access access;
    access.line = miss.line;
    access.kind = AccessKind::store;
    access.covered = kAllSectors;
    operation.data = &host_.make(access);
    operation.data->versions = miss.image;
    enqueue(operation);
  }
  miss.inserted = true;
  return true;
}

/// Moves the rest of the list into the request queue behind its line. Returns false if some of it must wait.
bool ControllerLogic::queue_list(EllcMiss& miss) {
  std::size_t queued = 0;
  for (; queued < miss.list.size(); ++queued) {
    EllcOperation& operation = miss.list[queued];
    if (!operation.held && !queue_.room(operation)) break;
    miss.held -= operation.held ? 1 : 0;
    if (operation.op == EllcOp::write) acknowledge(operation);
    enqueue(operation);
  }
  miss.list.erase(miss.list.begin(), miss.list.begin() + static_cast<std::ptrdiff_t>(queued));
  return miss.list.empty();
}

}  // namespace wharf
