#include "model/designs/morpheus/controller/rate_service_logic.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/error.h"

namespace wharf {

RateService::RateService(const MorpheusParams& params, const Partition& partition, ControllerHost& host, Answer answer,
                         ControllerCounters& counters, EllcMisses& misses)
    : params_(params),
      partition_(partition),
      host_(host),
      answer_(std::move(answer)),
      counters_(counters),
      misses_(misses),
      leaving_(partition.rows.size()) {}

/// Returns the sectors to fetch from DRAM before the access is complete, as in an L2 slice.
SectorMask RateService::to_fetch(const Access& access, SectorMask complete) const {
  const SectorMask missing = access.sectors & ~complete;
  if (missing == 0) return 0;
  if (access.kind == AccessKind::store) {
    if (partition_.write_miss == WriteMiss::lazy) return 0;
    if (partition_.write_miss == WriteMiss::fetch_partial && (missing & ~access.covered) == 0) return 0;
  }
  return (partition_.sectored ? access.sectors : kAllSectors) & ~complete;
}

RateService::Look RateService::look_up(const EllcOperation& operation) {
  EllcBlocks& blocks = kernel(operation.row).begin(set(operation.row).warp, operation.row, operation.op, operation.line);
  const Slot slot = blocks.find(operation.line);
  return {blocks, slot, slot == kNone ? SectorMask{0} : blocks[slot].complete()};
}

/// Reports the lines that the set has inserted and evicted since the last call.
void RateService::report(const EllcOperation& operation) {
  EllcKernel& sm = kernel(operation.row);
  if (sm.changes().empty()) return;
  for (const EllcChange& change : sm.changes()) {
    partition_.directory.report(partition_.number, operation.row, change.line, change.here);
    if (change.dirty) leaving_[operation.row].push_back(change.line);
  }
  partition_.directory.apply(partition_.number, operation.row);
  sm.reported();
}

stats::Counter* RateService::decide(Transaction& request, const EllcOperation& operation, Cycle now) {
  const Access& access = request.access;
  Look at = look_up(operation);
  const bool was_present = at.is_present(), store = operation.op == EllcOp::write;
  const EllcMisses::Index found = misses_.find(operation.line);
  const bool waits = !store && (access.sectors & ~at.complete) != 0;
  const SectorMask outstanding = found == EllcMisses::kNone ? SectorMask{0} : misses_[found].outstanding;
  const SectorMask fetch = to_fetch(access, at.complete) & ~outstanding;

  // Checks every cause of refusal before changing anything.
  if (in_flight() >= params_.kernel.rate.in_flight) return &counters_.queue_full;
  if (found != EllcMisses::kNone && waits && misses_.list_full(misses_[found])) return &counters_.targets_full;
  if (fetch != 0 && found == EllcMisses::kNone && misses_.full()) return &counters_.mshr_full;
  const bool known = found != EllcMisses::kNone || is_leaving(operation) || is_new(operation.line, now);
  const bool hit = known || host_.predicts_hit(operation);
  if (was_present && !hit)
    throw SimulationError("false negative of the hit predictor: line " + std::to_string(operation.line.number) + " is in row " +
                          std::to_string(operation.row) + " of partition " + std::to_string(partition_.number));
  const bool probe = hit && found == EllcMisses::kNone;
  if (fetch != 0 && !probe && !host_.dram_room(operation.line)) return &counters_.dram_full;
  if (operation.op != EllcOp::read && !was_present && insert(operation, at) == kNone) return &counters_.queue_full;

  ++(known ? counters_.forced : hit ? counters_.predicted_hits : counters_.predicted_misses);
  if (hit && !known && !was_present) ++counters_.false_positives;
  const bool joined = !waits && was_present && joins(operation, at);
  const bool merged = joined || (waits && found != EllcMisses::kNone);
  ++(merged ? counters_.merged : was_present && !waits ? counters_.hits : counters_.misses);
  if (joined) ++counters_.combined;

  if (operation.op != EllcOp::read) write(operation, at);
  if (at.is_present()) {
    at.blocks.use(at.slot);
    if (operation.op == EllcOp::read) request.versions = at.blocks[at.slot].versions;
    used(operation, now);
  }
  if (fetch != 0 || waits) await(operation, fetch, waits, probe, now);
  // A line with a fetch in flight is no victim, whichever request caused the fetch.
  if (at.is_present()) at.blocks[at.slot].pending = fetch != 0 || found != EllcMisses::kNone || waits;
  if (!waits && !joined) {
    const bool inserts = store && !was_present;
    send(operation, inserts ? EllcOp::insert : operation.op, store ? EllcResult::done : EllcResult::hit, now).requester =
        store ? nullptr : &request;
  }
  end(operation, now);
  if (store) host_.answer(request, nullptr, ControllerHost::Answer::ack);
  return nullptr;
}

/// Inserts the line of `operation`, clean and without valid sectors. Returns kNone if every candidate victim has a fetch in flight.
RateService::Slot RateService::insert(const EllcOperation& operation, Look& at) {
  EllcKernel& sm = kernel(operation.row);
  at.slot = sm.insert(set(operation.row).warp);
  if (at.slot != kNone) at.blocks[at.slot].valid = 0;
  report(operation);
  return at.slot;
}

/// Writes like L2Logic::write.
void RateService::write(const EllcOperation& operation, Look& at) {
  const Transaction& request = *operation.requester;
  const Access& access = request.access;
  Block& block = at.blocks[at.slot];
  const SectorMask covered = operation.op == EllcOp::write ? access.covered : SectorMask{0};
  block.partial = static_cast<SectorMask>((block.partial | (access.sectors & ~block.complete())) & ~covered);
  block.valid |= access.sectors;
  block.dirty |= access.sectors;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (access.sectors >> s & 1) block.versions[s] = request.versions[s];
  if (operation.op == EllcOp::atomic) operation.requester->versions = block.versions;
  kernel(operation.row).updated(set(operation.row).warp, at.slot);
  report(operation);
}

/// Makes the line the most recently used one, and reports the use to the predictor.
void RateService::used(const EllcOperation& operation, Cycle now) {
  if (used_in_ != now) used_now_.clear();
  used_in_ = now;
  used_now_.push_back(operation.line);
  EllcKernel& sm = kernel(operation.row);
  const bool all = sm.all_touched(set(operation.row).warp);
  host_.accessed(operation, all);
  if (all) sm.clear_touched(set(operation.row).warp);
}

bool RateService::is_new(LineAddress line, Cycle now) const {
  return used_in_ == now && std::find(used_now_.begin(), used_now_.end(), line) != used_now_.end();
}

/// Waits for sectors from DRAM in the line's MSHR, or allocates one. With a `probe`, DRAM is read after the probe has returned.
void RateService::await(const EllcOperation& operation, SectorMask fetch, bool waits, bool probe, Cycle now) {
  EllcMisses::Index index = misses_.find(operation.line);
  const bool opens = index == EllcMisses::kNone;
  if (opens) index = misses_.allocate(operation, false);
  EllcMiss& miss = misses_[index];
  if (opens) miss.list.clear();
  if (waits) miss.list.push_back(operation);
  miss.outstanding |= fetch;
  miss.unread |= fetch;
  if (opens && probe) {
    miss.probing = true;
    send(operation, operation.op == EllcOp::write ? EllcOp::read : operation.op, EllcResult::miss, now).miss = index;
  } else if (fetch != 0 && !miss.probing) {
    read_dram(index, *operation.requester);
  }
}

void RateService::read_dram(EllcMisses::Index index, const Transaction& cause) {
  EllcMiss& miss = misses_[index];
  ++counters_.dram_reads;
  host_.read_dram(cause, index, miss.unread);
  miss.unread = 0;
}

/// Merges with the line's latest operation if no other operation lies between them. A read merges until its answer has arrived, a write or
/// atomic until it has been sent.
bool RateService::joins(const EllcOperation& operation, const Look& at) {
  const std::uint32_t latest = at.blocks[at.slot].flight;
  if (!params_.combine || latest >= flights_.size()) return false;
  Flight& flight = flights_[latest];
  if (flight.line != operation.line || flight.op != operation.op || !flight.open || flight.riders >= params_.mshr_merges) return false;
  ++flight.riders;
  if (flight.requester != nullptr) {
    operation.requester->next = flight.requester->next;
    flight.requester->next = operation.requester;
  }
  return true;
}

/// Sends a message to the SM; `result` is the outcome that the SM will report. Every message except reads and probes carries data.
RateService::Flight& RateService::send(const EllcOperation& operation, EllcOp op, EllcResult result, Cycle now) {
  const EllcSet& to = set(operation.row);
  EllcKernel& sm = kernel(operation.row);
  EllcWord word;
  word.row = operation.row;
  word.op = op;
  word.result = result;
  word.data = op != EllcOp::read && result != EllcResult::miss;
  word.packs = result != EllcResult::miss && sm.packs(to.warp, operation.line, op);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(flights_.size()));
    flights_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  Access access;
  if (operation.requester != nullptr) access = operation.requester->access;
  access.line = operation.line;
  access.slot = number;
  Transaction& message = host_.make(access);
  if (operation.requester != nullptr) message.stages = operation.requester->stages;
  sm.sent(to.warp);
  Flight& flight = flights_[number];
  flight = {};
  flight.message = &message;
  flight.line = operation.line;
  flight.op = op == EllcOp::insert ? EllcOp::write : op;
  flight.sent = now;
  flight.open = result != EllcResult::miss;
  if (flight.open) sm.note_flight(to.warp, operation.line, number);
  host_.send(message, MessageKind::ellc_request, word);
  return flight;
}

