#include "model/network/routed/routed_logic.h"

#include <algorithm>

#include "model/base/bits.h"
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
      ring_slots_(params.buffer_flits + 1),  // each packet has a flit in the FIFO, except one whose tail is still to come
      routers_(topology.routers),
      fifos_(std::size_t{topology.routers} * ports_ * vcs_),
      rings_(fifos_.size() * ring_slots_),
      channels_(fifos_.size()),
      ways_(std::size_t{topology.routers} * topology.nodes),
      register_free_(std::size_t{topology.nodes} * vcs_),
      sinks_(std::size_t{topology.nodes} * classes),
      waiting_(sinks_.size() * ejection_flits_),
      entries_(topology.nodes),
      exits_(topology.nodes),
      hops_(std::size_t{topology.nodes} * topology.nodes),
      // A link passes one flit per cycle.
      arrivals_(hop_cycles_, std::size_t{topology.routers} * ports_),
      ends_(kMaxPacketFlits, std::size_t{topology.routers} * ports_),
      freed_(kMaxPacketFlits, topology.nodes),
      ejections_(last_cycles_ + kMaxPacketFlits, topology.nodes),
      counters_(registry, prefix, topology) {
  if (vcs_ < classes_ || (topology.has_dateline && vcs_ % (2 * classes_) != 0))
    throw InputError(prefix + ": " + std::to_string(vcs_) + " virtual channels for " + std::to_string(classes_) +
                     " classes of traffic; choose " +
                     (topology.has_dateline ? "a multiple of " + std::to_string(2 * classes_) + ", because a ring needs two per class"
                                            : std::to_string(classes_) + " or more"));
  if (sinks_.size() > NodeMask::kPlaces || routers_.size() > NodeMask::kPlaces)
    throw InputError(prefix + ": " + std::to_string(routers_.size()) + " routers and " + std::to_string(sinks_.size()) +
                     " places of arrival; choose a network with no more than " + std::to_string(NodeMask::kPlaces) + " of each");
  connect_routers();
}

void RoutedLogic::connect_routers() {
  for (unsigned c = 0; c < classes_; ++c) {
    const VcClass all = vc_class(c, classes_, vcs_);
    for (unsigned vc = all.first; vc < all.first + all.count; ++vc) class_of_[vc] = static_cast<std::uint8_t>(c);
    for (unsigned vc = all.first; vc < all.first + all.count / 2u; ++vc) {
      behind_dateline_[vc] = static_cast<std::uint8_t>(vc + all.count / 2);
      before_dateline_[vc + all.count / 2] = static_cast<std::uint8_t>(vc);
    }
  }
  for (unsigned r = 0; r < topology_.routers; ++r) {
    for (unsigned o = 0; o < ports_; ++o) wire_output(r, o);
    for (unsigned n = 0; n < topology_.nodes; ++n) {
      const unsigned output = topology_.route(r, n);
      ways_[r * topology_.nodes + n] = {index_of(r, output, 0), topology_.link(r, output).dateline ? 1u : 0u};
    }
  }
  for (unsigned n = 0; n < topology_.nodes; ++n) {
    const routing::Entry& entry = topology_.entries[n];
    entries_[n] = index_of(entry.router, entry.port, 0);
    for (unsigned vc = 0; vc < vcs_; ++vc) fifos_[entries_[n] + vc].feed = n;
    for (unsigned to = 0; to < topology_.nodes; ++to) hops_[n * topology_.nodes + to] = static_cast<std::uint8_t>(topology_.hops(n, to));
  }
}

// Wires the channels of this output, the FIFOs behind them, and the FIFOs of the input with the same number.
void RoutedLogic::wire_output(unsigned router, unsigned output) {
  const Link& link = topology_.link(router, output);
  if (link.kind == Link::Kind::node) exits_[link.target] = index_of(router, output, 0);
  for (unsigned vc = 0; vc < vcs_; ++vc) {
    const std::uint32_t index = index_of(router, output, vc);
    fifos_[index].vc = static_cast<std::uint8_t>(vc);
    fifos_[index].input = static_cast<Ports>(1u << output);
    fifos_[index].router = static_cast<std::uint16_t>(router);
    Channel& channel = channels_[index];
    channel.output = static_cast<std::uint8_t>(output);
    channel.channel_before = link.dateline ? before_dateline_[vc] : static_cast<std::uint8_t>(vc);
    channel.bit = static_cast<Ports>(1u << vc);
    channel.router = static_cast<std::uint16_t>(router);
    if (link.kind == Link::Kind::none) continue;
    channel.busy = &counters_.link(router, output);
    channel.exit = link.kind == Link::Kind::node;
    channel.credits = channel.exit ? kUnlimited : buffer_flits_;
    channel.target = channel.exit ? place(link.target, class_of_[vc]) : index_of(link.target, link.port, vc);
    if (channel.exit) continue;
    fifos_[channel.target].from_node = false;
    fifos_[channel.target].feed = index;
  }
}

