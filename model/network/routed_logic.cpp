#include "model/network/routed_logic.h"

#include <algorithm>

#include "model/base/error.h"

namespace wharf::network {

using routing::Link;

RoutedLogic::RoutedLogic(const routing::Topology& topology, const RouterParams& params, unsigned classes, stats::Registry& registry,
                         const std::string& prefix)
    : topology_(topology),
      ports_(topology.ports),
      vcs_(params.virtual_channels),
      classes_(classes),
      buffer_flits_(params.buffer_flits),
      ejection_flits_(params.ejection_flits),
      hop_cycles_(params.hop_cycles),
      last_cycles_(topology.last_link_is_hop ? params.hop_cycles : 1),
      iterations_(params.iterations),
      flit_bytes_(params.flit_bytes),
      ring_slots_(params.buffer_flits + 1),  // each packet has a flit in the FIFO, but for one whose tail is still to come
      routers_(topology.routers),
      fifos_(std::size_t{topology.routers} * ports_ * vcs_),
      rings_(fifos_.size() * ring_slots_),
      channels_(fifos_.size()),
      feeds_(std::size_t{topology.routers} * ports_),
      ready_(feeds_.size()),
      register_free_(std::size_t{topology.nodes} * vcs_),
      sinks_(std::size_t{topology.nodes} * classes),
      waiting_(sinks_.size() * ejection_flits_),
      exits_(topology.nodes),
      hops_(std::size_t{topology.nodes} * topology.nodes),
      arrivals_(kWheel),
      ends_(kWheel),
      freed_(kWheel),
      ejections_(kWheel),
      counters_(registry, prefix, topology) {
  if (vcs_ < classes_ || (topology.has_dateline && vcs_ % (2 * classes_) != 0))
    throw InputError(prefix + ": " + std::to_string(vcs_) + " virtual channels for " + std::to_string(classes_) +
                     " classes of traffic; choose " +
                     (topology.has_dateline ? "a multiple of " + std::to_string(2 * classes_) + ", for a ring needs two a class"
                                            : std::to_string(classes_) + " or more"));
  if (sinks_.size() > NodeMask::kPlaces || routers_.size() > NodeMask::kPlaces)
    throw InputError(prefix + ": " + std::to_string(routers_.size()) + " routers and " + std::to_string(sinks_.size()) +
                     " places of arrival; choose a network with no more than " + std::to_string(NodeMask::kPlaces) + " of each");
  wire();
}

void RoutedLogic::wire() {
  for (unsigned c = 0; c < classes_; ++c) {
    const VcClass all = vc_class(c, classes_, vcs_);
    for (unsigned vc = all.first; vc < all.first + all.count; ++vc) class_of_[vc] = static_cast<std::uint8_t>(c);
    for (unsigned vc = all.first; vc < all.first + all.count / 2u; ++vc) {
      behind_dateline_[vc] = static_cast<std::uint8_t>(vc + all.count / 2);
      before_dateline_[vc + all.count / 2] = static_cast<std::uint8_t>(vc);
    }
  }
  for (unsigned r = 0; r < topology_.routers; ++r)
    for (unsigned o = 0; o < ports_; ++o) {
      const Link& link = topology_.link(r, o);
      for (unsigned vc = 0; vc < vcs_; ++vc) channel(r, o, vc).credits = link.kind == Link::Kind::router ? buffer_flits_ : kUnlimited;
      if (link.kind == Link::Kind::node) exits_[link.target] = {static_cast<std::uint16_t>(r), static_cast<std::uint8_t>(o)};
      if (link.kind == Link::Kind::router)
        feeds_[link.target * ports_ + link.port] = {static_cast<std::uint16_t>(r), static_cast<std::uint8_t>(o), false};
    }
  for (unsigned n = 0; n < topology_.nodes; ++n) {
    const routing::Entry& entry = topology_.entries[n];
    feeds_[entry.router * ports_ + entry.port] = {static_cast<std::uint16_t>(n), 0, true};
    for (unsigned to = 0; to < topology_.nodes; ++to)
      hops_[n * topology_.nodes + to] = static_cast<std::uint8_t>(topology_.hops(n, to));
  }
}

VcClass RoutedLogic::entry_channels(unsigned cls) const {
  VcClass all = vc_class(cls, classes_, vcs_);
  if (topology_.has_dateline) all.count = static_cast<std::uint8_t>(all.count / 2);
  return all;
}

// ---- network interface

bool RoutedLogic::can_inject(unsigned node, unsigned vc, Cycle now) const {
  const routing::Entry& entry = topology_.entries[node];
  return fifos_[fifo_index(entry.router, entry.port, vc)].count == 0 && register_free_[node * vcs_ + vc] <= now;
}

void RoutedLogic::misuse(unsigned node, const RoutedPacket& packet, const std::string& what) const {
  throw SimulationError(counters_.group.path() + ": packet " + std::to_string(packet.handle) + " from node " + std::to_string(node) +
                        " to node " + std::to_string(packet.destination) + ", virtual channel " + std::to_string(packet.vc) + ", " +
                        std::to_string(packet.flits) + " flits: " + what);
}

void RoutedLogic::check_injection(unsigned node, const RoutedPacket& packet, Cycle now) const {
  if (node >= nodes() || packet.destination >= nodes() || packet.vc >= vcs_)
    misuse(node, packet,
           "the network has " + std::to_string(nodes()) + " nodes and " + std::to_string(vcs_) +
               " virtual channels; check the platform's wiring");
  if (packet.flits < 1 || packet.flits > kMaxPacketFlits)
    misuse(node, packet, "a packet has 1 to " + std::to_string(kMaxPacketFlits) + " flits; check flit_bytes");
  if (now < next_tick_ || packet.enqueued > now)
    misuse(node, packet,
           "injected at cycle " + std::to_string(now) + ", which must come before that cycle's tick and not before " +
               "the cycle in which it was queued, " + std::to_string(packet.enqueued));
  if (!can_inject(node, packet.vc, now)) misuse(node, packet, "the register is taken; ask can_inject first");
}

void RoutedLogic::inject(unsigned node, const RoutedPacket& packet, Cycle now) {
  check_injection(node, packet, now);
  if (free_packets_.empty()) {
    free_packets_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
  }
  const std::uint32_t id = free_packets_.back();
  free_packets_.pop_back();
  const unsigned distance = hops(node, packet.destination);
  packets_[id] = {packet.handle, packet.destination, packet.flits, static_cast<std::uint8_t>(distance), packet.enqueued, now};

  const routing::Entry& entry = topology_.entries[node];
  const std::uint32_t index = fifo_index(entry.router, entry.port, packet.vc);
  Fifo& fifo = fifos_[index];
  fifo.flits = packet.flits;
  fifo.first = 0;
  fifo.count = 1;
  rings_[std::size_t{index} * ring_slots_] = id;
  ask(entry.router, entry.port, packet.vc);

  ++counters_.packets;
  counters_.flits += packet.flits;
  counters_.bytes += std::uint64_t{packet.flits} * flit_bytes_;
  counters_.hops += distance;
  counters_.flit_hops += std::uint64_t{distance} * packet.flits;
  counters_.hops_of.add(distance);
}

// ---- routers

// The first packet of the FIFO, whose head is here, asks for the channel behind its output.
void RoutedLogic::ask(unsigned router, unsigned input, unsigned vc) {
  const std::uint32_t index = fifo_index(router, input, vc);
  Fifo& fifo = fifos_[index];
  const Packet& packet = packets_[rings_[std::size_t{index} * ring_slots_ + fifo.first]];
  const unsigned output = topology_.route(router, packet.destination);
  const unsigned out_vc = topology_.link(router, output).dateline ? behind_dateline_[vc] : vc;
  fifo.output = static_cast<std::uint8_t>(output);
  fifo.out_vc = static_cast<std::uint8_t>(out_vc);
  fifo.left = packet.flits;
  fifo.crossing = false;
  Channel& behind = channel(router, output, out_vc);
  behind.asking = static_cast<Ports>(behind.asking | 1u << input);
  if (refresh(router, output, out_vc)) look_at_.set(router);
}

// Somebody could go through this channel now, if the ports are free.
bool RoutedLogic::can_cross(unsigned router, unsigned output, unsigned vc) const {
  const Channel& behind = channel(router, output, vc);
  const Link& link = topology_.link(router, output);
  if (behind.credits == 0) return false;
  if (behind.owner != kNobody) return fifos_[fifo_index(router, behind.owner, channel_before(link, vc))].flits != 0;
  if (behind.asking == 0) return false;
  return link.kind != Link::Kind::node || sinks_[place(link.target, class_of_[vc])].reserved < ejection_flits_;
}

bool RoutedLogic::refresh(unsigned router, unsigned output, unsigned vc) {
  const bool can = can_cross(router, output, vc);
  std::uint16_t& ready = ready_[router * ports_ + output];
  ready = static_cast<std::uint16_t>(can ? ready | 1u << vc : ready & ~(1u << vc));
  Ports& outputs = routers_[router].ready_outputs;
  outputs = static_cast<Ports>(ready != 0 ? outputs | 1u << output : outputs & ~(1u << output));
  return can;
}

void RoutedLogic::deliver(const Arrival& arrival) {
  const std::uint32_t index = fifo_index(arrival.router, arrival.input, arrival.vc);
  Fifo& fifo = fifos_[index];
  const bool had_flits = fifo.flits != 0;
  fifo.flits += arrival.flits;
  if (arrival.packet != kNoPacket) {
    std::uint32_t slot = fifo.first + fifo.count++;
    if (slot >= ring_slots_) slot -= ring_slots_;
    rings_[std::size_t{index} * ring_slots_ + slot] = arrival.packet;
    if (fifo.count == 1) return ask(arrival.router, arrival.input, arrival.vc);
  }
  if (!had_flits && refresh(arrival.router, fifo.output, fifo.out_vc)) look_at_.set(arrival.router);
}

// Behind a burst its packet goes on if it can; else the ports are free.
void RoutedLogic::end_burst(const BurstEnd& end, Cycle now) {
  if (!end.tail) {
    const Fifo& fifo = fifos_[fifo_index(end.router, end.input, end.vc)];
    if (fifo.flits != 0 && channel(end.router, fifo.output, fifo.out_vc).credits != 0)
      return burst(end.router, end.input, end.vc, now, /*hold=*/true);
  }
  Router& router = routers_[end.router];
  router.taken_inputs = static_cast<Ports>(router.taken_inputs & ~(1u << end.input));
  router.taken_outputs = static_cast<Ports>(router.taken_outputs & ~(1u << end.output));
  if ((router.ready_outputs & ~router.taken_outputs) != 0) look_at_.set(end.router);
}

// Free inputs that could send through a free output.
RoutedLogic::Ports RoutedLogic::requests(unsigned router, unsigned output) const {
  unsigned asking = 0;
  for (unsigned rest = ready_[router * ports_ + output]; rest != 0; rest &= rest - 1) {
    const Channel& behind = channel(router, output, static_cast<unsigned>(__builtin_ctz(rest)));
    asking |= behind.owner != kNobody ? 1u << behind.owner : behind.asking;
  }
  return static_cast<Ports>(asking & ~routers_[router].taken_inputs);
}

// The common case, a single channel through which a single input could send: what the allocation below would do, without asking it.
// False where there is a choice.
bool RoutedLogic::start_only_one(unsigned index, Cycle now) {
  Router& router = routers_[index];
  const unsigned outputs = router.ready_outputs & ~router.taken_outputs;
  if ((outputs & (outputs - 1)) != 0) return false;
  if (outputs == 0) return true;
  const auto output = static_cast<unsigned>(__builtin_ctz(outputs));
  const unsigned ready = ready_[index * ports_ + output];
  if ((ready & (ready - 1)) != 0) return false;
  const auto out_vc = static_cast<unsigned>(__builtin_ctz(ready));
  const Channel& behind = channel(index, output, out_vc);
  const unsigned asking = (behind.owner != kNobody ? 1u << behind.owner : behind.asking) & ~router.taken_inputs;
  if ((asking & (asking - 1)) != 0) return false;
  if (asking == 0) return true;
  const auto input = static_cast<unsigned>(__builtin_ctz(asking));
  const unsigned vc = channel_before(topology_.link(index, output), out_vc);
  router.islip.matched(input, output, ports_);
  router.next_channel[input] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  burst(index, input, vc, now, /*hold=*/false);
  return true;
}

// Outputs that somebody could go through, and who.
RoutedLogic::Ports RoutedLogic::collect(unsigned router, Ports* by_output) const {
  unsigned asked = 0;
  for (unsigned rest = routers_[router].ready_outputs & ~routers_[router].taken_outputs; rest != 0; rest &= rest - 1) {
    const auto output = static_cast<unsigned>(__builtin_ctz(rest));
    by_output[output] = requests(router, output);
    if (by_output[output] != 0) asked |= 1u << output;
  }
  return static_cast<Ports>(asked);
}

void RoutedLogic::allocate(unsigned index, Cycle now) {
  Ports by_output[routing::kMaxRouterPorts];
  if (!start_only_one(index, now)) {
    const Ports asked = collect(index, by_output);
    if (asked == 0) return;
    routers_[index].islip.allocate(by_output, asked, ports_, iterations_,
                                   [&](unsigned input, unsigned output) { start(index, input, output, now); });
  }
  // What was not matched, and what comes next through ports that one flit has used, tries again in the next cycle.
  if (collect(index, by_output) != 0) look_at_.set(index);
}

// The allocation has matched these ports: the input's next channel that can use the output sends.
void RoutedLogic::start(unsigned router, unsigned input, unsigned output, Cycle now) {
  const Link& link = topology_.link(router, output);
  std::uint8_t& next = routers_[router].next_channel[input];
  unsigned candidates = 0;  // channels of the input
  for (unsigned rest = ready_[router * ports_ + output]; rest != 0; rest &= rest - 1) {
    const auto out_vc = static_cast<unsigned>(__builtin_ctz(rest));
    const Channel& behind = channel(router, output, out_vc);
    const bool ours = behind.owner != kNobody ? behind.owner == input : (behind.asking >> input & 1) != 0;
    if (ours) candidates |= 1u << channel_before(link, out_vc);
  }
  const unsigned from_next = candidates >> next << next;
  const auto vc = static_cast<unsigned>(__builtin_ctz(from_next != 0 ? from_next : candidates));
  next = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  burst(router, input, vc, now, /*hold=*/false);
}

// All that the first packet can send without waiting. `hold`: the ports were its own before.
void RoutedLogic::burst(unsigned router, unsigned input, unsigned vc, Cycle now, bool hold) {
  const std::uint32_t index = fifo_index(router, input, vc);
  Fifo& fifo = fifos_[index];
  const unsigned output = fifo.output, out_vc = fifo.out_vc;
  const Link& link = topology_.link(router, output);
  Channel& behind = channel(router, output, out_vc);
  const std::uint32_t id = rings_[std::size_t{index} * ring_slots_ + fifo.first];
  const bool head = !fifo.crossing;
  if (head) {
    fifo.crossing = true;
    behind.owner = static_cast<std::uint8_t>(input);
    behind.asking = static_cast<Ports>(behind.asking & ~(1u << input));
  }
  const unsigned flits = std::min(std::min(fifo.flits, behind.credits), std::uint32_t{fifo.left});
  fifo.left = static_cast<std::uint8_t>(fifo.left - flits);
  const bool tail = fifo.left == 0;
  counters_.link(router, output) += flits;

  if (link.kind == Link::Kind::router) {
    behind.credits -= flits;
    const Cycle at = now + hop_cycles_;
    arrivals_[at % kWheel].emplace_back(head ? id : kNoPacket, link.target, link.port, out_vc, flits);
    events_.set(at);
  } else {
    const unsigned to = place(link.target, class_of_[out_vc]);
    if (head) reserve(to, packets_[id].flits);
    if (tail) {
      const Cycle at = now + last_cycles_ + flits - 1;
      ejections_[at % kWheel].emplace_back(to, id);
      ejection_slots_.set(at);
      next_ejection_ = std::min(next_ejection_, at);
    }
  }
  if (!tail || flits > 1 || hold) {
    Router& r = routers_[router];
    r.taken_inputs = static_cast<Ports>(r.taken_inputs | 1u << input);
    r.taken_outputs = static_cast<Ports>(r.taken_outputs | 1u << output);
    ends_[(now + flits) % kWheel].emplace_back(router, input, vc, output, tail);
    events_.set(now + flits);
  }
  if (tail) behind.owner = kNobody;
  leave_fifo(router, input, vc, flits, now);
  refresh(router, output, out_vc);
}

void RoutedLogic::leave_fifo(unsigned router, unsigned input, unsigned vc, unsigned flits, Cycle now) {
  const std::uint32_t index = fifo_index(router, input, vc);
  Fifo& fifo = fifos_[index];
  const bool tail = fifo.left == 0;
  fifo.flits -= flits;
  if (tail) {
    fifo.first = fifo.first + 1 == ring_slots_ ? 0 : fifo.first + 1;
    --fifo.count;
  }
  const Feed& feed = feeds_[router * ports_ + input];
  if (!feed.from_node) {
    credits_.emplace_back(feed.router, feed.output, vc, flits);
    if (tail && fifo.count != 0) ask(router, input, vc);
  } else if (tail) {
    register_free_[feed.router * vcs_ + vc] = now + flits;
    freed_[(now + flits) % kWheel].push_back(feed.router);
    events_.set(now + flits);
  }
}

// What left a FIFO in this cycle is known before it from the next one on.
void RoutedLogic::give_back_credits() {
  for (const Credit& credit : credits_) {
    std::uint32_t& credits = channel(credit.router, credit.output, credit.vc).credits;
    const bool had_credits = credits != 0;
    credits += credit.flits;
    if (!had_credits && refresh(credit.router, credit.output, credit.vc)) look_at_.set(credit.router);
  }
  credits_.clear();
}

void RoutedLogic::tick(Cycle now) {
  if (now < next_tick_) return;
  ejected(now);
  next_tick_ = now + 1;
  freed_[now % kWheel].clear();
  events_.clear(now);
  auto& arrivals = arrivals_[now % kWheel];
  for (const Arrival& arrival : arrivals) deliver(arrival);
  arrivals.clear();
  // A burst that goes on asks for its next end in a later slot.
  auto& ends = ends_[now % kWheel];
  for (const BurstEnd& end : ends) end_burst(end, now);
  ends.clear();
  const NodeMask changed = look_at_;
  look_at_ = {};
  changed.for_each([&](unsigned router) { allocate(router, now); });
  give_back_credits();
}

Cycle RoutedLogic::next_event(Cycle now) const {
  const Cycle from = std::max(now, next_tick_);
  return look_at_.any() ? from : events_.next(from);
}

// ---- ejection

void RoutedLogic::arrive(const Ejection& ejection, Cycle now) {
  const Packet& packet = packets_[ejection.packet];
  Sink& sink = sinks_[ejection.place];
  std::uint32_t slot = sink.first + sink.count++;
  if (slot >= ejection_flits_) slot -= ejection_flits_;
  waiting_[std::size_t{ejection.place} * ejection_flits_ + slot] = ejection.packet;
  arrived_.set(ejection.place);

  const Cycle unloaded = hop_cycles_ * packet.hops + (topology_.last_link_is_hop ? 0 : 1) + packet.flits - 1;
  counters_.unloaded_latency_sum += unloaded;
  counters_.packet_latency_sum += now - packet.enqueued;
  counters_.packet_latency.add(now - packet.enqueued);
  counters_.network_latency_sum += now - packet.injected;
  counters_.network_latency.add(now - packet.injected);
}

const NodeMask& RoutedLogic::ejected(Cycle now) {
  while (next_ejection_ <= now) {
    const Cycle at = next_ejection_;
    auto& ejections = ejections_[at % kWheel];
    for (const Ejection& ejection : ejections) arrive(ejection, at);
    ejections.clear();
    ejection_slots_.clear(at);
    next_ejection_ = ejection_slots_.next(at);
  }
  return arrived_;
}

std::uint32_t RoutedLogic::peek(unsigned place) const {
  return packets_[waiting_[std::size_t{place} * ejection_flits_ + sinks_[place].first]].handle;
}

std::uint32_t RoutedLogic::pop(unsigned at, Cycle now) {
  if (at >= sinks_.size() || sinks_[at].count == 0)
    throw SimulationError(counters_.group.path() + ": nothing has arrived at node " + std::to_string(at / classes_) + " by cycle " +
                          std::to_string(now) + "; ask ejected first");
  Sink& sink = sinks_[at];
  const std::uint32_t id = waiting_[std::size_t{at} * ejection_flits_ + sink.first];
  const Packet& packet = packets_[id];
  sink.first = sink.first + 1 == ejection_flits_ ? 0 : sink.first + 1;
  if (--sink.count == 0) arrived_.clear(at);
  const bool was_full = sink.reserved >= ejection_flits_;
  sink.reserved -= packet.flits;
  if (was_full && sink.reserved < ejection_flits_) refresh_exit(at);
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  free_packets_.push_back(id);
  return packet.handle;
}

void RoutedLogic::reserve(unsigned at, unsigned flits) {
  sinks_[at].reserved += flits;
  if (sinks_[at].reserved >= ejection_flits_) refresh_exit(at);
}

// The ejection buffer is full, or has room again: this concerns the heads in all channels of its class.
void RoutedLogic::refresh_exit(unsigned at) {
  const Exit& exit = exits_[at / classes_];
  const VcClass all = vc_class(at % classes_, classes_, vcs_);
  for (unsigned vc = all.first; vc < all.first + all.count; ++vc)
    if (refresh(exit.router, exit.output, vc)) look_at_.set(exit.router);
}

}  // namespace wharf::network
