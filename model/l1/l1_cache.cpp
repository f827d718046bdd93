#include "model/l1/l1_cache.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/l1/l1_remote.h"

namespace wharf {

namespace {

// Marks the L1's own stores (written-back lines): their ack ends here and not at the SM.
constexpr std::uint32_t kOwnStore = ~std::uint32_t{0};

}  // namespace

L1Cache::Port::Port(const std::string& name, L1Cache& owner, unsigned index, const L1Params& params)
    : upstream("upstream" + name, owner, index),
      downstream("downstream" + name, owner, index),
      banks(params.banks, RequestQueue(params.input_queue)),
      refused(params.banks),
      fills(params.fill_queue),
      misses(params.miss_queue) {}

L1Cache::L1Cache(sc_core::sc_module_name name, const L1Params& params, TransactionUnit unit, unsigned number, unsigned ports,
                 const Environment& environment)
    : sc_module(name),
      params_(params),
      unit_(unit),
      clock_(environment.clock),
      pool_(environment.pool),
      group_(environment.registry, "l1", static_cast<int>(number)),
      logic_(params, unit, ports, group_, environment.directory, number, environment.verify, environment.seed),
      directory_commit_(environment.directory_commit),
      unified_bytes_(environment.unified_bytes),
      block_(clock_.add(*this)),
      port_wake_(ports, kNever),
      ways_after_(params.ways) {
  logic_.prefer_victims(environment.preferred_victim);
  for (unsigned i = 0; i < ports; ++i) ports_.push_back(std::make_unique<Port>(std::to_string(i), *this, i, params));
  if (environment.remote_places != 0) remote_ = std::make_unique<Remote>(*this, environment.remote_places);
}

L1Cache::~L1Cache() = default;

tlm::tlm_target_socket<>& L1Cache::remote() { return remote_->socket(); }
LookupPort& L1Cache::lookups() { return remote_->lookups(); }

void L1Cache::wake(unsigned port, Cycle cycle) {
  port_wake_[port] = std::min(port_wake_[port], cycle);
  clock_.wake(block_, cycle);
}

bool L1Cache::passes_through(const Access& access) const {
  const bool local_write_back = access.space == Space::local && params_.local_stores == LocalStores::write_back;
  return access.kind == AccessKind::store || access.kind == AccessKind::atomic ||
         (access.cache_op == CacheOp::bypass_l1 && !local_write_back);
}

/// Accesses to one sector always meet in one bank, or a load could overtake its own SM's store: where a transaction covers several
/// sectors of a line, the line decides.
unsigned L1Cache::bank_of(const Access& access) const {
  const std::uint64_t sector = access.line.number * kSectorsPerLine + static_cast<unsigned>(__builtin_ctz(access.sectors));
  return static_cast<unsigned>((unit_ == TransactionUnit::sector ? sector : access.line.number) % params_.banks);
}

Acceptance L1Cache::request(unsigned index, Payload& payload, Picoseconds at) {
  Port& port = *ports_[index];
  const Access& access = payload.access();
  const unsigned bank = params_.banks == 1 ? 0 : bank_of(access);
  const Cycle accepted = clock_.cycle_at(at);
  // What is never looked up does not pay for the tags, but keeps its place behind older accesses of its bank.
  const bool unlooked = access.kind == AccessKind::atomic || (passes_through(access) && access.kind != AccessKind::store);
  const Cycle latency = unlooked ? 0 : params_.tag_cycles - 1;
  const Acceptance acceptance = port.banks[bank].offer(payload, accepted, latency, clock_.now());
  // Behind another there is nothing to wake for: the bank looks at the next one when that one has gone.
  if (acceptance == Acceptance::pending) wake(index, clock_.now() + 1);
  else if (port.banks[bank].size() == 1) wake(index, accepted + latency);
  return acceptance;
}

bool L1Cache::response(unsigned index, Payload& payload, Picoseconds at) {
  Port& port = *ports_[index];
  const Access& access = payload.access();
  const Cycle ejected = clock_.cycle_at(at);
  if (access.slot == kOwnStore) {
    payload.release();
    return true;
  }
  if (passes_through(access)) {
    payload.reply().l1_done = payload.reply().l1_done == 0 ? ejected : payload.reply().l1_done;
    return answer(port, payload, ejected + 1);
  }
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = port.fills.offer(payload, ejected, 0, present);
  wake(index, acceptance == Acceptance::accepted ? std::max(ejected, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void L1Cache::request_accepted(unsigned index, Picoseconds at) {
  Port& port = *ports_[index];
  port.blocked = false;
  port.free_at = clock_.cycle_at(at);
  if (port.waiting != 0) wake(index, std::max(port.free_at, clock_.now() + 1));
}

void L1Cache::write(const Event& event) {
  Cycle next = clock_.now() + 1;
  if (event.kind == Event::Kind::line_written) {
    // Behind the older accesses of the SM, which are in the pipeline now.
    next += params_.tag_cycles - 1;
    old_.emplace_back(next, event.line);
    port_wake_[0] = std::min(port_wake_[0], next);
  } else if (event.kind == Event::Kind::drain) {
    drain_from_ = next;
  } else {
    invalidate_at_ = next;
    if (unified_bytes_ != 0) {
      const std::uint64_t left = unified_bytes_ - std::min(unified_bytes_, event.shared_bytes);
      ways_after_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(params_.ways * left / unified_bytes_));
    }
  }
  clock_.wake(block_, next);
}

void L1Cache::act(Cycle now) {
  if (directory_commit_ != nullptr) clock_.request_commit(*directory_commit_);
  if (invalidate_at_ <= now) {
    logic_.invalidate_all(ways_after_);
    invalidate_at_ = kNever;
  }
  if (!old_.empty()) {
    std::size_t due = 0;
    for (; due < old_.size() && old_[due].first <= now; ++due) logic_.invalidate(old_[due].second);
    old_.erase(old_.begin(), old_.begin() + static_cast<std::ptrdiff_t>(due));
  }
  if (drain_from_ <= now) drain(now);
  for (unsigned i = 0; i < ports_.size(); ++i)
    if (port_wake_[i] <= now || clock_.ticking()) act_port(i, now);
}

void L1Cache::act_port(unsigned index, Cycle now) {
  Port& port = *ports_[index];
  bool served = false, filled = false;
  Cycle end;
  for (unsigned bank = 0; bank < port.banks.size(); ++bank) {
    RequestQueue& queue = port.banks[bank];
    if (queue.waiting())
      if (Payload* accepted = queue.settle(now, end)) port.upstream.accept(*accepted, clock_.delay(end - now));
    if (queue.ready(now)) served |= look_up(port, queue, port.refused[bank], now);
  }
  if (port.fills.waiting())
    if (Payload* accepted = port.fills.settle(now, end)) port.downstream.end_response(*accepted, clock_.delay(end - now));
  bool taken = served;  // the port's cycle
  if (port.fills.ready(now) && !(served && params_.fill_shares_port) && (remote_ == nullptr || remote_->flows(now))) {
    fill(port, now);
    served = filled = true;
    taken |= params_.fill_shares_port;
  }
  const bool remote_served = remote_ != nullptr && remote_->act(now, !taken);
  served |= remote_served;
  if (served) ++logic_.counters().busy_cycles;
  // The ports of the single L1, and those of other SMs, share its tags and MSHRs: what one does may let another go on.
  const bool shared = ports_.size() > 1 || remote_served;
  const Changes changes{send_miss(port, now) || served || shared, filled || shared};

  const Cycle next = next_work(port, changes, now);
  port_wake_[index] = next;
  if (next != kNever) clock_.wake(block_, next);
}

/// One lookup; false where the access was refused and keeps its place.
bool L1Cache::look_up(Port& port, RequestQueue& queue, Refused& refused, Cycle now) {
  Payload& payload = queue.front();
  count_refused(refused, now - 1);
  const L1Logic::Verdict verdict = logic_.access(payload.transaction(), room(port));
  if (verdict.outcome == L1Logic::Outcome::refused) {
    refused = {now, verdict.cause};
    return false;
  }
  refused.counted_to = kNever;
  queue.pop(now);
  payload.reply().l1_done = now + 1 + params_.data_cycles;
  if (remote_ != nullptr) remote_->report(payload, verdict);
  if (verdict.writeback) {
    Payload& writeback = pool_.acquire(logic_.victim().access);
    writeback.transaction().access.slot = kOwnStore;
    writeback.versions() = logic_.victim().versions;
    queue_miss(port, writeback);
  }
  switch (verdict.outcome) {
    case L1Logic::Outcome::hit:
      payload.reply().served_by = ServedBy::l1;
      answer(port, payload, now + 1 + params_.data_cycles);
      break;
    case L1Logic::Outcome::absorbed:
      payload.reply().served_by = ServedBy::l1;
      port.upstream.respond(payload, clock_.delay(1));
      break;
    case L1Logic::Outcome::pass:
      queue_miss(port, payload);
      break;
    case L1Logic::Outcome::miss: {
      Payload& request = pool_.acquire(payload.access());
      request.transaction().access.sectors = verdict.request;
      queue_miss(port, request);
      break;
    }
    case L1Logic::Outcome::merged:
    case L1Logic::Outcome::refused:
      break;
  }
  return true;
}

void L1Cache::catch_up() {
  const Cycle present = clock_.present_cycle();
  for (const auto& port : ports_)
    for (Refused& refused : port->refused) count_refused(refused, present);
  if (remote_ != nullptr) remote_->catch_up(present);
}

void L1Cache::fill(Port& port, Cycle now) {
  Payload& reply = port.fills.pop(now);
  const ServedBy served_by = reply.reply().served_by;
  logic_.fill(reply.transaction(), [&](Transaction& waiter) {
    Payload& payload = Payload::of(waiter);
    payload.reply().served_by = served_by;
    // The single L1 serves accesses of all ports; each waiter belongs to the port of its SM.
    Port& home = ports_.size() == 1 ? *ports_[0] : *ports_[payload.access().sm];
    answer(home, payload, now + params_.fill_cycles);
  });
  reply.release();
}

/// False where the SM takes the answer later. Those of other SMs are kept here until they are taken.
bool L1Cache::answer(Port& port, Payload& payload, Cycle at) {
  if (remote_ == nullptr || !remote_->owns(payload.access())) return port.upstream.respond(payload, clock_.edge(at) - present());
  remote_->answer(payload, at);
  return true;
}

void L1Cache::queue_miss(Port& port, Payload& payload) {
  std::uint32_t tail = port.head + port.waiting;
  if (tail >= port.misses.size()) tail -= static_cast<std::uint32_t>(port.misses.size());
  port.misses[tail] = &payload;
  ++port.waiting;
}

/// At most one request a cycle goes to the network interface.
void L1Cache::send_first_miss(Port& port, Cycle now) {
  Payload& payload = *port.misses[port.head];
  if (++port.head == port.misses.size()) port.head = 0;
  --port.waiting;
  port.free_at = now + 1;
  port.blocked = port.downstream.send(payload, clock_.delay(1)) == Acceptance::pending;
}

void L1Cache::drain(Cycle now) {
  for (unsigned i = 0; i < ports_.size(); ++i) {
    Port& port = *ports_[i];
    Access access;
    SectorVersions versions{};
    while (room(port) != 0 && logic_.drain(access, versions)) {
      access.sm = static_cast<std::uint16_t>(group_.instance());
      access.slot = kOwnStore;
      Payload& writeback = pool_.acquire(access);
      writeback.versions() = versions;
      queue_miss(port, writeback);
      port_wake_[i] = now;
    }
    if (room(port) == 0) {
      clock_.wake(block_, now + 1);
      return;
    }
  }
  drain_from_ = kNever;
}

/// A refused access is tried again when what it waits for may have come.
bool L1Cache::may_go(Refusal cause, const Changes& changes) {
  switch (cause) {
    case Refusal::mshr_full:
    case Refusal::targets_full:
    case Refusal::pending_store:
      return changes.filled;
    case Refusal::no_way:
    case Refusal::queue_full:
      break;
  }
  return changes.any;
}

Cycle L1Cache::next_work(const Port& port, const Changes& changes, Cycle now) const {
  Cycle next = kNever;
  for (unsigned bank = 0; bank < port.banks.size(); ++bank) {
    const RequestQueue& queue = port.banks[bank];
    const Refused& refused = port.refused[bank];
    if (refused.counted_to == now && !may_go(refused.cause, changes)) continue;
    if (queue.settles_after(now)) next = now + 1;
    next = std::min(next, queue.next_ready());
  }
  if (port.fills.settles_after(now)) next = now + 1;
  if (remote_ == nullptr)
    next = std::min(next, port.fills.next_ready());
  else
    next = std::min({next, std::max(port.fills.next_ready(), remote_->flows_from()), remote_->next_work(changes, now)});
  if (port.waiting != 0 && !port.blocked) next = std::min(next, port.free_at);
  return next == kNever ? kNever : std::max(next, now + 1);
}

unsigned L1Cache::debug(unsigned index, tlm::tlm_generic_payload& transaction) {
  // Contents live in the functional image; a write-through cache never hides anything from below.
  return ports_[index]->downstream.debug(transaction);
}

/// What the head of a bank waits for.
const char* L1Cache::resource_of(const Refused& refused) {
  if (refused.counted_to == kNever) return ".pipeline";
  switch (refused.cause) {
    case Refusal::queue_full:
      return ".miss_queue";
    case Refusal::no_way:
      return ".ways";
    case Refusal::mshr_full:
    case Refusal::targets_full:
    case Refusal::pending_store:
      break;
  }
  return ".mshr";
}

void L1Cache::inspect(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  for (const auto& port : ports_) {
    for (unsigned bank = 0; bank < port->banks.size(); ++bank) {
      const RequestQueue& queue = port->banks[bank];
      if (queue.empty()) continue;
      const Access& access = queue.front().access();
      waits.push_back({path + ".bank[" + std::to_string(bank) + "]", path + resource_of(port->refused[bank]), access.id,
                       access.line.byte_address(), access.issue_cycle});
    }
    if (port->waiting != 0) {
      const Access& access = port->misses[port->head]->access();
      waits.push_back({path + ".miss_queue", "nic.sm[" + std::to_string(access.sm) + "].request", access.id, access.line.byte_address(),
                       access.issue_cycle});
    }
  }
  if (remote_ != nullptr) remote_->inspect(waits);
  logic_.mshrs().for_each([&](const MshrFile::Entry& entry) {
    if (entry.first == nullptr) return;
    const Access& access = entry.first->access;
    waits.push_back(
        {path + ".mshr", "nic.sm[" + std::to_string(access.sm) + "].reply", access.id, access.line.byte_address(), access.issue_cycle});
  });
}

}  // namespace wharf
