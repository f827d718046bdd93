#include "model/network/hierarchical/hierarchical_logic.h"

#include "model/base/error.h"

namespace wharf::network {
namespace {

constexpr std::uint16_t kNoFeeder = 0xFFFF;
constexpr unsigned kNoLink = ~0u;

std::uint64_t bytes_of(const PacketQueue::Packet& packet) { return std::uint64_t{packet.flits} * kPortFlitBytes; }

}  // namespace

HierarchicalLogic::HierarchicalLogic(const HierarchicalParams& params, const Shape& shape, stats::Registry& registry,
                                     const std::string& prefix, Coalescer* coalescer, CopiedReplies* multicast)
    : requests_(shape.requests),
      slices_(shape.slices),
      queue_(params.queue),
      credit_limit_(shape.requests ? params.sm_slice_credits : kUnlimited),
      outputs_(shape.requests ? shape.slices : shape.sms),
      credits_(credit_limit_ == kUnlimited ? 0 : std::size_t{shape.sms} * shape.slices),
      hierarchy_(params, shape.sms),
      floorplan_(params.has_floorplan() && shape.requests
                     ? std::make_unique<Floorplan>(params, hierarchy_, Floorplan::Chip{shape.sms, shape.slices, shape.near_sms})
                     : nullptr),
      tiers_(tiers_of(params, shape)),
      coalescer_(coalescer),
      coalescing_(coalescer == nullptr ? kTiers + 1 : place_of(params.coalescing_tier())),
      copying_(copying(multicast)),
      counters_(registry, prefix, counted(), floorplan_ != nullptr,
                shape.requests ? HierarchicalCounters::Changes::take_away : HierarchicalCounters::Changes::add, changes()) {
  add_queues();
  if (credit_limit_ == kUnlimited) return;
  counters_.group.law("every sector's credit has been given back",
                      [this] { return std::all_of(credits_.begin(), credits_.end(), [](std::uint32_t taken) { return taken == 0; }); });
}

std::vector<HierarchicalLogic::TierLinks> HierarchicalLogic::tiers_of(const HierarchicalParams& params, const Shape& shape) const {
  std::vector<TierLinks> tiers;
  unsigned first = 0;
  for (unsigned t = 0; t < kTiers; ++t) {
    const Tier tier = static_cast<Tier>(shape.requests ? t : kTiers - 1 - t);
    if (!params.has(tier)) continue;
    const TierParams& keys = shape.requests ? params.request[tier] : params.reply[tier];
    const int least = floorplan_ == nullptr ? 0 : floorplan_->least_of(tier);
    TierLinks made{tier, keys.rate, keys.latency - static_cast<Cycle>(-least), first,
                   tier == Tier::slice ? shape.slices : hierarchy_.links(tier)};
    if (tier != Tier::slice)
      made.link_of = hierarchy_.link_of(tier);
    else
      for (unsigned slice = 0; slice < shape.slices; ++slice) made.link_of.push_back(static_cast<std::uint16_t>(slice));
    if (tier == (shape.requests ? Tier::slice : Tier::gpc))
      made.merge = TierLinks::Merge::cross;
    else
      made.merge = shape.requests && t != 0 ? TierLinks::Merge::join : TierLinks::Merge::part;
    first += made.links;
    tiers.push_back(std::move(made));
  }
  return tiers;
}

/// Makes the links and the queues in front of them.
void HierarchicalLogic::add_queues() {
  const auto add = [this](std::size_t tier, unsigned input, unsigned feeder, unsigned group = 0) {
    Queue queue;
    queue.tier = static_cast<std::uint16_t>(tier);
    queue.input = static_cast<std::uint16_t>(input);
    queue.feeder = static_cast<std::uint16_t>(feeder);
    queue.distance = distance_to(queue, group);
    queues_.push_back(std::move(queue));
  };
  const auto link = [this](std::size_t tier, unsigned first_queue, unsigned stride, unsigned inputs) {
    Link made;
    made.tier = static_cast<std::uint16_t>(tier);
    made.first_queue = static_cast<std::uint16_t>(first_queue);
    made.stride = static_cast<std::uint16_t>(stride);
    made.inputs = static_cast<std::uint16_t>(inputs);
    links_.push_back(made);
  };
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    TierLinks& tier = tiers_[t];
    const TierLinks& before = tiers_[t == 0 ? 0 : t - 1];
    tier.first_queue = static_cast<unsigned>(queues_.size());
    if (tier.merge == TierLinks::Merge::cross) {
      tier.groups = (tier.links + kOutputsPerQueue - 1) / kOutputsPerQueue;
      for (unsigned l = 0; l < tier.links; ++l) link(t, tier.first_queue + l / kOutputsPerQueue, tier.groups, before.links);
      for (unsigned input = 0; input < before.links; ++input)
        for (unsigned group = 0; group < tier.groups; ++group) add(t, input, before.first_link + input, group);
    } else if (tier.merge == TierLinks::Merge::join) {
      const std::vector<std::uint16_t> joins = joined(before, tier);
      for (unsigned l = 0, first = 0; l < tier.links; ++l) {
        unsigned inputs = 0;
        for (; first + inputs < before.links && joins[first + inputs] == l; ++inputs) add(t, inputs, before.first_link + first + inputs);
        link(t, tier.first_queue + first, 1, inputs);
        first += inputs;
      }
    } else {
      const std::vector<std::uint16_t> parts = t == 0 ? std::vector<std::uint16_t>() : joined(tier, before);
      for (unsigned l = 0; l < tier.links; ++l) {
        link(t, tier.first_queue + l, 0, 1);
        add(t, 0, t == 0 ? kNoFeeder : before.first_link + parts[l]);
      }
    }
  }
}