// The first packet of the FIFO, whose head is present, requests the channel behind its output.
void RoutedLogic::request_output(Fifo& fifo) {
  const Way way = ways_[fifo.router * topology_.nodes + fifo.packet.destination];
  fifo.channel = way.first_channel + (way.dateline != 0 ? behind_dateline_[fifo.vc] : fifo.vc);
  fifo.left = fifo.packet.flits;
  fifo.crossing = false;
  Channel& channel = channels_[fifo.channel];
  channel.asking = static_cast<Ports>(channel.asking | fifo.input);
  if (channel.owning == 0 && channel.credits != 0 && channel.open) set_ready(channel);
}

// True if a packet could go through this channel now, given free ports.
bool RoutedLogic::can_cross(const Channel& channel) const {
  if (channel.credits == 0) return false;
  return channel.owning != 0 ? fifos_[channel.owner].flits != 0 : channel.asking != 0 && channel.open;
}

// An output that a burst holds is skipped, because the end of the burst examines the router anyway.
void RoutedLogic::set_ready(const Channel& channel) {
  Router& router = routers_[channel.router];
  const unsigned output = 1u << channel.output;
  router.ready[channel.output] = static_cast<Ports>(router.ready[channel.output] | channel.bit);
  router.ready_outputs = static_cast<Ports>(router.ready_outputs | output);
  if ((router.taken_outputs & output) == 0) changed_routers_.set(channel.router);
}

void RoutedLogic::clear_ready(const Channel& channel) {
  Router& router = routers_[channel.router];
  const unsigned ready = router.ready[channel.output] & ~unsigned{channel.bit};
  router.ready[channel.output] = static_cast<Ports>(ready);
  if (ready == 0) router.ready_outputs = static_cast<Ports>(router.ready_outputs & ~(1u << channel.output));
}

void RoutedLogic::deliver(const Arrival& arrival) {
  Fifo& fifo = fifos_[arrival.fifo];
  const bool was_occupied = fifo.flits != 0;
  fifo.flits = static_cast<std::uint16_t>(fifo.flits + arrival.flits);
  if (arrival.packet == kNoPacket) {
    // The FIFO was empty, so its first packet has partly crossed and owns its channel.
    if (!was_occupied && channels_[fifo.channel].credits != 0) set_ready(channels_[fifo.channel]);
    return;
  }
  if (fifo.count++ == 0) {
    fifo.packet = {arrival.packet, arrival.destination, arrival.packet_flits};
    return request_output(fifo);
  }
  std::uint32_t slot = fifo.first + fifo.count - 1u;
  if (slot >= ring_slots_) slot -= ring_slots_;
  rings_[std::size_t{arrival.fifo} * ring_slots_ + slot] = {arrival.packet, arrival.destination, arrival.packet_flits};
}

