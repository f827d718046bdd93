#pragma once
// The entry of a slice of an L2 in two partitions, between the slice and its network interface (modern_gpus section 2). The network delivers
// an access to the partition that its SM is near, at the slice of the same number as the home: the entry slice. A near access goes on to
// that slice. A far access crosses the link to the mirror, the slice of the same number in the other partition, which is its home. Its
// answer takes the same way back. With `partition: local_copy`, the entry first looks for a copy in its own slice (model/l2/l2_mirror.h).
//
//   network interface -- requests --> [entry pipeline] -- near --> slice          near: access_cycles
//                                            |  far                  ^            far:  access_cycles + 2 * link.cycles
//                                            v                       |
//                                       link to the mirror    link from the mirror
//
// Requests and responses cross the link in classes of their own, and nothing that a response needs waits for a request. So a request may
// wait for responses, but no response waits for a request, and no cycle can form. An invalidation is a request of the home that its mirror
// answers; the home holds the answer to a store until then, but keeps nothing else waiting. Lists that a response may have to enter have no
// limit. What the entry does with copies happens in commit(), when the slice has acted: so the order of blocks does not matter.

#include <deque>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/base/transaction_list.h"
#include "model/l1/l1_params.h"
#include "model/l2/l2_logic.h"
#include "model/l2/l2_mirror.h"
#include "model/l2/link_rate.h"
#include "model/l2/partition_params.h"
#include "model/monitor/watchdog.h"
#include "model/nic/nic_params.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/outlet.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class Archive;

