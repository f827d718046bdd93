// The load/store unit of an SM: it processes one instruction at a time, in order, and sends lines or sectors to the L1 (CM-25, CM-38).

#include <algorithm>
#include <string>

#include "model/sm/sm_logic.h"

#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf {

namespace {

constexpr unsigned highest_sector(SectorMask nonempty) { return 31 - static_cast<unsigned>(__builtin_clz(nonempty)); }

}  // namespace

std::uint32_t SmLogic::allocate_entry() {
  if (free_entries_.empty()) {
    memory_.emplace_back();
    return static_cast<std::uint32_t>(memory_.size() - 1);
  }
  const std::uint32_t index = free_entries_.back();
  free_entries_.pop_back();
  return index;
}

std::uint16_t SmLogic::allocate_place() {
  if (free_places_.empty()) {
    queue_.emplace_back();
    return static_cast<std::uint16_t>(queue_.size() - 1);
  }
  const std::uint16_t place = free_places_.back();
  free_places_.pop_back();
  return place;
}

/// Queues an instruction that accesses the L1.
inline void SmLogic::queue_global(Queued& queued, MemoryInstruction& memory, const WarpInstruction& instruction, unsigned w, Cycle now) {
  Warp& warp = warps_[w];
  queued.shared_cycles = 0;
  if (instruction.destination != kNoRegister)
    warp.from_memory[instruction.destination / 64] |= std::uint64_t{1} << (instruction.destination % 64);
  memory.is_store = instruction.unit == Unit::store || (instruction.unit == Unit::atomic && instruction.destination == kNoRegister);
  memory.is_load = instruction.unit == Unit::load || instruction.unit == Unit::texture;
  if (subcores_ != nullptr && instruction.destination != kNoRegister)
    memory.return_bytes = static_cast<std::uint16_t>(popcount(instruction.active) * instruction.access_bytes);
  ++(instruction.unit == Unit::store ? counters_.stores : instruction.unit == Unit::atomic ? counters_.atomics : counters_.loads);
  if (ledger_ != nullptr)
    ledger_->add(warp.kernel, instruction.unit == Unit::store    ? KernelCount::stores
                              : instruction.unit == Unit::atomic ? KernelCount::atomics
                                                                 : KernelCount::loads);
  if (memory.is_load) ++loads_in_flight_;
  // A load without a destination is awaited too, because no read may be in flight when a kernel has ended (CM-29).
  if (memory.is_load && instruction.destination == kNoRegister) {
    ++warp.results;
    if (async_loads_.empty()) async_loads_.resize(warps_.size());
    memory.async_name = async_loads_[w].issued();
  }
  if (instruction.space == Space::local && warp.kernel < local_.size())
    coalesce_local(instruction, local_[warp.kernel], w, queued.lines);
  else
    coalesce(instruction, queued.lines);
  if (params_.transaction_order == TransactionOrder::descending) queued.lines.sort_descending();
  for (unsigned i = 0; i < queued.lines.count; ++i) memory.remaining += transactions_of(queued.lines.parts[i], kind_of(instruction.unit));
  if (memory.is_store && params_.cta_waits_for_stores) warp.stores += memory.remaining;
  if (cycle_stack_ != nullptr) account_memory(memory, queued.index, now);

  Access& access = queued.access;
  access.kind = kind_of(instruction.unit);
  access.space = instruction.space;
  access.cache_op = instruction.cache_op;
  access.hint.eviction = instruction.eviction;
  access.sm = number_;
  access.warp = static_cast<std::uint16_t>(w);
  access.cta = static_cast<std::uint32_t>(ctas_[warp.cta].number);
  access.pc = instruction.pc;
  access.slot = queued.index;
  access.kernel = warp.kernel;
}

