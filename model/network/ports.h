#pragma once
// What networks of ports (model/network/port_network.h) share: their packets, and rates of ports.

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"

namespace wharf::network {

/// A divisor of all message sizes, so that a message's flits give its bytes.
inline constexpr unsigned kPortFlitBytes = 8;

/// A packet at the network interface of its source.
struct PortPacket {
  std::uint64_t handle = 0;  // the owner's name for the message
  std::uint16_t output = 0;  // place: output port * classes + class
  std::uint8_t flits = 1;    // of kPortFlitBytes
  Cycle enqueued = 0;        // network cycle in which it was queued at the interface
  std::uint8_t sectors = 0;  // of the access
  LineAddress line = {};     // of the access
};

/// The rate of a port as a fraction, because 75 GB/s at 1710 MHz is not a whole number of bytes per cycle.
struct PortRate {
  std::uint32_t bytes = 32, cycles = 1;

  void bind(config::Binder& b) {
    b.integer("bytes", bytes, config::Unit::bytes, "bytes that pass in the given number of cycles", 1, 1u << 20);
    b.integer("cycles", cycles, config::Unit::cycles, "network cycles", 1, 1u << 20);
  }
};

/// The counters of one port: the whole cycles that its packets have occupied, and their flits.
class PortCounters {
 public:
  PortCounters(stats::Registry& registry, const std::string& prefix, unsigned instance)
      : group_(registry, prefix, static_cast<int>(instance)),
        busy_(group_, "busy", "cycles in which something passed", stats::Unit::cycles),
        flits_(group_, "flits", "flits that passed", stats::Unit::flits) {}

  /// A packet occupies the port for `ticks` / `per_cycle` cycles.
  void occupy(std::uint64_t ticks, std::uint32_t per_cycle, unsigned flits) {
    rest_ += ticks;
    busy_ += rest_ / per_cycle;
    rest_ %= per_cycle;
    flits_ += flits;
  }
  std::uint64_t flits() const { return flits_.value(); }
  stats::Group& group() { return group_; }
  template <class File>
  void archive(File& file) {
    file(rest_);
  }

 private:
  stats::Group group_;
  stats::Counter busy_, flits_;
  std::uint64_t rest_ = 0;  // of a cycle that `busy` has not counted yet
};

}  // namespace wharf::network
