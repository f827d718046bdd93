#pragma once
// The reference model of the crossbar, flit by flit and cycle by cycle, written as directly as possible from its rules (CM-15,
// model/network/crossbar/crossbar_logic.h). CrossbarLogic, which simulates runs of flits, must agree with it. They share only the
// parameters.

#include <deque>
#include <functional>
#include <vector>

#include "tests/unit/network/crossbar/crossbar_harness.h"

namespace wharf::network::testing {

class CrossbarFlitByFlit {
 public:
  CrossbarFlitByFlit(const CrossbarParams& p, unsigned inputs, unsigned outputs, unsigned classes = 1)
      : p_(p),
        ports_in_(inputs),
        ports_out_(outputs),
        classes_(classes),
        channels_(inputs * p.virtual_channels),
        inputs_(inputs),
        granted_from_(outputs),
        held_(outputs),
        places_(outputs * classes) {}

  void offer(Cycle cycle, unsigned input, unsigned place, unsigned flits, unsigned vc) {
    const auto id = static_cast<unsigned>(packets_.size());
    packets_.push_back({place, flits});
    channels_[input * p_.virtual_channels + vc].queue.emplace_back(cycle, id);
  }

  void run(Cycle end) {
    for (Cycle now = 0; now < end && deliveries.size() < packets_.size(); ++now) cycle(now);
  }

  std::vector<Delivery> deliveries;
  std::function<bool(unsigned place, Cycle)> takes = [](unsigned, Cycle) { return true; };

 private:
  static constexpr unsigned kNone = ~0u;
  struct Packet {
    unsigned place, flits;
  };
  struct Flit {
    unsigned packet;
    bool head, tail;
  };
  struct Channel {
    std::deque<std::pair<Cycle, unsigned>> queue;  // at the network interface
    std::deque<Flit> in_register, buffer;
  };
  struct Input {
    unsigned link_from = 0, switch_from = 0, accept_from = 0;
    unsigned holds = kNone, crossing = kNone;  // the channel that holds the output, and the packet that crosses the switch
  };
  struct OnItsWay {
    unsigned packet;
    Cycle arrival;
  };

  Channel& channel(unsigned input, unsigned vc) { return channels_[input * p_.virtual_channels + vc]; }
  const Channel& channel(unsigned input, unsigned vc) const { return channels_[input * p_.virtual_channels + vc]; }
  unsigned port_of(unsigned packet) const { return packets_[packet].place / classes_; }

  void cycle(Cycle now) {
    for (unsigned place = 0; place < places_.size(); ++place)
      if (!places_[place].empty() && places_[place].front().arrival <= now && takes(place, now)) {
        deliveries.push_back({places_[place].front().packet, place, now});
        places_[place].pop_front();
      }
    for (Channel& ch : channels_) inject(ch, now);
    for (unsigned input = 0; input < ports_in_; ++input) send_on_link(input);
    // Requests are collected before anything crosses: a port that is held now is free in the next cycle at the earliest.
    const std::vector<std::pair<unsigned, unsigned>> winners = p_.arbitration == "islip" ? islip() : round_robin();
    for (unsigned input = 0; input < ports_in_; ++input)
      if (inputs_[input].holds != kNone) cross(input, inputs_[input].holds);
    for (const auto& [input, port] : winners) start(input, port, now);
  }

  void inject(Channel& ch, Cycle now) {
    if (ch.queue.empty() || ch.queue.front().first > now || !ch.in_register.empty()) return;
    const unsigned packet = ch.queue.front().second, flits = packets_[packet].flits;
    ch.queue.pop_front();
    for (unsigned f = 0; f < flits; ++f) ch.in_register.push_back({packet, f == 0, f + 1 == flits});
  }

  /// Sends one flit of one channel: first of the packet that crosses the switch, then of a packet that has begun, then of the channels in
  /// turn.
  void send_on_link(unsigned input) {
    Input& in = inputs_[input];
    unsigned vc = kNone;
    const auto sends = [&](unsigned c) {
      return !channel(input, c).in_register.empty() && channel(input, c).buffer.size() < p_.buffer_flits;
    };
    if (in.holds != kNone && !channel(input, in.holds).in_register.empty() &&
        channel(input, in.holds).in_register.front().packet == in.crossing)
      vc = in.holds;
    for (unsigned n = 0; n < p_.virtual_channels && vc == kNone; ++n)
      if (sends((in.link_from + n) % p_.virtual_channels)) vc = (in.link_from + n) % p_.virtual_channels;
    if (vc == kNone) return;
    Channel& ch = channel(input, vc);
    const Flit flit = ch.in_register.front();
    ch.in_register.pop_front();
    ch.buffer.push_back(flit);
    in.link_from = flit.tail ? (vc + 1) % p_.virtual_channels : vc;
  }

