#include "model/l2/l2_slice.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/tlm/debug_access.h"

namespace wharf {

L2Slice::L2Slice(sc_core::sc_module_name name, const L2Params& params, TransactionUnit unit, unsigned number,
                 const Environment& environment)
    : sc_module(name),
      clock_(environment.clock),
      block_(clock_.add(*this)),
      requests_(params.input_queue, params.access_cycles),
      lines_(requests_.capacity() + 1),
      access_cycles_(params.access_cycles),
      group_(environment.registry, "l2", static_cast<int>(number)),
      fills_(params.miss_queue),
      fill_cycles_(params.fill_cycles),
      dram_extra_cycles_(params.dram_extra_cycles),
      miss_queue_(params.miss_queue),
      reply_queue_(params.reply_queue + params.fill_cycles - 1),
      logic_(params, unit, group_, number, environment.verify, environment.line_policy, environment.seed),
      merged_replies_(params.merged_replies),
      pool_(environment.pool),
      addresses_(environment.addresses),
      upstream_("upstream", *this, 0),
      downstream_("downstream", *this, 0) {
  clock_.prefetch_with(block_, &fills_);
}

Acceptance L2Slice::request(unsigned, Payload& payload, Picoseconds at) {
  const Cycle ejected = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = requests_.offer(payload, ejected, access_cycles_ - 1, present);
  lines_.push(local_line(payload.access().line));
  waiting_ |= acceptance == Acceptance::pending;
  // A request behind another needs no wake, because the slice checks it when the other has left.
  if (acceptance == Acceptance::pending)
    wake(0, present);
  else if (requests_.size() == 1)
    wake(requests_.next_ready(), present);
  return acceptance;
}

bool L2Slice::response(unsigned, Payload& payload, Picoseconds at) {
  if (payload.access().kind == AccessKind::store) {
    payload.release();
    return true;
  }
  const Cycle arrived = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  logic_.prefetch_fill(payload.access());
  const bool accepted = fills_.offer(payload, arrived, 0, present) == Acceptance::accepted;
  waiting_ |= !accepted;
  wake(accepted ? arrived : 0, present);
  return accepted;
}

void L2Slice::response_accepted(unsigned, Picoseconds at) {
  reply_outlet_.reopen(clock_.cycle_at(at));
  if (!replies_.empty()) wake(reply_outlet_.opens_at(), clock_.present_cycle());
}

void L2Slice::request_accepted(unsigned, Picoseconds at) {
  // The next request may arrive from `at` on, so it may leave dram_extra_cycles earlier.
  const Cycle present = clock_.present_cycle();
  miss_outlet_.reopen(std::max(clock_.cycle_at(at) - dram_extra_cycles_, present + 1));
  if (!misses_.empty()) wake(miss_outlet_.opens_at(), present);
}

void L2Slice::act(Cycle now) {
  if (waiting_) admit_pending(now);
  if (!merged_.empty()) reply_merged(now);
  if (fills_.ready(now)) fill(now);
  if (next_try() <= now) look_up(now);
  if (next_reply() <= now) send_reply(now);
  if (next_miss() <= now) send_miss(now);

  Cycle next = std::min({fills_.next_ready(), next_try(), next_reply(), next_miss()});
  if (waiting_) next = std::min(next, next_admission(now));
  if (!merged_.empty() && !replies_full()) next = std::min(next, now + 1);
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

/// A reset takes effect in the next cycle, because other kernels may run.
void L2Slice::write(const Event& event) {
  if (event.kind == Event::Kind::kernel_end) return logic_.kernel_ended();
  if (event.kind != Event::Kind::kernel_start) return;
  logic_.kernel_started(event.place, *event.kernel);
  if (!event.kernel->resets_persisting) return;
  reset_from_ = clock_.present_cycle() + 1;
  waiting_ = true;
  wake(reset_from_, clock_.present_cycle());
}

/// Accepts the requests and fills that waited for a queue entry and now have one, and resets persisting lines.
void L2Slice::admit_pending(Cycle now) {
  if (reset_from_ <= now) {
    logic_.reset_persisting();
    reset_from_ = kNever;
  }
  Cycle end;
  if (Payload* accepted = requests_.admit_pending(now, end)) {
    accepted->stages().claim_to(Stage::l2_queue, present());
    upstream_.accept(*accepted, clock_.delay(end - now));
  }
  if (Payload* accepted = fills_.admit_pending(now, end)) downstream_.end_response(*accepted, clock_.delay(end - now));
}

/// The next cycle in which admit_pending() may succeed, after this act.
Cycle L2Slice::next_admission(Cycle now) {
  waiting_ = requests_.waiting() || fills_.waiting() || reset_from_ != kNever;
  return requests_.admits_after(now) || fills_.admits_after(now) || reset_from_ != kNever ? now + 1 : kNever;
}

void L2Slice::look_up(Cycle now) {
  count_refused(now - 1);
  refused_by_ = try_front(now);
  counted_to_ = now;
  if (refused_by_ == nullptr && replies_full() && !requests_.empty()) {
    // Full replies refuse the next request for certain, so it need not be tried.
    refused_by_ = &logic_.counters().reply_full;
    counted_to_ = std::max(now, requests_.next_ready() - 1);
  }
  asleep_ = refused_by_ != nullptr && !clock_.ticking();
}

/// Counts the cycles up to `last` in which the head was refused and not retried.
void L2Slice::count_refused(Cycle last) {
  if (refused_by_ == nullptr || last <= counted_to_) return;
  *refused_by_ += last - counted_to_;
  counted_to_ = last;
}

/// Serves the oldest request. Returns null, or the counter of the cause for which it is refused.
stats::Counter* L2Slice::try_front(Cycle now) {
  Payload& payload = requests_.front();
  if (replies_full()) {
    ++logic_.counters().reply_full;
    return &logic_.counters().reply_full;
  }
  const L2Logic::Verdict verdict = logic_.access(payload.transaction(), lines_.front(), room(), now);
  if (verdict.outcome == L2Logic::Outcome::refused) return verdict.cause;
  if (StageTimes& stages = payload.stages(); stages.counted()) {
    const Cycle due = requests_.next_ready();
    if (due != now) stages.claim_to(Stage::l2, clock_.edge(due + 1));
    stages.claim_to(due == now ? Stage::l2 : Stage::l2_queue, present() + clock_.delay(1));
  }
  requests_.pop(now);
  lines_.pop();
  logic_.prefetch_access(lines_.front());
  if (verdict.writeback) queue_write(logic_.victim());
  if (verdict.passes) queue_write(logic_.passed());
  if (verdict.request != 0) queue_fetch(payload, verdict);
  if (verdict.outcome == L2Logic::Outcome::reply) queue_reply(payload, now);
  return nullptr;
}

/// Queues the fetch of the sectors that `payload` waits for or has partly written.
void L2Slice::queue_fetch(Payload& payload, const L2Logic::Verdict& verdict) {
  Payload& request = pool_.acquire(payload.access());
  Access& fetch = request.transaction().access;
  fetch.sectors = verdict.request;
  fetch.covered = 0;
  fetch.kind = AccessKind::load;
  fetch.slot = verdict.slot;
  request.set_attributes();
  if (payload.stages().counted()) request.stages() = payload.stages();
  misses_.push_back(request.transaction());
}

void L2Slice::fill(Cycle now) {
  const Cycle arrived = fills_.next_ready();
  Payload& reply = fills_.pop(now);
  if (StageTimes& stages = reply.stages(); stages.counted()) {
    stages.claim_to(Stage::dram, clock_.edge(arrived));
    stages.claim_to(Stage::l2_queue, present());
  }
  const auto serve = [&](Transaction& waiter) {
    waiter.served(reply.transaction(), present());
    waiter.stages.claim_to(Stage::l2, present() + clock_.delay(fill_cycles_));
    if (merged_replies_ == MergedReplies::at_fill)
      queue_reply(Payload::of(waiter), now + fill_cycles_ - 1);
    else
      merged_.push_back(waiter);
  };
  if (merged_.empty()) merged_from_ = now + 1;
  if (logic_.fill(reply.transaction(), reply.access().slot, serve, now)) queue_write(logic_.victim());
  reply.release();
  retry_head();
}

/// Moves at most one merged access to the reply queue, from the cycle after its fill on (CM-44). A head refused for another cause is tried
/// again if that fills the queue, because a full one comes first among the causes.
void L2Slice::reply_merged(Cycle now) {
  if (merged_from_ > now || replies_full()) return;
  Payload& payload = Payload::of(merged_.pop_front());
  payload.stages().claim_to(Stage::l2_queue, present() + clock_.delay(fill_cycles_));
  queue_reply(payload, now + fill_cycles_ - 1);
  if (replies_full()) retry_head();
}

/// Queues the data that the logic must write to DRAM.
void L2Slice::queue_write(const L2Logic::Victim& data) {
  Access access;
  access.line = data.line;
  access.kind = AccessKind::store;
  access.sectors = access.covered = data.sectors;
  Payload& write = pool_.acquire(access);
  write.versions() = data.versions;
  misses_.push_back(write.transaction());
}

void L2Slice::queue_reply(Payload& payload, Cycle ready) {
  payload.message().ready = ready;
  if (replies_.empty()) reply_ready_ = ready;
  all_ready_ = std::max(all_ready_, ready);
  replies_.push_back(payload.transaction());
}

/// Sends at most one reply per cycle to the network interface.
void L2Slice::send_reply(Cycle now) {
  Transaction& transaction = replies_.pop_front();
  reply_ready_ = replies_.empty() ? kNever : all_ready_ <= now ? now : replies_.front().message.ready;
  reply_outlet_.send(now + 1, [&] { return upstream_.respond(Payload::of(transaction), clock_.delay(1)); });
  if (!replies_.empty()) replies_.front().prefetch();
  asleep_ = asleep_ && replies_full();
}

/// Sends at most one fetch or writeback per cycle to the DRAM channel.
void L2Slice::send_miss(Cycle now) {
  Payload& payload = Payload::of(misses_.pop_front());
  payload.stages().claim_to(Stage::dram_link, present() + clock_.delay(1));
  miss_outlet_.send(now + 1, [&] { return downstream_.send(payload, clock_.delay(dram_extra_cycles_)) != Acceptance::pending; });
  retry_head();
}

bool L2Slice::read_copy(Transaction& far) {
  const bool found = logic_.read_copy(far, local_line(far.access.line));
  if (found) copies_changed();
  return found;
}

void L2Slice::install_copy(const Transaction& data) {
  if (logic_.install_copy(data, local_line(data.access.line))) {
    queue_write(logic_.victim());
    wake(0, clock_.present_cycle());
  }
  copies_changed();
}

void L2Slice::update_copy(const Transaction& store) {
  logic_.update_copy(store, local_line(store.access.line));
  copies_changed();
}

bool L2Slice::drop_copy(LineAddress line) {
  const bool dropped = logic_.drop_copy(line, local_line(line));
  if (dropped) copies_changed();
  return dropped;
}

std::uint64_t L2Slice::drop_copies() {
  const std::uint64_t dropped = logic_.drop_copies();
  if (dropped != 0) copies_changed();
  return dropped;
}

/// An evicted line remains visible here until it leaves for DRAM.
unsigned L2Slice::debug(unsigned, tlm::tlm_generic_payload& transaction) {
  const auto held = [this](LineAddress line, SectorVersions& versions) {
    SectorMask here = 0;
    misses_.for_each([&](Transaction& miss) { apply_stored(Payload::of(miss), line, here, versions); });
    SectorVersions kept{};
    const SectorMask valid = logic_.held(line, local_line(line), kept);
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (valid >> s & 1) versions[s] = kept[s];
    return static_cast<SectorMask>(here | valid);
  };
  return debug_through(transaction, pool_.contents(), held, [this](tlm::tlm_generic_payload& part) { return downstream_.debug(part); });
}

void L2Slice::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  if (!requests_.empty()) {
    const Access& access = requests_.front().access();
    const char* resource = replies_full() ? ".reply_queue" : room() < 2 ? ".miss_queue" : ".mshr";
    waits.push_back({path + ".input", path + resource, access.id, access.line.byte_address(), access.issue_cycle});
  }
  if (!replies_.empty()) {
    const Access& access = replies_.front().access;
    waits.push_back({path + ".reply_queue", "nic." + path + ".reply", access.id, access.line.byte_address(), access.issue_cycle});
  }
  if (!merged_.empty()) {
    const Access& access = merged_.front().access;
    waits.push_back({path + ".mshr", path + ".reply_queue", access.id, access.line.byte_address(), access.issue_cycle});
  }
  if (!misses_.empty()) {
    const Access& access = misses_.front().access;
    waits.push_back({path + ".miss_queue", "dram", access.id, access.line.byte_address(), access.issue_cycle});
  }
  logic_.mshrs().for_each([&](const MshrFile::Entry& entry) {
    if (entry.first != nullptr)
      waits.push_back(
          {path + ".mshr", "dram", entry.first->access.id, entry.first->access.line.byte_address(), entry.first->access.issue_cycle});
  });
}

void L2Slice::archive(Archive& file) {
  file.expect_quiet(requests_.empty() && !requests_.waiting() && fills_.empty() && !fills_.waiting() && replies_.empty() &&
                        misses_.empty() && merged_.empty() && refused_by_ == nullptr && logic_.mshrs().empty(),
                    group_.path());
  file(waiting_, asleep_, counted_to_, reply_outlet_, miss_outlet_, reply_ready_, all_ready_, merged_from_, logic_);
}

}  // namespace wharf
