#include "model/network/rate/rate_network.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

RateNetwork::RateNetwork(sc_core::sc_module_name name, const network::RateParams& params, const Side& sources, const Side& destinations,
                         const std::string& prefix, ClockDomain& clock, stats::Registry& registry, const TrafficClasses& classes)
    : sc_module(name),
      prefix_(prefix),
      first_input_(sources.endpoints.first),
      first_output_(destinations.endpoints.first),
      classes_(classes),
      queue_(params.queue),
      clock_(clock),
      logic_(params, {sources.endpoints.count, destinations.endpoints.count, classes.count, sources.rate, destinations.rate}, registry,
             prefix),
      block_(clock.add(*this)),
      inputs_(std::size_t{sources.endpoints.count} * classes.count),
      outputs_(std::size_t{destinations.endpoints.count} * classes.count) {}

tlm::tlm_target_socket<>& RateNetwork::input(unsigned endpoint, Traffic traffic) {
  const unsigned at = place(endpoint, first_input_, traffic);
  auto& input = inputs_.at(at);
  if (input == nullptr) input = std::make_unique<Input>((basename() + ("_input" + std::to_string(at))).c_str(), *this, at, queue_);
  return input->port.socket;
}

tlm::tlm_initiator_socket<>& RateNetwork::output(unsigned endpoint, Traffic traffic) {
  const unsigned at = place(endpoint, first_output_, traffic);
  auto& output = outputs_.at(at);
  if (output == nullptr) output = std::make_unique<Output>((basename() + ("_output" + std::to_string(at))).c_str(), *this, at);
  return output->port.socket;
}

bool RateNetwork::message(unsigned place, Payload& payload, Picoseconds at) {
  const Cycle offered = clock_.cycle_at(at), present = clock_.present_cycle();
  const Acceptance acceptance = inputs_[place]->queue.offer(payload, offered, 0, present);
  try_.set(place);
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(offered, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void RateNetwork::posted(unsigned place, Picoseconds at) {
  outputs_[place]->taken_at = clock_.cycle_at(at);
  taken_.set(place);
  clock_.wake(block_, std::max(outputs_[place]->taken_at, clock_.present_cycle() + 1));
}

void RateNetwork::act(Cycle now) {
  const network::NodeMask trying = try_.take();  // new entries of this cycle are for the next one
  taken_.for_each([&](unsigned place) {
    Output& output = *outputs_[place];
    if (output.taken_at > now) return;
    taken_.clear(place);
    output.pending = false;
    logic_.taken(place, now);
  });
  logic_.step(now, [&](unsigned place) { left(place, now); });
  trying.for_each([&](unsigned place) { accept(place, now); });
  logic_.deliver(now + 1, [&](unsigned place, std::uint64_t handle) { return hand_over(place, handle); });
  logic_.prefetch_arrivals(now + 2, [](std::uint64_t handle) { payload_of(handle).transaction().prefetch(); });
  const Cycle next = logic_.next_event();
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

void RateNetwork::accept(unsigned place, Cycle now) {
  Input& input = *inputs_[place];
  Cycle end;
  if (Payload* accepted = input.queue.settle(now, end)) input.port.take(*accepted, clock_.delay(end - now));
  if (!input.offered) offer(place, now);
}

/// The offered message has left.
void RateNetwork::left(unsigned place, Cycle now) {
  Input& input = *inputs_[place];
  input.offered = false;
  claim_injection(input.queue.pop(now));
  offer(place, now);
}

void RateNetwork::offer(unsigned place, Cycle now) {
  RequestQueue& queue = inputs_[place]->queue;
  while (queue.ready(now)) {
    Payload& payload = queue.front();
    const MessageHeader& header = payload.message();
    if (!logic_.offer(place, {handle_of(payload), static_cast<std::uint16_t>(place_of(header)), header.flits, queue.next_ready()}, now)) {
      inputs_[place]->offered = true;
      break;
    }
    claim_injection(queue.pop(now));
  }
  if (!inputs_[place]->offered && !queue.empty()) {
    try_.set(place);
    clock_.wake(block_, queue.next_ready());
  }
  // A message that waited for a queue entry gets one in the next cycle.
  if (queue.settles_after(now)) {
    try_.set(place);
    clock_.wake(block_, now + 1);
  }
}

/// Hands a message over in the cycle before its arrival.
bool RateNetwork::hand_over(unsigned place, std::uint64_t handle) {
  Output& output = *outputs_[place];
  Payload& payload = payload_of(handle);
  payload.stages().claim_to(network_stage(payload.message().traffic), present() + clock_.delay(1));
  if (output.port.post(payload, clock_.delay(1))) return true;
  output.pending = true;
  return false;
}

void RateNetwork::inspect(std::vector<Wait>& waits) const {
  const auto wait = [&](const char* from, unsigned at, const char* to, unsigned for_whom, const Access& access) {
    waits.push_back({prefix_ + from + std::to_string(at) + "]", prefix_ + to + std::to_string(for_whom) + "]", access.id,
                     access.line.byte_address(), access.issue_cycle});
  };
  for (unsigned i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i] == nullptr || inputs_[i]->queue.empty()) continue;
    Payload& first = inputs_[i]->queue.front();
    wait(".input[", i, ".output[", place_of(first.message()), first.access());
  }
  for (unsigned i = 0; i < outputs_.size(); ++i)
    if (outputs_[i] != nullptr && outputs_[i]->pending) wait(".output[", i, ".destination[", i, payload_of(logic_.refused(i)).access());
}

bool RateNetwork::archive(Archive& file) {
  bool quiet = logic_.idle();
  for (const auto& input : inputs_) quiet = quiet && (input == nullptr || (input->queue.empty() && !input->queue.waiting()));
  for (const auto& output : outputs_) {
    if (output == nullptr) continue;
    quiet = quiet && !output->pending;
    file(output->taken_at);
  }
  file.expect_quiet(quiet, prefix_);
  file(try_, taken_, logic_);
  return true;
}

}  // namespace wharf
