#include "model/dram/dram_channel.h"

#include <algorithm>

#include "model/tlm/debug_access.h"

namespace wharf {

DramChannel::DramChannel(sc_core::sc_module_name name, const DramParams& params, std::uint32_t link_queue, unsigned number,
                         const Environment& environment)
    : sc_module(name),
      clock_(environment.clock),
      addresses_(environment.addresses),
      slices_(environment.slices_per_channel),
      path_("dram[" + std::to_string(number) + "]"),
      group_(environment.registry, "dram", static_cast<int>(number)),
      logic_(params, group_),
      block_(clock_.add(*this)),
      verify_(environment.verify),
      contents_of_(environment.contents) {
  for (unsigned i = 0; i < slices_ + environment.other_links; ++i)
    links_.push_back(std::make_unique<Link>("upstream" + std::to_string(i), *this, i, link_queue));
}

Acceptance DramChannel::request(unsigned index, Payload& payload, Picoseconds at) {
  const Cycle arrived = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = links_[index]->queue.offer(payload, arrived, 0, present);
  // A pending request takes its place as soon as there is one, which may be long before it arrives.
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(arrived, present + 1) : present + 1);
  return acceptance;
}

void DramChannel::response_accepted(unsigned index, Picoseconds at) {
  links_[index]->blocked = false;
  clock_.wake(block_, std::max(clock_.cycle_at(at), clock_.present_cycle() + 1));
}

void DramChannel::act(Cycle now) {
  Cycle end;
  bool offered = false;
  for (auto& link : links_) {
    if (link->queue.waiting())
      if (Payload* accepted = link->queue.settle(now, end)) link->port.accept(*accepted, clock_.delay(end - now));
    offered |= link->queue.ready(now);
  }
  if (offered) accept(now);
  logic_.tick(now);
  collect(now);

  Cycle next = logic_.next_event(now);
  for (auto& link : links_) {
    if (!link->done.empty()) {
      answer(*link);
      if (!link->done.empty() && !link->blocked) next = now + 1;
    }
    if (link->queue.settles_after(now)) next = now + 1;
    next = std::min(next, link->queue.next_ready());
  }
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

/// One request of each link in turn, for as long as the channel takes any.
void DramChannel::accept(Cycle now) {
  const auto links = static_cast<unsigned>(links_.size());
  unsigned index = next_link_;
  for (unsigned passed = 0; passed < links && logic_.can_accept(now);) {
    RequestQueue& queue = links_[index]->queue;
    ++passed;
    if (queue.ready(now)) {
      const Access& access = queue.front().access();
      const Address address = access.line.byte_address();
      logic_.accept({reinterpret_cast<std::uintptr_t>(&queue.front()) | index, address, local_address(address), access.sectors,
                     access.kind == AccessKind::store},
                    now);
      access_contents(queue.pop(now));
      passed = 0;
      next_link_ = index + 1 == links ? 0 : index + 1;
    }
    index = index + 1 == links ? 0 : index + 1;
  }
}

/// Requests of one line are served in order of acceptance, so what a read finds is known already.
void DramChannel::access_contents(Payload& payload) {
  if (!verify_) return;
  const Access& access = payload.access();
  SectorVersions& stored = contents_[access.line.number];
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    if (access.kind == AccessKind::store)
      stored[s] = payload.versions()[s];
    else
      payload.versions()[s] = stored[s];
  }
}

/// Memory has all there is, and stores that have come are before what they will change.
unsigned DramChannel::debug(unsigned, tlm::tlm_generic_payload& transaction) {
  const auto held = [this](LineAddress line, SectorVersions& versions) {
    if (const auto it = contents_.find(line.number); it != contents_.end()) versions = it->second;
    SectorMask here = kAllSectors;
    for (const auto& link : links_) link->queue.for_each([&](Payload& payload) { take_stored(payload, line, here, versions); });
    return here;
  };
  return debug_through(transaction, contents_of_, held, [](tlm::tlm_generic_payload&) { return 0u; });
}

void DramChannel::collect(Cycle now) {
  DramCompletion completion;
  while (logic_.take_completed(now, completion)) {
    const std::uintptr_t index = completion.id & (alignof(Payload) - 1);
    links_[index]->done.push_back(reinterpret_cast<Payload*>(completion.id & ~static_cast<std::uintptr_t>(alignof(Payload) - 1)));
  }
}

void DramChannel::answer(Link& link) {
  std::size_t sent = 0;
  while (sent < link.done.size() && !link.blocked) link.blocked = !link.port.respond(*link.done[sent++], clock_.delay(1));
  link.done.erase(link.done.begin(), link.done.begin() + static_cast<std::ptrdiff_t>(sent));
}

/// Chunks of 256 B in the order in which the channel's slices take turns: the byte address that the channel alone would use.
Address DramChannel::local_address(Address address) const {
  const AddressMap::Target target = addresses_.locate(address);
  const std::uint64_t chunk = (target.local_line >> 1) * slices_ + target.slice % slices_;
  return chunk * 256 + (target.local_line & 1) * kLineBytes + address % kLineBytes;
}

void DramChannel::inspect(std::vector<Wait>& waits) const {
  for (unsigned i = 0; i < links_.size(); ++i) {
    const Link& link = *links_[i];
    if (link.blocked && !link.done.empty())
      waits.push_back({"dram", "l2.fill_queue", link.done.front()->access().id, link.done.front()->access().line.byte_address(),
                       link.done.front()->access().issue_cycle});
    if (!link.queue.empty()) {
      const Access& access = link.queue.front().access();
      waits.push_back(
          {path_ + ".link[" + std::to_string(i) + "]", path_ + ".queue", access.id, access.line.byte_address(), access.issue_cycle});
    }
  }
}

}  // namespace wharf