std::uint16_t SmLogic::queue_memory(unsigned scheduler, unsigned w, const WarpInstruction& instruction, Cycle now) {
  Warp& warp = warps_[w];
  const std::uint16_t place = allocate_place();
  Queued& queued = queue_[place];
  ++schedulers_[scheduler].memory_queued;
  ++warp.unsent;
  queued.ready = now + (params_.issue_to_memory_cycles != 0 ? params_.issue_to_memory_cycles : params_.issue_to_execute_cycles) - 1;
  queued.scheduler = static_cast<std::uint8_t>(scheduler);
  queued.part = 0;
  queued.sent = 0;
  queued.started = false;
  queued.index = allocate_entry();
  MemoryInstruction& memory = memory_[queued.index];
  memory = {};
  memory.warp = static_cast<std::uint16_t>(w);
  memory.destination = instruction.destination;
  if (instruction.destination != kNoRegister) {
    warp.pending[instruction.destination / 64] |= std::uint64_t{1} << (instruction.destination % 64);
    ++warp.results;
  }
  const bool is_atomic = instruction.unit == Unit::atomic || instruction.unit == Unit::shared_atomic;
  memory.blocks_warp = is_atomic && instruction.mbarrier == kNoMbarrier && params_.atomics_block_warp;
  if (memory.blocks_warp) ++warp.atomics;
  if (is_shared_memory(instruction.unit)) {
    if (instruction.mbarrier != kNoMbarrier && peers_ == nullptr)
      throw InputError("CTA " + std::to_string(ctas_[warp.cta].number) +
                       ": an asynchronous store needs the network of a cluster; set platform: cluster");
    is_peer_access(instruction) ? queue_peers(queued, memory, instruction, w) : queue_shared(queued, instruction, warp.kernel);
    if (golden_.on()) report_shared(queued, instruction, w);
  } else {
    queue_global(queued, memory, instruction, w, now);
  }
  return place;
}

void SmLogic::queue_shared(Queued& queued, const WarpInstruction& instruction, std::uint8_t kernel) {
  queued.shared_cycles = shared_memory_cycles(instruction, params_.shared_banks);
  ++counters_.shared_accesses;
  counters_.shared_conflict_cycles += queued.shared_cycles - 1;
  if (ledger_ == nullptr) return;
  ledger_->add(kernel, KernelCount::shared_accesses);
  ledger_->add(kernel, KernelCount::shared_conflict_cycles, queued.shared_cycles - 1);
}

void SmLogic::enter_subcore(unsigned s, std::uint16_t place) {
  subcores_->enter(s, place, queue_[place].ready);
  look_at_subcore(s);
}

/// Instructions enter the queue when they issue, or from their execute register.
void SmLogic::look_at_subcore(unsigned s) {
  Scheduler& scheduler = schedulers_[s];
  (collector_ == nullptr ? scheduler.unit_open : scheduler.unit_free)[kMemory] = subcores_->open_from(s);
}

/// If the part of the load/store unit that all schedulers share is idle, it takes the next instruction of their queues.
void SmLogic::take_from_subcore(Cycle now) {
  if (!order_.empty() || memory_free_ > now || subcores_->next() > now) return;
  const std::uint16_t place = subcores_->take(now);
  order_.push_back(place);
  look_at_subcore(queue_[place].scheduler);
}

/// Data that come from the L1 in one cycle return in an order that does not depend on when their answers became known.
void SmLogic::return_data(Cycle now) {
  std::sort(returning_.begin(), returning_.end(),
            [](const Result& a, const Result& b) { return a.warp != b.warp ? a.warp < b.warp : a.destination < b.destination; });
  for (Result& result : returning_) {
    const Cycle data = subcores_->pass(result.return_bytes, result.spread, now);
    result.return_bytes = 0;
    data > now ? results_.add(data, result) : retire(result);
  }
  returning_.clear();
}

void SmLogic::run_memory(Cycle now) {
  const std::uint16_t place = order_.front();
  Queued& head = queue_[place];
  if (head.ready > now || memory_free_ > now) return;
  if (!head.started) {  // moves from the queue to the unit
    head.started = true;
    --schedulers_[head.scheduler].memory_queued;
  }
  MemoryInstruction& memory = memory_[head.index];
  if (head.shared_cycles != 0) {
    if (turns_ != nullptr) {
      if (!turns_->may_start(now)) {
        memory_free_ = now + 1;
        return;
      }
      turns_->start(now, head.shared_cycles);
      golden_.direct_turn(warps_[memory.warp].cta, head.index, now);
    }
    const Cycle data = now + params_.shared_cycles + head.shared_cycles + params_.writeback_cycles;
    if (memory.destination != kNoRegister || memory.blocks_warp)
      results_.add(data, {memory.warp, memory.destination, false, memory.blocks_warp, CycleStack::of(SlotCause::result_shared)});
    free_entries_.push_back(head.index);
    memory_free_ = now + head.shared_cycles;
  } else if (memory.to_peers) {
    if (!send_to_peers(head, now)) return;
    memory_free_ = now + 1;
  } else if (head.lines.count == 0) {  // no active lane
    if (memory.destination != kNoRegister || memory.is_load || memory.blocks_warp)
      results_.add(now + 1, {memory.warp, memory.destination, memory.is_load, memory.blocks_warp, CycleStack::of(SlotCause::lsu_queue),
                             Result::Kind::ordinary, memory.async_name});
    free_entries_.push_back(head.index);
    memory_free_ = now + 1;
  } else {
    if (port_blocked_ || port_free_ > now) return;
    if (memory.first == 0) memory.first = now + 1;
    if (!(unit_ == TransactionUnit::line ? send_lines(head, now) : send_sectors(head, now))) return;
    memory_free_ = now + 1;
  }
  order_.erase(order_.begin());
  free_places_.push_back(place);
  // A CTA does not end before its last store has left; the kernel ends when nothing is in flight (CM-29).
  Warp& warp = warps_[memory.warp];
  if (--warp.unsent == 0 && warp.next == nullptr) {
    if (cycle_stack_ != nullptr && cycle_stack_->awaits(memory.warp))
      cycle_stack_->arrived(memory.warp, CycleStack::of(SlotCause::lsu_queue), now);
    end_if_done(memory.warp);
  }
}

