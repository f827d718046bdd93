#pragma once
// The requesting side of two-level probing (remote_sharing sections 7 and 10) and its timeout handler. It tracks the misses of one SM that
// are being searched for, each with an L2 request ready to be sent.
//
//   first_level  -> data from an SM: filled
//                -> all probes returned, no candidates: failed search
//                -> all probes returned, candidates: one probe visits them (second_level)
//   second_level -> data: filled; returned without data: failed search
//   either       -> timed out at the head of the Selective L2 Requests: to_l2, its request may be sent
//   to_l2        -> reply of L2, or late data from an SM: filled
// Replies and probes that arrive later are dropped and counted.

#include <cstdint>
#include <vector>

#include "model/designs/remote_sharing/probe_body.h"
#include "model/designs/remote_sharing/probe_counters.h"
#include "model/designs/remote_sharing/probe_params.h"
#include "model/designs/remote_sharing/probe_queue.h"

namespace wharf {

/// Allocates and releases the transactions of probes and L2 requests.
class TransactionStock {
 public:
  virtual ~TransactionStock() = default;
  virtual Transaction& acquire(const Access& access) = 0;
  virtual void release(Transaction& transaction) = 0;
};

class ProbeRequesterLogic {
 public:
  /// `groups`: limit on misses searched for at once, the MSHR entries of the L1.
  ProbeRequesterLogic(const RemoteSharingParams& params, unsigned self, unsigned groups, ProbeCounters& counters, TransactionStock& stock,
                      ProbePool& bodies);

  /// Searches `targets` for the line of `miss`. There are at least as many targets as `probes`, and `probes` >= 1.
  void search(Transaction& miss, const CoreList& targets, unsigned probes, Cycle now);
  /// Handles an own probe that has returned.
  void returned(Transaction& probe, Cycle now);
  /// Handles data from an SM. Returns the miss that they fill, with the versions; nullptr if nobody waits. Releases the reply.
  Transaction* supplied(Transaction& reply);
  /// Handles the reply of L2 to a request made here, as supplied() does.
  Transaction* served(Transaction& reply);
  /// Ends a probe of any requester.
  void end_probe(Transaction& probe);
  /// Makes the head of the Selective L2 Requests injectable if it has timed out.
  void check_head(Cycle now);

  // What may be injected, nullptr if nothing: classes 2, 4 and 5 of remote_sharing section 11. pop_ removes it.
  Transaction* selective() const { return selective_.empty() ? nullptr : groups_[selective_.front()].request; }
  Transaction* processed_nack() const { return failed_.empty() ? nullptr : &failed_.front(); }
  Transaction* outgoing() const { return outgoing_.empty() ? nullptr : &outgoing_.front(); }
  void pop_selective();
  void pop_processed_nack(Cycle now);
  void pop_outgoing(Cycle now);

  /// When the head times out; kNever if nothing waits or it has timed out already.
  Cycle deadline() const;
  unsigned tracked() const { return tracked_; }
  /// True if another miss can be searched for.
  bool has_room() const { return tracked_ < groups_.size(); }
  std::uint32_t waiting_for_cores() const { return static_cast<std::uint32_t>(selective_.size()); }
  /// Marks the tag of L2 requests made here. It differs from all tickets of the predictor.
  static constexpr std::uint32_t kTracked = 0x8000'0000u;

  /// Saves or loads the state between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(tracked_ == 0 && selective_.empty() && failed_.empty() && outgoing_.empty(), "a search");
    file(uses_);
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Group& group : groups_)
      if (group.state != State::idle) visit(group.miss->access, group.state == State::to_l2);
  }

 private:
  enum class State : std::uint8_t { idle, first_level, second_level, to_l2 };
  struct Group {
    State state = State::idle;
    std::uint32_t sequence = 0;
    std::uint32_t under_way = 0;  // probes of the present level that have not returned
    Transaction* miss = nullptr;
    Transaction* request = nullptr;  // to L2, until it has been injected
    CoreList candidates;             // in order of arrival (RS-25)
    Cycle deadline = 0;
    Cycle decided = 0;  // when the request to L2 was decided; 0: not yet
  };

  Group* find(GroupId id);
  void send(Group& group, ProbeRole role, const std::uint8_t* targets, unsigned count, Cycle now);
  void finish_first_level(Group& group, Transaction& probe, Cycle now);
  void fail(Group& group, Cycle now);
  void make_request(Group& group, Cycle now);
  void cancel_unsent(Group& group);
  Transaction* fill(Group& group, const Transaction& reply);
  std::uint16_t number(const Group& group) const { return static_cast<std::uint16_t>(&group - groups_.data()); }

  const RemoteSharingParams params_;
  std::uint16_t self_;
  ProbeCounters& counters_;
  TransactionStock& stock_;
  ProbePool& bodies_;
  std::vector<Group> groups_;
  std::vector<std::uint16_t> selective_;  // Selective L2 Requests: groups, oldest first
  ProbeQueue failed_, outgoing_;
  std::uint32_t uses_ = 0;  // number of groups used so far
  unsigned tracked_ = 0;
};

}  // namespace wharf
