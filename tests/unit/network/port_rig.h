#pragma once
// Sources and destinations around the logic of a network of ports, without SystemC.

#include <cstdint>
#include <deque>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/ports.h"

namespace wharf::network::testing {

/// Sources and destinations around the logic: the network interfaces' queues, and destinations that can refuse.
template <class Logic>
struct PortNet {
  struct Waiting {
    PortPacket packet;
    Cycle from;
  };
  struct Arrival {
    std::uint64_t handle;
    Cycle cycle;
    friend bool operator==(const Arrival& a, const Arrival& b) { return a.handle == b.handle && a.cycle == b.cycle; }
  };

  /// `more` follows in the arguments of the logic's constructor.
  template <class Params, class... More>
  PortNet(const Params& params, const typename Logic::Shape& shape, unsigned inputs, unsigned outputs, More... more)
      : logic(params, shape, registry, "net", more...),
        queues(inputs),
        offered(inputs),
        arrived(outputs),
        refusing(arrived.size()),
        pending(arrived.size()) {}

  void post(Cycle at, unsigned from, unsigned to, unsigned bytes, std::uint64_t handle, unsigned sectors = 0) {
    queues[from].push_back({{handle, static_cast<std::uint16_t>(to), static_cast<std::uint8_t>(bytes / kPortFlitBytes), at,
                             static_cast<std::uint8_t>(sectors)},
                            at});
  }
  void offer(unsigned place, Cycle now) {
    auto& queue = queues[place];
    while (!offered[place] && !queue.empty() && queue.front().from <= now) {
      if (!logic.offer(place, queue.front().packet, now)) {
        offered[place] = true;
        break;
      }
      queue.pop_front();
      sent.push_back({0, now});
    }
  }
  void tick(Cycle now) {
    for (unsigned place = 0; place < pending.size(); ++place)
      if (pending[place] && !refusing[place]) {
        arrived[place].back().cycle = now;
        pending[place] = false;
        logic.accept_refused(place, now);
      }
    logic.step(now, [&](unsigned place) {
      offered[place] = false;
      queues[place].pop_front();
      sent.push_back({0, now});
      offer(place, now);
    });
    for (unsigned place = 0; place < queues.size(); ++place) offer(place, now);
    logic.deliver(now + 1, [&](unsigned place, std::uint64_t handle) {
      arrived[place].push_back({handle, now + 1});
      pending[place] = refusing[place];
      return !refusing[place];
    });
  }
  void run(Cycle to) {
    for (; now < to; ++now) tick(now);
  }

  stats::Registry registry;
  Logic logic;
  std::vector<std::deque<Waiting>> queues;
  std::vector<bool> offered;
  std::vector<std::vector<Arrival>> arrived;
  std::vector<bool> refusing, pending;
  std::vector<Arrival> sent;
  Cycle now = 1;
};

}  // namespace wharf::network::testing
