// Accesses to the shared memory of a thread-block cluster, and bulk copies (modern_gpus section 4).

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/sm/sm_logic.h"

namespace wharf {

namespace {

/// The largest number of active lanes that change the same byte: each takes its turn at the memory.
unsigned turns_of(const WarpInstruction& instruction) {
  unsigned most = 1;
  for (const unsigned lane : set_bits(instruction.active)) {
    unsigned same = 0;
    for (const unsigned other : set_bits(instruction.active)) same += instruction.addresses[other] == instruction.addresses[lane] ? 1 : 0;
    most = std::max(most, same);
  }
  return most;
}

}  // namespace

CtaPlace SmLogic::place_of_rank(unsigned slot, unsigned rank) const {
  const Cta& cta = ctas_[slot];
  if (peers_ == nullptr || cta.cluster.places == nullptr) return {number_, static_cast<std::uint16_t>(slot)};
  return (*cta.cluster.places)[rank];
}

/// One access per row of 128 B in the memory of a CTA.
void SmLogic::queue_peers(Queued& queued, MemoryInstruction& memory, const WarpInstruction& instruction, unsigned w) {
  Warp& warp = warps_[w];
  Cta& cta = ctas_[warp.cta];
  WarpInstruction placed = instruction;
  for (const unsigned lane : set_bits(instruction.active)) {
    const Address address = instruction.addresses[lane];
    placed.addresses[lane] = shared_address(place_of_rank(warp.cta, rank_of(address)), static_cast<std::uint32_t>(address));
  }
  coalesce(placed, queued.lines);
  const bool is_atomic = instruction.unit == Unit::shared_atomic;
  queued.shared_cycles = 0;
  memory.to_peers = true;
  memory.is_store = instruction.destination == kNoRegister;
  memory.remaining = queued.lines.count;
  memory.counted = instruction.mbarrier != kNoMbarrier;
  if (memory.remaining != 0) {
    if (memory.is_store) ++warp.stores;
    if (!memory.counted) ++cta.peer_accesses;  // nobody but the mbarrier's waits for what it counts
  }
  if (memory.counted) count_bytes(queued, placed);
  ++counters_.shared_accesses;
  if (ledger_ != nullptr) ledger_->add(warp.kernel, KernelCount::shared_accesses);

  Access& access = queued.access;
  access = {};
  access.kind = memory.is_store ? AccessKind::store : is_atomic ? AccessKind::atomic : AccessKind::load;
  access.space = Space::cluster;
  access.written_bytes = is_atomic ? turns_of(placed) : 1;
  access.sm = number_;
  access.warp = static_cast<std::uint16_t>(w);
  access.cta = static_cast<std::uint32_t>(cta.number);
  access.pc = memory.counted ? instruction.mbarrier : instruction.pc;
  access.slot = queued.index;
  access.kernel = warp.kernel;
}

void SmLogic::report_shared(const Queued& queued, const WarpInstruction& instruction, unsigned w) {
  WarpInstruction placed = instruction;
  const std::uint32_t slot = warps_[w].cta;
  const bool direct = !is_peer_access(instruction);
  for (const unsigned lane : set_bits(instruction.active)) {
    const Address address = instruction.addresses[lane];
    placed.addresses[lane] =
        shared_address(place_of_rank(slot, direct ? ctas_[slot].cluster.rank : rank_of(address)), offset_in_cta(address));
  }
  golden_.issued(w, queued.index, placed, direct, now_);
}

/// The bytes that each part of an instruction writes, for an mbarrier. Lanes that change the same byte count each.
void SmLogic::count_bytes(Queued& queued, const WarpInstruction& placed) {
  queued.counted.fill(0);
  for (const unsigned lane : set_bits(placed.active)) {
    unsigned part = 0;
    while (!(queued.lines.parts[part].line == LineAddress::of(placed.addresses[lane]))) ++part;
    queued.counted[part] = static_cast<std::uint16_t>(queued.counted[part] + placed.access_bytes);
  }
}

/// Sends one access per cycle. Returns false if some remain for later cycles.
bool SmLogic::send_to_peers(Queued& head, Cycle now) {
  MemoryInstruction& memory = memory_[head.index];
  if (head.lines.count == 0) {  // no active lane
    if (memory.destination != kNoRegister || memory.blocks_warp)
      results_.add(now + 1, {memory.warp, memory.destination, false, memory.blocks_warp, CycleStack::of(SlotCause::lsu_queue)});
    free_entries_.push_back(head.index);
    return true;
  }
  if (copies_ != nullptr && copies_first_) use_peers_for_copies(now);
  if (peers_blocked_ || peers_free_ > now) return false;
  copies_first_ = true;
  Access& access = peers_->next(head.access);
  access.line = head.lines.parts[head.part].line;
  access.sectors = head.lines.parts[head.part].sectors;
  if (memory.counted) access.written_bytes = store_work(access.written_bytes, head.counted[head.part]);
  send_peer(access, now);
  return ++head.part == head.lines.count;
}

void SmLogic::send_peer(Access& access, Cycle now) {
  access.id = (std::uint64_t{number_} << 48) | ++next_access_;
  access.issue_cycle = now + 1;
  ++peers_in_flight_;
  if (ledger_ != nullptr) ledger_->sent(access.kernel);
  peers_free_ = now + 1;
  if (!peers_->send()) peers_blocked_ = true;
}

Cycle SmLogic::peer_answered(const Access& access, Cycle at) {
  --peers_in_flight_;
  ++answered_;
  if (ledger_ != nullptr) ledger_->answered(access.kernel, at);
  if (access.kind == AccessKind::barrier) {
    results_.add(at, {static_cast<std::uint16_t>(access.slot), kNoRegister, false, false, 0, Result::Kind::of_cluster});
    return at;
  }
  if (access.kind == AccessKind::shared) {
    if (is_copied(access)) return copy_answered(access, at);
    results_.add(at, {access.warp, kNoRegister, false, false, CycleStack::of(SlotCause::result_cluster), Result::Kind::peer_arrival});
    return at;
  }
  if (is_read_by_copy(access)) return copy_answered(access, at);
  golden_.answered(access, at);
  MemoryInstruction& memory = memory_[access.slot];
  memory.last = std::max(memory.last, at);
  if (--memory.remaining != 0) return kNever;
  free_entries_.push_back(access.slot);
  const auto origin = CycleStack::of(SlotCause::result_cluster);
  const auto kind = !memory.is_store ? Result::Kind::peer_load : memory.counted ? Result::Kind::peer_arrival : Result::Kind::peer_store;
  results_.add(memory.last, {memory.warp, kNoRegister, false, false, origin, kind});
  if (memory.is_store && !memory.blocks_warp) return memory.last;
  const Cycle data = memory.last + params_.writeback_cycles;
  results_.add(data, {memory.warp, memory.destination, false, memory.blocks_warp, origin});
  return std::min(memory.last, data);
}

/// The warp does not end before its copies have been written.
void SmLogic::start_copy(unsigned w, const BulkCopy& copy) {
  Warp& warp = warps_[w];
  const Cta& cta = ctas_[warp.cta];
  if (copies_ == nullptr)
    throw InputError("CTA " + std::to_string(cta.number) + ": a bulk copy needs a copy engine; set platform: cluster");
  std::vector<CtaPlace> places;
  for (const unsigned rank : set_bits(copy.ranks)) places.push_back(place_of_rank(warp.cta, rank));
  Access like;
  like.space = Space::cluster;
  like.sm = number_;
  like.warp = static_cast<std::uint16_t>(w);
  like.cta = static_cast<std::uint32_t>(cta.number);
  like.kernel = warp.kernel;
  ++warp.stores;
  CopyEngine::Names names;
  if (copy.writes_global()) {
    if (bulk_groups_.empty()) bulk_groups_.resize(warps_.size());
    names = {bulk_groups_[w].reads.issued(), bulk_groups_[w].whole.issued()};
  }
  if (cycle_stack_ != nullptr) names.origin = cycle_stack_->copy_issued(w, now_);
  const CtaPlace own{number_, static_cast<std::uint16_t>(warp.cta)};
  const Cycle start = now_ + params_.issue_to_execute_cycles;  // a load leaves its collector unit then
  golden_.copy_issued(w, copy, own, places, now_);
  copies_->start(copy, own, std::move(places), like, names, start, cta.cluster_number);
}

/// Loads of the program and lines of copies use the port to the L1 in the same cycles.
void SmLogic::read_copied_line(Cycle now) {
  copies_->forget_prefetched(now);
  if (copies_->next_read(CopyEngine::global) > now || port_blocked_ || port_free_ > now) return;
  Access& access = port_.next(copies_->like_of_read());
  copies_->read(access, now);
  copies_->copy_reply(access, [&](Access& write) {
    write.id = (std::uint64_t{number_} << 48) | ++next_access_;
    write.issue_cycle = now + 1;
    if (ledger_ != nullptr) ledger_->sent(write.kernel);
    port_.copy_reply(write);
  });
  send(access, now);
}

/// So do stores of the program and lines that copies write to global memory.
void SmLogic::store_copied_line(Cycle now) {
  if (copies_->next_write(CopyEngine::global) > now || port_blocked_ || port_free_ > now) return;
  const CoalescedLines::Part part = copies_->part_to_store();
  Access& access = port_.next(copies_->like_of_write(CopyEngine::global));
  access.kind = copies_->kind_of_store();
  access.cache_op = CacheOp::bypass_l1;
  fill(access, part, next_sectors(part, part.sectors, access.kind));
  copies_->stored(access.sectors);
  send(access, now);
}

/// A line of a copy is read from shared memory, or written to it.
void SmLogic::use_peers_for_copies(Cycle now) {
  const bool writes = copies_->next_write(CopyEngine::shared) <= now;
  if ((!writes && copies_->next_read(CopyEngine::shared) > now) || peers_blocked_ || peers_free_ > now) return;
  copies_first_ = false;
  Access& access = peers_->next(writes ? copies_->like_of_write(CopyEngine::shared) : copies_->like_of_read());
  writes ? copies_->deliver(access) : copies_->read(access, now);
  send_peer(access, now);
}

/// The answer to a read or write of a copy.
Cycle SmLogic::copy_answered(const Access& access, Cycle at) {
  const bool is_read = access.kind == AccessKind::load;
  const CopyEngine::Completed completed = is_read ? copies_->returned(access, at) : copies_->acknowledged(access, at);
  const CycleStack::Origin origin = completed.names.origin;
  const auto kind = completed.in_group ? Result::Kind::copied : Result::Kind::peer_arrival;
  if (completed.reads)
    results_.add(completed.at, {access.warp, kNoRegister, false, false, origin, Result::Kind::copy_read, completed.names.reads});
  if (completed.whole) results_.add(completed.at, {access.warp, kNoRegister, false, false, origin, kind, completed.names.whole});
  return is_read || completed.whole ? at : kNever;
}

void SmLogic::retire_peer(const Result& result) {
  if (result.kind == Result::Kind::barrier) return leave_barrier(warp_bit(result.warp));
  if (result.kind == Result::Kind::of_cluster) return open_cluster_barrier(result.warp);
  if (result.kind == Result::Kind::of_peer) return finish_peer_arrival(result.warp);
  if (result.kind == Result::Kind::copy_read) {
    if (bulk_groups_[result.warp].reads.finished(result.async_name).ends_wait) leave_barrier(warp_bit(result.warp));
    return;
  }
  if (cycle_stack_ != nullptr) cycle_stack_->release(result.origin);
  Warp& warp = warps_[result.warp];
  if (result.kind == Result::Kind::peer_store || result.kind == Result::Kind::peer_load) {
    --ctas_[warp.cta].peer_accesses;
    notify_cluster(warp.cta);
  }
  if (result.kind == Result::Kind::peer_load) return;
  if (cycle_stack_ != nullptr && warp.next == nullptr && cycle_stack_->awaits(result.warp))
    cycle_stack_->arrived(result.warp, CycleStack::of(SlotCause::stores), now_);
  --warp.stores;
  if (result.kind == Result::Kind::copied && bulk_groups_[result.warp].whole.finished(result.async_name).ends_wait)
    leave_barrier(warp_bit(result.warp));
  if (warp.next == nullptr)
    end_if_done(result.warp);
  else if (warp.at_fence)
    look_at_next(result.warp);
}

}  // namespace wharf
