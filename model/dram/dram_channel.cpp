#include "model/dram/dram_channel.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/tlm/debug_access.h"

namespace wharf {

DramChannel::DramChannel(sc_core::sc_module_name name, const DramParams& params, std::uint32_t link_queue, unsigned number,
                         const Environment& environment)
    : sc_module(name),
      clock_(environment.clock),
      block_(clock_.add(*this)),
      verify_(environment.verify),
      addresses_(environment.addresses),
      slices_(environment.slices_per_channel),
      links_(slices_ + environment.other_links),
      path_("dram[" + std::to_string(number) + "]"),
      group_(environment.registry, "dram", static_cast<int>(number)),
      logic_(params, group_),
      contents_of_(environment.contents) {
  for (unsigned i = 0; i < slices_ + environment.other_links; ++i)
    links_.emplace_back("upstream" + std::to_string(i), *this, i, link_queue);
  clock_.prefetch_with(block_, &logic_);
}

Acceptance DramChannel::request(unsigned index, Payload& payload, Picoseconds at) {
  const Cycle present = clock_.present_cycle();
  const Cycle arrived = std::max(clock_.cycle_at(at), present + 1);
  payload.stages().claim_to(Stage::dram, at);
  RequestQueue& queue = links_[index].queue;
  if (queue.full()) work_before(present);  // may free an entry
  const Acceptance acceptance = queue.offer(payload, arrived, 0, present);
  next_request_ = std::min(next_request_, queue.next_ready());
  const bool write = payload.access().kind == AccessKind::store;
  writes_ += write;
  // A pending request takes an entry as soon as one is free, possibly long before it arrives.
  const bool pending = acceptance != Acceptance::accepted;
  pending_ |= pending;
  const Cycle first = pending ? present + 1 : arrived + logic_.least_clocks(write);
  if (first < awake_at_) wake(first);
  return acceptance;
}

void DramChannel::response_accepted(unsigned index, Picoseconds at) {
  Link& link = links_[index];
  link.free = clock_.cycle_at(at);
  if (!link.done.empty()) clock_.wake(block_, std::max(link.free, clock_.present_cycle() + 1));
}

void DramChannel::wake(Cycle cycle) {
  awake_at_ = cycle;
  clock_.wake(block_, cycle);
}

/// No other block sees commands, so the channel acts only when an answer is due, and then performs the clocks since its last act one by
/// one. Only initiators that wait for a queue entry must be notified at once.
void DramChannel::act(Cycle now) {
  if (pending_) admit_pending(now);
  work_before(now + 1);
  answer(now);
  const Cycle next = !pending_ ? next_answer() : admits_after(now) ? now + 1 : std::min(next_step(), logic_.next_completion());
  awake_at_ = kNever;
  if (next != kNever) wake(std::max(next, now + 1));
}

/// The next clock in which a request may enter or a command be issued. If the queue is full, requests wait for a command that frees an
/// entry.
Cycle DramChannel::next_step() const {
  const Cycle step = logic_.next_step();
  return logic_.has_room() ? std::min(step, std::max(next_request_, logic_.open_from())) : step;
}

/// A lower bound for the next answer, for the requests known so far.
Cycle DramChannel::next_answer() const {
  const Cycle completion = logic_.next_completion(), least = logic_.least_clocks(writes_ != 0);
  return completion != kNever ? completion : std::min(next_step(), kNever - least) + least;
}

/// Performs all clocks before `end`.
void DramChannel::work_before(Cycle end) {
  for (;;) {
    // While the queue is full, commands are issued one by one, so that a request enters as soon as there is room.
    const bool room = logic_.has_room();
    const Cycle next = room ? std::max(next_request_, logic_.open_from()) : logic_.next_step();
    if (next >= end) break;
    logic_.run_before(room ? next : next + 1);
    if (room) accept(next);
  }
  logic_.run_before(end);
}

/// Accepts the requests that waited for a queue entry and now have one.
void DramChannel::admit_pending(Cycle now) {
  work_before(now);
  pending_ = false;
  for (unsigned i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    Cycle end;
    if (!link.queue.waiting()) continue;
    if (Payload* accepted = link.queue.admit_pending(now, end)) link.port.accept(*accepted, clock_.delay(end - now));
    next_request_ = std::min(next_request_, link.queue.next_ready());
    pending_ |= link.queue.waiting();
  }
}

bool DramChannel::admits_after(Cycle now) const {
  bool admits = false;
  for (unsigned i = 0; i < links_.size(); ++i) admits |= links_[i].queue.admits_after(now);
  return admits;
}

/// Takes one request from each link in turn, as long as the channel accepts any.
void DramChannel::accept(Cycle now) {
  const auto links = static_cast<unsigned>(links_.size());
  while (logic_.can_accept(now)) {
    std::uint64_t ready = 0;
    for (unsigned i = 0; i < links; ++i) ready |= std::uint64_t{links_[i].queue.ready(now)} << i;
    if (ready == 0) break;
    const unsigned index = next_bit_from(ready, next_link_);
    RequestQueue& queue = links_[index].queue;
    const Access& access = queue.front().access();
    const Address address = access.line.byte_address();
    const bool store = access.kind == AccessKind::store;
    logic_.accept({reinterpret_cast<std::uintptr_t>(&queue.front()) | index, address, local_address(address), access.sectors, store}, now);
    Payload& accepted = queue.pop(now);
    access_contents(accepted.access(), accepted.versions());
    next_link_ = (index + 1) * (index + 1 != links);
  }
  next_request_ = kNever;
  for (unsigned i = 0; i < links; ++i) next_request_ = std::min(next_request_, links_[i].queue.next_ready());
  next_request_ = std::max(next_request_, now + 1);
}

/// Requests of one line are served in order of acceptance, so the contents can be read and written now.
void DramChannel::access_contents(const Access& access, SectorVersions& versions) {
  if (!verify_) return;
  SectorVersions& stored = contents_[access.line.number];
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    if (access.kind == AccessKind::store)
      stored[s] = versions[s];
    else
      versions[s] = stored[s];
  }
}