/// Ends the operation and possibly an epoch. Evicted blocks that no other message carries are sent with a separate message.
void RateService::end(const EllcOperation& operation, Cycle now) {
  EllcKernel& sm = kernel(operation.row);
  sm.end(set(operation.row).warp, now);
  report(operation);
  if (sm.displaces(set(operation.row).warp)) send(operation, EllcOp::read, EllcResult::miss, now);
}

bool RateService::is_leaving(const EllcOperation& operation) const {
  const auto& leaving = leaving_[operation.row];
  return std::find(leaving.begin(), leaving.end(), operation.line) != leaving.end();
}

void RateService::result(Transaction& message, const EllcWord& word, Cycle now) {
  const std::uint32_t number = message.access.slot;
  if (number >= flights_.size() || flights_[number].message != &message)
    throw SimulationError("a cache-mode SM has sent the result of an operation that row " + std::to_string(word.row) + " of partition " +
                          std::to_string(partition_.number) + " does not wait for");
  const Flight flight = flights_[number];
  flights_[number] = {};
  free_.push_back(number);
  if (flight.miss != EllcMisses::kNone) {
    EllcMiss& miss = misses_[flight.miss];
    miss.probing = false;
    for (EllcOperation& operation : miss.list)
      if (operation.requester->access.id == message.access.id && message.stages.counted()) operation.requester->stages = message.stages;
    read_dram(flight.miss, message);
  } else if (flight.requester != nullptr) {
    if (word.op == EllcOp::read) {
      ++counters_.c2c_reads;
      counters_.c2c_sum += now - flight.sent;
    }
    answer_(*flight.requester, message, ControllerHost::Answer::from_buffer);
  }
  host_.release(message);
}

