#pragma once
// The lanes on which the flits of the SMs of a CPC leave for other SMs of the GPC (modern_gpus section 4). A message is cut into flits of
// `lane_bytes`, which leave the SM one after the other, each on the lane of its address. A lane passes a flit per cycle and serves the SMs
// and classes that have one in turns. Messages of an SM to one other stay in order: one that has passed waits for those before it.
//
// Call step(now) in each cycle that next() names: it passes the flits of the cycle before, in which all SMs have sent by then.

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/host/ring.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/network/ports.h"

namespace wharf::network {

struct LaneParams {
  std::uint32_t cpc_lanes = 4, planes = 2;  // each plane has lanes of its own
  std::uint32_t lane_bytes = 32, lane_queue = 8;
};

/// The lane, of `lanes` of a CPC, that the nth flit of an access to `line` takes: adjacent flits are on different lanes.
std::uint64_t lane_of(LineAddress line, std::uint32_t flit, unsigned lanes);

class Lanes {
 public:
  struct Shape {
    LaneParams params;
    std::vector<std::uint16_t> cpc_of;  // [port]
    unsigned classes = 1;
    PortRate rate;  // out of an SM
  };
  /// A message that all its flits have left.
  struct Passed {
    std::uint32_t name;
    Cycle delay;  // of its latest flit
  };

  /// `prefix` is that of the counters, "net.peer.lanes".
  Lanes(const Shape& shape, stats::Registry& registry, const std::string& prefix);

  /// At most lane_queue flits of an SM and class wait. A message of more flits enters when none does.
  bool has_room(unsigned place, const PortPacket& packet) const {
    return (waiting_[place] == 0 || waiting_[place] + flits_of(packet) <= params_.lane_queue) && sent_[place].messages.size() < kMessages;
  }
  /// A message of a place, port * classes + class, starts to leave at `start`, in parts of a cycle 1 / rate.bytes. `name` is the caller's.
  void enter(unsigned place, const PortPacket& packet, std::uint32_t name, std::uint64_t start);
  /// Calls passed(place, message) for those that have passed, and then again(place) for places of which flits have.
  template <class OnPassed, class Again>
  void step(Cycle now, OnPassed passed, Again again) {
    if (next_ > now) return;
    grant(now);
    for (const std::uint16_t place : granted_) {
      release(place);
      for (const Passed& message : passed_) passed(place, message);
    }
    for (const std::uint16_t place : granted_) again(place);
  }
  /// The cycle in which step() has work; kNever if no flit waits.
  Cycle next() const { return next_; }
  /// Called between kernels, when no flit waits (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    for (Lane& lane : all_) file(lane.turn);
  }

 private:
  static constexpr std::uint32_t kMessages = 256;  // of a place that have not passed, or wait for one before them

  struct Flit {
    Cycle ready = 0;
    std::uint64_t message = 0;  // number of its message among those of the place
  };
  struct Message {
    std::uint32_t name = 0;
    std::uint16_t output = 0;
    std::uint32_t left = 0;  // flits
    Cycle delay = 0;
    bool released = false;
  };
  struct Lane {
    std::vector<Ring<Flit>> queues;     // [place of the CPC]
    std::vector<std::uint16_t> places;  // of these
    std::size_t turn = 0;               // the queue that is served next
    std::size_t flits = 0;
  };
  /// Messages of a place in the order of their start.
  struct Sent {
    Ring<Message> messages{kMessages};
    std::uint64_t first = 0;  // number of the first
  };

  std::uint32_t flits_of(const PortPacket& packet) const;
  Lane& lane_at(unsigned place, const PortPacket& packet, std::uint32_t flit);
  void grant(Cycle now);
  void release(unsigned place);

  const LaneParams params_;
  const PortRate rate_;
  const unsigned lanes_;  // of a CPC
  stats::Group group_;
  stats::Counter flits_, passed_flits_, wait_;
  std::vector<std::uint32_t> first_lane_;  // [port]: of its CPC
  std::vector<std::uint16_t> queue_of_;    // [place]: in the lanes of its CPC
  std::vector<Lane> all_;                  // [CPC][plane][lane]
  std::vector<Sent> sent_;                 // [place]
  std::vector<std::uint32_t> waiting_;     // [place]: flits
  std::vector<std::uint16_t> granted_;     // places of which flits have passed in this cycle
  std::vector<Passed> passed_;
  Cycle next_ = kNever;
};

}  // namespace wharf::network
