#include "model/network/crossbar/crossbar.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf {

Crossbar::Crossbar(sc_core::sc_module_name name, const NetworkParams& params, EndpointRange inputs, EndpointRange outputs,
                   const std::string& prefix, ClockDomain& clock, stats::Registry& registry, const TrafficClasses& classes, int instance)
    : sc_module(name),
      prefix_(prefix),
      first_input_(inputs.first),
      first_output_(outputs.first),
      classes_(classes),
      clock_(clock),
      logic_(params.of<network::CrossbarParams>(), inputs.count, outputs.count, registry, prefix, instance, classes.count),
      block_(clock.add(*this)),
      inputs_(std::size_t{inputs.count} * classes.count),
      outputs_(std::size_t{outputs.count} * classes.count) {
  for (unsigned t = 0; t < kTraffics; ++t)
    channels_[t] = network::vc_class(classes.of[t], classes.count, params.of<network::CrossbarParams>().virtual_channels);
  for (unsigned i = 0; i < inputs.count * classes.count; ++i)
    inputs_.emplace_back("input" + std::to_string(i), *this, i, params.interface_packets);
  for (unsigned i = 0; i < outputs.count * classes.count; ++i) outputs_.emplace_back("output" + std::to_string(i), *this, i);
}

/// Derives everything that the crossbar needs to know about a message, so that the message is not read again before it leaves.
network::CrossbarPacket Crossbar::packet_of(Payload& payload, Cycle enqueued) const {
  const MessageHeader& header = payload.message();
  const LineAddress line = payload.access().line;
  const bool forwarded = classes_.via != nullptr && header.destination < first_output_;
  const unsigned port = forwarded ? classes_.via->locate(line.byte_address()).slice : header.destination - first_output_;
  const unsigned place = classes_.count == 1 ? port : port * classes_.count + class_of(header.traffic);
  const auto channel = classes_.output_queues ? static_cast<std::uint8_t>(place)
                                              : network::virtual_channel(line, channels_[static_cast<unsigned>(header.traffic)]);
  return {handle_of(payload, payload.stages().counted()), static_cast<std::uint16_t>(place), channel, header.flits, enqueued};
}

bool Crossbar::message(unsigned index, Payload& payload, Picoseconds at) {
  network::InterfaceQueue& queue = inputs_[index].queue;
  const Cycle offered = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const bool accepted = queue.offer(packet_of(payload, offered), present);
  admit_.set_if(queue.can_admit(), index);
  look_at_front(index);
  wake(accepted ? std::max(offered, present + 1) : present + 1);
  return accepted;
}

void Crossbar::posted(unsigned index, Picoseconds at) {
  const Cycle taken_at = clock_.cycle_at(at), present = clock_.present_cycle();
  wake(std::max(taken_at, present + 1));
  // A packet taken on its arrival, in the edge in which it was handed over, leaves at once, whichever of the two blocks acts first.
  if (outputs_[index].refused_at == present && taken_at <= present + 1) {
    pending_.clear(index);
    logic_.pop(index, taken_at);
    return;
  }
  outputs_[index].taken_at = taken_at;
  taken_.set(index);
}

void Crossbar::act(Cycle now) {
  const arbitration::PlaceMask all = clock_.ticking() ? arbitration::PlaceMask::first(inputs_.size()) : arbitration::PlaceMask();
  const arbitration::PlaceMask admitting = admit_ | all;
  admit_ = {};
  admitting.for_each([&](unsigned i) { admit_pending(i, now); });
  const arbitration::PlaceMask trying = try_ | all;
  try_ = {};
  trying.for_each([&](unsigned i) { inject(i, now); });
  arbitration::PlaceMask taken = taken_;
  taken.for_each([&](unsigned i) {
    if (outputs_[i].taken_at > now) return;
    taken_.clear(i);
    pending_.clear(i);
    logic_.pop(i, now);
  });
  logic_.tick(now);
  const bool again = eject(now);
  try_freed();

  Cycle next = logic_.next_event(now + 1);
  if (next != kNever) --next;  // a packet is handed over in the cycle before its arrival
  if (again || taken_.any() || try_.any() || admit_.any()) next = now + 1;
  if (next != kNever) wake(std::max(next, now + 1));
}