class L2Entry final : public sc_core::sc_module,
                      public Clocked,
                      public Inspectable,
                      public SidebandListener,
                      private Committed,
                      private MemoryTarget,
                      private MemoryInitiator {
 public:
  struct Environment {
    ClockDomain& clock;  // that of the slices
    PayloadPool& pool;
    stats::Registry& registry;
    const AddressMap& addresses;
    TransactionUnit unit;
    PacketParams packets;            // give the bytes of a message on the link
    const stats::Counter& accesses;  // of the slice
    L2Slice* slice = nullptr;        // with local_copy: its own, and the parameters that it is built with
    const L2Params* built = nullptr;
  };

  /// `node` is the endpoint of the slice, `number` its number.
  L2Entry(sc_core::sc_module_name name, const PartitionParams& params, unsigned node, unsigned number, const Environment& environment);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  /// The ends of the link: towards the mirror as home, and from the mirror to this slice as home.
  tlm::tlm_initiator_socket<>& to_mirror() { return to_mirror_.socket; }
  tlm::tlm_target_socket<>& from_mirror() { return from_mirror_.socket; }
  /// Adds the law that this slice answers what `mirror` forwards. Call it once.
  void expect_requests_of(const L2Entry& mirror);

  void act(Cycle now) override;
  void inspect(std::vector<Wait>& waits) const override;
  // For skipped work, with local_copy.
  /// Performs an access of an SM that is near this half in no time. `mirror` is the entry of the same number in the other half. Does nothing if
  /// an access that a copy of the line waits for is under way.
  void perform(Transaction& transaction, L2Entry& mirror, L2Logic::Below& below, Cycle now);
  /// Around all calls of perform(), before the statistics are restored.
  void begin_warming();
  void end_warming();
  /// A kernel starts that nobody runs.
  void expire_copies();

  /// Receives kernel_start: copies expire.
  void write(const Event& event) override;
  /// Called between kernels.
  void archive(Archive& file);

 private:
  // Of the target ports and of the initiator ports.
  static constexpr unsigned kOwn = 0;     // to the network interface, and to the slice
  static constexpr unsigned kMirror = 1;  // over the link
  static constexpr unsigned kByte = 1;    // a packet of one-byte flits has as many flits as bytes

  friend class MemoryTargetPortOf<L2Entry>;
  friend class MemoryInitiatorPortOf<L2Entry>;

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter near, far, requests, responses, bytes, busy;
  };

  /// Invalidations of copies of one line, and the answers to stores and atomics that wait for their end.
  struct UnderWay {
    std::uint32_t invalidations = 0;
    TransactionList held;
  };
  struct Notice {
    LineAddress line;
    Cycle arrival;
  };
  /// What only `partition: local_copy` needs.
  struct Copying {
    Copying(const PartitionParams& params, L2Copies::Owner owner, stats::Group& group, const Environment& environment);

    L2Slice& slice;
    L2Copies copies;
    L2Mirror mirror;
    const Cycle slice_cycles;                               // of a near hit, behind the entry
    TransactionList hits;                                   // of copies, until a near hit would be answered
    TransactionList released;                               // answers that have crossed the link or waited for an invalidation
    TransactionList acks;                                   // invalidations received and done
    std::unordered_map<std::uint64_t, UnderWay> under_way;  // by line
    std::deque<Notice> notices;                             // of the mirror, that it has evicted a copy
    Cycle expires_from = kNever;                            // copies end in this cycle: a kernel has started in the one before
    Cycle committed = kNever;                               // the cycle of the last commit
  };

  Acceptance request(unsigned port, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned port, Picoseconds at) override;
  /// Asks the slice, or the mirror for a far line.
  unsigned debug(unsigned port, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return {&clock_, pool_.contents(), unit_ == TransactionUnit::sector}; }
  void request_accepted(unsigned port, Picoseconds at) override;
  bool response(unsigned port, Payload& payload, Picoseconds at) override;

  /// True for an access that entered at this slice; false for one that the mirror has forwarded.
  bool entered_here(const Transaction& transaction) const { return transaction.message.destination == node_; }
  std::uint64_t local_line(LineAddress line) const { return addresses_.locate(line.byte_address()).local_line; }
  bool is_near(LineAddress line) const { return addresses_.locate(line.byte_address()).slice == number_; }
  void look_at_front();
  void admit_pending(Cycle now);
  void forward_far(Cycle now);
  void send_to_slice(Cycle now);
  void send_over_link(Cycle now);
  void send_reply_upstream(Cycle now);
  void start_on_link(Payload& payload, unsigned bytes, Cycle now);
  Payload& pop_answer(unsigned from, Cycle now);
  void answer_over_link(Payload& payload, Cycle now);
  void reopen(Outlet& outlet, Cycle delay, Picoseconds at);

  // Defined in l2_entry_copies.cpp, for local_copy.
  void commit() override;
  void add_laws_of_copies(const stats::Counter& accesses);
  Acceptance receive_notice(const Payload& payload, Cycle arrival);
  Cycle next_commit() const;
  void handle_notices(Cycle next);
  void handle_invalidation(Cycle now);
  void handle_link_answer(Cycle now);
  void finish_invalidation(Payload& payload, Cycle now);
  void look_up_far(Cycle now);
  void request_sectors(Payload& payload);
  void send_changes();
  void send_ack(Cycle now);
  Payload& control_message(LineAddress line, bool notice);
  bool holds_answer(Cycle now);
  bool copies_quiet() const;
  void perform_far(Transaction& transaction, L2Entry& home, L2Logic::Below& below, Cycle now);
  void copy_from(L2Entry& home, const Access& access, SectorMask sectors, L2Logic::Below& below, Cycle now);
  void settle(L2Entry& mirror);
  void inspect_copies(std::vector<Wait>& waits) const;
  Cycle next(Cycle now) const;
  void claim(Payload& payload, Cycle due, Cycle now) const;
  /// Wakes for the oldest of the queue; where a commit may take it, one cycle earlier.
  void wake_for(const RequestQueue& queue) {
    wake(queue.next_ready() - (copying_ != nullptr ? 1 : 0));
    if (copying_ != nullptr && &queue != &requests_ && queue.next_ready() <= clock_.present_cycle() + 1) clock_.request_commit(*this);
  }
  void wake(Cycle cycle) { clock_.wake(block_, std::max(cycle, clock_.present_cycle() + 1)); }

  // Next cycle in which the oldest of each queue may leave; kNever if there is none or another event must come first.
  Cycle next_near() const { return front_is_near_ ? std::max(requests_.next_ready(), slice_outlet_.opens_at()) : kNever; }
  Cycle next_forwarded() const { return invalidation_is_next() ? kNever : std::max(forwarded_.next_ready(), slice_outlet_.opens_at()); }
  Cycle next_far() const { return far_.empty() ? kNever : std::max(link_request_outlet_.opens_at(), link_.free()); }
  Cycle next_far_reply() const {
    return std::max(
        {copying_ != nullptr && !copying_->acks.empty() ? 0 : far_replies_.next_ready(), link_reply_outlet_.opens_at(), link_.free()});
  }
  // The answers to the network interface, in the order in which they take turns: of the slice, of the link, of copies.
  static constexpr unsigned kAnswers = 3;
  Cycle next_answer_ready(unsigned from) const {
    if (from == 0) return near_replies_.next_ready();
    if (copying_ == nullptr) return from == 1 ? link_replies_.next_ready() : kNever;
    return (from == 1 ? copying_->released : copying_->hits).next_ready();
  }
  Cycle next_answer(unsigned from) const { return std::max(next_answer_ready(from), up_outlet_.opens_at()); }
  /// True for the messages of the home or the mirror that carry no access: invalidations, their answers, and notices.
  static bool is_control(const Payload& payload) { return payload.access().kind == AccessKind::metadata; }
  static constexpr std::uint32_t kNotice = 1;  // tag of a control message: the mirror has evicted a copy
  static bool is_notice(Payload& payload) { return is_control(payload) && payload.message().tag == kNotice; }
  bool invalidation_is_next() const { return copying_ != nullptr && !forwarded_.empty() && is_control(forwarded_.front()); }

  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  PayloadPool& pool_;
  const AddressMap& addresses_;
  const TransactionUnit unit_;
  const PacketParams packets_;
  const Cycle entry_cycles_, link_cycles_;
  const std::uint32_t link_queue_;
  const std::uint16_t node_;
  const unsigned number_;
  stats::Group group_;
  Counters counters_;

  RequestQueue requests_;                    // from the network interface
  TransactionList far_;                      // of them, those that wait for the link
  RequestQueue forwarded_;                   // requests of the mirror's SMs, for this slice
  RequestQueue near_replies_, far_replies_;  // of this slice, to the network interface and to the link
  RequestQueue link_replies_;                // of the mirror, to the network interface
  bool front_is_near_ = false;               // of requests_

  Outlet slice_outlet_, link_request_outlet_, link_reply_outlet_, up_outlet_;
  // Which of two senders that are both ready has its turn.
  bool forwarded_turn_ = false, far_reply_turn_ = false;
  std::uint32_t answer_turn_ = 0;
  LinkRate link_;                     // the direction towards the mirror
  std::unique_ptr<Copying> copying_;  // null with home_only

  MemoryTargetPortOf<L2Entry> upstream_, from_mirror_;
  MemoryInitiatorPortOf<L2Entry> downstream_, to_mirror_;
};

}  // namespace wharf