/// The sectors of a line that need a transaction of their own: all if transactions are sectors, or those partly written, because byte masks
/// need the bytes that a store writes to a sector, and an access carries the bytes of one sector (CM-45).
SectorMask SmLogic::separate_sectors(const CoalescedLines::Part& part, AccessKind kind) const {
  if (unit_ == TransactionUnit::sector) return part.sectors;
  return params_.byte_masks && kind == AccessKind::store ? part.sectors & ~part.covered : SectorMask{0};
}

unsigned SmLogic::transactions_of(const CoalescedLines::Part& part, AccessKind kind) const {
  const SectorMask alone = separate_sectors(part, kind);
  return sector_count(alone) + (alone != part.sectors ? 1 : 0);
}

/// The sectors of `left` that the next transaction accesses.
SectorMask SmLogic::next_sectors(const CoalescedLines::Part& part, SectorMask left, AccessKind kind) const {
  const SectorMask together = left & ~separate_sectors(part, kind);
  return together != 0 ? together : static_cast<SectorMask>(1u << lowest_sector(left));
}

/// Returns false if transactions remain for the next cycle.
bool SmLogic::send_lines(Queued& head, Cycle now) {
  for (unsigned sent = 0; sent < params_.lsu_lines_per_cycle && head.part < head.lines.count; ++sent) {
    const CoalescedLines::Part& part = head.lines.parts[head.part];
    const SectorMask sectors = next_sectors(part, part.sectors & ~head.sent, head.access.kind);
    head.sent |= sectors;
    if (head.sent == part.sectors) {
      head.sent = 0;
      ++head.part;
    }
    if (!send(head, part, sectors, now)) break;
  }
  return head.part == head.lines.count;
}

/// Sends sectors in order, as long as each one uses a different bank of the L1 (CM-38).
bool SmLogic::send_sectors(Queued& head, Cycle now) {
  std::uint32_t banks_used = 0;
  for (unsigned sent = 0; sent < params_.lsu_sectors_per_cycle; ++sent) {
    const CoalescedLines::Part& part = head.lines.parts[head.part];
    const auto left = static_cast<SectorMask>(part.sectors & ~head.sent);
    const unsigned sector = params_.transaction_order == TransactionOrder::lane ? lowest_sector(left) : highest_sector(left);
    const std::uint32_t bank = 1u << ((part.line.number * kSectorsPerLine + sector) % l1_banks_);
    if ((banks_used & bank) != 0) return false;
    banks_used |= bank;
    head.sent |= static_cast<SectorMask>(1u << sector);
    const bool open = send(head, part, static_cast<SectorMask>(1u << sector), now);
    if (head.sent == part.sectors) {
      head.sent = 0;
      if (++head.part == head.lines.count) return true;
    }
    if (!open) return false;
  }
  return false;
}

bool SmLogic::send(Queued& head, const CoalescedLines::Part& part, SectorMask sectors, Cycle now) {
  Access& access = port_.next(head.access);
  fill(access, part, sectors);
  if (filter_hints_) hint(access);
  if (prediction_ != nullptr) access.hint.predicted_count = prediction_->predict(access);
  return send(access, now);
}

/// Makes `access` one to `sectors` of `part`.
void SmLogic::fill(Access& access, const CoalescedLines::Part& part, SectorMask sectors) const {
  access.line = part.line;
  access.sectors = sectors;
  access.covered = part.covered & sectors;
  if (unit_ == TransactionUnit::sector || params_.byte_masks) access.written_bytes = part.written.of_sector(lowest_sector(sectors));
}