  /// The destination's register holds the youngest packet; the others fill the pipeline and the ejection buffer.
  bool room(unsigned place) const {
    unsigned older = 0;
    for (const OnItsWay& packet : places_[place]) older += packets_[packet.packet].flits;
    if (!places_[place].empty()) older -= packets_[places_[place].back().packet].flits;
    return older < p_.ejection_flits + p_.latency - 1;
  }
  bool asks(unsigned input, unsigned vc, unsigned port) const {
    const auto& buffer = channel(input, vc).buffer;
    return inputs_[input].holds == kNone && !buffer.empty() && buffer.front().head && port_of(buffer.front().packet) == port &&
           !held_[port] && room(packets_[buffer.front().packet].place);
  }
  bool asks(unsigned input, unsigned port) const {
    for (unsigned vc = 0; vc < p_.virtual_channels; ++vc)
      if (asks(input, vc, port)) return true;
    return false;
  }

  std::vector<std::pair<unsigned, unsigned>> islip() {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    std::vector<bool> input_taken(ports_in_), output_taken(ports_out_);
    for (unsigned iteration = 0; iteration < p_.iterations; ++iteration) {
      std::vector<unsigned> grant(ports_out_, kNone);  // each free output: the first asking input from its pointer on
      for (unsigned port = 0; port < ports_out_; ++port)
        for (unsigned n = 0; n < ports_in_ && grant[port] == kNone && !output_taken[port]; ++n) {
          const unsigned input = (granted_from_[port] + n) % ports_in_;
          if (!input_taken[input] && asks(input, port)) grant[port] = input;
        }
      for (unsigned input = 0; input < ports_in_; ++input)  // each granted input: the first granting output from its pointer on
        for (unsigned n = 0; n < ports_out_; ++n) {
          const unsigned port = (inputs_[input].accept_from + n) % ports_out_;
          if (grant[port] != input) continue;
          pairs.emplace_back(input, port);
          input_taken[input] = output_taken[port] = true;
          if (iteration == 0) {
            granted_from_[port] = (input + 1) % ports_in_;
            inputs_[input].accept_from = (port + 1) % ports_out_;
          }
          break;
        }
    }
    return pairs;
  }

  std::vector<std::pair<unsigned, unsigned>> round_robin() {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    std::vector<bool> output_taken(ports_out_);
    bool any = false;
    for (unsigned k = 0; k < ports_in_; ++k) {
      const unsigned input = (first_ + k) % ports_in_;
      unsigned chosen = kNone;
      for (unsigned n = 0; n < ports_out_; ++n) {
        const unsigned port = (inputs_[input].accept_from + n) % ports_out_;
        if (!asks(input, port)) continue;
        any = true;
        if (!output_taken[port] && chosen == kNone) chosen = port;
      }
      if (chosen == kNone) continue;
      output_taken[chosen] = true;
      pairs.emplace_back(input, chosen);
      if (k == 0) inputs_[input].accept_from = (chosen + 1) % ports_out_;
    }
    if (any) first_ = (first_ + 1) % ports_in_;
    return pairs;
  }

  /// The head of a packet crosses. Input and output are reserved for the packet until its tail has crossed.
  void start(unsigned input, unsigned port, Cycle now) {
    Input& in = inputs_[input];
    unsigned vc = in.switch_from;
    while (!asks(input, vc, port)) vc = (vc + 1) % p_.virtual_channels;
    in.switch_from = (vc + 1) % p_.virtual_channels;
    const unsigned packet = channel(input, vc).buffer.front().packet;
    in.holds = vc;
    in.crossing = packet;
    held_[port] = true;
    places_[packets_[packet].place].push_back({packet, now + p_.latency + packets_[packet].flits - 1});
    cross(input, vc);
  }
  void cross(unsigned input, unsigned vc) {
    auto& buffer = channel(input, vc).buffer;
    const Flit flit = buffer.front();
    buffer.pop_front();
    if (!flit.tail) return;
    inputs_[input].holds = kNone;
    held_[port_of(flit.packet)] = false;
  }

  const CrossbarParams p_;
  const unsigned ports_in_, ports_out_, classes_;
  std::vector<Packet> packets_;
  std::vector<Channel> channels_;
  std::vector<Input> inputs_;
  std::vector<unsigned> granted_from_;
  std::vector<bool> held_;
  std::vector<std::deque<OnItsWay>> places_;  // granted but not taken
  unsigned first_ = 0;
};

}  // namespace wharf::network::testing
