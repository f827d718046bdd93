#include "model/network/crossbar_logic.h"

#include <algorithm>

#include "model/base/error.h"
#include "policies/arbitration/catalogue.h"

namespace wharf::network {
namespace {

// Slots of the wheel of arrivals: more than the longest time from a grant to its tail's arrival.
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
      buffer_slots_(params.buffer_flits + 1),   // each packet has a flit in the buffer, but for the one in the register
      ejection_slots_(ejection_capacity_ + 1),  // and the packet in the destination's register
      channels_(std::size_t{inputs} * vcs_),
      inputs_(inputs),
      outputs_(std::size_t{outputs} * classes),
      buffered_(std::size_t{inputs} * vcs_ * buffer_slots_),
      ejected_(outputs_.size() * ejection_slots_),
      requests_(outputs_.size()),
      idle_outputs_(PortMask::first(outputs)),
      roomy_outputs_(PortMask::first(static_cast<unsigned>(outputs_.size()))),
      merged_(classes == 1 ? 0 : outputs),
      allocator_(arbitration::make(params.arbitration, inputs, outputs, params.iterations)),
      arrivals_(wheel_slots(params.latency)),
      counters_(registry, prefix, instance, inputs, outputs, params.latency) {
  if (outputs_.size() > arbitration::kMaxPorts)
    throw InputError(prefix + ": " + std::to_string(outputs) + " outputs for " + std::to_string(classes) +
                     " classes of traffic: a crossbar has at most " + std::to_string(arbitration::kMaxPorts) +
                     " places; choose fewer SMs or another network.peer");
  for (std::size_t i = 0; i < channels_.size(); ++i) channels_[i].ring = &buffered_[i * buffer_slots_];
}

// ---- network interface and link

void CrossbarLogic::misuse(unsigned input, const CrossbarPacket& packet, const std::string& what) const {
  throw SimulationError(counters_.group.path() + ": packet " + std::to_string(packet.handle) + " from input " + std::to_string(input) +
                        " to output " + std::to_string(packet.output) + ", virtual channel " + std::to_string(packet.vc) + ", " +
                        std::to_string(packet.flits) + " flits: " + what);
}

/// Says which condition of may_inject() does not hold.
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
  ch.first = ch.count == 0 ? 0 : ch.first;  // keeps a FIFO that is mostly empty in the same few cache lines
  buffered(ch, ch.count) = {packet.enqueued, 0, packet.handle, packet.output, packet.flits};
  ++ch.count;
  ch.to_send = ch.register_flits = packet.flits;
  ch.accepted = now;
  ch.full_cycles = 0;
  if (ch.occupied < buffer_flits_) {
    inputs_[input].sendable |= 1u << packet.vc;
    link_inputs_.set(input);
  } else {
    ch.full_since = now;
  }
  ++counters_.packets;
  counters_.flits += packet.flits;
  counters_.bytes += std::uint64_t{packet.flits} * flit_bytes_;
}

unsigned CrossbarLogic::link_choice(const Input& in, unsigned input) const {
  // Still in its register, a packet that holds the switch left no entry in its ring.
  if (in.streaming_left != 0 && channel(input, in.streaming_vc).count == 0 && (in.sendable >> in.streaming_vc & 1) != 0)
    return in.streaming_vc;
  const std::uint32_t from_next = in.sendable >> in.next_on_link << in.next_on_link;
  return static_cast<unsigned>(__builtin_ctz(from_next != 0 ? from_next : in.sendable));
}

inline void CrossbarLogic::send_on_link(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  if (in.run != 0) {
    if (--in.run == 0) end_run(input, now);
    return;
  }
  const unsigned vc = link_choice(in, input);
  Channel& ch = channel(input, vc);
  ++ch.occupied;
  const bool head = ch.to_send == ch.register_flits;
  --ch.to_send;
  if (head) {
    buffered(ch, ch.count - 1u).injected = now;
    if (ch.count == 1 && (in.streaming_left == 0 || in.streaming_vc != vc)) ask(input, vc, now);
  }
  in.next_on_link = static_cast<std::uint8_t>(vc);
  if (ch.to_send > 1 && ch.occupied < buffer_flits_) {
    in.run = static_cast<std::uint8_t>(std::min<unsigned>(ch.to_send - 1u, buffer_flits_ - ch.occupied));
    ch.to_send = static_cast<std::uint8_t>(ch.to_send - in.run);
    ch.occupied += in.run;
    return;
  }
  if (ch.to_send == 0) {
    register_sent(input, vc, now);
    if (in.sendable == 0) link_inputs_.clear(input);
  } else {
    end_run(input, now);
  }
}

// What was sure to go has gone: the link goes on unless the buffer is full.
void CrossbarLogic::end_run(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  Channel& ch = channel(input, in.next_on_link);
  if (ch.occupied != buffer_flits_) return;
  in.sendable &= ~(1u << in.next_on_link);
  ch.full_since = now + 1;
  if (in.sendable == 0) link_inputs_.clear(input);
}

// Another packet may have to go first: what has not gone yet counts as not sent.
void CrossbarLogic::cut_run(unsigned input) {
  Input& in = inputs_[input];
  Channel& ch = channel(input, in.next_on_link);
  ch.occupied -= in.run;
  ch.to_send = static_cast<std::uint8_t>(ch.to_send + in.run);
  in.run = 0;
}

inline void CrossbarLogic::register_sent(unsigned input, unsigned vc, Cycle now) {
  Input& in = inputs_[input];
  const Channel& ch = channel(input, vc);
  in.sendable &= ~(1u << vc);
  in.next_on_link = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  freed_inputs_.set(input);
  counters_.input_link(input) += ch.register_flits;
  counters_.refused_credit += ch.full_cycles;
  counters_.refused_vc += now + 1 - ch.accepted - ch.register_flits - ch.full_cycles;
}

// ---- input buffer and switch

// The first packet of the channel asks for its output from cycle `from` on, if its head is in the buffer.
void CrossbarLogic::ask_for_next(unsigned input, unsigned vc, Cycle from) {
  const Channel& ch = channel(input, vc);
  if (ch.count > 1 || (ch.count == 1 && ch.to_send < ch.register_flits)) ask(input, vc, from);
}

void CrossbarLogic::ask(unsigned input, unsigned vc, Cycle from) {
  Channel& ch = channel(input, vc);
  ch.output = buffered(ch, 0).output;
  ch.asking_since = from;
  ch.closed_before = closed_until(outputs_[ch.output], from);
  inputs_[input].asking |= 1u << vc;
  if (inputs_[input].streaming_left == 0) request(input, ch.output);
}

void CrossbarLogic::request(unsigned input, unsigned output) {
  requests_[output].set(input);
  asked_outputs_.set(output);
}

void CrossbarLogic::withdraw(unsigned input, unsigned output) {
  requests_[output].clear(input);
  if (requests_[output].none()) asked_outputs_.clear(output);
}

[[gnu::always_inline]] inline unsigned CrossbarLogic::switch_choice(const Input& in, unsigned input, unsigned output) const {
  if (classes_ == 1 && in.asking != 0 && (in.asking & (in.asking - 1)) == 0) {
    const auto only = static_cast<unsigned>(__builtin_ctz(in.asking));
    if (channel(input, only).output == output) return only;
  }
  for (std::uint32_t rest : {in.asking >> in.next_on_switch << in.next_on_switch, in.asking})
    for (; rest != 0; rest &= rest - 1) {
      const auto vc = static_cast<unsigned>(__builtin_ctz(rest));
      const unsigned place = channel(input, vc).output;
      if (classes_ == 1 ? place == output : place / classes_ == output && roomy_outputs_.test(place)) return vc;
    }
  wrong_match(input, output);
}

void CrossbarLogic::wrong_match(unsigned input, unsigned output) const {
  throw SimulationError(counters_.group.path() + ": the arbitration matched input " + std::to_string(input) + " with output " +
                        std::to_string(output) + ", for which it does not ask; run the policy through the contract tests");
}

// A head crosses the switch.
inline void CrossbarLogic::start_packet(unsigned input, unsigned port, Cycle now) {
  Input& in = inputs_[input];
  const unsigned vc = switch_choice(in, input, port);
  in.next_on_switch = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  in.asking &= ~(1u << vc);

  Channel& ch = channel(input, vc);
  const unsigned output = ch.output;
  const Buffered packet = buffered(ch, 0);
  ch.first = static_cast<std::uint16_t>(ch.first + 1u == buffer_slots_ ? 0 : ch.first + 1);
  --ch.count;
  const Cycle closed = closed_until(outputs_[output], now) - ch.closed_before;
  counters_.refused_queue += ch.asking_since - packet.injected;
  counters_.refused_ejection += closed;
  counters_.refused_arbitration += now - ch.asking_since - closed;

  to_pipeline(output, packet, now);
  leave_buffer(input, vc, now);
  withdraw(input, output);
  if (packet.flits == 1) {
    for_each_asking(in, input, [&](unsigned other) {
      if (other == output) request(input, other);
    });
    return ask_for_next(input, vc, now + 1);
  }
  if (in.run != 0) cut_run(input);
  for_each_asking(in, input, [&](unsigned other) { withdraw(input, other); });
  in.streaming_vc = static_cast<std::uint8_t>(vc);
  in.streaming_left = static_cast<std::uint8_t>(packet.flits - 1);
  in.streaming_output = static_cast<std::uint16_t>(port);
  streaming_inputs_.set(input);
  idle_outputs_.clear(port);
  if (ch.count == 0 && ch.to_send > 1) pause(input, ch, now);
}

// The packet that just won the switch is still in the register: until its last flit is to be sent, link and switch belong to it, and
// its buffer holds as many flits after each cycle as before.
void CrossbarLogic::pause(unsigned input, Channel& through, Cycle now) {
  const unsigned cycles = through.to_send - 1u;
  through.to_send = 1;
  inputs_[input].streaming_left = static_cast<std::uint8_t>(inputs_[input].streaming_left - cycles);
  paused_inputs_.set(input);
  resuming_[(now + 1 + cycles) % kMaxPacketFlits].set(input);
}

void CrossbarLogic::resume(Cycle now) {
  for (Cycle cycle = next_tick_; cycle <= now && paused_inputs_.any(); ++cycle) {
    PortMask& ended = resuming_[cycle % kMaxPacketFlits];
    paused_inputs_ = paused_inputs_.without(ended);
    ended = {};
  }
}

// A later flit follows; behind the tail both ports are free in the next cycle.
inline void CrossbarLogic::stream_flit(unsigned input, Cycle now) {
  Input& in = inputs_[input];
  leave_buffer(input, in.streaming_vc, now);
  if (--in.streaming_left != 0) return;
  streaming_inputs_.clear(input);
  idle_outputs_.set(in.streaming_output);
  for_each_asking(in, input, [&](unsigned output) { request(input, output); });
  ask_for_next(input, in.streaming_vc, now + 1);
}

[[gnu::always_inline]] inline void CrossbarLogic::leave_buffer(unsigned input, unsigned vc, Cycle now) {
  Channel& ch = channel(input, vc);
  Input& in = inputs_[input];
  --ch.occupied;
  if (ch.to_send == 0 || (in.sendable >> vc & 1) != 0) return;
  ch.full_cycles += now + 1 - ch.full_since;
  in.sendable |= 1u << vc;
  if (in.run != 0) cut_run(input);
  link_inputs_.set(input);
}

PortMask CrossbarLogic::open_ports(const PortMask& places) const {
  PortMask open;
  places.for_each([&](unsigned place) { open.set(place / classes_); });
  return open & idle_outputs_;
}

const PortMask* CrossbarLogic::requests_by_port(const PortMask& open) {
  if (classes_ == 1) return requests_.data();
  open.for_each([&](unsigned port) { merged_[port] = {}; });
  (asked_outputs_ & roomy_outputs_).for_each([&](unsigned place) { merged_[place / classes_] |= requests_[place]; });
  return merged_.data();
}

bool CrossbarLogic::tick(Cycle now) {
  if (now < next_tick_) return false;
  collect_arrivals(now);
  resume(now);
  next_tick_ = now + 1;
  freed_inputs_ = {};
  const PortMask senders = sending();
  bool moved = senders.any() || paused_inputs_.any();
  senders.for_each([&](unsigned input) { send_on_link(input, now); });

  // The ports that packets hold at the start of the cycle are taken for all of it.
  const PortMask streams = streaming();
  const PortMask open = open_outputs();
  if (open.any()) {
    allocator_->allocate({requests_by_port(open), PortMask::first(inputs()), open}, matching_);
    moved |= matching_.size() != 0;
    for (const arbitration::Grant& grant : matching_) start_packet(grant.input, grant.output, now);
  }
  moved |= streams.any();
  streams.for_each([&](unsigned input) { stream_flit(input, now); });
  return moved;
}

// ---- pipeline and ejection buffer

inline void CrossbarLogic::to_pipeline(unsigned output, const Buffered& packet, Cycle now) {
  Output& out = outputs_[output];
  out.first = out.count == 0 ? 0 : out.first;
  out.older += out.count == 0 ? 0 : out.youngest;
  out.youngest = packet.flits;
  std::uint32_t slot = out.first + out.count++;
  if (slot >= ejection_slots_) slot -= ejection_slots_;
  ejected_[output * ejection_slots_ + slot] = {packet.handle, packet.flits};
  if (out.older >= ejection_capacity_) {
    out.closed = true;
    out.closed_from = now + packet.flits;  // until then it is this packet that holds the output
    roomy_outputs_.clear(output);
  }
  const Cycle arrival = now + latency_ + packet.flits - 1;
  arrivals_[arrival & (arrivals_.size() - 1)].set(output);
  ++arrivals_pending_;

  counters_.output_link(classes_ == 1 ? output : output / classes_) += packet.flits;
  counters_.packet_latency_sum += arrival - packet.enqueued;
  counters_.packet_latency.add(arrival - packet.enqueued);
  counters_.network_latency_sum += arrival - packet.injected;
  counters_.network_latency.add(arrival - packet.injected);
}

void CrossbarLogic::collect_arrivals(Cycle now) {
  while (collected_ < now && arrivals_pending_ != 0) {
    PortMask& arriving = arrivals_[++collected_ & (arrivals_.size() - 1)];
    if (arriving.none()) continue;
    arriving.for_each([&](unsigned output) {
      ++outputs_[output].arrived;
      --arrivals_pending_;
    });
    ready_outputs_ |= arriving;
    arriving = {};
  }
  collected_ = std::max(collected_, now);
}

EjectedPacket CrossbarLogic::pop(unsigned output, Cycle now) {
  if (output >= outputs() || outputs_[output].arrived == 0)
    throw SimulationError(counters_.group.path() + ": nothing has arrived at output " + std::to_string(output) + " by cycle " +
                          std::to_string(now) + "; ask ejected first");
  Output& out = outputs_[output];
  const EjectedPacket packet = peek(output);
  out.first = out.first + 1 == ejection_slots_ ? 0 : out.first + 1;
  if (--out.count != 0) out.older -= packet.flits;
  if (--out.arrived == 0) ready_outputs_.clear(output);
  if (out.closed && out.older < ejection_capacity_) {
    out.closed_cycles = closed_until(out, std::max(now, next_tick_));
    out.closed = false;
    roomy_outputs_.set(output);
  }
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  return packet;
}

Cycle CrossbarLogic::next_event(Cycle now) const {
  if (sending().any() || streaming().any() || open_outputs().any()) return std::max(now, next_tick_);
  Cycle next = kNever;
  if (arrivals_pending_ != 0) {
    next = collected_ + 1;
    while (arrivals_[next & (arrivals_.size() - 1)].none()) ++next;
  }
  if (paused_inputs_.any()) {
    Cycle cycle = next_tick_;
    while (cycle < next && resuming_[cycle % kMaxPacketFlits].none()) ++cycle;
    next = std::min(next, cycle);
  }
  return next == kNever ? kNever : std::max(now, next);
}

}  // namespace wharf::network
