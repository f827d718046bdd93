#include "model/l1/l1_cache.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/l1/l1_companion.h"

namespace wharf {

namespace {

/// [sectors]: all sectors that share a data bank with them, given `banks` data banks.
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
      banks(params.banks, [&](std::size_t) { return Bank(params.input_queue, params.tag_cycles); }),
      downstream("downstream" + std::to_string(index), owner, index),
      misses(params.miss_queue) {
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
      plain_(ports == 1 && params.banks == 1 && params.data_banks == 1 && environment.companions.empty() && !params.lineless &&
             !params.response_port),
      fill_shares_port_(params.fill_shares_port),
      banks_(params.banks),
      timing_(params),
      load_lookup_latency_(params.lookup_latency()),
      port_wake_(ports, [](std::size_t) { return kNever; }),
      ports_(ports, [&](std::size_t i) { return Port(*this, static_cast<unsigned>(i), params, !environment.detached); }),
      params_(params),
      group_(environment.registry, environment.group, static_cast<int>(number)),
      logic_(params, unit, ports, group_, environment.directory, number, environment.verify, environment.seed, environment.homes),
      peer_fill_cycles_(params.fill_cycles),
      first_sm_(environment.first_sm),
      unified_bytes_(environment.unified_bytes),
      keeps_clean_(environment.written != nullptr),
      banks_of_(shared_banks(params.data_banks)),
      ways_after_(params.ways) {
  logic_.prefer_victims(environment.preferred_victim);
  logic_.answer_with(environment.newest);
  if (keeps_clean_) logic_.record_stores(*environment.written, environment.in_order);
  clock_.prefetch_with(block_, &ports_[0].upstream);
  for (const MakeCompanion& make : environment.companions) companions_.push_back(make(*this));
}

L1Cache::~L1Cache() = default;

CacheEventPort& L1Cache::cache_events() {
  logic_.set_event_listener([this](const CacheEvent& event) { cache_events_.report(event); });
  return cache_events_;
}

void L1Cache::wake(unsigned port, Cycle cycle) {
  if (!plain_) port_wake_[port] = std::min(port_wake_[port], cycle);
  clock_.wake(block_, cycle);
}

bool L1Cache::passes_through(const Access& access) const { return access.kind == AccessKind::store || logic_.bypasses(access); }

/// Cycles from acceptance to lookup. An access that bypasses the tags does not pay for them but stays behind older accesses.
Cycle L1Cache::lookup_latency(const Access& access) const {
  if (logic_.bypasses(access) && access.kind != AccessKind::store) return 0;
  return access.kind == AccessKind::load ? load_lookup_latency_ : timing_.lookup_latency();
}

/// Selects the bank so that accesses to one sector always meet in the same bank; otherwise a load could overtake a store of its own SM. If
/// a transaction covers several sectors of a line, the line decides.
unsigned L1Cache::bank_of(const Access& access) const {
  const std::uint64_t sector = access.line.number * kSectorsPerLine + lowest_sector(access.sectors);
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
    // A load waits for the response port among the fills, because a turn taken here would depend on which block acts first.
    if (!params_.response_port || access.kind != AccessKind::load) return answer<false>(port, payload, ejected + 1);
  }
  logic_.prefetch_fill(payload.transaction());
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = port.fills.offer(payload, ejected, 0, present);
  wake(index, acceptance == Acceptance::accepted ? std::max(ejected, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void L1Cache::request_accepted(unsigned index, Picoseconds at) {
  Port& port = ports_[index];
  port.outlet.reopen(clock_.cycle_at(at));
  if (!port.misses.empty()) wake(index, std::max(port.outlet.opens_at(), clock_.now() + 1));
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
  Port& port = ports_[index];
  Work work;
  if (port.fills.waiting()) accept_fill(port, now);
  if (!plain)
    for (const auto& companion : companions_) companion->begin(now, work);
  if (!plain && ages_) serve_aged(port, now, work);
  for (unsigned i = 0; i < bank_count<plain>(port); ++i) {
    Bank& bank = port.banks[i];
    if (bank.queue.waiting()) accept_access(port, bank, now);
    if (plain && bank.stuck) continue;
    bank.stuck = false;
    if (!bank.queue.ready(now)) continue;
    if (!plain && (work.closed || (held_banks_ >> i & 1) != 0)) continue;
    bank.stuck = !look_up < plain ? Where::plain : Where::here > (port, bank.queue, bank.refused, now, work.taken);
    work.served |= !bank.stuck;
  }
  work.looked_up = work.served;
  if (port.fills.ready(now)) work.filled |= fill<plain>(port, now, work.taken);
  if (!plain)
    for (const auto& companion : companions_) companion->end(now, work);
  work.served |= work.filled;
  if (work.served) ++logic_.counters().busy_cycles;
  const bool sent = send_miss(port, now);
  // The ports of one L1 share its tags and MSHRs, so the work of one port may unblock another.
  const bool shared = !plain && ports_.size() > 1;
  // Other L1s of a cluster may have fetched sectors that a load waits to fetch, or may have invalidated a line.
  const bool others = !plain && logic_.joined();
  const Changes changes{sent || work.served || shared || others, work.served || shared};

  const Cycle next = next_work<plain>(port, changes, now);
  if (!plain) port_wake_[index] = next;
  if (next != kNever) clock_.wake(block_, next);
}

/// Takes the reply that the level below held back because the fill queue was full.
void L1Cache::accept_fill(Port& port, Cycle now) {
  Cycle end;
  Payload* const accepted = port.fills.admit_pending(now, end);
  if (accepted == nullptr) return;
  clock_.wake(block_, end);
  port.downstream.end_response(*accepted, clock_.delay(end - now));
}

/// Takes the access that the SM held back because the bank's queue was full.
void L1Cache::accept_access(Port& port, Bank& bank, Cycle now) {
  Cycle end;
  Payload* const accepted = bank.queue.admit_pending(now, end);
  if (accepted == nullptr) return;
  // Its pipeline begins in this cycle or on arrival, that is, in `end` or the cycle before.
  const Cycle ready = end + lookup_latency(accepted->access());
  clock_.wake(block_, std::max(ready - 1, now + 1));
  clock_.wake(block_, ready);
  accepted->stages().claim(Stage::lsu, now);
  port.upstream->accept(*accepted, clock_.delay(end - now));
}

/// Claims the time of a lookup whose pipeline ended in cycle `ready` and which then waited until cycle `now`. `of_peer`: for another SM.
void L1Cache::claim_lookup(Payload& payload, Cycle ready, Cycle now, bool of_peer, Stage wait) const {
  payload.stages().claim(of_peer ? Stage::peer : Stage::l1, ready + 1);
  payload.stages().claim(of_peer ? Stage::queueing : wait, now + 1);
}

/// Performs one lookup, in the L1 or in the store beside it; false if the access was refused and stays queued.
template <L1Cache::Where where>
bool L1Cache::look_up(Port& port, RequestQueue& queue, Refused& refused, Cycle now, SectorMask& taken) {
  constexpr bool in_side_store = where == Where::in_side_store, plain = where == Where::plain;
  Payload& payload = queue.front();
  count_refused(refused, now - 1);
  const L1Logic::Verdict& verdict =
      in_side_store ? logic_.look_up_side_store(payload.transaction(), room(port))
                    : logic_.access(payload.transaction(), room(port), plain || params_.data_banks == 1 ? SectorMask{0} : taken);
  if (verdict.outcome == L1Logic::Outcome::refused) {
    // Until its first lookup the access waited for its turn.
    if (refused.counted_to == kNever)
      claim_lookup(payload, queue.next_ready(), now - 1, !plain && of_peer(payload.access()), Stage::l1_queue);
    refused = {now, verdict.cause};
    return false;
  }
  if (!plain && verdict.outcome == L1Logic::Outcome::migrate && !side_store_->migrate(payload, refused, now)) return false;
  const Stage wait = refused.counted_to != kNever && is_for_entry(refused.cause) ? Stage::mshr_full : Stage::l1_queue;
  refused.counted_to = kNever;
  claim_lookup(payload, queue.next_ready(), now, !plain && of_peer(payload.access()), wait);
  queue.pop(now);
  if (!in_side_store) ++logic_.counters().requests;
  taken |= plain || params_.data_banks == 1 ? kAllSectors : banks_of(verdict.used);
  const Cycle data_at = in_side_store ? now + 1 : timing_.hit_data_at(now);
  payload.reply().l1_done = data_at;
  if (!plain)
    for (const auto& companion : companions_) companion->looked_up(payload, verdict);
  if (verdict.writeback) write_back(port, logic_.victim().access, logic_.victim().versions);
  if (verdict.outcome == L1Logic::Outcome::hit) {
    payload.reply().served_by = ServedBy::l1;
    answer<plain>(port, payload, data_at);
  } else if (verdict.outcome == L1Logic::Outcome::miss) {
    if (verdict.request != 0) queue_miss(port, request_of(payload, verdict));
  } else {
    handle_other_outcome(port, payload, verdict.outcome, now);
  }
  return true;
}

/// Handles an access that has neither hit nor missed.
void L1Cache::handle_other_outcome(Port& port, Payload& payload, L1Logic::Outcome outcome, Cycle now) {
  switch (outcome) {
    case L1Logic::Outcome::stored_here:
      payload.reply().served_by = ServedBy::l1;
      port.upstream->respond(payload, clock_.delay(1));
      break;
    case L1Logic::Outcome::pass:
      queue_miss(port, payload);
      break;
    case L1Logic::Outcome::look_up_side_store:
      side_store_->look_up_load(payload, now);
      break;
    case L1Logic::Outcome::migrate:
      side_store_->read_out(payload, now);
      break;
    case L1Logic::Outcome::hit:
    case L1Logic::Outcome::miss:
    case L1Logic::Outcome::merged:
    case L1Logic::Outcome::refused:
      break;
  }
}

/// Returns the request to send below for a load that missed, with a reference that deliver() releases. The load itself is the request if it
/// equals that request and nothing here writes to it before the reply.
Payload& L1Cache::request_of(Payload& load, const L1Logic::Verdict& verdict) {
  if (plain_ && verdict.alone) {
    load.acquire();
    return load;
  }
  Payload& request = pool_.acquire(load.access());
  request.transaction().access.sectors = verdict.request;
  request.message().tag = load.message().tag;
  if (params_.lineless) request.transaction().access.hint.no_install = true;
  request.stages() = load.stages();
  return request;
}

template bool L1Cache::look_up<L1Cache::Where::here>(Port&, RequestQueue&, Refused&, Cycle, SectorMask&);
template bool L1Cache::look_up<L1Cache::Where::in_side_store>(Port&, RequestQueue&, Refused&, Cycle, SectorMask&);

void L1Cache::catch_up() {
  const Cycle present = clock_.present_cycle();
  for (Port& port : ports_)
    for (Bank& bank : port.banks) count_refused(bank.refused, present);
  for (const auto& companion : companions_) companion->catch_up(present);
}

/// Performs a fill; false if there is none or its data banks are taken. A reply to an access that bypassed the cache needs no banks.
template <bool plain>
bool L1Cache::fill(Port& port, Cycle now, SectorMask& taken) {
  if (!port.fills.ready(now) || port.filled_at == now || (!plain && now < fills_from_)) return false;
  Payload& front = port.fills.front();
  if (!plain && passes_through(front.access())) {
    const Cycle ready = front.access().kind == AccessKind::load ? response_turn(now + 1) : now + 1;
    answer<plain>(port, port.fills.pop(now), ready);
    return false;
  }
  if (!plain && side_store_ != nullptr) {
    if (side_store_->precedes(port.fills, now)) return false;
    if (logic_.fill_target(front.access()) == MshrFile::FillTo::side_store) return side_store_->drain(port.fills, now);
  }
  const SectorMask banks = !fill_shares_port_ ? SectorMask{0} : plain ? kAllSectors : banks_of(front.access().sectors);
  if ((banks & taken) != 0) return false;
  taken |= banks;
  port.filled_at = now;
  logic_.counters().fill_wait += now - port.fills.next_ready();
  const bool of_peer = !plain && front.transaction().reply.served_by == ServedBy::peer;
  deliver<plain>(port.fills.pop(now), now, of_peer ? now + peer_fill_cycles_ : timing_.fill_data_at(now));
  return true;
}

/// Delivers the data of a reply that is filled now; they reach the SM in cycle `data_at`.
template <bool plain>
void L1Cache::deliver(Payload& reply, Cycle now, Cycle data_at) {
  const ServedBy served_by = reply.reply().served_by;
  reply.stages().claim(Stage::l1_queue, now);
  // ATA-O31: after a search of the peers in vain, the L1's part ends when the search is over.
  const bool peers_missed = !plain && reply.reply().l1_done != 0 && served_by != ServedBy::peer;
  const Cycle searched = peers_missed ? reply.reply().l1_done + timing_.data_cycles : 0;
  logic_.fill(
      reply.transaction(),
      [&](Transaction& waiter) {
        Payload& payload = Payload::of(waiter);
        payload.reply().served_by = served_by;
        waiter.served(reply.transaction(), present());
        payload.reply().l1_done = std::max(payload.reply().l1_done, searched);
        // If SMs share the L1, each waiter belongs to the port of its SM.
        Port& home = ports_[plain || ports_.size() == 1 ? 0 : payload.access().sm - first_sm_];
        answer<plain>(home, payload, response_turn(waiter.message.ready));
      },
      data_at);
  reply.release();
}
template void L1Cache::deliver<false>(Payload&, Cycle, Cycle);

/// Serves work that has waited for age_limit cycles before lookups, oldest first (CM-10).
void L1Cache::serve_aged(Port& port, Cycle now, Work& work) {
  for (bool fill_left = true;;) {
    Cycle oldest = fill_left ? port.fills.next_ready() : kNever;
    const Cycle aged = aged_ != nullptr ? aged_->waiting_since(now) : kNever;
    const bool fill_is_older = oldest <= aged;
    oldest = std::min(oldest, aged);
    if (oldest > now || now - oldest < params_.age_limit) return;
    if (!fill_is_older) {
      aged_->serve_oldest(now, work);
    } else {
      fill_left = false;
      work.filled |= fill<false>(port, now, work.taken);
    }
  }
}

/// Answers an access; false if the SM accepts the answer later. Answers to other SMs are kept here until accepted.
template <bool plain>
bool L1Cache::answer(Port& port, Payload& payload, Cycle at) {
  if (!plain && of_peer(payload.access())) {
    peers_->answer(payload, at);
    return true;
  }
  payload.stages().claim(Stage::l1, at);
  return port.upstream->respond(payload, clock_.edge(at) - present());
}

void L1Cache::queue_miss(Port& port, Payload& payload) { port.misses.push(&payload); }

/// Sends at most one request per cycle to the network interface; false if none is sent.
bool L1Cache::send_miss(Port& port, Cycle now) {
  if (port.misses.empty() || !port.outlet.is_open(now)) return false;
  Payload& payload = *port.misses.front();
  port.misses.pop();
  port.outlet.send(now + 1, [&] { return port.downstream.send(payload, clock_.delay(1)) != Acceptance::pending; });
  return true;
}

}  // namespace wharf
