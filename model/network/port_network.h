#pragma once
// The module around one direction of a network whose logic moves whole packets between ports: message links in from the sources and out to
// the destinations. `Logic` decides when a packet leaves its source and when it reaches its destination; it has the interface of
// network::RateLogic.
//
// Links are made on demand, because most endpoints use only some of the traffic classes.

#include <algorithm>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "model/base/archive.h"
#include "model/network/network.h"
#include "model/network/node_mask.h"
#include "model/network/ports.h"
#include "model/network/traffic_classes.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"
#include "model/tlm/request_queue.h"

namespace wharf {

template <class Logic>
class PortNetwork : public sc_core::sc_module, public Clocked, public Network, private MessageSink, private MessageSource {
 public:
  struct Ends {
    EndpointRange sources, destinations;
    TrafficClasses classes = {};
  };

  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override {
    const unsigned at = place(endpoint, ends_.sources.first, traffic);
    auto& input = inputs_.at(at);
    const Islands::Scope scope(island_);
    if (input == nullptr) input = std::make_unique<Input>((basename() + ("_input" + std::to_string(at))).c_str(), *this, at, queue_);
    return input->port.socket;
  }

  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override {
    const unsigned at = place(endpoint, ends_.destinations.first, traffic);
    auto& output = outputs_.at(at);
    const Islands::Scope scope(island_);
    if (output == nullptr) output = std::make_unique<Output>((basename() + ("_output" + std::to_string(at))).c_str(), *this, at);
    return output->port.socket;
  }

  void act(Cycle now) override {
    const network::NodeMask trying = try_.drain();  // new entries of this cycle are for the next one
    taken_.for_each([&](unsigned place) {
      Output& output = *outputs_[place];
      if (output.taken_at > now) return;
      taken_.clear(place);
      output.pending = false;
      logic_.accept_refused(place, now);
    });
    logic_.step(now, [&](unsigned place) { left(place, now); });
    trying.for_each([&](unsigned place) { accept(place, now); });
    logic_.deliver(now + 1, [&](unsigned place, std::uint64_t handle) { return hand_over(place, handle, now + 1); });
    logic_.prefetch_arrivals(now + 2, [](std::uint64_t handle) { payload_of(handle).transaction().prefetch(); });
    const Cycle next = logic_.next_event();
    if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
  }