/// Schedules the next try of an interface's first packet: when its register becomes free, or in the next cycle.
inline void Crossbar::look_at_front(unsigned index) {
  const network::InterfaceQueue& queue = inputs_[index].queue;
  const unsigned port = port_of(index), channel = queue.front().vc;
  const bool free = logic_.can_inject(port, channel), waits = !queue.empty() & !free;
  logic_.await(port, channel, waits);
  blocked_.set_if(waits, index);
  try_.set_if(!queue.empty() & free, index);
}

/// Gives the pending packet its queue entry.
void Crossbar::admit_pending(unsigned index, Cycle now) {
  Input& input = inputs_[index];
  if (!input.queue.can_admit()) return;
  Cycle end;
  const network::CrossbarPacket& accepted = input.queue.admit_pending(now, end);
  look_at_front(index);
  input.port.accept(payload_of(accepted.handle), clock_.delay(end - now));
}

/// Moves queued packets into free registers.
void Crossbar::inject(unsigned index, Cycle now) {
  network::InterfaceQueue& queue = inputs_[index].queue;
  const unsigned port = port_of(index);
  const auto can_go = [&](const network::CrossbarPacket& packet) { return (packet.enqueued <= now) & logic_.can_inject(port, packet.vc); };
  for (; can_go(queue.front()); queue.pop(now)) {
    const network::CrossbarPacket& packet = queue.front();
    if (timed(packet.handle)) {
      Payload& payload = payload_of(packet.handle);
      payload.stages().claim_to(injection_stage(payload.message().traffic), present());
    }
    logic_.inject(port, packet, now);
  }
  admit_.set_if(queue.can_admit(), index);
  look_at_front(index);
}

/// Marks the inputs whose first packet can enter its register now.
void Crossbar::try_freed() {
  const arbitration::PortMask& freed = logic_.freed_inputs();
  arbitration::PlaceMask waiting;
  if (classes_.count == 1)
    waiting = freed.as<arbitration::PlaceMask>();
  else
    freed.for_each([&](unsigned port) {
      for (unsigned c = 0; c < classes_.count; ++c) waiting.set(port * classes_.count + c);
    });
  try_ |= waiting & blocked_;
  blocked_ = blocked_.without(waiting);
}

/// Hands over the packets that arrive in the next cycle, one per output. Returns true if another packet follows one that was taken.
bool Crossbar::eject(Cycle now) {
  const arbitration::PlaceMask arrived = logic_.ejected(now + 1).without(pending_);
  const Picoseconds cycle = clock_.delay(1);
  arrived.for_each([&](unsigned i) {
    const std::uint64_t handle = logic_.peek(i).handle;
    Payload& payload = payload_of(handle);
    if (timed(handle)) payload.stages().claim_to(network_stage(payload.message().traffic), present() + cycle);
    if (outputs_[i].port.post(payload, cycle)) {
      logic_.pop(i, now + 1);
    } else {
      pending_.set(i);
      outputs_[i].refused_at = now;
    }
  });
  return logic_.ejected(now + 1).without(pending_).any();
}

void Crossbar::inspect(std::vector<Wait>& waits) const {
  for (unsigned i = 0; i < inputs_.size(); ++i) {
    const network::InterfaceQueue& queue = inputs_[i].queue;
    if (queue.empty()) continue;
    const Access& access = payload_of(queue.front().handle).access();
    waits.push_back({prefix_ + ".input[" + std::to_string(i) + "]", prefix_ + ".output[" + std::to_string(queue.front().output) + "]",
                     access.id, access.line.byte_address(), access.issue_cycle});
  }
  for (unsigned i = 0; i < outputs_.size(); ++i) {
    if (!pending_.test(i)) continue;
    const Access& access = payload_of(logic_.peek(i).handle).access();
    waits.push_back({prefix_ + ".output[" + std::to_string(i) + "]", prefix_ + ".destination[" + std::to_string(i) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
}

bool Crossbar::archive(Archive& file) {
  bool quiet = logic_.in_flight() == 0;
  for (std::size_t i = 0; i < inputs_.size(); ++i) quiet = quiet && inputs_[i].queue.empty();
  file.expect_quiet(quiet, prefix_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) file(outputs_[i].taken_at);
  file(last_wake_, admit_, try_, blocked_, pending_, taken_);
  return logic_.archive(file);
}

}  // namespace wharf
