#pragma once
// The requesting side of two-level probing (remote_sharing sections 7 and 10) and its timeout handler: the misses of one core that are
// being searched for, each with a ready-made L2 request.
//
//   first_level  -> data of a core: filled
//                -> all probes home, no candidates: failed search
//                -> all probes home, candidates: one probe visits them (second_level)
//   second_level -> data: filled; home without data: failed search
//   either       -> timed out at the head of the Selective L2 Requests: to_l2, its request may be sent
//   to_l2        -> reply of L2, or late data of a core: filled
// What comes back after that is dropped and counted.

#include <cstdint>
#include <vector>

#include "model/designs/remote_sharing/probe_body.h"
#include "model/designs/remote_sharing/probe_counters.h"
#include "model/designs/remote_sharing/probe_params.h"
#include "model/designs/remote_sharing/probe_queue.h"

namespace wharf {

/// Where probes and L2 requests come from and go to.
class TransactionStock {
 public:
  virtual ~TransactionStock() = default;
  virtual Transaction& acquire(const Access& access) = 0;
  virtual void release(Transaction& transaction) = 0;
};

class ProbeRequesterLogic {
 public:
  /// `groups`: misses that can be searched for at once, the MSHR entries of the L1.
  ProbeRequesterLogic(const RemoteSharingParams& params, unsigned self, unsigned groups, ProbeCounters& counters, TransactionStock& stock,
                      ProbePool& bodies);

  /// Searches `targets`, at least as many as `probes`, which is at least 1, for the line of `miss`.
  void search(Transaction& miss, const CoreList& targets, unsigned probes, Cycle now);
  /// An own probe is home again.
  void returned(Transaction& probe, Cycle now);
  /// Data of a core: the miss that they fill, with the versions; nullptr where nobody waits. The reply ends here.
  Transaction* supplied(Transaction& reply);
  /// The reply of L2 to a request made here, likewise.
  Transaction* served(Transaction& reply);
  /// A probe, of whatever requester, ends here.
  void end_probe(Transaction& probe);
  /// The head of the Selective L2 Requests, if its time is over, becomes injectable.
  void check_head(Cycle now);

  // What may be injected, nullptr where nothing: classes 2, 4 and 5 of remote_sharing section 11. take_ removes it.
  Transaction* selective() const { return selective_.empty() ? nullptr : groups_[selective_.front()].request; }
  Transaction* processed_nack() const { return failed_.empty() ? nullptr : &failed_.front(); }
  Transaction* outgoing() const { return outgoing_.empty() ? nullptr : &outgoing_.front(); }
  void take_selective();
  void take_processed_nack(Cycle now);
  void take_outgoing(Cycle now);

  /// When the head times out; kNever where nothing waits or it has timed out already.
  Cycle deadline() const;
  unsigned tracked() const { return tracked_; }
  /// Another miss can be searched for.
  bool has_room() const { return tracked_ < groups_.size(); }
  std::uint32_t waiting_for_cores() const { return static_cast<std::uint32_t>(selective_.size()); }
  /// Marks the tag of L2 requests made here, apart from tickets of the predictor.
  static constexpr std::uint32_t kTracked = 0x8000'0000u;

  /// Between kernels (model/base/archive.h).
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
    std::uint32_t under_way = 0;  // probes of the present level that are not home
    Transaction* miss = nullptr;
    Transaction* request = nullptr;  // to L2, as long as it has not been injected
    CoreList candidates;             // in order of arrival (RS-25)
    Cycle deadline = 0;
    Cycle decided = 0;  // when it became known that it goes to L2; 0: it has not
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
  std::vector<std::uint16_t> selective_;  // Selective L2 Requests: groups, the oldest first
  ProbeQueue failed_, outgoing_;
  std::uint32_t uses_ = 0;  // of groups so far
  unsigned tracked_ = 0;
};

}  // namespace wharf