  void inspect(std::vector<Wait>& waits) const override {
    const auto wait = [&](const char* from, unsigned at, const char* to, unsigned awaited, const Access& access) {
      waits.push_back({prefix_ + from + std::to_string(at) + "]", prefix_ + to + std::to_string(awaited) + "]", access.id,
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

  bool archive(Archive& file) override {
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

 protected:
  /// `prefix` is that of the counters, e.g. "net.request"; `queue` is the number of messages that each source's interface holds; `logic`
  /// are the arguments of the logic's constructor.
  template <class... LogicArguments>
  PortNetwork(sc_core::sc_module_name name, const Ends& ends, std::uint32_t queue, const std::string& prefix, ClockDomain& clock,
              LogicArguments&&... logic)
      : sc_module(name),
        clock_(clock),
        logic_(std::forward<LogicArguments>(logic)...),
        block_(clock.add(*this)),
        prefix_(prefix),
        ends_(ends),
        queue_(queue),
        inputs_(std::size_t{ends.sources.count} * ends.classes.count),
        outputs_(std::size_t{ends.destinations.count} * ends.classes.count) {}

  /// Called before a message is handed over that reaches its destination in cycle `at`.
  virtual void arrives(Payload&, Cycle) {}

  ClockDomain& clock_;
  Logic logic_;
  ClockDomain::BlockId block_;

 private:
  // These are modules, because a socket must be constructed inside one.
  struct Input : sc_core::sc_module {
    Input(sc_core::sc_module_name name, PortNetwork& owner, unsigned place, std::uint32_t messages)
        : sc_module(name), port("port", owner, place), queue(messages) {}
    MessageSinkPort port;
    RequestQueue queue;
    bool offered = false;  // the first message of the queue is offered to the ports
  };
  struct Output : sc_core::sc_module {
    Output(sc_core::sc_module_name name, PortNetwork& owner, unsigned place) : sc_module(name), port("port", owner, place) {}
    MessageSourcePort port;
    Cycle taken_at = kNever;  // the destination has taken the refused message, which leaves in this cycle
    bool pending = false;     // the destination has refused a message
  };

  bool message(unsigned place, Payload& payload, Picoseconds at) override {
    const Cycle offered = clock_.cycle_at(at), present = clock_.present_cycle();
    const Acceptance acceptance = inputs_[place]->queue.offer(payload, offered, 0, present);
    try_.set(place);
    clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(offered, present + 1) : present + 1);
    return acceptance == Acceptance::accepted;
  }

  void posted(unsigned place, Picoseconds at) override {
    outputs_[place]->taken_at = clock_.cycle_at(at);
    taken_.set(place);
    clock_.wake(block_, std::max(outputs_[place]->taken_at, clock_.present_cycle() + 1));
  }

  void accept(unsigned place, Cycle now) {
    Input& input = *inputs_[place];
    Cycle end;
    if (Payload* accepted = input.queue.admit_pending(now, end)) input.port.accept(*accepted, clock_.delay(end - now));
    if (!input.offered) offer(place, now);
  }

  /// The offered message has left.
  void left(unsigned place, Cycle now) {
    Input& input = *inputs_[place];
    input.offered = false;
    claim_injection(input.queue.pop(now));
    offer(place, now);
  }

  void offer(unsigned place, Cycle now) {
    RequestQueue& queue = inputs_[place]->queue;
    while (queue.ready(now)) {
      Payload& payload = queue.front();
      const MessageHeader& header = payload.message();
      const auto sectors = static_cast<std::uint8_t>(sector_count(payload.access().sectors));
      if (!logic_.offer(place,
                        {handle_of(payload), static_cast<std::uint16_t>(place_of(header)), header.flits, queue.next_ready(), sectors,
                         payload.access().line},
                        now)) {
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
    if (queue.admits_after(now)) {
      try_.set(place);
      clock_.wake(block_, now + 1);
    }
  }

  /// Hands a message over in the cycle before its arrival.
  bool hand_over(unsigned place, std::uint64_t handle, Cycle at) {
    Output& output = *outputs_[place];
    Payload& payload = payload_of(handle);
    payload.stages().claim_to(network_stage(payload.message().traffic), present() + clock_.delay(1));
    arrives(payload, at);
    if (output.port.post(payload, clock_.delay(1))) return true;
    output.pending = true;
    return false;
  }

  unsigned place_of(const MessageHeader& header) const { return place(header.destination, ends_.destinations.first, header.traffic); }
  unsigned place(unsigned endpoint, unsigned first, Traffic traffic) const {
    return (endpoint - first) * ends_.classes.count + ends_.classes.of[static_cast<unsigned>(traffic)];
  }
  static std::uint64_t handle_of(Payload& payload) { return reinterpret_cast<std::uintptr_t>(&payload); }
  static Payload& payload_of(std::uint64_t handle) { return *reinterpret_cast<Payload*>(handle); }
  static void claim_injection(Payload& payload) { payload.stages().claim_to(injection_stage(payload.message().traffic), present()); }

  const unsigned island_ = Islands::built();
  std::string prefix_;
  const Ends ends_;
  const std::uint32_t queue_;
  std::vector<std::unique_ptr<Input>> inputs_;  // [port][class]; null if the link was never requested
  std::vector<std::unique_ptr<Output>> outputs_;
  network::NodeMask try_;    // inputs with a new message
  network::NodeMask taken_;  // outputs whose refused message has been taken
};

}  // namespace wharf
