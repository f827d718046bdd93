#include "model/designs/ata/distributor.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/designs/ata/aggregated_tag_array.h"

namespace wharf {

namespace {

constexpr unsigned kRequestLink = 0, kSupplyLink = 1;  // out
constexpr unsigned kReadsIn = 0, kAnswersIn = 1;       // in
constexpr std::uint32_t kArrivals = 2;                 // messages from the request crossbar that do not fit into the list of reads

constexpr SectorMask bit(unsigned sector) { return static_cast<SectorMask>(1u << sector); }

}  // namespace

Distributor::Counters::Counters(stats::Group& g)
    : requests(g, "requests", "reads sent to another L1 of the cluster", stats::Unit::count),
      sectors_requested(g, "sectors.requested", "sectors of these reads", stats::Unit::count),
      sectors_received(g, "sectors.received", "sectors requested that another L1 supplied", stats::Unit::count),
      sectors_denied(g, "sectors.denied", "sectors requested that no L1 supplied, fetched from L2", stats::Unit::count),
      diverted(g, "diverted", "misses sent to L2 because the request crossbar had no place (ATA-O18)", stats::Unit::count),
      own_written(g, "sectors.own_written",
                  "sectors requested of lines that this SM has written in this kernel; their data may be older than its store (ATA-O26)",
                  stats::Unit::count),
      reads(g, "reads", "reads of other SMs accepted", stats::Unit::count),
      sectors_asked(g, "sectors.asked", "sectors of these reads", stats::Unit::count),
      sectors_supplied(g, "sectors.supplied", "sectors asked for and sent", stats::Unit::count),
      sectors_refused(g, "sectors.refused", "sectors asked for and not sent", stats::Unit::count),
      nacks_dirty(g, "nacks.dirty", "NACKs because this SM has written to the line (ATA-O22)", stats::Unit::count),
      nacks_evicted(g, "nacks.evicted", "NACKs because the line or the sector was no longer here (ATA-O24)", stats::Unit::count),
      invalidations(g, "invalidations", "invalidations sent to the other L1s of the cluster", stats::Unit::count),
      invalidated(g, "invalidated", "invalidations received", stats::Unit::count),
      read_wait(g, "read_wait", "cycles that reads of other SMs waited for data banks, summed over grants", stats::Unit::cycles),
      answer_wait(g, "answer_wait", "cycles that data from other L1s waited for data banks", stats::Unit::cycles) {
  g.law("sectors.requested == sectors.received + sectors.denied",
        [this] { return sectors_requested.value() == sectors_received.value() + sectors_denied.value(); });
  g.law("sectors.asked == sectors.supplied + sectors.refused",
        [this] { return sectors_asked.value() == sectors_supplied.value() + sectors_refused.value(); });
}

Distributor::Distributor(L1Cache& cache, const ClusterPlace& place, stats::Registry& registry)
    : L1Companion(cache),
      place_(place),
      self_(static_cast<unsigned>(group().instance()) - place.sms.first),
      cluster_(registry, "cluster", group().instance()),
      counters_(cluster_),
      tags_("tags"),
      reads_in_("reads", *this, kReadsIn),
      answers_in_("answers", *this, kAnswersIn),
      request_link_("requests", *this, kRequestLink),
      supply_link_("supplies", *this, kSupplyLink),
      arrivals_(kArrivals),
      answers_(params().fill_queue) {
  logic().join(static_cast<Neighbours&>(*this));
  serve_aged(*this);
  lengthen_load_lookups(place.params.extra_tag_cycles);
  reads_.reserve(place.params.read_queue);
}

HitVector Distributor::read_tags(LineAddress line) {
  HitVector hits;
  tags_.read(line.byte_address(), hits);
  return hits;
}

Neighbours::Offer Distributor::request_offer(const Access& load, SectorMask missing) {
  // If the SM's own store to the line is still on its way to L2, a fill could overtake it and put the old value back into an invalidated
  // neighbour.
  if (place_.params.store_invalidates_cluster && written_.contains(load.line)) return {};
  const Holder holder = best_holder(read_tags(load.line), missing, self_, place_.sms.size);
  if (holder.sectors == 0) return {};
  const bool room = requests_.size() < place_.params.request_queue, diverted = !room && place_.params.divert_when_full;
  return {room ? holder.sectors : SectorMask{0}, static_cast<std::uint8_t>(holder.cache), diverted, room || diverted};
}

Neighbours::Copies Distributor::copies_of(const Access& store) {
  if (!place_.params.store_invalidates_cluster) return {};
  const HitVector hits = read_tags(store.line);
  std::uint64_t holders = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (store.sectors >> s & 1) holders |= hits[s];
  holders &= ~(std::uint64_t{1} << self_);
  return {holders, requests_.size() + static_cast<unsigned>(__builtin_popcountll(holders)) <= place_.params.request_queue};
}

void Distributor::holds(LineAddress line, SectorMask valid, bool modified) {
  tags_.write(line.byte_address(), modified && place_.params.dirty_in_tag ? SectorMask{0} : valid);
}

void Distributor::holds_nothing() { tags_.write(AggregatedTagArray::kEveryLine, SectorMask{0}); }

void Distributor::fill_header(Payload& payload, unsigned endpoint, MessageKind kind, Traffic traffic, SectorMask data) {
  MessageHeader& header = payload.message();
  header.source = static_cast<std::uint16_t>(place_.sms.first + self_);
  header.destination = static_cast<std::uint16_t>(endpoint);
  header.traffic = traffic;
  header.kind = kind;
  header.flits = place_.data_flits[sector_count(data)];
}

void Distributor::decided(const Transaction& load, const L1Logic::Verdict& miss) {
  const SectorMask sectors = miss.from_peer;
  if (miss.diverted) ++counters_.diverted;
  if (sectors == 0) return;
  ++counters_.requests;
  counters_.sectors_requested += sector_count(sectors);
  if (written_.contains(load.access.line)) counters_.own_written += sector_count(sectors);
  Payload& read = pool().acquire(load.access);
  read.transaction().access.sectors = sectors;
  read.stages() = load.stages;
  fill_header(read, place_.sms.first + miss.peer, MessageKind::read_request, Traffic::to_peer, 0);
  requests_.push_back(read.transaction(), clock().now() + 1);
}

void Distributor::passed(const Access& access, std::uint64_t holders) {
  if (access.kind != AccessKind::store && access.kind != AccessKind::atomic) return;
  written_.insert(access.line);
  if (access.kind != AccessKind::store || access.cache_op == CacheOp::bypass_l1) return;
  for (const unsigned holder : set_bits(holders)) {
    ++counters_.invalidations;
    Payload& invalidation = pool().acquire(access);
    fill_header(invalidation, place_.sms.first + holder, MessageKind::write_request, Traffic::to_peer, 0);
    requests_.push_back(invalidation.transaction(), clock().now() + 1);
  }
}

bool Distributor::message(unsigned index, Payload& payload, Picoseconds at) {
  RequestQueue& queue = index == kReadsIn ? arrivals_ : answers_;
  const Cycle arrival = clock().cycle_at(at), present = clock().present_cycle();
  const Acceptance acceptance = queue.offer(payload, arrival, 0, present);
  wake(acceptance == Acceptance::accepted ? std::max(arrival, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void Distributor::posted(unsigned index, Picoseconds at) {
  Outlet& outlet = (index == kRequestLink ? request_link_ : supply_link_).outlet;
  outlet.reopen(clock().cycle_at(at));
  wake(std::max(outlet.opens_at(), clock().present_cycle() + 1));
}

void Distributor::begin(Cycle now, L1Cache::Work&) {
  answer_tried_ = false;
  reads_tried_ = 0;
  Cycle end;
  if (Payload* accepted = arrivals_.admit_pending(now, end)) reads_in_.accept(*accepted, clock().delay(end - now));
  if (Payload* accepted = answers_.admit_pending(now, end)) answers_in_.accept(*accepted, clock().delay(end - now));
  while (arrivals_.ready(now) && (reads_.size() < place_.params.read_queue || arrivals_.front().access().kind == AccessKind::store)) {
    const Cycle since = arrivals_.next_ready();
    Payload& payload = arrivals_.pop(now);
    if (payload.access().kind == AccessKind::store) {
      ++counters_.invalidated;
      logic().invalidate(payload.access().line, payload.access().sectors);
      payload.release();
    } else {
      ++counters_.reads;
      counters_.sectors_asked += sector_count(payload.access().sectors);
      reads_.push_back({&payload, payload.access().sectors, since});
    }
  }
  fetch_denied();
}

/// Sends denied sectors to L2, ahead of new misses.
void Distributor::fetch_denied() {
  while (!denied_.empty() && room() != 0) queue_miss(Payload::of(denied_.pop_front()));
}

bool Distributor::fill(Cycle now, SectorMask& taken) {
  if (!answers_.ready(now) || filled_at_ == now) return false;
  Payload& answer = answers_.front();
  const SectorMask sectors = answer.access().sectors;
  if (answer.message().kind == MessageKind::probe_return) {
    answers_.pop(now);
    counters_.sectors_denied += sector_count(sectors);
    answer.reply() = {};
    answer.reply().l1_done = now + 1;  // ATA-O31: this is decided only now
    denied_.push_back(answer.transaction(), now);
    fetch_denied();
    return false;
  }
  if ((banks_of(sectors) & taken) != 0) return false;
  taken |= banks_of(sectors);
  filled_at_ = now;
  counters_.answer_wait += now - answers_.next_ready();
  counters_.sectors_received += sector_count(sectors);
  deliver(answers_.pop(now), now, now + 1);
  return true;
}

bool Distributor::serve(unsigned nth, Cycle now, SectorMask& taken) {
  Read& read = reads_[nth];
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((read.left & bit(s) & ~taken) == 0) continue;
    read.granted |= bit(s);
    taken |= banks_of(bit(s));
  }
  supply(read, now);
  if (read.left != 0) return false;
  reads_.erase(reads_.begin() + nth);
  return true;
}

/// Each free bank grants the read of the L1 whose turn it is (ATA-O10).
void Distributor::serve_in_turn(Cycle now, SectorMask& taken) {
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((taken & bit(s)) != 0) continue;
    Read* chosen = nullptr;
    unsigned nearest = place_.sms.size;
    for (Read& read : reads_) {
      const unsigned source = read.payload->message().source - place_.sms.first;
      const unsigned distance = (source + place_.sms.size - turn_[s]) % place_.sms.size;
      if ((read.left & bit(s)) == 0 || distance >= nearest) continue;
      nearest = distance;
      chosen = &read;
    }
    if (chosen == nullptr) continue;
    chosen->granted |= bit(s);
    taken |= banks_of(bit(s));
    turn_[s] = (turn_[s] + nearest + 1) % place_.sms.size;
  }
  for (Read& read : reads_) supply(read, now);
  reads_.erase(std::remove_if(reads_.begin(), reads_.end(), [](const Read& read) { return read.left == 0; }), reads_.end());
}

/// Serves the banks granted to a read in this cycle (ata sections 6.2 and 6.4).
void Distributor::supply(Read& read, Cycle now) {
  const SectorMask asked = read.granted;
  if (asked == 0) return;
  read.granted = 0;
  counters_.read_wait += now - read.since;
  SectorVersions versions{};
  const L1Logic::Supply given = logic().supply(read.payload->access(), asked, place_.params.remote_lru_touch, versions);
  // If no sector of the line can be supplied, the sectors that still wait share this NACK.
  const SectorMask denied = given.whole_line ? read.left : asked & ~given.sectors;
  read.left &= ~(asked | denied);
  if (given.sectors != 0) {
    counters_.sectors_supplied += sector_count(given.sectors);
    Payload& data = answer(read, given.sectors, read.left == 0 && denied == 0, now);
    data.stages().claim(Stage::peer, params().hit_data_at(now));
    data.versions() = versions;
    data.reply().served_by = ServedBy::peer;
    fill_header(data, data.message().source, MessageKind::peer_reply, Traffic::from_peer, given.sectors);
    supplies_.push_back(data.transaction(), params().hit_data_at(now));
  }
  if (denied != 0) {
    counters_.sectors_refused += sector_count(denied);
    ++(given.denial == L1Logic::Denial::dirty ? counters_.nacks_dirty : counters_.nacks_evicted);
    Payload& nack = answer(read, denied, read.left == 0, now);
    nack.stages().claim(Stage::peer, now + 2);
    fill_header(nack, nack.message().source, MessageKind::probe_return, Traffic::from_peer, 0);
    nacks_.push_back(nack.transaction(), now + 2);
  }
}

/// Returns a packet for some sectors of a read. The last packet reuses the read itself.
Payload& Distributor::answer(Read& read, SectorMask sectors, bool last, Cycle now) {
  Payload& packet = last ? *read.payload : pool().acquire(read.payload->access());
  packet.message().source = read.payload->message().source;
  packet.transaction().access.sectors = sectors;
  packet.stages() = read.payload->stages();
  packet.stages().claim(Stage::queueing, now + 1);
  return packet;
}

void Distributor::serve_oldest(Cycle now, L1Cache::Work& work) {
  if (answered_at() <= read_at(now)) {
    answer_tried_ = true;
    work.filled |= fill(now, work.taken);
  } else if (!serve(reads_tried_, now, work.taken)) {
    ++reads_tried_;
  }
}

void Distributor::looked_up(Payload& payload, const L1Logic::Verdict& verdict) {
  if (verdict.outcome == L1Logic::Outcome::pass) passed(payload.access(), verdict.holders);
  if (verdict.outcome == L1Logic::Outcome::miss && payload.access().kind == AccessKind::load) decided(payload.transaction(), verdict);
}

void Distributor::end(Cycle now, L1Cache::Work& work) {
  work.filled |= fill(now, work.taken);
  if (!reads_.empty() && supply_link_.outlet.is_open(now)) serve_in_turn(now, work.taken);
  send_front(request_link_, requests_, now);
  if (!send_front(supply_link_, nacks_, now)) send_front(supply_link_, supplies_, now);
}

/// Sends at most one message per cycle and link. Returns false if none is sent.
bool Distributor::send_front(Link& link, TransactionList& queue, Cycle now) {
  if (!link.outlet.is_open(now) || queue.next_ready() > now + 1) return false;
  link.outlet.send(now + 1, [&] { return link.port.post(Payload::of(queue.pop_front()), clock().delay(1)); });
  return true;
}

Cycle Distributor::next_work(Cycle now, const L1Cache::Changes&) {
  Cycle next = answers_.next_ready();
  const bool read_room = reads_.size() < place_.params.read_queue;
  if (!arrivals_.empty() && (read_room || arrivals_.front().access().kind == AccessKind::store))
    next = std::min(next, arrivals_.next_ready());
  const bool soon = answers_.waiting() || arrivals_.waiting() || (!reads_.empty() && supply_link_.outlet.is_open(now + 1)) ||
                    (!denied_.empty() && room() != 0);
  if (soon) return now + 1;
  // A message is sent one cycle before it arrives at the other side.
  const auto leaves = [&](const Link& link, Cycle ready) { return ready == kNever ? kNever : std::max(link.outlet.opens_at(), ready - 1); };
  return std::min(
      {next, leaves(request_link_, requests_.next_ready()), leaves(supply_link_, std::min(nacks_.next_ready(), supplies_.next_ready()))});
}

void Distributor::inspect(std::vector<Wait>& waits) const {
  const std::string path = cluster_.path(), sm = "[" + std::to_string(cluster_.instance()) + "]";
  const auto report_wait = [&](const char* what, const std::string& resource, const Access& access) {
    waits.push_back({path + what, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  if (!requests_.empty()) report_wait(".requests", "cluster.request.input" + sm, requests_.front().access);
  if (!supplies_.empty()) report_wait(".supplies", "cluster.reply.input" + sm, supplies_.front().access);
  if (!reads_.empty())
    report_wait(".reads", path + (supply_link_.outlet.is_pending() ? ".supplies" : ".data_banks"), reads_.front().payload->access());
  if (!arrivals_.empty()) report_wait(".arrivals", path + ".reads", arrivals_.front().access());
  if (!denied_.empty()) report_wait(".denied", group().path() + ".miss_queue", denied_.front().access);
}

bool Distributor::archive(Archive& file) {
  bool quiet = reads_.empty() && !request_link_.outlet.is_pending() && !supply_link_.outlet.is_pending();
  for (const TransactionList* list : {&requests_, &supplies_, &nacks_, &denied_}) quiet = quiet && list->empty();
  for (const RequestQueue* queue : {&arrivals_, &answers_}) quiet = quiet && queue->empty() && !queue->waiting();
  file.expect_quiet(quiet, group().path() + ".distributor");
  file(request_link_.outlet, supply_link_.outlet, filled_at_, answer_tried_, reads_tried_, turn_, written_);
  return true;
}

}  // namespace wharf
