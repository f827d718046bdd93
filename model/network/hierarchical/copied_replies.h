#pragma once
// Replies that are copied where they part in a hierarchical crossbar: behind a link of one tier, a copy leaves for each of several SMs. Reads
// that have joined the reply's own get one (coalescer.h), and so do the CTAs that share a bulk copy (multicast.h).
//
// The link waits until each queue behind it that takes a copy has room, as it does for one packet, and copies under way have places of their
// own. Those queues lead to SMs alone, which take every reply. So packets still never wait for each other in a circle.

#include <cstdint>
#include <vector>

#include "model/base/types.h"

namespace wharf::network {

class CopiedReplies {
 public:
  struct Copy {
    std::uint64_t handle;
    std::uint16_t sm;
  };
  struct Amount {
    std::uint64_t packets = 0, bytes = 0;
  };
  virtual ~CopiedReplies() = default;
  /// The copies to make of a reply, until the next call for any reply.
  virtual const std::vector<Copy>& copies(std::uint64_t reply) const = 0;
  /// `link`, of those of the tier, has sent the reply of that many bytes, and these copies. Makes their messages copies of the reply's.
  virtual void copied(std::uint64_t reply, unsigned link, unsigned bytes, Cycle now) = 0;
  /// Of the copies that a link has made.
  virtual Amount made(unsigned link) const = 0;
};

}  // namespace wharf::network