void RateService::filled(EllcMisses::Index index, const Transaction& reply, Cycle now) {
  EllcMiss& miss = misses_[index];
  const SectorMask arrived = reply.access.sectors;
  miss.outstanding &= ~arrived;
  EllcOperation operation;
  operation.line = miss.line;
  operation.tag = miss.tag;
  operation.row = miss.row;
  operation.op = EllcOp::insert;
  Look at = look_up(operation);
  if (!at.is_present() && insert(operation, at) == kNone) ++counters_.fills_dropped;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (arrived >> s & 1) miss.image[s] = reply.versions[s];
  miss.here |= arrived;
  if (at.is_present()) {
    Block& block = at.blocks[at.slot];
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if ((miss.here & ~block.dirty) >> s & 1) block.versions[s] = miss.image[s];
    // Includes sectors that arrived while the set had no place for the line.
    block.valid |= miss.here;
    block.partial &= ~miss.here;
    block.pending = miss.outstanding != 0;
    at.complete = block.complete();
    miss.image = block.versions;
    at.blocks.use(at.slot);
    used(operation, now);
    ++counters_.inserts;
    send(operation, EllcOp::insert, EllcResult::done, now);
  } else {
    at.complete = miss.here;
  }
  end(operation, now);
  serve(miss, reply, at.complete);
  if (miss.outstanding == 0) misses_.release(index);
}

/// Answers the requests whose sectors are complete, in order.
void RateService::serve(EllcMiss& miss, const Transaction& reply, SectorMask complete) {
  auto kept = miss.list.begin();
  for (EllcOperation& operation : miss.list) {
    Transaction& request = *operation.requester;
    if ((request.access.sectors & ~complete) != 0) {
      *kept++ = operation;
      continue;
    }
    request.versions = miss.image;
    answer_(request, reply, ControllerHost::Answer::from_dram);
  }
  miss.list.erase(kept, miss.list.end());
}

void RateService::written_back(std::uint32_t row, LineAddress line) {
  auto& leaving = leaving_[row];
  const auto one = std::find(leaving.begin(), leaving.end(), line);
  if (one != leaving.end()) leaving.erase(one);
}

}  // namespace wharf
