#include "model/l1/l1_shared_memory.h"

#include <algorithm>

namespace wharf {

L1Cache::SharedMemory::SharedMemory(L1Cache& owner, const Environment& environment)
    : owner_(owner),
      params_(owner.params_.shared_memory_cache),
      turns_(environment.shared_memory),
      group_(environment.registry, "l1", owner.group_.instance()),
      cache_(group_, params_.placement, environment.verify),
      waiting_(owner.params_.banks),
      lines_(owner.params_.fill_queue + 1) {  // one leaves and one comes in a cycle
  owner.logic_.join(cache_);
}

SharedMemoryCache* L1Cache::shared_memory_cache() { return shared_memory_ == nullptr ? nullptr : &shared_memory_->cache(); }

void L1Cache::SharedMemory::catch_up(Cycle present) {
  cache_.count_to(present);
  for (Waiting& waiting : waiting_) owner_.count_refused(waiting.refused, present);
}

bool L1Cache::SharedMemory::act(Port& port, Cycle now, bool& served, SectorMask& taken) {
  cache_.count_to(now);
  if (read_out_at_ == now) taken = kAllSectors;
  bool filled = false;
  if (has_turn(now)) {
    if (look_up_next(port, now)) {
      served = true;
    } else if (fill_.ready(now)) {
      write(now);
      filled = true;
    }
    const Cycle next = oldest();
    if (claimed_ && (next > now || now - next < params_.age_limit)) {
      turns_->release(now);
      claimed_ = false;
    }
  }
  if (goes_first(port, now)) served |= drain(lines_, port, now);
  return filled;
}

/// Since when what can use shared memory now has waited for it.
Cycle L1Cache::SharedMemory::oldest() const {
  Cycle oldest = fill_.next_ready();
  for (const Waiting& waiting : waiting_)
    if (!waiting.stuck) oldest = std::min(oldest, waiting.load.next_ready());
  return oldest;
}

bool L1Cache::SharedMemory::has_turn(Cycle now) {
  const Cycle since = oldest();
  if (since > now) return false;
  if (turns_ == nullptr || turns_->free(now)) return true;
  if (!claimed_ && now - since >= params_.age_limit) {
    turns_->claim(now);
    claimed_ = true;
  }
  return false;
}

/// The load that has waited longest and need not wait for something else.
bool L1Cache::SharedMemory::look_up_next(Port& port, Cycle now) {
  for (;;) {
    Waiting* next = nullptr;
    for (Waiting& waiting : waiting_)
      if (!waiting.stuck && waiting.load.ready(now) && (next == nullptr || waiting.load.next_ready() < next->load.next_ready()))
        next = &waiting;
    if (next == nullptr) return false;
    const Cycle ready = next->load.next_ready();
    SectorMask banks = 0;  // not those of the L1's data
    next->stuck = !owner_.look_up<Where::shared_memory>(port, next->load, next->refused, now, banks);
    if (next->stuck) continue;
    ++cache_.counters().accesses;
    cache_.counters().wait_cycles += now - ready;
    return true;
  }
}

void L1Cache::SharedMemory::look_up(Payload& load, Cycle now) {
  const unsigned bank = owner_.banks_ == 1 ? 0 : owner_.bank_of(load.access());
  waiting_[bank].load.offer(load, now + params_.access_cycles, 0, now);
}

void L1Cache::SharedMemory::write(Cycle now) {
  ++cache_.counters().accesses;
  cache_.counters().wait_cycles += now - fill_.next_ready();
  owner_.deliver<false>(fill_.pop(now), now, now + 1);
}

bool L1Cache::SharedMemory::migrate(Port& port, Payload& load, Refused& refused, Cycle now) {
  L1Logic::Verdict verdict;
  verdict.outcome = L1Logic::Outcome::refused;
  verdict.cause = Refusal::replies_full;
  if (port.fills.ready_entries(now) + lines_.size() < owner_.params_.fill_queue)
    verdict = owner_.logic_.migrate(load.transaction(), versions_);
  else
    ++cache_.counters().replies_full;
  moved_ = verdict.used;
  if (verdict.outcome == L1Logic::Outcome::refused) refused = {now, verdict.cause};
  return verdict.outcome != L1Logic::Outcome::refused;
}

void L1Cache::SharedMemory::read_out(Payload& load, Cycle now) {
  read_out_at_ = now + 1;
  Payload& line = owner_.pool_.acquire(load.access());
  line.transaction().access.sectors = moved_;
  line.versions() = versions_;
  line.reply().served_by = ServedBy::l1;
  line.stages() = load.stages();
  line.stages().claim(Stage::l1, now + 2);
  lines_.offer(line, now + 2, 0, now);
}

bool L1Cache::SharedMemory::drain(RequestQueue& queue, Port& port, Cycle now) {
  if (!fill_.empty() || port.filled_at == now) return false;
  port.filled_at = now;
  if (&queue == &port.fills) owner_.logic_.counters().fill_wait += now - queue.next_ready();
  Payload& reply = queue.pop(now);
  reply.stages().claim(Stage::queueing, now);
  reply.stages().claim(Stage::l1, now + params_.access_cycles);
  fill_.offer(reply, now + params_.access_cycles, 0, now);
  return true;
}

Cycle L1Cache::SharedMemory::next_work(const Changes& changes) {
  Cycle next = std::min(fill_.next_ready(), lines_.next_ready());
  for (Waiting& waiting : waiting_) {
    waiting.stuck = waiting.stuck && !may_go(waiting.refused.cause, changes);
    if (!waiting.stuck) next = std::min(next, waiting.load.next_ready());
  }
  return next;
}

void L1Cache::SharedMemory::inspect(std::vector<Wait>& waits) const {
  const std::string path = owner_.group_.path();
  for (const Waiting& waiting : waiting_) {
    if (waiting.load.empty()) continue;
    const Access& access = waiting.load.front().access();
    waits.push_back({path + ".shared_memory", path + (waiting.stuck ? resource_of(waiting.refused) : ".shared_memory_turn"), access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
}

}  // namespace wharf