/// The cycles that packets take to a queue, beside the latency of the link before it.
std::uint32_t HierarchicalLogic::distance_to(const Queue& queue, unsigned group) const {
  if (floorplan_ == nullptr || queue.feeder == kNoFeeder) return 0;
  const TierLinks& before = tiers_[links_[queue.feeder].tier];
  const unsigned link = queue.feeder - before.first_link;
  if (before.tier == Tier::tpc) return static_cast<std::uint32_t>(floorplan_->of_tpc(link) - floorplan_->least_of(before.tier));
  if (before.tier == Tier::gpc) return static_cast<std::uint32_t>(floorplan_->of_gpc(link, group) - floorplan_->least_of(before.tier));
  return 0;
}

/// Returns for each link of the outer tier the link of the inner one, nearer to the crossbar, with which it is connected.
std::vector<std::uint16_t> HierarchicalLogic::joined(const TierLinks& outer, const TierLinks& inner) {
  std::vector<std::uint16_t> joins(outer.links);
  for (std::size_t sm = 0; sm < outer.link_of.size(); ++sm) joins[outer.link_of[sm]] = inner.link_of[sm];
  return joins;
}

std::vector<HierarchicalCounters::Links> HierarchicalLogic::counted() const {
  std::vector<HierarchicalCounters::Links> counted;
  for (std::size_t t = 0; t < tiers_.size(); ++t) {
    const TierLinks& tier = tiers_[t];
    counted.push_back({kTierNames[static_cast<unsigned>(tier.tier)], tier.links, static_cast<unsigned>(tier.latency), {}, requests_});
    if (tier.tier == Tier::slice || tier.tier == Tier::gpc) continue;
    counted.back().joins = joined(tier, tiers_[requests_ ? t + 1 : t - 1]);
  }
  return counted;
}

std::vector<HierarchicalLogic::Copying> HierarchicalLogic::copying(CopiedReplies* multicast) const {
  std::vector<Copying> copying;
  if (!requests_ && coalescer_ != nullptr) copying.push_back({coalescing_, coalescer_});
  if (!requests_ && multicast != nullptr) copying.push_back({place_of(Tier::gpc), multicast});
  return copying;
}

std::vector<HierarchicalCounters::Change> HierarchicalLogic::changes() const {
  std::vector<HierarchicalCounters::Change> changes;
  for (const Copying& each : copying_)
    changes.push_back({each.tier, tiers_[each.tier].links, [replies = each.replies](unsigned link) { return replies->made(link); }});
  if (requests_ && coalescer_ != nullptr)
    changes.push_back({coalescing_, tiers_[coalescing_].links, [this](unsigned link) {
                         const Coalescer::Counters& counters = coalescer_->counters(link);
                         return HierarchicalCounters::Amount{counters.merged.value(), counters.request_bytes.value()};
                       }});
  return changes;
}

