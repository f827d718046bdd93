#pragma once
// Merges reads of one line where they join in a hierarchical crossbar (modern_gpus section 3, MG-14). Both directions share it.
//
//   - A read that passes the links of the chosen tier on its way up opens an entry. Later reads of the same line and slice whose sectors the
//     entry covers join it: they leave the network there and take no bytes of the link.
//   - The reply to the first read comes once. Behind the link of the chosen tier on its way down, a copy of it leaves for each joined read.
//   - Nobody joins an entry any more once its reply has reached that link, once a store or atomic to the line has passed, or once a kernel
//     has started after it was opened. A joined read thus returns what it would have returned in the place of the first one (CM-32). Reads
//     that bypass the L1 neither join nor open an entry, because they must be served by L2 (CM-31).
//   - An entry is in use until the cycle after the one in which its reply is copied.
//
// Both directions act in any order within a cycle. So what the replies change counts from the next cycle on.
//
// Joined reads hold no place of the network of requests, so neither direction waits for the other.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/timer_wheel.h"
#include "model/base/types.h"
#include "model/network/hierarchical/copied_replies.h"
#include "model/network/hierarchical/hierarchical_params.h"

namespace wharf::network {

/// The messages behind the handles of packets.
class CoalescedMessages {
 public:
  struct Request {
    std::uint64_t line;
    SectorMask sectors;
    bool joins;   // a read that may be answered together with another one
    bool writes;  // a store or atomic
  };
  virtual ~CoalescedMessages() = default;
  virtual Request request(std::uint64_t handle) const = 0;
  /// The request has joined another one.
  virtual void joined(std::uint64_t handle) const = 0;
  /// Makes the message of `joined` a copy of the reply to the read that it has joined.
  virtual void answer(std::uint64_t reply, std::uint64_t joined) const = 0;
};

class Coalescer final : public CopiedReplies {
 public:
  /// Counters of one link.
  struct Counters {
    Counters(stats::Registry& registry, unsigned link);
    stats::Group group;
    stats::Counter lookups, merged, full, request_bytes, reply_bytes;
  };

  /// `links` is the number of links of the chosen tier, and of its tables.
  Coalescer(const HierarchicalParams& params, unsigned links, const CoalescedMessages& messages, stats::Registry& registry);

  /// A request could join an entry of this link in cycle `now`.
  bool can_join(unsigned link, std::uint64_t handle, unsigned slice, Cycle now) const;
  /// The link serves a request. True: it has joined an entry, and does not pass.
  bool join(unsigned link, std::uint64_t handle, unsigned sm, unsigned slice, unsigned bytes, Cycle now);

  /// A reply is in front of the link from cycle `at` on, which is later than the present one.
  void set_reply_cycle(std::uint64_t handle, Cycle at);
  /// Those that have joined the read of this reply.
  const std::vector<Copy>& copies(std::uint64_t reply) const override;
  /// Gives the entry up.
  void copied(std::uint64_t reply, unsigned link, unsigned bytes, Cycle now) override;
  Amount made(unsigned link) const override { return {counters_[link]->merged.value(), counters_[link]->reply_bytes.value()}; }

  /// Reads from the cycle after `present` on join no entry opened until then.
  void kernel_starts(Cycle present);

  /// No read is on its way whose reply might be copied.
  bool idle() const { return by_first_handle_.empty(); }
  const Counters& counters(unsigned link) const { return *counters_[link]; }

 private:
  struct Entry {
    std::uint64_t line = 0, first = 0;  // `first`: handle of the read that has opened it
    std::vector<Copy> joined;
    Cycle opened = 0, comes = kNever;  // `comes`: its reply is in front of the link
    std::uint16_t link = 0, slice = 0;
    SectorMask sectors = 0;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  enum class Search { none, full, found };

  std::uint64_t key_of(unsigned link, std::uint64_t line) const { return line * counters_.size() + link; }
  std::pair<Search, std::uint32_t> search(unsigned link, const CoalescedMessages::Request& request, unsigned slice, Cycle now) const;
  void open(unsigned link, std::uint64_t handle, const CoalescedMessages::Request& request, unsigned slice, Cycle now);
  void free_entry(std::uint32_t number, Cycle now);
  /// Entries opened until this cycle are closed to reads of cycle `now`.
  Cycle closed_until(Cycle now) const { return kernel_start_ < now ? kernel_start_ : kernel_start_before_; }

  const CoalescedMessages& messages_;
  const std::uint32_t limit_, joins_;
  std::vector<std::unique_ptr<Counters>> counters_;  // [link]
  std::vector<std::uint32_t> used_;                  // [link]: entries in use
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> spare_;                                  // entries that are in no use
  std::unordered_multimap<std::uint64_t, std::uint32_t> open_;        // by link and line: entries that no store has closed
  std::unordered_map<std::uint64_t, std::uint32_t> by_first_handle_;  // by the handle of the first read
  TimerWheel<std::uint16_t> freed_;                                   // links with an entry that is no longer in use from a cycle on
  Cycle kernel_start_ = 0, kernel_start_before_ = 0;                  // the last cycle with kernel_starts(), and the one before
};

}  // namespace wharf::network
