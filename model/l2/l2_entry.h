#pragma once
// The entry of a slice of an L2 in two partitions, between the slice and its network interface (modern_gpus section 2). The network delivers
// an access to the partition that its SM is near, at the slice of the same number as the home: the entry slice. A near access goes on to
// that slice. A far access crosses the link to the mirror, the slice of the same number in the other partition, which is its home. Its
// answer takes the same way back. The entry stores no lines.
//
//   network interface -- requests --> [entry pipeline] -- near --> slice          near: access_cycles
//                                            |  far                  ^            far:  access_cycles + 2 * link.cycles
//                                            v                       |
//                                       link to the mirror    link from the mirror
//
// Requests and responses cross the link in classes of their own, and nothing that a response needs waits for a request. So a request may
// wait for responses, but no response waits for a request, and no cycle can form.

#include <systemc>

#include "model/base/stats/stats.h"
#include "model/base/transaction_list.h"
#include "model/l1/l1_params.h"
#include "model/l2/link_rate.h"
#include "model/l2/partition_params.h"
#include "model/monitor/watchdog.h"
#include "model/nic/nic_params.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/request_queue.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class Archive;

class L2Entry final : public sc_core::sc_module, public Clocked, public Inspectable, private MemoryTarget, private MemoryInitiator {
 public:
  struct Environment {
    ClockDomain& clock;  // that of the slices
    PayloadPool& pool;
    stats::Registry& registry;
    const AddressMap& addresses;
    TransactionUnit unit;
    PacketParams packets;            // give the bytes of a message on the link
    const stats::Counter& accesses;  // of the slice
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
  /// Called between kernels.
  void archive(Archive& file);

 private:
  friend class MemoryTargetPortOf<L2Entry>;
  friend class MemoryInitiatorPortOf<L2Entry>;

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter near, far, requests, responses, bytes, busy;
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
  bool is_near(LineAddress line) const { return addresses_.locate(line.byte_address()).slice == number_; }
  void look_at_front();
  void settle(Cycle now);
  void take_far(Cycle now);
  void send_to_slice(Cycle now);
  void send_over_link(Cycle now);
  void send_up(Cycle now);
  void start_on_link(Payload& payload, unsigned bytes, Cycle now);
  Cycle next(Cycle now) const;
  void claim(Payload& payload, Cycle due, Cycle now) const;
  void wake(Cycle cycle) { clock_.wake(block_, std::max(cycle, clock_.present_cycle() + 1)); }

  // Next cycle in which the oldest of each queue may leave; kNever if there is none or another event must come first.
  Cycle next_near() const { return front_is_near_ ? std::max(requests_.next_ready(), slice_free_) : kNever; }
  Cycle next_forwarded() const { return std::max(forwarded_.next_ready(), slice_free_); }
  Cycle next_far() const { return far_.empty() ? kNever : std::max(link_request_free_, link_.free()); }
  Cycle next_far_reply() const { return std::max({far_replies_.next_ready(), link_reply_free_, link_.free()}); }
  Cycle next_near_reply() const { return std::max(near_replies_.next_ready(), up_free_); }
  Cycle next_link_reply() const { return std::max(link_replies_.next_ready(), up_free_); }

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

  // From when the next may leave; kNever until the last one is accepted.
  Cycle slice_free_ = 0, link_request_free_ = 0, link_reply_free_ = 0, up_free_ = 0;
  // Which of two senders that are both ready has its turn.
  bool forwarded_turn_ = false, link_reply_turn_ = false, far_reply_turn_ = false;
  LinkRate link_;  // the direction towards the mirror

  MemoryTargetPortOf<L2Entry> upstream_, from_mirror_;
  MemoryInitiatorPortOf<L2Entry> downstream_, to_mirror_;
};

}  // namespace wharf
