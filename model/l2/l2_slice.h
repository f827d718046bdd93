#pragma once
// An L2 slice as a module: request pipeline, lookup, queue to the DRAM channel, reply queue (common.md section 6).
// Memory links above (network interface) and below (DRAM channel). A request whose tail was ejected in cycle c has, on a hit, its first
// reply flit offered to the network at c + access_cycles (CM-17); network time is never inside.

#include <systemc>

#include "model/l2/l2_logic.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
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
    std::uint64_t seed = 0;  // of the run
  };

  L2Slice(sc_core::sc_module_name name, const L2Params& params, TransactionUnit unit, unsigned number, const Environment& environment);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }

  void act(Cycle now) override;
  /// kernel_end, when nothing is in flight.
  void write(const Event&) override { logic_.kernel_ended(); }
  /// Counts the refused cycles and the times of lines up to the present, after its edges.
  void catch_up() {
    count_refused(clock_.present_cycle());
    logic_.catch_up(clock_.present_cycle());
  }
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
  [[gnu::noinline]] void settle(Cycle now);
  void look_up(Cycle now);
  void count_refused(Cycle last);
  stats::Counter* try_front(Cycle now);
  void locate(const Access& head);
  void fill(Cycle now);
  bool may_reply(Cycle now) const {
    return first_reply_ != nullptr && !reply_blocked_ && reply_free_ <= now && first_reply_->message.ready <= now;
  }
  void send_reply(Cycle now);
  bool may_miss(Cycle now) const { return missed_ != 0 && !miss_blocked_ && miss_free_ <= now; }
  void send_miss(Cycle now);
  void queue_reply(Payload& payload, Cycle ready);
  void queue_miss(Payload& payload);
  [[gnu::noinline]] void queue_write();
  void queue_fetch(Payload& payload, SectorMask sectors);
  /// At `cycle`, at the earliest in the one after `present`.
  void wake(Cycle cycle, Cycle present) { clock_.wake(block_, std::max(cycle, present + 1)); }
  std::uint32_t room() const { return missed_ < miss_queue_ ? miss_queue_ - missed_ : 0; }

  // What every act looks at comes first.
  ClockDomain& clock_;
  ClockDomain::BlockId block_;
  bool changed_ = false;                // since the last try of the head
  bool located_ = false;                // the head's local line is known
  bool reply_blocked_ = false;
  bool miss_blocked_ = false;
  std::uint32_t replies_ = 0;
  Transaction* first_reply_ = nullptr;  // answered, waiting for the network; each with the cycle it may leave
  Transaction* last_reply_ = nullptr;
  Cycle reply_free_ = 0;
  Cycle miss_free_ = 0;
  std::uint32_t miss_head_ = 0, missed_ = 0;
  // The head is refused for this cause and counted up to cycle counted_to_. It is tried again when something of this slice has changed;
  // the cycles between count for the same cause, because nothing that decides can change while the slice sleeps.
  stats::Counter* refused_ = nullptr;
  Cycle counted_to_ = 0;
  std::uint64_t local_line_ = 0;
  const std::uint32_t access_cycles_, fill_cycles_, dram_extra_cycles_, miss_queue_, reply_queue_;
  alignas(kHostLineBytes) RequestQueue requests_;
  alignas(kHostLineBytes) RequestQueue fills_;
  PayloadPool& pool_;
  const AddressMap& addresses_;
  stats::Group group_;
  L2Logic logic_;
  std::vector<Payload*> misses_;        // ring: what waits for the DRAM channel, writes that fills make beyond miss_queue
  MemoryTargetPortOf<L2Slice> upstream_;
  MemoryInitiatorPortOf<L2Slice> downstream_;
};

}  // namespace wharf