// Sends everything that the first packet can send without waiting. `kHold`: it already holds the ports. `kLast`: one flit of it is left.
template <bool kHold, bool kLast>
void RoutedLogic::burst(std::uint32_t index, Cycle now) {
  Fifo& fifo = fifos_[index];
  const std::uint32_t channel_index = fifo.channel;
  Channel& channel = channels_[channel_index];
  const bool head = !kHold && !fifo.crossing;
  const unsigned flits = kLast ? 1 : std::min(std::min(std::uint32_t{fifo.flits}, channel.credits), std::uint32_t{fifo.left});
  const unsigned left = fifo.left - flits;
  const bool tail = kLast || left == 0;
  fifo.flits = static_cast<std::uint16_t>(fifo.flits - flits);
  *channel.busy += flits;
  if (head) channel.asking = static_cast<Ports>(channel.asking & ~fifo.input);
  channel.owning = tail ? Ports{0} : fifo.input;
  if (!kLast) {
    fifo.left = static_cast<std::uint8_t>(left);
    fifo.crossing = true;
    channel.owner = index;
  }
  if (!channel.exit) {
    channel.credits -= flits;
    const Head& packet = fifo.packet;
    arrivals_.add(now + hop_cycles_,
                  {channel.target, head ? packet.packet : kNoPacket, packet.destination, packet.flits, static_cast<std::uint8_t>(flits)});
  } else {
    leave_network(channel, fifo.packet, flits, head, tail, now);
  }
  if (!tail || flits > 1) {
    if (!kHold) {
      Router& router = routers_[channel.router];
      router.taken_inputs = static_cast<Ports>(router.taken_inputs | fifo.input);
      router.taken_outputs = static_cast<Ports>(router.taken_outputs | 1u << channel.output);
    }
    ends_.add(now + flits, {index, channel_index, tail});
    events_.set(now + flits);
  } else if (kHold) {
    released_.push_back({index, channel_index, tail});
  }
  if (!fifo.from_node)
    return_credits(fifo.feed, flits);
  else if (tail)
    free_register(fifo, now + flits);
  if (tail && --fifo.count != 0) next_packet(index);
  // Unless the packet has ended, its flits or credits are used up.
  if (tail && can_cross(channel))
    set_ready(channel);
  else
    clear_ready(channel);
}

template <bool kHold>
void RoutedLogic::burst(std::uint32_t index, Cycle now) {
  if (fifos_[index].left == 1)
    burst<kHold, true>(index, now);
  else
    burst<kHold, false>(index, now);
}

// After a burst, the packet continues if it can; otherwise the ports become free.
void RoutedLogic::end_burst(const BurstEnd& end, Cycle now) {
  if (!end.tail && fifos_[end.fifo].flits != 0 && channels_[end.channel].credits != 0)
    burst<true>(end.fifo, now);
  else
    release(end);
}

void RoutedLogic::release(const BurstEnd& end) {
  const Channel& channel = channels_[end.channel];
  Router& router = routers_[channel.router];
  router.taken_inputs = static_cast<Ports>(router.taken_inputs & ~fifos_[end.fifo].input);
  router.taken_outputs = static_cast<Ports>(router.taken_outputs & ~(1u << channel.output));
  if ((router.ready_outputs & ~router.taken_outputs) != 0) changed_routers_.set(channel.router);
}

// Returns the free inputs that could send through a free output.
RoutedLogic::Ports RoutedLogic::requests(unsigned router, unsigned output) const {
  const Channel* const channels = &channels_[index_of(router, output, 0)];
  unsigned asking = 0;
  for (const unsigned ready : set_bits(routers_[router].ready[output])) {
    const Channel& channel = channels[ready];
    asking |= channel.owning != 0 ? channel.owning : channel.asking;
  }
  return static_cast<Ports>(asking & ~routers_[router].taken_inputs);
}

// Handles the common case, one channel through which one input could send, with the result that allocate() would have. Returns false if
// there is a choice.
bool RoutedLogic::start_only_one(unsigned index, unsigned outputs, Cycle now) {
  if ((outputs & (outputs - 1)) != 0) return false;
  Router& router = routers_[index];
  const unsigned output = lowest_bit(outputs);
  const unsigned ready = router.ready[output];
  if ((ready & (ready - 1)) != 0) return false;
  const Channel& channel = channels_[index_of(index, output, lowest_bit(ready))];
  const unsigned asking = (channel.owning != 0 ? channel.owning : channel.asking) & ~unsigned{router.taken_inputs};
  if ((asking & (asking - 1)) != 0) return false;
  if (asking == 0) return true;
  const unsigned input = lowest_bit(asking);
  router.islip.matched(input, output, ports_);
  router.next_channel[input] = channel_after(channel.channel_before);
  burst<false>(index_of(index, input, channel.channel_before), now);
  return true;
}