/// Returns false if the L1 accepts no further access until resume().
bool SmLogic::send(Access& access, Cycle now) {
  access.id = (std::uint64_t{number_} << 48) | ++next_access_;
  access.issue_cycle = now + 1;
  ++in_flight_;
  if (ledger_ != nullptr) ledger_->sent(access.kernel);
  if (port_.send()) return true;
  port_blocked_ = true;
  return false;
}

/// Counts the answer to a load transaction in the ledger.
void SmLogic::enter(const Access& access, Cycle trip, const ReplyHint& reply) const {
  ledger_->answered_load(access.kernel, trip, reply.served_by);
  if (access.kind != AccessKind::load) return;
  ledger_->add(access.kernel, KernelCount::sectors, sector_count(access.sectors));
  ledger_->add(access.kernel, KernelCount::sectors_own_l1, sector_count(reply.held));
  ledger_->add(access.kernel, KernelCount::sectors_other_l1, sector_count(reply.from_peer));
}

Cycle SmLogic::answered(const Transaction& answer, Cycle at) {
  const Access& access = answer.access;
  const ReplyHint& reply = answer.reply;
  --in_flight_;
  ++answered_;
  if (ledger_ != nullptr) ledger_->answered(access.kernel, at);
  if (prediction_ != nullptr) {
    if (reply.mispredict) prediction_->mispredicted(access, at);
    if (access.kind == AccessKind::metadata) {
      prediction_->answered(access, reply.count, at);
      return at;
    }
  }
  if (access.space == Space::cluster) {
    if (cycle_stack_ != nullptr && access.kind == AccessKind::load)
      cycle_stack_->copy_answered(copies_->names_of_read(access).origin, answer, at);
    return copy_answered(access, at);
  }
  const Cycle acts = prediction_ != nullptr ? at : kNever;  // its events are due then
  MemoryInstruction& memory = memory_[access.slot];
  if (cycle_stack_ != nullptr) cycle_stack_->answered(answer, at);
  memory.last = std::max(memory.last, at);
  if (memory.return_bytes != 0) memory.first_data = std::min(memory.first_data, at);
  // A load served by a home completes when its data arrive (ATA-O31).
  memory.l1_done = std::max(memory.l1_done, reply.served_by == ServedBy::home ? at : reply.l1_done);
  if (memory.is_load) {
    const Cycle trip = at - access.issue_cycle;
    if (ledger_ != nullptr) enter(access, trip, reply);
    ++counters_.round_trips;
    counters_.round_trip_sum += trip;
    counters_.round_trip.add(trip);
    stacks_[static_cast<unsigned>(reply.served_by)].add(answer.stages);
    if (access.kind == AccessKind::load) {
      counters_.sectors += sector_count(access.sectors);
      counters_.sectors_own_l1 += sector_count(reply.held);
      counters_.sectors_other_l1 += sector_count(reply.from_peer);
    }
    if (reply.served_by != ServedBy::none) {
      SmCounters::Server& server = counters_.servers[static_cast<unsigned>(reply.served_by) - 1];
      ++server.loads;
      server.cycles += trip;
    }
  }
  const bool awaited = memory.is_store && params_.cta_waits_for_stores;
  if (awaited) {
    Warp& warp = warps_[memory.warp];
    --warp.stores;
    warp.stores_done = std::max(warp.stores_done, at);
  }
  if (--memory.remaining != 0) return acts;
  if (memory.is_load) {
    ++counters_.l1_latency_loads;
    counters_.l1_latency_sum += memory.l1_done - memory.first;
    counters_.l1_latency_full_sum += memory.last - memory.first;
  }
  // If the last acknowledgement may let the warp end, or pass a fence, it does when that arrives, as a result without a register.
  free_entries_.push_back(access.slot);
  if (memory.is_store && !memory.blocks_warp && (!awaited || (warps_[memory.warp].next != nullptr && !warps_[memory.warp].at_fence)))
    return acts;
  const auto spread = static_cast<std::uint8_t>(std::min<Cycle>(memory.last - std::min(memory.first_data, memory.last), 255));
  results_.add(memory.last, {memory.warp, memory.destination, memory.is_load, memory.blocks_warp,
                             cycle_stack_ != nullptr ? cycle_stack_->complete(access.slot) : CycleStack::Origin{0}, Result::Kind::ordinary,
                             memory.async_name, spread, memory.return_bytes});
  return std::min(acts, memory.last);
}

}  // namespace wharf
