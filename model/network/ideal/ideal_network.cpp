#include "model/network/ideal/ideal_network.h"

#include <algorithm>
#include <tuple>

#include "model/base/archive.h"
#include "model/base/error.h"

namespace wharf {

IdealNetwork::IdealNetwork(sc_core::sc_module_name name, unsigned sms, const std::string& prefix, stats::Registry& registry)
    : sc_module(name),
      prefix_(prefix),
      sms_(sms),
      group_(registry, prefix),
      packets_(group_, "packets", "messages taken", stats::Unit::count),
      ejected_packets_(group_, "ejected.packets", "messages taken by their destinations", stats::Unit::count) {
  for (unsigned i = 0; i < 2 * sms; ++i) {
    inputs_.push_back(std::make_unique<Input>("input" + std::to_string(i), *this, i));
    outputs_.push_back(std::make_unique<Output>("output" + std::to_string(i), *this, i));
  }
  group_.law("packets == ejected.packets", [this] { return packets_.value() == ejected_packets_.value(); });
  SC_METHOD(deliver);
  sensitive << due_;
  dont_initialize();
}

unsigned IdealNetwork::index_of(unsigned endpoint, Traffic traffic) const {
  if (endpoint >= sms_ || (traffic != Traffic::to_peer && traffic != Traffic::from_peer))
    throw SimulationError(prefix_ + ": endpoint " + std::to_string(endpoint) +
                          " sends or receives a message that does not go from SM to SM");
  return traffic == Traffic::to_peer ? endpoint : sms_ + endpoint;
}

tlm::tlm_target_socket<>& IdealNetwork::input(unsigned endpoint, Traffic traffic) {
  return inputs_[index_of(endpoint, traffic)]->port.socket;
}
tlm::tlm_initiator_socket<>& IdealNetwork::output(unsigned endpoint, Traffic traffic) {
  return outputs_[index_of(endpoint, traffic)]->port.socket;
}

bool IdealNetwork::message(unsigned, Payload& payload, Picoseconds at) {
  ++packets_;
  arrivals_.push_back({at, &payload});
  due_.notify(sc_core::SC_ZERO_TIME);  // after all blocks have sent in this instant
  return true;
}

void IdealNetwork::deliver() {
  std::stable_sort(arrivals_.begin(), arrivals_.end(), [](const Message& a, const Message& b) {
    return std::make_tuple(a.at, a.payload->message().source) < std::make_tuple(b.at, b.payload->message().source);
  });
  for (const Message& message : arrivals_) {
    const MessageHeader& header = message.payload->message();
    outputs_[index_of(header.destination, header.traffic)]->queue.push_back(message);
  }
  arrivals_.clear();
  for (const auto& output : outputs_) post(*output);
}

void IdealNetwork::post(Output& output) {
  while (!output.pending && output.first != output.queue.size()) {
    const Message& next = output.queue[output.first];
    const Picoseconds at = std::max(next.at, output.free_at);
    if (!output.port.post(*next.payload, at - present())) {
      output.pending = true;
      break;
    }
    ++output.first;
    ++ejected_packets_;
  }
  // Drops delivered messages when they make up half of the queue, so that a queue that never empties stays short.
  if (2 * output.first >= output.queue.size()) {
    output.queue.erase(output.queue.begin(), output.queue.begin() + static_cast<std::ptrdiff_t>(output.first));
    output.first = 0;
  }
}

void IdealNetwork::posted(unsigned index, Picoseconds at) {
  Output& output = *outputs_[index];
  output.pending = false;
  output.free_at = at;
  ++output.first;
  ++ejected_packets_;
  due_.notify(sc_core::SC_ZERO_TIME);
}

void IdealNetwork::inspect(std::vector<Wait>& waits) const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = *outputs_[i];
    if (!output.pending) continue;
    const Access& access = output.queue[output.first].payload->access();
    const std::string number = std::to_string(i);
    waits.push_back({prefix_ + ".output[" + number + "]", prefix_ + ".destination[" + number + "]", access.id, access.line.byte_address(),
                     access.issue_cycle});
  }
}

bool IdealNetwork::archive(Archive& file) {
  bool quiet = arrivals_.empty();
  for (const auto& output : outputs_) {
    quiet = quiet && output->first == output->queue.size() && !output->pending;
    file(output->free_at);
  }
  file.expect_quiet(quiet, prefix_);
  return true;
}

}  // namespace wharf