/// Memory holds every line; the stores in the queues are newer.
unsigned DramChannel::debug(unsigned, tlm::tlm_generic_payload& transaction) {
  work_before(clock_.present_cycle());
  const auto held = [this](LineAddress line, SectorVersions& versions) {
    if (const auto it = contents_.find(line.number); it != contents_.end()) versions = it->second;
    SectorMask here = kAllSectors;
    for (unsigned i = 0; i < links_.size(); ++i)
      links_[i].queue.for_each([&](Payload& payload) { apply_stored(payload, line, here, versions); });
    return here;
  };
  return debug_through(transaction, contents_of_, held, [](tlm::tlm_generic_payload&) { return 0u; });
}

/// Sends served requests to their links, behind the answers that wait there.
void DramChannel::answer(Cycle now) {
  if (waiting_) answer_waiting(now);
  DramCompletion completion;
  while (logic_.pop_completed(now, completion)) {
    constexpr std::uintptr_t kIndex = alignof(Payload) - 1;
    Link& link = links_[completion.id & kIndex];
    Payload* const payload = reinterpret_cast<Payload*>(completion.id & ~kIndex);
    writes_ -= completion.write;
    payload->stages().claim_to(Stage::dram_queue, clock_.edge(completion.cycle - logic_.least_clocks(false)));
    if (link.free > now) {
      if (link.done.empty() && link.free != kNever) clock_.wake(block_, link.free);
      link.done.push_back(payload);
      waiting_ = true;
    } else {
      respond(link, *payload);
    }
  }
}

void DramChannel::respond(Link& link, Payload& payload) {
  if (!link.port.respond(payload, clock_.delay(1))) link.free = kNever;
}

void DramChannel::answer_waiting(Cycle now) {
  waiting_ = false;
  for (unsigned i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    std::size_t sent = 0;
    while (sent < link.done.size() && link.free <= now) respond(link, *link.done[sent++]);
    link.done.erase(link.done.begin(), link.done.begin() + static_cast<std::ptrdiff_t>(sent));
    waiting_ |= !link.done.empty();
  }
}

/// The byte address within the channel: its slices take turns in chunks of 256 B.
Address DramChannel::local_address(Address address) const {
  const AddressMap::Target target = addresses_.locate(address);
  const std::uint64_t chunk = (target.local_line >> 1) * slices_ + (target.slice - target.channel * slices_);
  return chunk * 256 + (target.local_line & 1) * kLineBytes + address % kLineBytes;
}

void DramChannel::inspect(std::vector<Wait>& waits) const {
  for (unsigned i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.free == kNever && !link.done.empty())
      waits.push_back({"dram", "l2.fill_queue", link.done.front()->access().id, link.done.front()->access().line.byte_address(),
                       link.done.front()->access().issue_cycle});
    if (!link.queue.empty()) {
      const Access& access = link.queue.front().access();
      waits.push_back(
          {path_ + ".link[" + std::to_string(i) + "]", path_ + ".queue", access.id, access.line.byte_address(), access.issue_cycle});
    }
  }
}

void DramChannel::archive(Archive& file) {
  bool quiet = logic_.idle() && !pending_ && !waiting_;
  for (std::size_t i = 0; i < links_.size(); ++i)
    quiet = quiet && links_[i].queue.empty() && !links_[i].queue.waiting() && links_[i].free != kNever && links_[i].done.empty();
  file.expect_quiet(quiet, path_);
  file(next_link_, next_request_, awake_at_, writes_, contents_, logic_);
}

}  // namespace wharf
