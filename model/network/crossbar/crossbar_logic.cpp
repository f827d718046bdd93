#include "model/network/crossbar/crossbar_logic.h"

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"
#include "policies/arbitration/catalogue.h"

namespace wharf::network {
namespace {

// Slots of the arrival wheel: more than the longest time from a grant to the arrival of its tail.
std::size_t wheel_slots(unsigned latency) {
  std::size_t slots = 1;
  while (slots < latency + kMaxPacketFlits) slots *= 2;
  return slots;
}

}  // namespace

CrossbarLogic::CrossbarLogic(const CrossbarParams& params, unsigned inputs, unsigned outputs, stats::Registry& registry,
                             const std::string& prefix, int instance, unsigned classes)
    : ports_in_(inputs),
      places_(outputs * classes),
      vcs_(params.virtual_channels),
      buffer_flits_(params.buffer_flits),
      latency_(params.latency),
      flit_bytes_(params.flit_bytes),
      classes_(classes),
      ejection_capacity_(params.ejection_flits + params.latency - 1),
      buffer_slots_(params.buffer_flits + 1),   // each packet has a flit in the buffer, except one that is entirely in the register
      ejection_slots_(ejection_capacity_ + 1),  // plus the packet in the destination's register
      all_inputs_(PortMask::first(inputs)),
      idle_outputs_(PortMask::first(outputs)),
      accepting_outputs_(PlaceMask::first(places_)),
      arrivals_(wheel_slots(params.latency)),
      channels_(std::size_t{inputs} * vcs_, buffer_slots_),
      inputs_(inputs),
      outputs_(places_, ejection_slots_),
      requests_(places_),
      merged_(classes == 1 ? 0 : outputs),
      allocator_(arbitration::make(params.arbitration, inputs, outputs, params.iterations)),
      counters_(registry, prefix, instance, inputs, outputs, params.latency) {
  if (places_ > arbitration::kMaxPlaces || inputs * classes > arbitration::kMaxPlaces)
    throw InputError(prefix + ": " + std::to_string(std::max(inputs, outputs)) + " ports for " + std::to_string(classes) +
                     " classes of traffic: a crossbar has at most " + std::to_string(arbitration::kMaxPlaces) +
                     " places; choose fewer SMs or another network.peer");
  for (unsigned input = 0; input < inputs; ++input) inputs_[input].busy = &counters_.input_link(input);
  for (unsigned place = 0; place < places_; ++place) outputs_[place].busy = &counters_.output_link(place / classes);
}

// ---- network interface and link

void CrossbarLogic::misuse(unsigned input, const CrossbarPacket& packet, const std::string& what) const {
  throw SimulationError(counters_.group.path() + ": packet " + std::to_string(packet.handle) + " from input " + std::to_string(input) +
                        " to output " + std::to_string(packet.output) + ", virtual channel " + std::to_string(packet.vc) + ", " +
                        std::to_string(packet.flits) + " flits: " + what);
}

/// Throws, naming the condition of may_inject() that does not hold.
void CrossbarLogic::refuse_injection(unsigned input, const CrossbarPacket& packet, Cycle now) const {
  if (input >= inputs() || packet.output >= outputs() || packet.vc >= vcs_)
    misuse(input, packet,
           "the crossbar is " + std::to_string(inputs()) + " x " + std::to_string(outputs()) + " with " + std::to_string(vcs_) +
               " virtual channels; check the platform's wiring");
  if (packet.flits < 1 || packet.flits > kMaxPacketFlits)
    misuse(input, packet, "a packet has 1 to " + std::to_string(kMaxPacketFlits) + " flits; check flit_bytes");
  if (now < next_tick_ || packet.enqueued > now)
    misuse(input, packet,
           "injected at cycle " + std::to_string(now) + ", which must come before that cycle's tick and not before " +
               "the cycle in which it was queued, " + std::to_string(packet.enqueued));
  misuse(input, packet, "the register is taken; ask can_inject first");
}

void CrossbarLogic::inject(unsigned input, const CrossbarPacket& packet, Cycle now) {
  if (!may_inject(input, packet, now)) refuse_injection(input, packet, now);
  Channel& ch = channel(input, packet.vc);
  ch.newest = static_cast<std::uint16_t>(wrapped(unsigned{ch.first} + ch.count, buffer_slots_));
  Channels::elements_of(ch)[ch.newest] = {packet.handle, bits(packet.enqueued), 0, packet.output, packet.flits};
  ++ch.count;
  ch.to_send = ch.register_flits = packet.flits;
  ch.accepted = ch.full_since = bits(now);
  ch.full_cycles = 0;
  Input& in = inputs_[input];
  add(in.taken, packet.vc, true);
  sendable(in, input, packet.vc, has_slot(ch));
  ++counters_.packets;
  counters_.flits += packet.flits;
  counters_.bytes += std::uint64_t{packet.flits} * flit_bytes_;
}

inline void CrossbarLogic::sendable(Input& in, unsigned input, unsigned vc, bool condition) {
  add(in.sendable, vc, condition);
  link_inputs_.set_if(condition & (in.run == 0), input);
}

/// Sends one flit over the link, together with the flits that are certain to follow.
[[gnu::always_inline]] inline void CrossbarLogic::look_at_link(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  in.run = 0;
  if (in.sendable == 0) return;
  const unsigned vc = next_bit_from(in.sendable, in.next_on_link);
  Channel& ch = channel(input, vc);
  const bool head = ch.to_send == ch.register_flits;
  CycleBits& injected = Channels::elements_of(ch)[ch.newest].injected;
  injected = head ? bits(now) : injected;
  if (head & (ch.count == 1) & (in.held_vc != vc)) request_output(in, input, vc, ch, now);
  ++ch.occupied;
  if (--ch.to_send == 0) {
    register_sent(in, input, vc, ch, now);
    in.next_on_link = static_cast<std::uint16_t>(vc + 1);
    remove(in.sendable, vc, true);
  } else {
    in.next_on_link = static_cast<std::uint16_t>(vc);
    send_run(in, input, ch, now);
    remove(in.sendable, vc, !has_slot(ch));
  }
  link_inputs_.set_if((in.sendable != 0) & (in.run == 0), input);
}

inline void CrossbarLogic::register_sent(Input& in, unsigned input, unsigned vc, const Channel& ch, Cycle now) {
  freed_inputs_.set_if(in.awaited >> vc & 1, input);
  remove(in.awaited, vc, true);
  remove(in.taken, vc, true);
  *in.busy += ch.register_flits;
  counters_.refused_credit += ch.full_cycles;
  counters_.refused_vc += bits(now + 1) - ch.accepted - ch.register_flits - ch.full_cycles;
}

inline void CrossbarLogic::send_run(Input& in, unsigned input, Channel& ch, Cycle now) {
  const int run = std::min(static_cast<int>(buffer_flits_) - ch.occupied, ch.to_send - 1);
  ch.to_send = static_cast<std::uint16_t>(ch.to_send - run);
  ch.occupied = static_cast<std::int16_t>(ch.occupied + run);
  ch.full_since = bits(now + 1) + static_cast<CycleBits>(run);  // in case it is full then
  in.run = static_cast<std::uint16_t>(run);
  in.link_due = ch.full_since;
  due_in(now + 1 + static_cast<Cycle>(run), run != 0).links.set_if(run != 0, input);
}

// Another packet goes first: flits of the run that have not crossed the link become unsent again.
void CrossbarLogic::cut_run(Input& in, unsigned input, Cycle now) {
  const CycleBits left = in.link_due - bits(now + 1);
  Channel& ch = channel(input, in.next_on_link);
  ch.occupied = static_cast<std::int16_t>(ch.occupied - static_cast<int>(left));
  ch.to_send = static_cast<std::uint16_t>(ch.to_send + left);
  due_[in.link_due % kMaxPacketFlits].links.clear(input);
  add(in.sendable, in.next_on_link, left != 0);
}

// Sends the rest of a packet that has just won the switch. It goes first on the link and is never blocked.
inline void CrossbarLogic::send_rest(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle now) {
  if (in.run != 0) cut_run(in, input, now);
  const unsigned rest = ch.to_send;
  ch.to_send = 0;
  ch.occupied = static_cast<std::int16_t>(ch.occupied + static_cast<int>(rest));
  remove(in.sendable, vc, true);
  link_inputs_.clear(input);
  in.next_on_link = static_cast<std::uint16_t>(vc + 1);
  in.run = static_cast<std::uint16_t>(rest);
  due_in(now + rest, true).tails.set(input);
}

inline void CrossbarLogic::finish_sending(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  register_sent(in, input, in.held_vc, channel(input, in.held_vc), now);
  in.run = 0;
  link_inputs_.set_if(in.sendable != 0, input);
}

// ---- input buffer and switch

// The first packet of the channel, whose head is in the buffer, requests its output from cycle `from` on.
inline void CrossbarLogic::request_output(Input& in, unsigned input, unsigned vc, Channel& ch, Cycle from) {
  const unsigned output = first_of(ch).output;
  in.requested.set(vc, output);
  ch.asking_since = bits(from);
  ch.closed_before = closed_until(outputs_[output], from);
  add(in.asking, vc, true);
  request(input, output, in.held_vc == kNoChannel);
}

inline void CrossbarLogic::request(unsigned input, unsigned output, bool condition) {
  requests_[output].set_if(condition, input);
  requested_outputs_.set_if(condition, output);
}

inline void CrossbarLogic::withdraw(unsigned input, unsigned output, bool condition) {
  requests_[output].clear_if(condition, input);
  requested_outputs_.clear_if(requests_[output].none(), output);
}

// Returns the channels whose first packet can go to the port.
inline unsigned CrossbarLogic::channels_for(const Input& in, unsigned input, unsigned port) const {
  unsigned channels = 0;
  for (unsigned place = port * classes_; place != (port + 1) * classes_; ++place)
    if (accepting_outputs_.test(place)) channels |= in.requested.channels_for(place);
  channels &= in.asking;
  if (channels == 0) wrong_match(input, port);
  return channels;
}

void CrossbarLogic::wrong_match(unsigned input, unsigned output) const {
  throw SimulationError(counters_.group.path() + ": the arbitration matched input " + std::to_string(input) + " with output " +
                        std::to_string(output) + ", which it does not request; run the policy through the contract tests");
}

// Lets a head cross the switch.
inline void CrossbarLogic::start_packet(unsigned input, unsigned port, Cycle now) {
  Input& in = inputs_[input];
  const unsigned vc = next_bit_from(channels_for(in, input, port), in.next_on_switch);
  in.next_on_switch = static_cast<std::uint16_t>(vc + 1);
  remove(in.asking, vc, true);

  Channel& ch = channel(input, vc);
  const Buffered& packet = first_of(ch);
  const unsigned output = packet.output, flits = packet.flits;
  const unsigned left = --ch.count;
  ch.first = next_place(ch.first, left, buffer_slots_);
  Output& out = outputs_[output];
  const CycleBits closed = closed_until(out, now) - ch.closed_before;
  counters_.refused_queue += ch.asking_since - packet.injected;
  counters_.refused_ejection += closed;
  counters_.refused_arbitration += bits(now) - ch.asking_since - closed;

  to_pipeline(output, out, packet, now);
  leave_buffer(in, input, vc, ch, flits, now);
  if (flits != 1) {
    withdraw(input, output, true);
    hold_switch(in, input, port, vc, flits, now);
    if (left == 0 && ch.to_send != 0) send_rest(in, input, vc, ch, now);
    return;
  }
  withdraw(input, output, (in.requested.channels_for(output) & in.asking) == 0);
  if (has_head(ch)) request_output(in, input, vc, ch, now + 1);
}

// Holds both ports until the tail has passed; they are free in the next cycle.
inline void CrossbarLogic::hold_switch(Input& in, unsigned input, unsigned port, unsigned vc, unsigned flits, Cycle now) {
  for (const unsigned asking : set_bits(in.asking)) withdraw(input, in.requested.of(asking), true);
  in.held_vc = static_cast<std::uint16_t>(vc);
  in.held_output = static_cast<std::uint16_t>(port);
  idle_outputs_.clear(port);
  due_in(now + flits - 1, true).streams.set(input);
}

inline void CrossbarLogic::end_stream(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  const unsigned vc = in.held_vc;
  in.held_vc = kNoChannel;
  idle_outputs_.set(in.held_output);
  for (const unsigned asking : set_bits(in.asking)) request(input, in.requested.of(asking), true);
  Channel& ch = channel(input, vc);
  if (has_head(ch)) request_output(in, input, vc, ch, now + 1);
}

// Frees the packet's buffer slots for the flits that wait in the register.
inline void CrossbarLogic::leave_buffer(Input& in, unsigned input, unsigned vc, Channel& ch, unsigned flits, Cycle now) {
  ch.occupied = static_cast<std::int16_t>(ch.occupied - static_cast<int>(flits));
  if (((in.taken & ~in.sendable) >> vc & 1) == 0) return;
  const auto waited = static_cast<std::int32_t>(bits(now + 1) - ch.full_since);
  ch.full_cycles += static_cast<CycleBits>(std::max(waited, 0));
  sendable(in, input, vc, true);
}

PortMask CrossbarLogic::open_ports(const PlaceMask& places) const {
  PortMask open;
  places.for_each([&](unsigned place) { open.set(place / classes_); });
  return open & idle_outputs_;
}

const PortMask* CrossbarLogic::requests_by_port(const PortMask& open) {
  if (classes_ == 1) return requests_.data();
  open.for_each([&](unsigned port) { merged_[port] = {}; });
  (requested_outputs_ & accepting_outputs_).for_each([&](unsigned place) { merged_[place / classes_] |= requests_[place]; });
  return merged_.data();
}

void CrossbarLogic::tick(Cycle now) {
  if (now < next_tick_) return;
  collect_arrivals(now);
  next_tick_ = now + 1;
  freed_inputs_ = {};
  const Due due = due_[now % kMaxPacketFlits];
  due_[now % kMaxPacketFlits] = {};
  due_cycles_ &= ~(std::uint64_t{1} << (now % kMaxPacketFlits));
  const PortMask looking = link_inputs_ | due.links;
  link_inputs_ = {};
  due.tails.for_each([&](unsigned input) { finish_sending(input, now); });
  looking.for_each([&](unsigned input) { look_at_link(input, now); });

  // A port that a packet holds at the start of the cycle stays taken for the whole cycle.
  const PortMask open = open_outputs();
  if (open.any()) {
    allocator_->allocate({requests_by_port(open), all_inputs_, open}, matching_);
    for (const arbitration::Grant& grant : matching_) start_packet(grant.input, grant.output, now);
  }
  due.streams.for_each([&](unsigned input) { end_stream(input, now); });
}

// ---- pipeline and ejection buffer

inline void CrossbarLogic::to_pipeline(unsigned output, Output& out, const Buffered& packet, Cycle now) {
  const Cycle arrival = now + latency_ + packet.flits - 1;
  const unsigned place = wrapped(unsigned{out.first} + out.count++, ejection_slots_);
  Outputs::elements_of(out)[place] = {packet.handle, bits(arrival), packet.flits};
  const std::uint32_t older = out.flits;
  out.flits += packet.flits;
  out.youngest = packet.flits;
  if (older >= ejection_capacity_) {
    out.closed = true;
    out.closed_from = bits(now) + packet.flits;  // until then this packet itself holds the output
    accepting_outputs_.clear(output);
  }
  arrivals_[arrival & (arrivals_.size() - 1)].set(output);
  last_arrival_ = std::max(last_arrival_, arrival);

  *out.busy += packet.flits;
  const CycleBits from_queue = bits(arrival) - packet.enqueued, from_register = bits(arrival) - packet.injected;
  counters_.packet_latency_sum += from_queue;
  counters_.packet_latency.add(from_queue);
  counters_.network_latency_sum += from_register;
  counters_.network_latency.add(from_register);
}

void CrossbarLogic::collect_arrivals(Cycle now) {
  for (const Cycle end = std::min(now, last_arrival_); collected_ < end;) {
    PlaceMask& arriving = arrivals_[++collected_ & (arrivals_.size() - 1)];
    ready_outputs_ |= arriving;
    arriving = {};
  }
  collected_ = std::max(collected_, now);
}

EjectedPacket CrossbarLogic::pop(unsigned output, Cycle now) {
  if (output >= outputs() || !ready_outputs_.test(output)) nothing_arrived(output, now);
  Output& out = outputs_[output];
  const EjectedPacket packet = peek(output);
  const bool left = --out.count != 0;
  out.first = next_place(out.first, out.count, ejection_slots_);
  out.flits -= packet.flits;
  const bool arrived = static_cast<std::int32_t>(bits(collected_) - Outputs::elements_of(out)[out.first].arrival) >= 0;
  ready_outputs_.clear_if(!(left & arrived), output);
  if (out.closed && out.flits < ejection_capacity_ + out.youngest) {
    out.closed_cycles = closed_until(out, std::max(now, next_tick_));
    out.closed = false;
    accepting_outputs_.set(output);
  }
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  return packet;
}

void CrossbarLogic::nothing_arrived(unsigned output, Cycle now) const {
  throw SimulationError(counters_.group.path() + ": nothing has arrived at output " + std::to_string(output) + " by cycle " +
                        std::to_string(now) + "; ask ejected first");
}

Cycle CrossbarLogic::next_event(Cycle now) const {
  if (link_inputs_.any() || open_outputs().any()) return std::max(now, next_tick_);
  Cycle next = kNever;
  if (last_arrival_ > collected_) {
    next = collected_ + 1;
    while (arrivals_[next & (arrivals_.size() - 1)].none()) ++next;
  }
  if (due_cycles_ != 0) {
    const unsigned slot = next_tick_ % kMaxPacketFlits;
    next = std::min(next, next_tick_ + (next_bit_from(due_cycles_, slot) - slot) % kMaxPacketFlits);
  }
  return next == kNever ? kNever : std::max(now, next);
}

bool CrossbarLogic::archive(Archive& file) {
  file(next_tick_, link_inputs_, freed_inputs_, idle_outputs_, requested_outputs_, accepting_outputs_, due_, due_cycles_);
  file(collected_, last_arrival_, ready_outputs_);
  file.elements(arrivals_);
  file.elements(requests_);
  for (std::size_t i = 0; i < channels_.size(); ++i) file(channels_[i]);
  // The pointers to the links' counters are not archived.
  const auto all_but_busy = [&](auto& port) {
    auto* const busy = std::exchange(port.busy, nullptr);
    file(port);
    port.busy = busy;
  };
  for (Input& input : inputs_) all_but_busy(input);
  for (std::size_t i = 0; i < outputs_.size(); ++i) all_but_busy(outputs_[i]);
  return allocator_->archive(file);
}

}  // namespace wharf::network
