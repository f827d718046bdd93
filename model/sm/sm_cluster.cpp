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
  if (memory.is_store && memory.remaining != 0) {
    ++warp.stores;
    ++cta.peer_stores;
  }
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
  access.pc = instruction.pc;
  access.slot = queued.index;
  access.kernel = warp.kernel;
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
  if (copies_ != nullptr && copies_first_) deliver_copied_line(now);
  if (peers_blocked_ || peers_free_ > now) return false;
  copies_first_ = true;
  Access& access = peers_->next(head.access);
  access.line = head.lines.parts[head.part].line;
  access.sectors = head.lines.parts[head.part].sectors;
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
    results_.add(at, {static_cast<std::uint16_t>(access.slot), kNoRegister, false, false, 0, Result::Kind::cluster_release});
    return at;
  }
  if (access.kind == AccessKind::shared) {
    if (is_copied(access) && !copies_->acknowledged(access)) return kNever;
    results_.add(at, {access.warp, kNoRegister, false, false, CycleStack::of(SlotCause::result_shared), Result::Kind::peer_arrival});
    return at;
  }
  MemoryInstruction& memory = memory_[access.slot];
  memory.last = std::max(memory.last, at);
  if (--memory.remaining != 0) return kNever;
  free_entries_.push_back(access.slot);
  const auto origin = CycleStack::of(SlotCause::result_shared);
  if (memory.is_store) results_.add(memory.last, {memory.warp, kNoRegister, false, false, origin, Result::Kind::peer_store});
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
  copies_->start(copy, std::move(places), like, now_ + params_.issue_to_execute_cycles);  // a load leaves its collector unit then
}

/// Loads of the program and lines of copies use the port to the L1 in the same cycles.
void SmLogic::request_copied_line(Cycle now) {
  if (copies_->next_request() > now || port_blocked_ || port_free_ > now) return;
  Access& access = port_.next(copies_->like_of_request());
  copies_->request(access, now);
  send(access, now);
}

void SmLogic::deliver_copied_line(Cycle now) {
  if (copies_->next_delivery() > now || peers_blocked_ || peers_free_ > now) return;
  copies_first_ = false;
  Access& access = peers_->next(copies_->like_of_delivery());
  copies_->deliver(access);
  send_peer(access, now);
}

void SmLogic::retire_peer(const Result& result) {
  if (result.kind == Result::Kind::cluster_release) return open_cluster_barrier(result.warp);
  if (result.kind == Result::Kind::of_peer) return finish_peer_arrival(result.warp);
  Warp& warp = warps_[result.warp];
  if (cycle_stack_ != nullptr && warp.next == nullptr && cycle_stack_->awaits(result.warp))
    cycle_stack_->arrived(result.warp, CycleStack::of(SlotCause::stores), now_);
  --warp.stores;
  if (result.kind == Result::Kind::peer_store) {
    --ctas_[warp.cta].peer_stores;
    notify_cluster(warp.cta);
  }
  if (warp.next == nullptr) end_if_done(result.warp);
}

}  // namespace wharf
