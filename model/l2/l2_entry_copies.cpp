// L2Entry with `partition: local_copy`. A commit in cycle c takes what is ready in cycle c + 1, so it adds no cycle.

#include <algorithm>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/l2/l2_entry.h"
#include "model/l2/l2_slice.h"

namespace wharf {

L2Entry::Copying::Copying(const PartitionParams& params, L2Copies::Owner owner, stats::Group& group, const Environment& environment)
    : slice(*environment.slice),
      copies(params.coherence, slice.logic().slots(), group, std::move(owner)),
      mirror(*environment.built, slice, copies),
      slice_cycles(environment.built->access_cycles) {
  slice.logic().keep_copies(copies);
}

void L2Entry::add_laws_of_copies(const stats::Counter& accesses) {
  const L2CopyCounters& copies = copying_->copies.counters();
  group_.law("link.requests == far - copy.hits - copy.merged + copy.prefetched + invalidations.sent + copy.eviction_notices",
             [this, &copies] {
               return counters_.requests.value() + copies.hits.value() + copies.merged.value() ==
                      counters_.far.value() + copies.prefetched.value() + copies.sent.value() + copies.notices.value();
             });
  group_.law("near + link.responses == accesses + invalidations.received", [this, &copies, &accesses] {
    return counters_.near.value() + counters_.responses.value() == accesses.value() + copies.received.value();
  });
  group_.law("copy.installs == copy.evictions + copy.invalidated + copy.expired + copies present",
             [this] { return copying_->copies.copies_present() == copying_->slice.logic().resident_copies(); });
}

void L2Entry::write(const Event& event) {
  if (event.kind != Event::Kind::kernel_start) return;
  // The domain of the kernel's start may act before this one or after it.
  copying_->expires_from = clock_.present_cycle() + 1;
  wake(copying_->expires_from);
}

/// The next cycle whose commit has work; kNever if there is none, or if another event must come first.
Cycle L2Entry::next_commit() const {
  if (copying_ == nullptr) return kNever;
  Cycle ready = kNever;
  if (!requests_.empty() && !front_is_near_ && far_.size() < link_queue_) ready = requests_.next_ready();
  if (invalidation_is_next() && copying_->acks.size() < link_queue_) ready = std::min(ready, forwarded_.next_ready());
  if (copying_->released.size() < link_queue_) ready = std::min(ready, link_replies_.next_ready());
  if (!copying_->notices.empty()) ready = std::min(ready, copying_->notices.front().arrival);
  return std::min(copying_->expires_from, ready == kNever ? kNever : ready - 1);
}

void L2Entry::commit() {
  const Cycle now = clock_.now();
  if (copying_->committed != now) {
    copying_->committed = now;
    if (copying_->expires_from <= now) {
      copying_->mirror.expire();
      copying_->expires_from = kNever;
    }
    handle_notices(now + 1);
    handle_invalidation(now);
    handle_link_answer(now);
    look_up_far(now);
  }
  send_changes();
  if (const Cycle cycle = next(now); cycle != kNever) wake(cycle);
}

/// Accepts a notice at once, so that it never waits behind requests. The home may learn of an eviction before it serves older requests,
/// but never after it has served a later one.
Acceptance L2Entry::receive_notice(const Payload& payload, Cycle arrival) {
  copying_->notices.push_back({payload.access().line, arrival});
  wake(arrival - 1);
  if (arrival <= clock_.present_cycle() + 1) clock_.request_commit(*this);
  return Acceptance::completed;
}

void L2Entry::handle_notices(Cycle next) {
  auto& notices = copying_->notices;
  for (; !notices.empty() && notices.front().arrival <= next; notices.pop_front()) copying_->slice.mirror_evicted(notices.front().line);
}

/// Removes the copy that the mirror, its home, invalidates, and queues the answer.
void L2Entry::handle_invalidation(Cycle now) {
  if (!invalidation_is_next() || forwarded_.next_ready() > now + 1 || copying_->acks.size() >= link_queue_) return;
  Payload& payload = forwarded_.pop(now);
  copying_->mirror.invalidate(payload.access().line);
  copying_->acks.push_back(payload.transaction());
}

/// Takes one answer from the link: an acknowledgement of an invalidation, sectors to copy, or the answer to a far access.
void L2Entry::handle_link_answer(Cycle now) {
  if (link_replies_.next_ready() > now + 1 || copying_->released.size() >= link_queue_) return;
  const Cycle due = link_replies_.next_ready();
  Payload& payload = link_replies_.pop(now);
  if (is_control(payload)) return finish_invalidation(payload, now);
  claim(payload, due, now + 1);
  if (is_copy_read(payload.transaction())) {
    copying_->mirror.arrived(payload.transaction(), [&](Transaction& waiter) {
      waiter.served(payload.transaction(), clock_.edge(now + 1));
      copying_->released.push_back(waiter, now + 1);
    });
    payload.release();
    return;
  }
  copying_->mirror.returned(payload.transaction());
  copying_->released.push_back(payload.transaction(), now + 1);
}

void L2Entry::finish_invalidation(Payload& payload, Cycle now) {
  const auto found = copying_->under_way.find(payload.access().line.number);
  payload.release();
  ++copying_->copies.counters().acked;
  if (--found->second.invalidations != 0) return;
  TransactionList& held = found->second.held;
  while (!held.empty()) {
    Transaction& answer = held.pop_front();
    answer.stages.claim_to(Stage::partition, clock_.edge(now + 1));
    copying_->released.push_back(answer, now + 1);
  }
  copying_->under_way.erase(found);
}

/// Keeps the oldest answer of the slice if a store or atomic of this half must wait for an invalidation. Returns true if so.
bool L2Entry::holds_answer(Cycle now) {
  const Access& access = near_replies_.front().access();
  if (access.kind != AccessKind::store && access.kind != AccessKind::atomic) return false;
  const auto found = copying_->under_way.find(access.line.number);
  if (found == copying_->under_way.end()) return false;
  found->second.held.push_back(pop_answer(0, now).transaction());
  return true;
}

/// Looks up the oldest request of the network interface if it is far.
void L2Entry::look_up_far(Cycle now) {
  if (requests_.empty() || front_is_near_ || requests_.next_ready() > now + 1 || far_.size() >= link_queue_) return;
  if (copying_->hits.size() >= copying_->slice_cycles + link_queue_) return;
  Payload& payload = requests_.front();
  const L2Mirror::Outcome outcome = copying_->mirror.look_up(payload.transaction());
  if (outcome == L2Mirror::Outcome::refused) return;
  claim(payload, requests_.next_ready(), now + 1);
  requests_.pop(now);
  look_at_front();
  if (outcome == L2Mirror::Outcome::hit) copying_->hits.push_back(payload.transaction(), now + 1 + copying_->slice_cycles + 1);
  if (outcome == L2Mirror::Outcome::fetches) request_sectors(payload);
  if (outcome == L2Mirror::Outcome::passes) far_.push_back(payload.transaction());
}

/// Queues the requests for the sectors that `payload` waits for and for those beside them, which may exceed the places of the link.
void L2Entry::request_sectors(Payload& payload) {
  bool first = true;
  for (const SectorMask sectors : copying_->mirror.fetches()) {
    if (sectors == 0) continue;
    Payload& request = pool_.acquire(payload.access());
    request.transaction().access.sectors = sectors;
    request.message().source = request.message().destination = node_;
    if (first && payload.stages().counted()) request.stages() = payload.stages();
    if (!first) request.transaction().access.id = 0;
    first = false;
    far_.push_back(request.transaction());
  }
}

/// Queues the messages to the mirror that changes of this cycle require. They may exceed the places of the link, because the slice cannot
/// wait for them: a request of the mirror might wait for the slice.
void L2Entry::send_changes() {
  L2Copies& copies = copying_->copies;
  for (const LineAddress line : copies.to_invalidate()) {
    ++copying_->under_way[line.number].invalidations;
    ++copies.counters().sent;
    far_.push_back(control_message(line, false).transaction());
  }
  copies.to_invalidate().clear();
  // If sectors of the line are under way, they will be a copy again, and the home must not forget it.
  for (const LineAddress line : copies.evicted()) {
    if (copying_->mirror.fetching(line)) continue;
    ++copies.counters().notices;
    far_.push_back(control_message(line, true).transaction());
  }
  copies.evicted().clear();
}

Payload& L2Entry::control_message(LineAddress line, bool notice) {
  Access access;
  access.line = line;
  access.kind = AccessKind::metadata;
  Payload& payload = pool_.acquire(access);
  payload.message().source = payload.message().destination = node_;
  payload.message().tag = notice ? kNotice : 0;
  return payload;
}

/// Answers the oldest invalidation.
void L2Entry::send_ack(Cycle now) {
  Payload& payload = Payload::of(copying_->acks.pop_front());
  start_on_link(payload, packets_.flits(0, kByte), now);
  answer_over_link(payload, now);
}

bool L2Entry::copies_quiet() const {
  return copying_ == nullptr || (copying_->mirror.quiet() && copying_->hits.empty() && copying_->released.empty() &&
                                 copying_->acks.empty() && copying_->under_way.empty() && copying_->notices.empty());
}

void L2Entry::inspect_copies(std::vector<Wait>& waits) const {
  const std::string path = group_.path();
  const auto add = [&](const Transaction* transaction, const char* holder, const std::string& resource) {
    if (transaction == nullptr) return;
    const Access& access = transaction->access;
    waits.push_back({path + holder, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  copying_->mirror.mshrs().for_each([&](const MshrFile::Entry& entry) { add(entry.first, ".copy.mshr", "the mirror of " + path); });
  for (const auto& under_way : copying_->under_way)
    if (!under_way.second.held.empty()) add(&under_way.second.held.front(), ".held_replies", "the mirror of " + path);
  if (!copying_->released.empty()) add(&copying_->released.front(), ".link.released", "nic." + path + ".reply");
  if (!copying_->hits.empty()) add(&copying_->hits.front(), ".copy.hits", "nic." + path + ".reply");
  if (!copying_->acks.empty()) add(&copying_->acks.front(), ".link.acks", path + ".link.responses");
}

// Skipped work (stimuli/sampling/warmed_caches.h): accesses in no time, while messages of the machine's own accesses may be on the link.

void L2Entry::perform(Transaction& transaction, L2Entry& mirror, L2Logic::Below& below, Cycle now) {
  const LineAddress line = transaction.access.line;
  transaction.message.destination = node_;
  if (is_near(line))
    copying_->slice.logic().perform(transaction, local_line(line), below, now);
  else
    perform_far(transaction, mirror, below, now);
  settle(mirror);
  mirror.settle(*this);
}

/// As L2Mirror::look_up(), but where an access of the line is under way, nothing changes.
void L2Entry::perform_far(Transaction& transaction, L2Entry& home, L2Logic::Below& below, Cycle now) {
  const Access& access = transaction.access;
  const std::uint64_t local = local_line(access.line);
  L2Logic& lines = copying_->slice.logic();
  if (copying_->mirror.under_way(access.line)) return;
  if (access.kind != AccessKind::store && access.kind != AccessKind::atomic) {
    if (lines.read_copy(transaction, local)) return;
    copy_from(home, access, copying_->mirror.itself(access), below, now);
    for (const unsigned sector : set_bits(std::uint32_t{copying_->mirror.beside(access)}))
      copy_from(home, access, static_cast<SectorMask>(1u << sector), below, now);
    return;
  }
  if (access.kind == AccessKind::atomic && lines.drop_copy(access.line, local)) ++copying_->copies.counters().invalidated;
  home.copying_->slice.logic().perform(transaction, local, below, now);
  if (access.kind == AccessKind::store) lines.update_copy(transaction, local);
}

/// Reads `sectors` of the line of `access` at its home, and copies what the home then holds.
void L2Entry::copy_from(L2Entry& home, const Access& access, SectorMask sectors, L2Logic::Below& below, Cycle now) {
  L2Logic& lines = home.copying_->slice.logic();
  const std::uint64_t local = local_line(access.line);
  Transaction data;
  data.access = access;
  data.access.sectors = sectors;
  data.message.source = data.message.destination = node_;
  lines.perform(data, local, below, now);
  if ((sectors & ~lines.held(access.line, local, data.versions)) != 0) return;
  lines.copied_by_warming(access.line, local);
  copying_->slice.logic().perform_copy(data, local, below);
}

/// Does to the copies of `mirror` what L2Entry::send_changes() would ask it to by messages.
void L2Entry::settle(L2Entry& mirror) {
  L2Copies& copies = copying_->copies;
  for (const LineAddress line : copies.to_invalidate()) mirror.copying_->mirror.invalidate(line);
  copies.to_invalidate().clear();
  for (const LineAddress line : copies.evicted())
    if (!copying_->mirror.fetching(line)) mirror.copying_->slice.logic().copy_removed_by_warming(line, local_line(line));
  copies.evicted().clear();
}

void L2Entry::begin_warming() { copying_->copies.begin_warming(); }

void L2Entry::end_warming() { copying_->copies.end_warming(); }

void L2Entry::expire_copies() { copying_->mirror.expire(); }

}  // namespace wharf
