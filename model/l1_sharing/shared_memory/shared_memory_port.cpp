#include "model/l1_sharing/shared_memory/shared_memory_port.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

SharedMemoryPort::SharedMemoryPort(L1Cache& cache, const SharedMemoryCacheParams& params, stats::Registry& registry,
                                   SharedMemoryTurns* turns, bool versions)
    : L1Companion(cache),
      params_(params),
      turns_(turns),
      counts_(registry, "l1", group().instance()),
      cache_(counts_, params, versions),
      waiting_(L1Companion::params().banks),
      lines_(L1Companion::params().fill_queue + 1) {  // one line may leave and another arrive in the same cycle
  attach_side_store(*this);
  logic().join(static_cast<SideStore&>(cache_));
}

void SharedMemoryPort::catch_up(Cycle present) {
  cache_.count_to(present);
  for (Waiting& waiting : waiting_) count_refused(waiting.refused, present);
}

void SharedMemoryPort::begin(Cycle now, L1Cache::Work& work) {
  cache_.count_to(now);
  if (read_out_at_ == now) {
    work.taken = kAllSectors;
    work.closed = true;
  }
  if (has_turn(now)) {
    if (look_up_next(now)) {
      work.served = true;
    } else if (fill_.ready(now)) {
      write(now);
      work.filled = true;
    }
    const Cycle next = oldest();
    if (claimed_ && (next > now || now - next < params_.age_limit)) {
      turns_->release(now);
      claimed_ = false;
    }
  }
  if (precedes(fills(), now)) work.served |= leave_response_queue(lines_, now);
}

/// Returns since when the oldest access that can use shared memory now has waited for it.
Cycle SharedMemoryPort::oldest() const {
  Cycle oldest = fill_.next_ready();
  for (const Waiting& waiting : waiting_)
    if (!waiting.stuck) oldest = std::min(oldest, waiting.load.next_ready());
  return oldest;
}

bool SharedMemoryPort::has_turn(Cycle now) {
  const Cycle since = oldest();
  if (since > now) return false;
  if (turns_ == nullptr || turns_->free(now)) return true;
  if (!claimed_ && now - since >= params_.age_limit) {
    turns_->claim(now);
    claimed_ = true;
  }
  return false;
}

/// Looks up the load that has waited longest and is not refused; false if there is none.
bool SharedMemoryPort::look_up_next(Cycle now) {
  for (;;) {
    Waiting* next = nullptr;
    for (Waiting& waiting : waiting_)
      if (!waiting.stuck && waiting.load.ready(now) && (next == nullptr || waiting.load.next_ready() < next->load.next_ready()))
        next = &waiting;
    if (next == nullptr) return false;
    const Cycle ready = next->load.next_ready();
    next->stuck = !decide_after_lookup(next->load, next->refused, now);
    hold_bank(static_cast<unsigned>(next - waiting_.data()), !next->load.empty());
    if (next->stuck) continue;
    ++cache_.counters().accesses;
    cache_.counters().wait_cycles += now - ready;
    return true;
  }
}

void SharedMemoryPort::look_up_load(Payload& load, Cycle now) {
  const unsigned bank = bank_of(load.access());
  hold_bank(bank, true);
  waiting_[bank].load.offer(load, now + params_.access_cycles, 0, now);
}

void SharedMemoryPort::write(Cycle now) {
  ++cache_.counters().accesses;
  cache_.counters().wait_cycles += now - fill_.next_ready();
  deliver(fill_.pop(now), now, now + 1);
}

bool SharedMemoryPort::migrate(Payload& load, L1Cache::Refused& refused, Cycle now) {
  L1Logic::Verdict verdict;
  verdict.outcome = L1Logic::Outcome::refused;
  verdict.cause = Refusal::replies_full;
  if (fills().ready_entries(now) + lines_.size() < L1Companion::params().fill_queue)
    verdict = logic().migrate(load.transaction(), versions_);
  else
    ++cache_.counters().replies_full;
  moved_ = verdict.used;
  if (verdict.outcome == L1Logic::Outcome::refused) refused = {now, verdict.cause};
  return verdict.outcome != L1Logic::Outcome::refused;
}

void SharedMemoryPort::read_out(Payload& load, Cycle now) {
  read_out_at_ = now + 1;
  Payload& line = pool().acquire(load.access());
  line.transaction().access.sectors = moved_;
  line.versions() = versions_;
  line.reply().served_by = ServedBy::l1;
  line.stages() = load.stages();
  line.stages().claim(Stage::l1, now + 2);
  lines_.offer(line, now + 2, 0, now);
}

bool SharedMemoryPort::drain(RequestQueue& fills, Cycle now) {
  const Cycle ready = fills.next_ready();
  if (!leave_response_queue(fills, now)) return false;
  logic().counters().fill_wait += now - ready;
  return true;
}

bool SharedMemoryPort::leave_response_queue(RequestQueue& queue, Cycle now) {
  if (!fill_.empty() || !claim_fill(now)) return false;
  Payload& reply = queue.pop(now);
  reply.stages().claim(Stage::l1_queue, now);
  reply.stages().claim(Stage::l1, now + params_.access_cycles);
  fill_.offer(reply, now + params_.access_cycles, 0, now);
  return true;
}

Cycle SharedMemoryPort::next_work(Cycle, const L1Cache::Changes& changes) {
  Cycle next = std::min(fill_.next_ready(), lines_.next_ready());
  for (Waiting& waiting : waiting_) {
    waiting.stuck = waiting.stuck && !may_retry(waiting.refused.cause, changes);
    if (!waiting.stuck) next = std::min(next, waiting.load.next_ready());
  }
  return next;
}

void SharedMemoryPort::inspect(std::vector<Wait>& waits) const {
  const std::string path = group().path();
  for (const Waiting& waiting : waiting_) {
    if (waiting.load.empty()) continue;
    const Access& access = waiting.load.front().access();
    waits.push_back({path + ".shared_memory", path + (waiting.stuck ? resource_of(waiting.refused) : ".shared_memory_turn"), access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
}

bool SharedMemoryPort::archive(Archive& file) {
  bool quiet = fill_.empty() && lines_.empty() && !lines_.waiting();
  for (Waiting& waiting : waiting_) {
    quiet = quiet && waiting.load.empty() && !waiting.load.waiting();
    file(waiting.stuck, waiting.refused);
  }
  file.expect_quiet(quiet, group().path() + ".shared_memory");
  file(cache_, region_, read_out_at_, claimed_);
  return true;
}

}  // namespace wharf
