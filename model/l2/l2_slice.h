#pragma once
// The module around an L2 slice: request pipeline, lookup, queue to the DRAM channel and reply queue (common section 6), with memory links
// above (network interface) and below (DRAM channel). On a hit, the first reply flit is offered to the network access_cycles after the
// ejection of the request's tail (CM-17). access_cycles includes no network time.

#include <systemc>

#include "model/base/host/ring.h"
#include "model/base/transaction_list.h"
#include "model/l2/l2_logic.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/outlet.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class L2Slice final : public sc_core::sc_module,
                      public Clocked,
                      public Inspectable,
                      public SidebandListener,
                      private MemoryTarget,
                      private MemoryInitiator {
 public:
  struct Environment {
    ClockDomain& clock;
    PayloadPool& pool;
    stats::Registry& registry;
    const AddressMap& addresses;
    bool verify;
    L2LinePolicy* line_policy;
    std::uint64_t seed = 0;  // the run's seed
  };

  L2Slice(sc_core::sc_module_name name, const L2Params& params, TransactionUnit unit, unsigned number, const Environment& environment);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }

  void act(Cycle now) override;
  /// Receives kernel_start if hints count. Receives kernel_end, when nothing is in flight, if lines are switched off.
  void write(const Event& event) override;
  /// Counts the refused cycles and the line times up to the end of the present cycle.
  void catch_up() {
    count_refused(clock_.present_cycle());
    logic_.catch_up(clock_.present_cycle());
  }
  // Copies of lines of the other half, for the slice's entry, in a commit: L2Logic's functions of these names.
  bool read_copy(Transaction& far);
  void install_copy(const Transaction& data);
  void update_copy(const Transaction& store);
  bool drop_copy(LineAddress line);
  std::uint64_t drop_copies();
  void mirror_evicted(LineAddress line) { logic_.mirror_evicted(line, local_line(line)); }
  SectorMask copied_sectors(LineAddress line) const {
    SectorVersions versions;
    return logic_.held(line, local_line(line), versions);
  }
  /// Called between kernels.
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;
  L2Logic& logic() { return logic_; }
  const L2Logic& logic() const { return logic_; }

 private:
  friend class MemoryTargetPortOf<L2Slice>;
  friend class MemoryInitiatorPortOf<L2Slice>;

  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return {&clock_, pool_.contents(), logic_.unit() == TransactionUnit::sector}; }
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;

  std::uint64_t local_line(LineAddress line) const { return addresses_.locate(line.byte_address()).local_line; }
  [[gnu::noinline]] void admit_pending(Cycle now);
  [[gnu::noinline]] Cycle next_admission(Cycle now);
  void look_up(Cycle now);
  void count_refused(Cycle last);
  stats::Counter* try_front(Cycle now);
  void fill(Cycle now);
  [[gnu::noinline]] void reply_merged(Cycle now);
  void send_reply(Cycle now);
  void send_miss(Cycle now);
  void queue_reply(Payload& payload, Cycle ready);
  [[gnu::noinline]] void queue_write(const L2Logic::Victim& data);
  void queue_fetch(Payload& payload, const L2Logic::Verdict& verdict);
  /// Wakes the slice at `cycle`, at the earliest in the cycle after `present`.
  void wake(Cycle cycle, Cycle present) { clock_.wake(block_, std::max(cycle, present + 1)); }
  std::uint32_t room() const { return misses_.size() < miss_queue_ ? miss_queue_ - misses_.size() : 0; }
  /// Copies have changed, so a head that is refused may find another victim.
  void copies_changed() {
    if (!asleep_) return;
    retry_head();
    wake(0, clock_.present_cycle());
  }
  /// Lets the head retry after an arrival or departure, which may have removed its obstacle. A head that waits for a full reply queue
  /// sleeps on.
  void retry_head() { asleep_ = asleep_ && refused_by_ == &logic_.counters().reply_full; }
  bool replies_full() const { return replies_.size() >= reply_queue_; }

  // Next cycle with work of each kind; kNever if there is none, or if another event must come first.
  Cycle next_try() const { return asleep_ ? kNever : requests_.next_ready(); }
  Cycle next_reply() const { return std::max(reply_outlet_.opens_at(), reply_ready_); }
  Cycle next_miss() const { return misses_.empty() ? kNever : miss_outlet_.opens_at(); }

  // The members that every act() uses come first.
  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  bool waiting_ = false;  // a request or a fill waits for a queue entry, or a reset is due
  // The head is refused and sleeps until the state of this slice that refused it has changed. Its refused cycles are counted up to
  // counted_to_; those in which it sleeps count for the same cause.
  bool asleep_ = false;
  stats::Counter* refused_by_ = nullptr;  // counter of the cause for which the head is refused; null: it is not refused
  Cycle counted_to_ = 0;
  Outlet reply_outlet_, miss_outlet_;
  Cycle reply_ready_ = kNever;  // when the oldest of replies_ is ready
  Cycle all_ready_ = 0;         // when the latest of them is ready; from then on the oldest need not be read
  TransactionList replies_;     // answered requests, each with the cycle from which it may leave for the network
  TransactionList misses_;      // fetches and writes for the DRAM channel; writes that fills cause may exceed miss_queue
  alignas(kHostLineBytes) RequestQueue requests_;
  Ring<std::uint64_t> lines_;  // local line numbers of requests_ and of the pending request
  const std::uint32_t access_cycles_;
  stats::Group group_;
  // Like the first members, these are prefetched into the host's cache before an act(): the fills, and the tags, which begin the logic.
  alignas(kHostLineBytes) RequestQueue fills_;
  const std::uint32_t fill_cycles_, dram_extra_cycles_, miss_queue_;
  const std::uint32_t reply_queue_;  // includes a place for each cycle that the reply to a fill waits
  L2Logic logic_;
  const MergedReplies merged_replies_;
  TransactionList merged_;  // served by a fill, waiting to join replies_ (one_a_cycle)
  Cycle merged_from_ = 0;   // the oldest of them may join from this cycle on
  PayloadPool& pool_;
  const AddressMap& addresses_;
  Cycle reset_from_ = kNever;  // when persisting lines become normal
  MemoryTargetPortOf<L2Slice> upstream_;
  MemoryInitiatorPortOf<L2Slice> downstream_;
};

}  // namespace wharf