void RoutedLogic::allocate(unsigned index, unsigned outputs, Cycle now) {
  Router& router = routers_[index];
  Ports by_output[routing::kMaxRouterPorts];
  unsigned asked = 0;
  for (const unsigned output : set_bits(outputs)) {
    by_output[output] = requests(index, output);
    if (by_output[output] != 0) asked |= 1u << output;
  }
  if (asked == 0) return;
  unsigned matched = 0;
  router.islip.allocate(by_output, static_cast<Ports>(asked), ports_, iterations_, [&](unsigned input, unsigned output) {
    matched |= 1u << output;
    start(index, input, output, now);
  });
  // Unmatched inputs, and packets that follow through ports used for one flit, try again in the next cycle.
  bool again = (matched & router.ready_outputs & ~unsigned{router.taken_outputs}) != 0;
  for (const unsigned output : set_bits(asked & ~matched)) again |= (by_output[output] & ~unsigned{router.taken_inputs}) != 0;
  if (again) changed_routers_.set(index);
}

// Starts a matched pair of ports: the next channel of the input that can use the output sends.
void RoutedLogic::start(unsigned router, unsigned input, unsigned output, Cycle now) {
  const Channel* const channels = &channels_[index_of(router, output, 0)];
  std::uint8_t& next = routers_[router].next_channel[input];
  unsigned candidates = 0;  // channels of the input
  for (const unsigned ready : set_bits(routers_[router].ready[output])) {
    const Channel& channel = channels[ready];
    const unsigned asking = channel.owning != 0 ? channel.owning : channel.asking;
    candidates |= (asking >> input & 1) << channel.channel_before;
  }
  const unsigned vc = next_bit_from(candidates, next);
  next = channel_after(vc);
  burst<false>(index_of(router, input, vc), now);
}

void RoutedLogic::leave_network(const Channel& exit, const Head& packet, unsigned flits, bool head, bool tail, Cycle now) {
  if (head) {
    Sink& sink = sinks_[exit.target];
    sink.reserved += packet.flits;
    if (sink.reserved >= ejection_flits_) refresh_exit(exit.target);
  }
  if (!tail) return;
  const Cycle at = now + last_cycles_ + flits - 1;
  ejections_.add(at, {exit.target, packet.packet});
  ejection_slots_.set(at);
  next_ejection_ = std::min(next_ejection_, at);
}

// Adds to remaining credits at once, because the addition is not needed before the next cycle.
void RoutedLogic::return_credits(std::uint32_t channel, unsigned flits) {
  std::uint32_t& credits = channels_[channel].credits;
  if (credits != 0)
    credits += flits;
  else
    credits_.push_back({channel, flits});
}

void RoutedLogic::free_register(const Fifo& fifo, Cycle at) {
  register_free_[fifo.feed * vcs_ + fifo.vc] = at;
  freed_.add(at, {static_cast<std::uint16_t>(fifo.feed), fifo.vc});
  events_.set(at);
}

void RoutedLogic::next_packet(std::uint32_t index) {
  Fifo& fifo = fifos_[index];
  fifo.first = static_cast<std::uint16_t>(fifo.first + 1u == ring_slots_ ? 0 : fifo.first + 1);
  fifo.packet = rings_[std::size_t{index} * ring_slots_ + fifo.first];
  request_output(fifo);
}

// Returns the credits of flits that left a FIFO in this cycle; they count from the next cycle on.
void RoutedLogic::apply_returned_credits() {
  for (const Credit& credit : credits_) {
    Channel& channel = channels_[credit.channel];
    channel.credits += credit.flits;
    if (can_cross(channel)) set_ready(channel);
  }
  credits_.clear();
}

void RoutedLogic::tick(Cycle now) {
  if (now < next_tick_) return;
  ejected(now);
  next_tick_ = now + 1;
  freed_.clear(now);
  events_.clear(now);
  arrivals_.pop_events(now, [&](const Arrival& arrival) { deliver(arrival); });
  ends_.pop_events(now, [&](const BurstEnd& end) { end_burst(end, now); });
  changed_routers_.drain().for_each([&](unsigned router) {
    const unsigned outputs = routers_[router].ready_outputs & ~unsigned{routers_[router].taken_outputs};
    if (outputs != 0 && !start_only_one(router, outputs, now)) allocate(router, outputs, now);
  });
  if (arrivals_.any(now + hop_cycles_)) events_.set(now + hop_cycles_);
  apply_returned_credits();
  for (const BurstEnd& end : released_) release(end);
  released_.clear();
}

Cycle RoutedLogic::next_event(Cycle now) const {
  const Cycle from = std::max(now, next_tick_);
  return changed_routers_.any() ? from : events_.next(from);
}

}  // namespace wharf::network