std::size_t HierarchicalLogic::place_of(Tier tier) const {
  return static_cast<std::size_t>(std::find_if(tiers_.begin(), tiers_.end(), [tier](const TierLinks& each) { return each.tier == tier; }) -
                                  tiers_.begin());
}

bool HierarchicalLogic::offer(unsigned source, const PortPacket& packet, Cycle now) {
  Queued queued{packet.handle, packet.enqueued, now, now, now, packet.output, packet.output, packet.flits, packet.sectors};
  (requests_ ? queued.sm : queued.slice) = static_cast<std::uint16_t>(source);
  queues_[source].packets.push(queued);
  request_link(source, source, now);
  bool sent = false;
  serve(source, now, [&sent](unsigned) { sent = true; });
  return sent;
}

/// Returns the input whose packet the link takes, -1 if none can leave. `ready` is then the next cycle in which a packet is ready.
int HierarchicalLogic::choose(const Link& link, Cycle now, Cycle& ready) {
  const unsigned first = link.asking.next_from(link.next);
  unsigned input = first;
  do {
    Queue& queue = queues_[link.first_queue + input * link.stride];
    if (queue.packets.front().first > now)
      ready = std::min(ready, queue.packets.front().first);
    else if (can_leave(queue, now))
      return static_cast<int>(input);
    input = link.asking.next_from(input + 1 == link.inputs ? 0 : input + 1);
  } while (input != first);
  return -1;
}

/// The first packet of a queue has its credits, and room at the end of its link; a request that joins another one needs no room.
bool HierarchicalLogic::can_leave(Queue& queue, Cycle now) {
  const Queued& packet = queue.packets.front();
  const bool source = queue.tier == 0,
             credited = !source || credit_limit_ == kUnlimited || credit(packet.sm, packet.slice) + packet.sectors <= credit_limit_;
  const unsigned link = link_of(tiers_[queue.tier], packet);
  bool room = credited && has_room_behind(link, packet, now);
  if (requests_ && queue.tier == coalescing_)
    room = room || coalescer_->can_join(link - tiers_[coalescing_].first_link, packet.handle, packet.slice, now);
  if (room && (copying_.empty() || has_room_for_copies(link, packet, now))) return true;
  if (queue.refused_since == kNever && (!source || !credited)) queue.refused_since = now;
  return false;
}

bool HierarchicalLogic::has_room_behind(unsigned link, const Queued& packet, Cycle now) const {
  if (links_[link].tier + 1u < tiers_.size()) return !queues_[queue_behind(link, packet)].packets.holds(queue_, now);
  return !outputs_[end_of(tiers_.back(), packet)].queue.holds_all_bytes(queue_, now);
}

bool HierarchicalLogic::has_room_for_copies(unsigned link, const Queued& reply, Cycle now) const {
  return std::all_of(copying_.begin(), copying_.end(), [&](const Copying& copying) {
    if (copying.tier != links_[link].tier) return true;
    const std::vector<CopiedReplies::Copy>& copies = copying.replies->copies(reply.handle);
    return std::all_of(copies.begin(), copies.end(), [&](const CopiedReplies::Copy& each) {
      Queued copy = reply;
      copy.sm = each.sm;
      return has_room_behind(link, copy, now);
    });
  });
}

/// A link that merges serves a request. Returns true if the request has joined another one and does not pass.
bool HierarchicalLogic::join(unsigned link, const Queue& from, const Queued& packet, Cycle now) {
  const auto bytes = static_cast<unsigned>(bytes_of(packet));
  if (!coalescer_->join(link - tiers_[coalescing_].first_link, packet.handle, packet.sm, packet.slice, bytes, now)) return false;
  count_wait(from, packet, now);
  counters_.packet_latency_sum += now - packet.enqueued;
  counters_.network_latency_sum += now - packet.injected;
  return true;
}

/// Sends the copies of a reply that a link has sent.
void HierarchicalLogic::copy_reply(unsigned link, const Queued& reply, Cycle now) {
  for (const Copying& copying : copying_) {
    if (copying.tier != links_[link].tier) continue;
    for (const CopiedReplies::Copy& each : copying.replies->copies(reply.handle)) {
      Queued copy = reply;
      copy.handle = each.handle;
      copy.sm = each.sm;
      copy.enqueued = copy.injected = now;
      arrive(link, copy, now);
    }
    copying.replies->copied(reply.handle, link - tiers_[copying.tier].first_link, static_cast<unsigned>(bytes_of(reply)), now);
  }
}

