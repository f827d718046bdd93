#include "bus.h"

#include <algorithm>

namespace example {

using wharf::Cycle;
using wharf::Payload;
using wharf::Picoseconds;
using wharf::stats::Unit;

Bus::Bus(sc_core::sc_module_name name, const wharf::NetworkOptions& options)
    : sc_module(name),
      prefix_(options.prefix),
      sources_(options.sources),
      destinations_(options.destinations),
      classes_(options.classes),
      latency_(static_cast<Cycle>(options.arguments("latency"))),
      clock_(options.clock),
      block_(clock_.add(*this)),
      group_(options.registry, prefix_),
      packets_(group_, "packets", "messages taken", Unit::count),
      ejected_packets_(group_, "ejected.packets", "messages taken by their destinations", Unit::count),
      flits_(group_, "flits", "flits of the messages taken", Unit::flits),
      inputs_(std::size_t{sources_.count} * classes_.count),
      outputs_(std::size_t{destinations_.count} * classes_.count) {
  group_.law("packets == ejected.packets", [this] { return packets_.value() == ejected_packets_.value(); });
}

tlm::tlm_target_socket<>& Bus::input(unsigned endpoint, wharf::Traffic traffic) {
  const unsigned at = place(endpoint, sources_.first, traffic);
  if (!inputs_.at(at)) inputs_[at] = std::make_unique<Input>((basename() + ("_input" + std::to_string(at))).c_str(), *this, at);
  return inputs_[at]->port.socket;
}

tlm::tlm_initiator_socket<>& Bus::output(unsigned endpoint, wharf::Traffic traffic) {
  const unsigned at = place(endpoint, destinations_.first, traffic);
  if (!outputs_.at(at)) outputs_[at] = std::make_unique<Output>((basename() + ("_output" + std::to_string(at))).c_str(), *this, at);
  return outputs_[at]->port.socket;
}

bool Bus::message(unsigned place, Payload& payload, Picoseconds at) {
  const Cycle offered = clock_.cycle_at(at), present = clock_.present_cycle();
  const bool taken = inputs_[place]->queue.offer(payload, offered, 0, present) == wharf::Acceptance::accepted;
  wake_at(taken ? std::max(offered, present + 1) : present + 1);
  return taken;
}

void Bus::posted(unsigned place, Picoseconds at) {
  // Seen in the next cycle, so that the order of the two blocks in this cycle does not matter.
  outputs_[place]->taken_at = std::max(clock_.cycle_at(at), clock_.present_cycle() + 1);
  wake_at(outputs_[place]->taken_at);
}

/// The destination has taken the refused message. Only now do the others arrive, one after the other.
void Bus::take(Output& output, Cycle now) {
  output.taken_at = wharf::kNever;
  output.refused = false;
  output.messages.pop_front();
  ++ejected_packets_;
  Cycle before = now;
  for (OnItsWay& message : output.messages) before = message.arrival = std::max(message.arrival, before + message.payload->message().flits);
}

/// Serves the inputs in turn, and begins with another one every cycle, so that none waits for ever.
void Bus::act(Cycle now) {
  for (const auto& output : outputs_)
    if (output && output->taken_at <= now) take(*output, now);
  const std::size_t count = inputs_.size();
  for (std::size_t i = 0; i < count; ++i)
    if (const auto& input = inputs_[(i + now) % count]) send(*input, now);
  for (const auto& output : outputs_)
    if (output) deliver(*output, now);
}

void Bus::send(Input& input, Cycle now) {
  wharf::RequestQueue& queue = input.queue;
  Cycle end;
  if (Payload* const accepted = queue.admit_pending(now, end)) input.port.accept(*accepted, clock_.delay(end - now));
  if (queue.ready(now) && input.free_at <= now) {
    Payload& payload = queue.front();
    const wharf::MessageHeader& header = payload.message();
    Output& output = *outputs_[place(header.destination, destinations_.first, header.traffic)];
    if (output.free_at <= now && !output.refused) {
      queue.pop(now);
      payload.stages().claim_to(wharf::Stage::queueing, wharf::present());
      input.free_at = output.free_at = now + header.flits;
      const Cycle before = output.messages.empty() ? 0 : output.messages.back().arrival;
      output.messages.push_back({&payload, std::max(now + latency_ - 1, before) + header.flits});
      ++packets_;
      flits_ += header.flits;
    }
  }
  if (!queue.empty()) wake_at(std::max(now + 1, queue.next_ready()));
  if (queue.admits_after(now)) wake_at(now + 1);
}

/// Sends a message in the cycle before its arrival, so that it arrives in time.
void Bus::deliver(Output& output, Cycle now) {
  while (!output.refused && !output.messages.empty() && output.messages.front().arrival <= now + 1) {
    Payload& payload = *output.messages.front().payload;
    payload.stages().claim_to(wharf::Stage::network, wharf::present() + clock_.delay(1));
    if (!output.port.post(payload, clock_.delay(1))) {
      output.refused = true;
      return;
    }
    output.messages.pop_front();
    ++ejected_packets_;
  }
  if (!output.messages.empty()) wake_at(std::max(now + 1, output.messages.front().arrival - 1));
}

void Bus::inspect(std::vector<wharf::Wait>& waits) const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (!outputs_[i] || !outputs_[i]->refused) continue;
    const wharf::Access& access = outputs_[i]->messages.front().payload->access();
    const std::string number = std::to_string(i);
    waits.push_back({prefix_ + ".output[" + number + "]", prefix_ + ".destination[" + number + "]", access.id, access.line.byte_address(),
                     access.issue_cycle});
  }
}

wharf::AddedNetwork make_bus(const wharf::NetworkOptions& options) {
  constexpr unsigned kFlitBytes = 32;
  return {std::make_unique<Bus>(options.name, options),
          kFlitBytes,
          {wharf::energy::crossbars(options.prefix, 1, options.sources.count, options.destinations.count, kFlitBytes,
                                    wharf::energy::Reach::chip)}};
}

}  // namespace example
