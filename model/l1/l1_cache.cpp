#include "model/l1/l1_cache.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/l1/l1_distributor.h"
#include "model/l1/l1_remote.h"
#include "model/l1/l1_shared_memory.h"

namespace wharf {

namespace {

/// With the cache's own times where `peers` leaves them open.
PeerTiming completed(PeerTiming peers, const L1Params& params) {
  if (peers.tag_cycles == 0) peers.tag_cycles = params.tag_cycles;
  if (peers.data_cycles == 0) peers.data_cycles = params.data_cycles;
  if (peers.fill_cycles == 0) peers.fill_cycles = params.fill_cycles;
  return peers;
}

/// [sectors]: the sectors whose data banks they take, of `banks`; of one bank, all.
std::array<SectorMask, kAllSectors + 1> shared_banks(unsigned banks) {
  std::array<SectorMask, kAllSectors + 1> of{};
  for (unsigned sectors = 1; sectors <= kAllSectors; ++sectors)
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      for (unsigned other = s % banks; other < kSectorsPerLine && (sectors >> s & 1) != 0; other += banks)
        of[sectors] |= static_cast<SectorMask>(1u << other);
  return of;
}

}  // namespace

L1Cache::Port::Port(L1Cache& owner, unsigned index, const L1Params& params, bool attached)
    : fills(params.fill_queue),
      banks(params.banks, [&](std::size_t) { return Bank(params.input_queue); }),
      downstream("downstream" + std::to_string(index), owner, index),
      misses(params.miss_queue, [](std::size_t) { return nullptr; }) {
  if (attached) upstream.emplace("upstream" + std::to_string(index), owner, index);
}

L1Cache::L1Cache(sc_core::sc_module_name name, const L1Params& params, TransactionUnit unit, unsigned number, unsigned ports,
                 const Environment& environment)
    : sc_module(name),
      directory_commit_(environment.directory_commit),
      clock_(environment.clock),
      pool_(environment.pool),
      block_(clock_.add(*this)),
      unit_(unit),
      ages_(params.data_banks > 1 && params.age_limit != kUnlimited),
      detached_(environment.detached),
      plain_(ports == 1 && params.banks == 1 && params.data_banks == 1 && environment.remote_places == 0 &&
             environment.cluster == nullptr && !params.shared_memory_cache.on() && !params.front),
      fill_shares_port_(params.fill_shares_port),
      banks_(params.banks),
      data_cycles_(params.data_cycles),
      fill_cycles_(params.fill_cycles),
      tag_cycles_(params.tag_cycles),
      load_tag_cycles_(params.tag_cycles + (environment.cluster == nullptr ? 0 : environment.cluster->params.extra_tag_cycles)),
      port_wake_(ports, [](std::size_t) { return kNever; }),
      ports_(ports, [&](std::size_t i) { return Port(*this, static_cast<unsigned>(i), params, !environment.detached); }),
      params_(params),
      peers_(completed(environment.peers, params)),
      group_(environment.registry, environment.group, static_cast<int>(number)),
      logic_(params, unit, ports, group_, environment.directory, number, environment.verify, environment.seed,
             environment.homes),
      unified_bytes_(environment.unified_bytes),
      keeps_clean_(environment.written != nullptr),
      banks_of_(shared_banks(params.data_banks)),
      ways_after_(params.ways) {
  logic_.prefer_victims(environment.preferred_victim);
  logic_.answer_with(environment.newest);
  if (keeps_clean_) logic_.tell_writes(*environment.written, environment.in_order);
  clock_.prefetch_with(block_, &ports_[0].upstream);
  if (environment.remote_places != 0) remote_ = std::make_unique<Remote>(*this, environment.remote_places);
  if (environment.cluster != nullptr) distributor_ = std::make_unique<Distributor>(*this, *environment.cluster, environment.registry);
  if (params.shared_memory_cache.on()) shared_memory_ = std::make_unique<SharedMemory>(*this, environment);
}

L1Cache::~L1Cache() = default;

tlm::tlm_target_socket<>& L1Cache::remote() { return remote_->socket(); }
LookupPort& L1Cache::lookups() { return remote_->lookups(); }
L1Cache::ClusterSockets L1Cache::cluster() { return distributor_->sockets(); }
CacheEventPort& L1Cache::cache_events() {
  logic_.tell_events([this](const CacheEvent& event) { cache_events_.tell(event); });
  return cache_events_;
}

void L1Cache::wake(unsigned port, Cycle cycle) {
  if (!plain_) port_wake_[port] = std::min(port_wake_[port], cycle);
  clock_.wake(block_, cycle);
}

bool L1Cache::passes_through(const Access& access) const {
  return access.kind == AccessKind::store || logic_.bypasses(access);
}

/// From acceptance to lookup. What is never looked up does not pay for the tags, but keeps its place behind older accesses.
Cycle L1Cache::lookup_latency(const Access& access) const {
  if (access.hint.probe) return peers_.tag_cycles - 1;
  if (logic_.bypasses(access) && access.kind != AccessKind::store) return 0;
  return (access.kind == AccessKind::load ? load_tag_cycles_ : tag_cycles_) - 1;
}

/// Accesses to one sector always meet in one bank, or a load could overtake its own SM's store: where a transaction covers several
/// sectors of a line, the line decides.
unsigned L1Cache::bank_of(const Access& access) const {
  const std::uint64_t sector = access.line.number * kSectorsPerLine + static_cast<unsigned>(__builtin_ctz(access.sectors));
  return static_cast<unsigned>((unit_ == TransactionUnit::sector ? sector : access.line.number) % banks_);
}

Acceptance L1Cache::request(unsigned index, Payload& payload, Picoseconds at) {
  Port& port = ports_[index];
  const Access& access = payload.access();
  const unsigned bank = banks_ == 1 ? 0 : bank_of(access);
  const Cycle accepted = clock_.cycle_at(at);
  const Cycle latency = lookup_latency(access);
  RequestQueue& queue = port.banks[bank].queue;
  const Acceptance acceptance = queue.offer(payload, accepted, latency, clock_.now());
  wake(index, acceptance == Acceptance::pending ? clock_.now() + 1 : accepted + latency);
  logic_.prefetch(access);
  return acceptance;
}

bool L1Cache::response(unsigned index, Payload& payload, Picoseconds at) {
  Port& port = ports_[index];
  const Access& access = payload.access();
  const Cycle ejected = clock_.cycle_at(at);
  if (access.slot == kOwnStore) {
    payload.release();
    return true;
  }
  if (passes_through(access) && !detached_) {
    payload.reply().l1_done = payload.reply().l1_done == 0 ? ejected : payload.reply().l1_done;
    return answer<false>(port, payload, access.kind == AccessKind::load ? response_turn(ejected + 1) : ejected + 1);
  }
  logic_.prefetch_fill(payload.transaction());
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = port.fills.offer(payload, ejected, 0, present);
  wake(index, acceptance == Acceptance::accepted ? std::max(ejected, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void L1Cache::request_accepted(unsigned index, Picoseconds at) {
  Port& port = ports_[index];
  port.free_at = clock_.cycle_at(at);
  if (port.waiting != 0) wake(index, std::max(port.free_at, clock_.now() + 1));
}

void L1Cache::act(Cycle now) {
  if (directory_commit_ != nullptr) clock_.request_commit(*directory_commit_);
  if (events_from_ <= now) obey_events(now);
  if (plain_) return act_port<true>(0, now);
  act_ports(now);
}

void L1Cache::act_ports(Cycle now) {
  for (unsigned i = 0; i < port_wake_.size(); ++i)
    if (port_wake_[i] <= now || clock_.ticking()) act_port<false>(i, now);
}

template <bool plain>
void L1Cache::act_port(unsigned index, Cycle now) {
  Distributor* const distributor = companion<plain>(distributor_);
  SharedMemory* const shared_memory = companion<plain>(shared_memory_);
  Remote* const remote = companion<plain>(remote_);
  Port& port = ports_[index];
  bool served = false;
  SectorMask taken = 0;  // sectors whose data banks have done something: with one bank all or none
  if (port.fills.waiting()) accept_fill(port, now);
  if (distributor != nullptr) distributor->begin(now);
  bool filled = shared_memory != nullptr && shared_memory->act(port, now, served, taken);
  filled |= !plain && ages_ && serve_aged(port, now, taken);
  for (unsigned i = 0; i < bank_count<plain>(port); ++i) {
    Bank& bank = port.banks[i];
    if (bank.queue.waiting()) accept_access(port, bank, now);
    bank.stuck = false;
    if (!bank.queue.ready(now)) continue;
    if (shared_memory != nullptr && !shared_memory->takes_from(bank, now)) continue;
    bank.stuck = !look_up<plain ? Where::plain : Where::here>(port, bank.queue, bank.refused, now, taken);
    served |= !bank.stuck;
  }
  const bool looked_up = served;
  if (port.fills.ready(now)) filled |= fill<plain>(port, now, taken);
  if (distributor != nullptr) filled |= distributor->act(now, taken);
  served |= filled;
  const bool remote_served = remote != nullptr && remote->act(now, !looked_up && taken == 0);
  served |= remote_served;
  if (served) ++logic_.counters().busy_cycles;
  // The ports of the single L1, and those of other SMs, share its tags and MSHRs: what one does may let another go on.
  const bool shared = !plain && (ports_.size() > 1 || remote_served);
  const Changes changes{send_miss(port, now) || served || shared, filled || shared};

  const Cycle next = next_work<plain>(port, changes, now);
  if (!plain) port_wake_[index] = next;
  if (next != kNever) clock_.wake(block_, next);
}

/// The answer that had to wait below has its place now.
void L1Cache::accept_fill(Port& port, Cycle now) {
  Cycle end;
  Payload* const accepted = port.fills.settle(now, end);
  if (accepted == nullptr) return;
  clock_.wake(block_, end);
  port.downstream.end_response(*accepted, clock_.delay(end - now));
}

/// The same of the access that had to wait at the SM.
void L1Cache::accept_access(Port& port, Bank& bank, Cycle now) {
  Cycle end;
  Payload* const accepted = bank.queue.settle(now, end);
  if (accepted == nullptr) return;
  // Its pipeline begins in this cycle, or when it arrives: in `end`, or the cycle before that.
  const Cycle ready = end + lookup_latency(accepted->access());
  clock_.wake(block_, std::max(ready - 1, now + 1));
  clock_.wake(block_, ready);
  accepted->stages().claim(Stage::lsu, now);
  port.upstream->accept(*accepted, clock_.delay(end - now));
}

/// A lookup whose pipeline ended in cycle `ready`, for the own SM or another.
void L1Cache::claim_lookup(Payload& payload, Cycle ready, Cycle now, bool of_peer) const {
  payload.stages().claim(of_peer ? Stage::peer : Stage::l1, ready + 1);
  payload.stages().claim(Stage::queueing, now + 1);
}

/// One lookup, in the L1 or in the shared memory beside it; false where the access was refused and keeps its place.
template <L1Cache::Where where>
bool L1Cache::look_up(Port& port, RequestQueue& queue, Refused& refused, Cycle now, SectorMask& taken) {
  constexpr bool in_shared_memory = where == Where::shared_memory, plain = where == Where::plain;
  Distributor* const distributor = companion<plain>(distributor_);
  Remote* const remote = companion<plain>(remote_);
  Payload& payload = queue.front();
  count_refused(refused, now - 1);
  const L1Logic::Verdict& verdict =
      in_shared_memory ? logic_.look_beside(payload.transaction(), room(port))
                       : logic_.access(payload.transaction(), room(port), plain || params_.data_banks == 1 ? SectorMask{0} : taken);
  if (verdict.outcome == L1Logic::Outcome::refused) {
    refused = {now, verdict.cause};
    return false;
  }
  if (!plain && verdict.outcome == L1Logic::Outcome::migrate && !shared_memory_->migrate(port, payload, refused, now)) return false;
  refused.counted_to = kNever;
  claim_lookup(payload, queue.next_ready(), now, remote != nullptr && remote->owns(payload.access()));
  queue.pop(now);
  if (!in_shared_memory) ++logic_.counters().requests;
  taken |= plain || params_.data_banks == 1 ? kAllSectors : banks_of(verdict.used);
  const Cycle data_at = now + 1 + (in_shared_memory ? 0 : data_cycles_);
  payload.reply().l1_done = data_at;
  if (remote != nullptr) remote->report(payload, verdict);
  if (verdict.writeback) write_back(port, logic_.victim().access, logic_.victim().versions);
  if (verdict.outcome == L1Logic::Outcome::hit) {
    payload.reply().served_by = ServedBy::l1;
    answer<plain>(port, payload, data_at);
  } else if (verdict.outcome == L1Logic::Outcome::miss) {
    if (distributor != nullptr && payload.access().kind == AccessKind::load)
      distributor->decided(payload.transaction(), verdict.from_peer);
    if (verdict.request != 0) queue_miss(port, request_of(payload, verdict));
  } else {
    go_on(port, payload, verdict.outcome, now);
  }
  return true;
}

/// What comes of an access that has neither hit nor missed.
void L1Cache::go_on(Port& port, Payload& payload, L1Logic::Outcome outcome, Cycle now) {
  switch (outcome) {
    case L1Logic::Outcome::stored_here:
      payload.reply().served_by = ServedBy::l1;
      port.upstream->respond(payload, clock_.delay(1));
      break;
    case L1Logic::Outcome::pass:
      if (distributor_ != nullptr) distributor_->passed(payload.access());
      queue_miss(port, payload);
      break;
    case L1Logic::Outcome::try_shared_memory:
      shared_memory_->look_up(payload, now);
      break;
    case L1Logic::Outcome::migrate:
      shared_memory_->read_out(payload, now);
      break;
    case L1Logic::Outcome::hit:
    case L1Logic::Outcome::miss:
    case L1Logic::Outcome::merged:
    case L1Logic::Outcome::refused:
      break;
  }
}

/// What is sent below for a load that has missed, with a reference to it that deliver() gives up. Where the load itself says all of the
/// request and nothing here writes into it before the answer, it is the load.
Payload& L1Cache::request_of(Payload& load, const L1Logic::Verdict& verdict) {
  if (plain_ && verdict.alone) {
    load.acquire();
    return load;
  }
  Payload& request = pool_.acquire(load.access());
  request.transaction().access.sectors = verdict.request;
  request.message().tag = load.message().tag;
  if (params_.front) request.transaction().access.hint.no_install = true;
  request.stages() = load.stages();
  return request;
}

template bool L1Cache::look_up<L1Cache::Where::here>(Port&, RequestQueue&, Refused&, Cycle, SectorMask&);
template bool L1Cache::look_up<L1Cache::Where::shared_memory>(Port&, RequestQueue&, Refused&, Cycle, SectorMask&);

void L1Cache::catch_up() {
  const Cycle present = clock_.present_cycle();
  for (Port& port : ports_)
    for (Bank& bank : port.banks) count_refused(bank.refused, present);
  if (remote_ != nullptr) remote_->catch_up(present);
  if (shared_memory_ != nullptr) shared_memory_->catch_up(present);
}

/// False where there is no fill, or its data banks are taken. An answer on its way through needs none, and waits for its turn only where
/// no SM is attached.
template <bool plain>
bool L1Cache::fill(Port& port, Cycle now, SectorMask& taken) {
  Remote* const remote = companion<plain>(remote_);
  if (!port.fills.ready(now) || port.filled_at == now || (remote != nullptr && !remote->flows(now))) return false;
  Payload& front = port.fills.front();
  if (!plain && passes_through(front.access())) {
    answer<plain>(port, port.fills.pop(now), now + 1);
    return false;
  }
  if (SharedMemory* const shared_memory = companion<plain>(shared_memory_); shared_memory != nullptr) {
    if (shared_memory->goes_first(port, now)) return false;
    if (logic_.goes_to(front.access()) == MshrFile::FillTo::shared_memory) return shared_memory->drain(port.fills, port, now);
  }
  const SectorMask banks = !fill_shares_port_ ? SectorMask{0} : plain ? kAllSectors : banks_of(front.access().sectors);
  if ((banks & taken) != 0) return false;
  taken |= banks;
  port.filled_at = now;
  logic_.counters().fill_wait += now - port.fills.next_ready();
  const bool of_peer = !plain && front.transaction().reply.served_by == ServedBy::peer;
  deliver<plain>(port.fills.pop(now), now, now + (of_peer ? peers_.fill_cycles : fill_cycles_));
  return true;
}

/// The data of a reply that is filled now, at the SM in cycle `data_at`.
template <bool plain>
void L1Cache::deliver(Payload& reply, Cycle now, Cycle data_at) {
  const ServedBy served_by = reply.reply().served_by;
  reply.stages().claim(Stage::queueing, now);
  // ATA-O31: what was searched for in vain is decided when the search is over.
  const bool in_vain = !plain && reply.reply().l1_done != 0 && served_by != ServedBy::peer;
  const Cycle searched = in_vain ? reply.reply().l1_done + data_cycles_ : 0;
  logic_.fill(
      reply.transaction(),
      [&](Transaction& waiter) {
        Payload& payload = Payload::of(waiter);
        payload.reply().served_by = served_by;
        waiter.served(reply.transaction(), present());
        payload.reply().l1_done = std::max(payload.reply().l1_done, searched);
        // The single L1 serves accesses of all ports; each waiter belongs to the port of its SM.
        Port& home = ports_[plain || ports_.size() == 1 ? 0 : payload.access().sm];
        answer<plain>(home, payload, response_turn(waiter.message.ready));
      },
      data_at);
  reply.release();
}
template void L1Cache::deliver<false>(Payload&, Cycle, Cycle);

/// What has waited for age_limit cycles goes before lookups, the oldest first (ATA-O10). True where a fill was among it.
bool L1Cache::serve_aged(Port& port, Cycle now, SectorMask& taken) {
  bool filled = false, fill_left = true, answer_left = distributor_ != nullptr;
  for (unsigned read = 0;;) {
    const Cycle from_below = fill_left ? port.fills.next_ready() : kNever;
    const Cycle from_peer = answer_left ? distributor_->answered_at() : kNever;
    const Cycle oldest = std::min({from_below, from_peer, distributor_ == nullptr ? kNever : distributor_->read_at(read, now)});
    if (oldest > now || now - oldest < params_.age_limit) return filled;
    if (oldest == from_below) {
      fill_left = false;
      filled |= fill<false>(port, now, taken);
    } else if (oldest == from_peer) {
      answer_left = false;
      filled |= distributor_->fill(now, taken);
    } else if (!distributor_->serve(read, now, taken)) {
      ++read;
    }
  }
}

/// False where the SM takes the answer later. Those of other SMs are kept here until they are taken.
template <bool plain>
bool L1Cache::answer(Port& port, Payload& payload, Cycle at) {
  if (Remote* const remote = companion<plain>(remote_); remote != nullptr && remote->owns(payload.access())) {
    remote->answer(payload, at);
    return true;
  }
  payload.stages().claim(Stage::l1, at);
  return port.upstream->respond(payload, clock_.edge(at) - present());
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
  if (port.downstream.send(payload, clock_.delay(1)) == Acceptance::pending) port.free_at = kNever;
}

}  // namespace wharf