unsigned HierarchicalLogic::queue_behind(unsigned link, const Queued& packet) const {
  const TierLinks& here = tiers_[links_[link].tier];
  const TierLinks& next = tiers_[links_[link].tier + 1u];
  const unsigned input = link - here.first_link, output = next.link_of[end_of(next, packet)];
  switch (next.merge) {
    case TierLinks::Merge::join:
      return next.first_queue + input;
    case TierLinks::Merge::part:
      return next.first_queue + output;
    default:
      return next.first_queue + input * next.groups + output / kOutputsPerQueue;
  }
}

/// Sends the first packet of an input over a link.
void HierarchicalLogic::send(unsigned number, unsigned input, Cycle now) {
  Link& link = links_[number];
  const TierLinks& tier = tiers_[link.tier];
  const unsigned from = link.first_queue + input * link.stride;
  Queued packet = queues_[from].packets.front();
  link.next = static_cast<std::uint16_t>(input + 1 == link.inputs ? 0 : input + 1);
  if (requests_ && link.tier == coalescing_ && join(number, queues_[from], packet, now)) return pop(number, from, now);
  const std::uint64_t bytes = bytes_of(packet), taking = bytes * tier.rate.cycles;
  const unsigned width = std::max(1u, tier.rate.bytes / tier.rate.cycles);
  link.free = std::max(link.free, now * tier.rate.bytes) + taking;
  count_wait(queues_[from], packet, now);
  HierarchicalCounters::Link& counters = counters_.link(number);
  counters.port.occupy(taking, tier.rate.bytes, static_cast<unsigned>((bytes + width - 1) / width));
  ++counters.packets;
  counters.bytes += bytes;
  counters.wait += now - packet.first;

  if (link.tier == 0) {
    packet.injected = now;
    if (credit_limit_ != kUnlimited) credit(packet.sm, packet.slice) += packet.sectors;
  }
  packet.first = now + tier.latency;
  packet.last = std::max((link.free - 1) / tier.rate.bytes, packet.last) + tier.latency;
  arrive(number, packet, now);
  if (!copying_.empty()) copy_reply(number, packet, now);
  if (link.tier + 1u == coalescing_ && !requests_) coalescer_->set_reply_cycle(packet.handle, packet.first);
  pop(number, from, now);
}

void HierarchicalLogic::count_wait(const Queue& queue, const Queued& packet, Cycle now) {
  const Cycle refused = queue.refused_since == kNever ? 0 : now - queue.refused_since;
  if (queue.tier == 0) {
    ++counters_.packets;
    counters_.flits += packet.flits;
    counters_.bytes += bytes_of(packet);
    counters_.refused_credit += refused;
    counters_.refused_source += now - packet.enqueued - refused;
    return;
  }
  counters_.refused_queue += refused;
  counters_.refused_arbitration += now - packet.first - refused;
}

/// Puts a packet that a link has sent into the queue at its end.
void HierarchicalLogic::arrive(unsigned link, Queued packet, Cycle now) {
  if (links_[link].tier + 1u < tiers_.size()) {
    const unsigned queue = queue_behind(link, packet);
    if (const std::uint32_t distance = queues_[queue].distance; distance != 0) {
      packet.first += distance;
      packet.last += distance;
      counters_.add_distance(distance);
    }
    queues_[queue].packets.push(packet);
    if (queues_[queue].packets.size() == 1) request_link(queue, kNoLink, now);
    return;
  }
  const unsigned destination = end_of(tiers_.back(), packet);
  Output& output = outputs_[destination];
  const PortRate rate = tiers_.back().rate;
  packet.last = output.latest = std::max(packet.last, output.latest);
  counters_.serialised += packet.last - packet.first;
  packet.first = packet.last;
  if (output.planned > packet.last * rate.bytes) {
    packet.first = output.planned / rate.bytes;
    output.planned += bytes_of(packet) * rate.cycles;
  }
  output.queue.push(packet);
  expect(destination);
}

