#pragma once
// Multiplies the replies to reads of bulk copies for the CTAs on other SMs that receive them (modern_gpus section 4, MG-15). L2 is read once
// per line. The copies leave behind the links of the GPCs, in which all CTAs of a cluster lie. The SM that reads gets the reply in any case,
// and holds the credits of its request alone.

#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/hierarchical/copied_replies.h"

namespace wharf::network {

/// The messages behind the handles of packets.
class MulticastMessages {
 public:
  virtual ~MulticastMessages() = default;
  /// Adds the copies of a reply to `to`.
  virtual void list_copies(std::uint64_t reply, std::vector<CopiedReplies::Copy>& to) const = 0;
  /// Makes the message of `copy` one of the reply.
  virtual void answer(std::uint64_t reply, std::uint64_t copy) const = 0;
  /// All copies have been made.
  virtual void forget_copies(std::uint64_t reply) const = 0;
};

class Multicast final : public CopiedReplies {
 public:
  /// `gpcs`: the links that copy.
  Multicast(unsigned gpcs, const MulticastMessages& messages, stats::Registry& registry);

  const std::vector<Copy>& copies(std::uint64_t reply) const override;
  void copied(std::uint64_t reply, unsigned link, unsigned bytes, Cycle now) override;
  Amount made(unsigned link) const override { return {counters_[link]->copies.value(), counters_[link]->bytes.value()}; }

 private:
  /// Counters of one link.
  struct Counters {
    Counters(stats::Registry& registry, unsigned link);
    stats::Group group;
    stats::Counter replies, copies, bytes;
  };
  const MulticastMessages& messages_;
  std::vector<std::unique_ptr<Counters>> counters_;  // [link]
  mutable std::vector<Copy> copies_;                 // the result of the last copies()
};

}  // namespace wharf::network
