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
      block_(clock.add(*this)),
      inputs_(std::size_t{inputs.count} * classes.count),
      outputs_(std::size_t{outputs.count} * classes.count) {
  for (unsigned t = 0; t < kTraffics; ++t)
    channels_[t] = network::vc_class(classes.of[t], classes.count, params.crossbar.virtual_channels);
  for (unsigned i = 0; i < inputs.count * classes.count; ++i)
    inputs_.emplace_back("input" + std::to_string(i), *this, i, params.interface_packets);
  for (unsigned i = 0; i < outputs.count * classes.count; ++i)
    outputs_.emplace_back("output" + std::to_string(i), *this, i);
}

Crossbar::Way Crossbar::way_of(Payload& payload) const {
  const MessageHeader& header = payload.message();
  const LineAddress line = payload.access().line;
  const bool forwarded = classes_.via != nullptr && header.destination < first_output_;
  const unsigned port = forwarded ? classes_.via->locate(line.byte_address()).slice : header.destination - first_output_;
  const unsigned place = classes_.count == 1 ? port : port * classes_.count + class_of(header.traffic);
  const auto channel = classes_.output_queues ? static_cast<std::uint8_t>(place)
                                              : network::virtual_channel(line, channels_[static_cast<unsigned>(header.traffic)]);
  return {static_cast<std::uint16_t>(place), channel, header.flits, payload.stages().counted()};
}

bool Crossbar::message(unsigned index, Payload& payload, Picoseconds at) {
  Input& input = inputs_[index];
  const Cycle offered = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const bool accepted = input.queue.offer(payload, offered, 0, present, way_of(payload)) == Acceptance::accepted;
  offered_.set(index);
  // Behind one that waits for its register there is nothing to do.
  if (!accepted || input.waits_for == kNothing) try_.set(index);
  wake(accepted ? std::max(offered, present + 1) : present + 1);
  return accepted;
}

void Crossbar::posted(unsigned index, Picoseconds at) {
  const Cycle taken_at = clock_.cycle_at(at);
  outputs_[index].taken_at = taken_at;
  taken_.set(index);
  wake(std::max(taken_at, clock_.present_cycle() + 1));
}

void Crossbar::act(Cycle now) {
  const arbitration::PortMask trying = clock_.ticking() ? offered_ : try_ & offered_;
  try_ = {};
  trying.for_each([&](unsigned i) { inject(i, now); });
  arbitration::PortMask taken = taken_;
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
  if (next != kNever) --next;  // what arrives in a cycle is handed over in the cycle before, so that it is there in time
  if (again || taken_.any() || try_.any()) next = now + 1;
  if (next != kNever) wake(std::max(next, now + 1));
}

/// Moves what the interface holds into the free registers, and says when to try again: in the next cycle, or when a register comes free.
void Crossbar::inject(unsigned index, Cycle now) {
  Input& input = inputs_[index];
  RequestQueueOf<Way>& queue = input.queue;
  const unsigned port = port_of(index);
  if (queue.waiting()) {
    Cycle end;
    if (Payload* accepted = queue.settle(now, end)) input.port.take(*accepted, clock_.delay(end - now));
  }
  bool moved = false;
  input.waits_for = kNothing;
  while (queue.ready(now)) {
    const Way way = queue.carried();
    if (!logic_.can_inject(port, way.channel)) {
      input.waits_for = way.channel;
      break;
    }
    const Cycle enqueued = queue.next_ready();
    Payload& payload = queue.pop(now);
    if (way.timed) payload.stages().claim_to(Stage::queueing, present());
    logic_.inject(port, {handle_of(payload, way.timed), way.place, way.channel, way.flits, enqueued}, now);
    moved = true;
  }
  if (queue.empty()) {
    if (!queue.waiting()) offered_.clear(index);
  } else if (!queue.ready(now)) {
    try_.set(index);
  }
  if (moved && queue.waiting()) try_.set(index);
}

/// Inputs whose first packet can go into its register now.
void Crossbar::try_freed() {
  const auto try_input = [&](unsigned port, unsigned index) {
    const std::uint8_t channel = inputs_[index].waits_for;
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

/// Hands over what arrives in the next cycle, one packet an output; true where more is left behind a packet that was taken.
bool Crossbar::eject(Cycle now) {
  const arbitration::PortMask arrived = logic_.ejected(now + 1).without(pending_);
  const Picoseconds cycle = clock_.delay(1);
  arrived.for_each([&](unsigned i) {
    const std::uint64_t handle = logic_.peek(i).handle;
    Payload& payload = payload_of(handle);
    if (timed(handle)) payload.stages().claim_to(Stage::network, present() + cycle);
    if (outputs_[i].port.post(payload, cycle))
      logic_.pop(i, now + 1);
    else
      pending_.set(i);
  });
  return logic_.ejected(now + 1).without(pending_).any();
}

void Crossbar::inspect(std::vector<Wait>& waits) const {
  for (unsigned i = 0; i < inputs_.size(); ++i) {
    const RequestQueueOf<Way>& queue = inputs_[i].queue;
    if (queue.empty()) continue;
    const Access& access = queue.front().access();
    waits.push_back({prefix_ + ".input[" + std::to_string(i) + "]",
                     prefix_ + ".output[" + std::to_string(queue.carried().place) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
  for (unsigned i = 0; i < outputs_.size(); ++i) {
    if (!pending_.test(i)) continue;
    const Access& access = payload_of(logic_.peek(i).handle).access();
    waits.push_back({prefix_ + ".output[" + std::to_string(i) + "]", prefix_ + ".destination[" + std::to_string(i) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  }
}

}  // namespace wharf
