#pragma once
// The reference model of a rate-model network of one class (morpheus section 2.4): every cycle it looks at every port and recomputes when
// each message in flight will have passed. RateLogic, which plans ahead, must agree with it.
//
// Several sources may be able to send to one destination in the same cycle. The rule does not say which goes first, so the traffic must not
// depend on it. Allowed are sources with one destination each, which is either exclusive to the source or never makes it wait for its port,
// and destinations that let everything through.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/base/types.h"
#include "model/network/rate/rate_params.h"

namespace wharf::network::testing {

class RatePlain {
 public:
  struct Arrival {
    std::uint64_t handle;
    Cycle cycle;
  };
  RatePlain(const RateParams& params, unsigned inputs, unsigned outputs, PortRate sources, PortRate destinations)
      : refusing(outputs),
        arrived(outputs),
        latency_(params.latency),
        queue_(params.queue),
        source_rate_(sources),
        destination_rate_(destinations),
        sources_(inputs),
        destinations_(outputs, Destination{{}, 0, false, 0, std::vector<bool>(inputs)}) {}

  void post(Cycle at, unsigned from, unsigned to, unsigned bytes, std::uint64_t handle) {
    sources_[from].queue.push_back({handle, at, to, bytes, 0});
  }
  /// Sends in cycle `now`, and delivers in the next one.
  void cycle(Cycle now) {
    for (unsigned to = 0; to < destinations_.size(); ++to)
      if (destinations_[to].blocked && !refusing[to]) take_refused(to, now);
    for (Destination& to : destinations_) take_turns(to, now);
    for (unsigned from = 0; from < sources_.size(); ++from) offer(from, now);
    for (unsigned to = 0; to < destinations_.size(); ++to) deliver(to, now + 1);
  }

  std::vector<bool> refusing;                 // [destination]
  std::vector<std::vector<Arrival>> arrived;  // [destination]

 private:
  struct Message {
    std::uint64_t handle;
    Cycle queued;
    unsigned to, bytes;
    Cycle arrives;  // at the destination's port
  };
  struct Source {
    std::deque<Message> queue;
    std::uint64_t free = 0;  // when its port is free
    bool waits = false;      // waits for room at the destination of its first message
  };
  struct Destination {
    std::deque<Message> under_way;  // in the order of sending
    std::uint64_t through;          // when the last message that passes the port is through
    bool blocked;
    unsigned turn;
    std::vector<bool> waiting;  // [source]
  };

  // Times at the ports are in fractions of a cycle such that both rates are whole numbers.
  std::uint64_t parts() const { return std::uint64_t{source_rate_.bytes} * destination_rate_.bytes; }
  std::uint64_t at_source(unsigned bytes) const { return std::uint64_t{bytes} * source_rate_.cycles * destination_rate_.bytes; }
  std::uint64_t at_destination(unsigned bytes) const { return std::uint64_t{bytes} * destination_rate_.cycles * source_rate_.bytes; }
  std::uint64_t passes(const Message& message, std::uint64_t through) const { return std::max(message.arrives * parts(), through); }

  void take_refused(unsigned to, Cycle now) {
    Destination& destination = destinations_[to];
    arrived[to].push_back({destination.under_way.front().handle, now});
    destination.under_way.pop_front();
    destination.blocked = false;
    destination.through = std::max(destination.through, (now + 1) * parts());
  }

  /// True if a message sent now finds fewer than `queue` others waiting when it arrives.
  bool room(const Destination& to, Cycle now) const {
    if (to.blocked) return false;
    std::uint64_t through = to.through;
    std::size_t waiting = 0;
    for (const Message& message : to.under_way) {
      const std::uint64_t passing = passes(message, through);
      waiting += passing / parts() > now + latency_;
      through = passing + at_destination(message.bytes);
    }
    return waiting < queue_;
  }

  void send(unsigned from, Cycle now) {
    Source& source = sources_[from];
    Message message = source.queue.front();
    source.queue.pop_front();
    source.waits = false;
    const std::uint64_t start = std::max(source.free, now * parts());
    source.free = start + at_source(message.bytes);
    message.arrives = start / parts() + latency_;
    destinations_[message.to].under_way.push_back(message);
  }

  void take_turns(Destination& to, Cycle now) {
    const auto count = static_cast<unsigned>(sources_.size());
    while (room(to, now)) {
      unsigned n = 0;
      while (n < count && !to.waiting[(to.turn + n) % count]) ++n;
      if (n == count) return;
      const unsigned from = (to.turn + n) % count;
      to.turn = (from + 1) % count;
      to.waiting[from] = false;
      send(from, now);
      offer(from, now);
    }
  }

  void offer(unsigned from, Cycle now) {
    Source& source = sources_[from];
    while (!source.waits && !source.queue.empty() && source.queue.front().queued <= now && source.free < (now + 1) * parts()) {
      Destination& to = destinations_[source.queue.front().to];
      bool others = false;
      for (const bool waiting : to.waiting) others = others || waiting;
      if (others || !room(to, now)) {
        source.waits = to.waiting[from] = true;
      } else {
        send(from, now);
      }
    }
  }

  void deliver(unsigned to, Cycle cycle) {
    Destination& destination = destinations_[to];
    while (!destination.blocked && !destination.under_way.empty()) {
      const Message& message = destination.under_way.front();
      const std::uint64_t passing = passes(message, destination.through);
      if (passing / parts() > cycle) return;
      destination.through = passing + at_destination(message.bytes);
      destination.blocked = refusing[to];
      if (destination.blocked) return;
      arrived[to].push_back({message.handle, cycle});
      destination.under_way.pop_front();
    }
  }

  const Cycle latency_;
  const std::uint32_t queue_;
  const PortRate source_rate_, destination_rate_;
  std::vector<Source> sources_;
  std::vector<Destination> destinations_;
};

}  // namespace wharf::network::testing
