#include "model/network/routed/routed_network.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"

namespace wharf {

RoutedNetwork::RoutedNetwork(sc_core::sc_module_name name, const Plan& plan, const std::string& prefix, ClockDomain& clock,
                             stats::Registry& registry)
    : sc_module(name),
      prefix_(prefix),
      class_of_(plan.class_of),
      nodes_(plan.nodes),
      clock_(clock),
      logic_(plan.topology, plan.router, plan.classes, registry, prefix),
      block_(clock.add(*this)),
      input_at_(std::size_t{plan.topology.nodes} * plan.classes, kNone),
      output_at_(input_at_) {
  for (unsigned t = 0; t < kTraffics; ++t) channels_[t] = logic_.entry_channels(class_of_[t]);
  const auto text = [](const char* what, const Port& port) {
    return what + std::to_string(port.endpoint) + "_" + std::to_string(port.traffic_class);
  };
  for (const Port& port : plan.inputs) {
    const unsigned node = nodes_.at(port.endpoint), index = static_cast<unsigned>(inputs_.size());
    inputs_.push_back(std::make_unique<Input>(text("input", port), *this, index, plan.interface_packets, node));
    input_at_[logic_.place(node, port.traffic_class)] = static_cast<std::uint16_t>(index);
  }
  for (const Port& port : plan.outputs) {
    const unsigned place = logic_.place(nodes_.at(port.endpoint), port.traffic_class), index = static_cast<unsigned>(outputs_.size());
    outputs_.push_back(std::make_unique<Output>(text("output", port), *this, index, place));
    output_at_[place] = static_cast<std::uint16_t>(index);
  }
}

void RoutedNetwork::misuse(const char* what, unsigned endpoint) const {
  throw SimulationError(prefix_ + ": endpoint " + std::to_string(endpoint) + " " + what + "; check the platform's traffic plan");
}

tlm::tlm_target_socket<>& RoutedNetwork::input(unsigned endpoint, Traffic traffic) {
  const std::uint16_t index = input_at_.at(place_of(endpoint, traffic));
  if (index == kNone) misuse("sends nothing of this kind", endpoint);
  return inputs_[index]->port.socket;
}

tlm::tlm_initiator_socket<>& RoutedNetwork::output(unsigned endpoint, Traffic traffic) {
  const std::uint16_t index = output_at_.at(place_of(endpoint, traffic));
  if (index == kNone) misuse("gets nothing of this kind", endpoint);
  return outputs_[index]->port.socket;
}

bool RoutedNetwork::message(unsigned index, Payload& payload, Picoseconds at) {
  const Cycle offered = clock_.cycle_at(at);
  const Cycle present = clock_.present_cycle();
  const Acceptance acceptance = inputs_[index]->queue.offer(payload, offered, 0, present);
  offered_.set(index);
  try_.set(index);
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(offered, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void RoutedNetwork::posted(unsigned index, Picoseconds at) {
  Output& output = *outputs_[index];
  const Cycle taken_at = clock_.cycle_at(at), present = clock_.present_cycle();
  clock_.wake(block_, std::max(taken_at, present + 1));
  // A packet taken on its arrival, in the edge in which it was handed over, leaves at once, whichever of the two blocks acts first.
  if (output.refused_at == present && taken_at <= present + 1) {
    output.pending = false;
    free_handles_.push_back(logic_.pop(output.place, taken_at));
    return;
  }
  output.taken_at = taken_at;
  taken_.set(index);
}

void RoutedNetwork::act(Cycle now) {
  logic_.visit_freed(now, [&](unsigned node, unsigned vc) {
    for (unsigned c = 0; c < logic_.classes(); ++c) {
      const std::uint16_t index = input_at_[logic_.place(node, c)];
      if (index != kNone && inputs_[index]->blocked_vc == vc) try_.set(index);
    }
  });
  const network::NodeMask changed = try_.drain();
  const network::NodeMask trying = clock_.ticking() ? offered_ : changed & offered_;
  trying.for_each([&](unsigned i) { inject(i, now); });
  if (taken_.any()) release_taken(now);
  logic_.tick(now);
  const bool again = eject(now);

  Cycle next = logic_.next_event(now + 1);
  const Cycle ejection = logic_.next_ejection();
  // A packet is handed over in the cycle before its arrival.
  if (ejection != kNever) next = std::min(next, std::max(ejection - 1, now + 1));
  if (again || taken_.any() || try_.any()) next = now + 1;
  if (next != kNever) clock_.wake(block_, next);
}

/// Removes the packets that their destinations had refused and have since taken.
void RoutedNetwork::release_taken(Cycle now) {
  const network::NodeMask taken = taken_;
  taken.for_each([&](unsigned i) {
    Output& output = *outputs_[i];
    if (output.taken_at > now) return;
    taken_.clear(i);
    output.pending = false;
    output.taken_at = kNever;
    free_handles_.push_back(logic_.pop(output.place, now));
  });
}

/// Moves queued packets into free registers, and schedules the next try: in the next cycle, or when a register becomes free.
void RoutedNetwork::inject(unsigned index, Cycle now) {
  Input& input = *inputs_[index];
  Cycle end;
  if (Payload* accepted = input.queue.admit_pending(now, end)) input.port.accept(*accepted, clock_.delay(end - now));
  bool moved = false;
  input.blocked_vc = kNoChannel;
  while (input.queue.ready(now)) {
    Payload& payload = input.queue.front();
    const MessageHeader& header = payload.message();
    const auto traffic = static_cast<unsigned>(header.traffic);
    const std::uint8_t vc = network::virtual_channel(payload.access().line, channels_[traffic]);
    if (!logic_.can_inject(input.node, vc, now)) {
      input.blocked_vc = vc;
      break;
    }
    const Cycle enqueued = input.queue.next_ready();
    input.queue.pop(now);
    payload.stages().claim_to(injection_stage(header.traffic), present());
    const std::uint16_t node = nodes_.at(header.destination);
    if (output_at_[logic_.place(node, class_of_[traffic])] == kNone) misuse("gets nothing of this kind", header.destination);
    logic_.inject(input.node, {handle_of(payload), node, vc, header.flits, enqueued}, now);
    moved = true;
  }
  if (input.queue.empty() && !input.queue.waiting()) offered_.clear(index);
  if ((moved && input.queue.waiting()) || (!input.queue.empty() && !input.queue.ready(now))) try_.set(index);
}

std::uint32_t RoutedNetwork::handle_of(Payload& payload) {
  if (free_handles_.empty()) {
    payloads_.push_back(&payload);
    return static_cast<std::uint32_t>(payloads_.size() - 1);
  }
  const std::uint32_t handle = free_handles_.back();
  free_handles_.pop_back();
  payloads_[handle] = &payload;
  return handle;
}

/// Hands over the packets that arrive in the next cycle, one per output. Returns true if another packet follows one that was taken.
bool RoutedNetwork::eject(Cycle now) {
  bool more = false;
  const network::NodeMask arrived = logic_.ejected(now + 1);
  arrived.for_each([&](unsigned place) {
    Output& output = *outputs_[output_at_[place]];
    if (output.pending) return;
    const std::uint32_t handle = logic_.peek(place);
    Payload& payload = *payloads_[handle];
    payload.stages().claim_to(network_stage(payload.message().traffic), present() + clock_.delay(1));
    if (output.port.post(payload, clock_.delay(1))) {
      logic_.pop(place, now + 1);
      free_handles_.push_back(handle);
      more |= logic_.ejected(now + 1).test(place);
    } else {
      output.pending = true;
      output.refused_at = now;
    }
  });
  return more;
}

void RoutedNetwork::inspect(std::vector<Wait>& waits) const {
  const auto wait = [&](const std::string& from, const std::string& on, const Access& access) {
    waits.push_back({prefix_ + from, prefix_ + on, access.id, access.line.byte_address(), access.issue_cycle});
  };
  const auto numbered = [](const char* what, unsigned number) { return std::string(".") + what + "[" + std::to_string(number) + "]"; };
  for (const auto& input : inputs_) {
    if (input->queue.empty()) continue;
    Payload& first = input->queue.front();
    wait(numbered("input", input->node), numbered("output", place_of(first.message().destination, first.message().traffic)),
         first.access());
  }
  for (const auto& output : outputs_)
    if (output->pending)
      wait(numbered("output", output->place), numbered("destination", output->place), payloads_[logic_.peek(output->place)]->access());
}

bool RoutedNetwork::archive(Archive& file) {
  bool quiet = logic_.in_flight() == 0;
  for (const auto& input : inputs_) {
    quiet = quiet && input->queue.empty() && !input->queue.waiting();
    file(input->blocked_vc);
  }
  for (const auto& output : outputs_) {
    quiet = quiet && !output->pending;
    file(output->taken_at);
  }
  file.expect_quiet(quiet, prefix_);
  std::uint64_t handles = payloads_.size();
  file(handles, free_handles_, offered_, try_, taken_, logic_);
  payloads_.resize(handles);
  return true;
}

}  // namespace wharf
