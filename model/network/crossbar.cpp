#include "model/network/crossbar.h"

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
      logic_(params.crossbar, inputs.count, outputs.count, registry, prefix, instance, classes.count),
      block_(clock.add(*this)) {
  for (unsigned t = 0; t < kTraffics; ++t)
    channels_[t] = network::vc_class(classes.of[t], classes.count, params.crossbar.virtual_channels);
  for (unsigned i = 0; i < inputs.count * classes.count; ++i)
    inputs_.push_back(std::make_unique<Input>("input" + std::to_string(i), *this, i, params.interface_packets));
  for (unsigned i = 0; i < outputs.count * classes.count; ++i)
    outputs_.push_back(std::make_unique<Output>("output" + std::to_string(i), *this, i));
}

bool Crossbar::message(unsigned index, Payload& payload, Picoseconds at) {
  const Cycle offered = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = inputs_[index]->queue.offer(payload, offered, 0, present);
  offered_.set(index);
  // Behind one that waits for its register there is nothing to do.
  if (acceptance != Acceptance::accepted || inputs_[index]->waits_for == kNothing) try_.set(index);
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(offered, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void Crossbar::posted(unsigned index, Picoseconds at) {
  outputs_[index]->taken_at = clock_.cycle_at(at);
  taken_.set(index);
  clock_.wake(block_, std::max(outputs_[index]->taken_at, clock_.present_cycle() + 1));
}

void Crossbar::act(Cycle now) {
  const arbitration::PortMask trying = clock_.ticking() ? offered_ : try_ & offered_;
  try_ = {};
  trying.for_each([&](unsigned i) { inject(i, now); });
  arbitration::PortMask taken = taken_;
  taken.for_each([&](unsigned i) {
    Output& output = *outputs_[i];
    if (output.taken_at > now) return;
    taken_.clear(i);
    output.pending = false;
    output.taken_at = kNever;
    logic_.pop(i, now);
  });
  logic_.tick(now);
  const bool again = eject(now);
  try_freed();

  Cycle next = logic_.next_event(now + 1);
  if (next != kNever) --next;  // what arrives in a cycle is handed over in the cycle before, so that it is there in time
  if (again || taken_.any() || try_.any()) next = now + 1;
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

/// Moves what the interface holds into the free registers, and says when to try again: in the next cycle, or when a register comes free.
void Crossbar::inject(unsigned index, Cycle now) {
  Input& input = *inputs_[index];
  const unsigned port = port_of(index);
  Cycle end;
  if (Payload* accepted = input.queue.settle(now, end)) input.port.take(*accepted, clock_.delay(end - now));
  bool moved = false;
  input.waits_for = kNothing;
  while (input.queue.ready(now)) {
    Payload& first = input.queue.front();
    const std::uint8_t channel =
        classes_.output_queues
            ? static_cast<std::uint8_t>(place_of(first))
            : network::virtual_channel(first.access().line, channels_[static_cast<unsigned>(first.message().traffic)]);
    if (!logic_.can_inject(port, channel)) {
      input.waits_for = channel;
      break;
    }
    const Cycle enqueued = input.queue.next_ready();
    Payload& payload = input.queue.pop(now);
    payload.stages().claim_to(Stage::queueing, present());
    const auto place = static_cast<std::uint16_t>(place_of(payload));
    logic_.inject(port, {handle_of(payload), place, channel, payload.message().flits, enqueued}, now);
    moved = true;
  }
  if (input.queue.empty() && !input.queue.waiting()) offered_.clear(index);
  if ((moved && input.queue.waiting()) || (!input.queue.empty() && !input.queue.ready(now))) try_.set(index);
}

/// Inputs whose first packet can go into its register now.
void Crossbar::try_freed() {
  const auto try_input = [&](unsigned port, unsigned index) {
    const std::uint8_t channel = inputs_[index]->waits_for;
    if (channel != kNothing && logic_.can_inject(port, channel)) try_.set(index);
  };
  if (classes_.count == 1) {
    (logic_.freed_inputs() & offered_).for_each([&](unsigned port) { try_input(port, port); });
    return;
  }
  logic_.freed_inputs().for_each([&](unsigned port) {
    for (unsigned c = 0; c < classes_.count; ++c) try_input(port, port * classes_.count + c);
  });
}

unsigned Crossbar::place_of(Payload& payload) const {
  const MessageHeader& header = payload.message();
  const bool forwarded = classes_.via != nullptr && header.destination < first_output_;
  const unsigned port = forwarded ? classes_.via->locate(payload.access().line.byte_address()).slice : header.destination - first_output_;
  return classes_.count == 1 ? port : port * classes_.count + class_of(header.traffic);
}

/// Hands over what arrives in the next cycle, one packet an output; true where more is left behind a packet that was taken.
bool Crossbar::eject(Cycle now) {
  bool more = false;
  const arbitration::PortMask arrived = logic_.ejected(now + 1);
  arrived.for_each([&](unsigned i) {
    Output& output = *outputs_[i];
    if (output.pending) return;
    Payload& payload = payload_of(logic_.peek(i));
    payload.stages().claim_to(Stage::network, present() + clock_.delay(1));
    if (output.port.post(payload, clock_.delay(1))) {
      logic_.pop(i, now + 1);
      more |= logic_.ejected(now + 1).test(i);
    } else {
      output.pending = true;
    }
  });
  return more;
}

void Crossbar::inspect(std::vector<Wait>& waits) const {
  for (unsigned i = 0; i < inputs_.size(); ++i) {
    const RequestQueue& queue = inputs_[i]->queue;
    if (queue.empty()) continue;
    const Access& access = queue.front().access();
    waits.push_back({prefix_ + ".input[" + std::to_string(i) + "]",
                     prefix_ + ".output[" + std::to_string(place_of(queue.front())) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
  for (unsigned i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i]->pending) continue;
    const Access& access = payload_of(logic_.peek(i)).access();
    waits.push_back({prefix_ + ".output[" + std::to_string(i) + "]", prefix_ + ".destination[" + std::to_string(i) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
}

}  // namespace wharf