/// Removes the first packet of a queue, which the link has taken.
void HierarchicalLogic::pop(unsigned link, unsigned number, Cycle now) {
  Queue& queue = queues_[number];
  const bool was_full = queue.packets.holds(queue_, now);
  queue.packets.pop();
  queue.refused_since = kNever;
  links_[link].asking.clear(queue.input);
  if (!queue.packets.empty()) request_link(number, link, now);
  if (queue.feeder != kNoFeeder && was_full && !queue.packets.holds(queue_, now)) wake(queue.feeder, now, now);
}

/// Makes the first packet of a queue ask for its link; the link `served` is being served anyway.
void HierarchicalLogic::request_link(unsigned number, unsigned served, Cycle now) {
  Queue& queue = queues_[number];
  const TierLinks& tier = tiers_[queue.tier];
  const Queued& packet = queue.packets.front();
  const unsigned link = link_of(tier, packet);
  links_[link].asking.set(queue.input);
  if (link != served) wake(link, std::max(packet.first, now), now);
}

/// Makes step(cycle) serve the link; if `cycle` is now, the present step() does so.
void HierarchicalLogic::wake(unsigned number, Cycle cycle, Cycle now) {
  Link& link = links_[number];
  if (link.wake_at <= cycle) return;
  link.wake_at = cycle;
  TierLinks& tier = tiers_[link.tier];
  if (cycle > now)
    tier.wakes.add(cycle, static_cast<std::uint16_t>(number));
  else
    tier.due.push_back(static_cast<std::uint16_t>(number));
}

/// Makes deliver() visit the destination when its first packet is there.
void HierarchicalLogic::expect(unsigned destination) {
  Output& output = outputs_[destination];
  if (output.refuses || output.queue.empty() || output.due_at <= output.queue.front().first) return;
  output.due_at = output.queue.front().first;
  arrivals_.add(output.due_at, static_cast<std::uint16_t>(destination));
}

/// Hands the first packet at a destination over in cycle `now`, which step() has not performed yet.
void HierarchicalLogic::eject(unsigned destination, Cycle now) {
  PacketQueue& queue = outputs_[destination].queue;
  const Queued& packet = queue.front();
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  counters_.packet_latency_sum += now - packet.enqueued;
  counters_.packet_latency.add(now - packet.enqueued);
  counters_.network_latency_sum += now - packet.injected;
  counters_.network_latency.add(now - packet.injected);
  counters_.refused_ejection += now - packet.last;
  const bool was_full = queue.holds_all_bytes(queue_, now);
  queue.pop();
  const TierLinks& last = tiers_.back();
  if (was_full && !queue.holds_all_bytes(queue_, now)) wake(last.first_link + last.link_of[destination], now, now - 1);
}

/// The packets behind the refused one follow at the rate of the last link.
void HierarchicalLogic::accept_refused(unsigned destination, Cycle now) {
  eject(destination, now);
  Output& output = outputs_[destination];
  output.refuses = false;
  const TierLinks& last = tiers_.back();
  output.planned = (now + 1) * last.rate.bytes;
  for (std::size_t i = 0; i < output.queue.size(); ++i) {
    Queued& packet = output.queue[i];
    output.planned = std::max(output.planned, packet.last * last.rate.bytes);
    packet.first = output.planned / last.rate.bytes;
    output.planned += bytes_of(packet) * last.rate.cycles;
  }
  expect(destination);
}

void HierarchicalLogic::return_credits(unsigned sm, unsigned slice, unsigned sectors, Cycle cycle) {
  if (credit_limit_ == kUnlimited) return;
  returns_.add(cycle, {static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(slice), static_cast<std::uint16_t>(sectors)});
}

void HierarchicalLogic::return_credits(const Return& back, Cycle now) {
  std::uint32_t& taken = credit(back.sm, back.slice);
  if (taken < back.sectors) throw SimulationError("network: a reply gives back credits that its SM has not taken");
  taken -= back.sectors;
  wake(back.sm, now, now);
}

Cycle HierarchicalLogic::next_event() const {
  Cycle next = std::min(returns_.next(), arrivals_.next() == kNever ? kNever : arrivals_.next() - 1);
  for (const TierLinks& tier : tiers_) next = std::min(next, tier.wakes.next());
  return next;
}

bool HierarchicalLogic::idle() const {
  return next_event() == kNever && std::all_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.packets.empty(); }) &&
         std::all_of(outputs_.begin(), outputs_.end(), [](const Output& output) { return output.queue.empty() && !output.refuses; });
}

}  // namespace wharf::network
