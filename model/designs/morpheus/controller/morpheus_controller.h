#pragma once
// A Morpheus controller in front of the L2 banks of a partition. It sends each request to the conventional LLC, to the extended LLC in the
// cache-mode SMs, or past both to DRAM (morpheus section 5).
//
// A request to a line of the extended LLC traverses the partition in access_cycles, like a request in a slice, and is decided at the end.
// Its message to a warp, its acknowledgement or its fetch is sent in that cycle. Requests are decided in order of arrival, at most one per
// bank and cycle. If the oldest must wait, it blocks either all requests to the partition, conventional or not, or only those behind it in
// its bank's queue (`morpheus.holds_up`). It never blocks messages from cache-mode SMs.
//
// With service by rate (model/designs/morpheus/controller/rate_service_logic.h), this controller changes the sets, and the compression of a
// line depends on its contents. Requests are therefore decided at the end (commit) of the cycle, after the SMs that write the line have
// acted.
//
// Not modelled: the area of morpheus sections 5.2 and 11.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/bits.h"
#include "model/base/host/ring.h"
#include "model/designs/morpheus/controller/address_separator_logic.h"
#include "model/designs/morpheus/controller/bank_port.h"
#include "model/designs/morpheus/controller/controller_logic.h"
#include "model/designs/morpheus/controller/dram_port.h"
#include "model/l2/l2_params.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/lookup_link.h"
#include "model/tlm/message_link.h"
#include "policies/address_map/address_map.h"

namespace wharf {

class MorpheusController : public sc_core::sc_module,
                           public Clocked,
                           public Committed,
                           public Inspectable,
                           private BankOwner,
                           private ControllerHost,
                           private MessageSource,
                           private MessageSink {
 public:
  struct Environment {
    ClockDomain& clock;
    PayloadPool& pool;
    stats::Registry& registry;
    const AddressMap& addresses;
    const EllcGeometry& geometry;
    EllcDirectory& directory;
    std::uint32_t slices_per_channel;
    unsigned first_cache_sm, first_slice;  // endpoints
    std::uint32_t flit_bytes;              // of the network to cache-mode SMs
    bool verify;                           // checks the contents of a set whenever an operation is sent to it
    bool stop_at_false_negatives = true;
    /// For debug access: the sectors of the line that a set holds now, and their versions. May be empty.
    std::function<SectorMask(const EllcSet&, LineAddress, SectorVersions&)> in_set{};
    /// The kernel of a cache-mode SM. With service by rate, this controller changes its sets.
    std::function<EllcKernel&(unsigned)> kernel_of{};
  };

  MorpheusController(sc_core::sc_module_name name, const MorpheusParams& params, const L2Params& l2, unsigned number,
                     const Environment& environment);

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  unsigned channels() const { return static_cast<unsigned>(dram_.size()); }
  BankPort& bank(unsigned index) { return banks_.at(index)->port; }
  /// The following ports exist only if there are cache-mode SMs.
  tlm::tlm_initiator_socket<>& to_sms(unsigned bank) { return banks_.at(bank)->to_sms->socket; }
  tlm::tlm_target_socket<>& from_sms(unsigned bank) { return banks_.at(bank)->from_sms->socket; }
  tlm::tlm_initiator_socket<>& dram(unsigned channel) { return dram_.at(channel)->socket(); }
  tlm::tlm_initiator_socket<>& predictor() { return predictor_->socket; }

  void act(Cycle now) override;
  void commit() override;
  void inspect(std::vector<Wait>& waits) const override;
  /// Counts refused cycles up to the end of the present cycle.
  void catch_up() { count_refused(clock_.present_cycle()); }
  const ControllerLogic& logic() const { return logic_; }
  /// Saves or loads the state between kernels.
  void archive(Archive& file);

 private:
  using Banks = std::uint64_t;  // one bit per bank
  /// The set to which a request of the extended LLC belongs.
  struct Home {
    LineAddress line;
    std::uint32_t row = 0, tag = 0;
  };
  struct Bank {
    Bank(const std::string& name, MorpheusController& owner, unsigned number, const L2Params& l2);
    BankPort port;
    std::unique_ptr<MessageSourcePort> to_sms;
    std::unique_ptr<MessageSinkPort> from_sms;
    RequestQueue requests, results;
    Ring<Home> homes;                    // of the requests, and of one request that waits for a queue entry
    std::vector<Transaction*> messages;  // to warps, oldest first
    MessageHeader offered;               // header of the oldest, as offered
    bool message_blocked = false;        // the network has refused it
    Cycle message_taken = kNever;        // cycle from which the network holds the refused message
    Cycle buffer_wait_from = kNever;     // start of a result's wait for the read data buffer
  };

  // Implements BankOwner:
  Acceptance divert(unsigned bank, Payload& payload, Picoseconds at) override;
  bool stalled() const override {
    return holds_up_ == HoldsUp::partition && stalled_since_ < clock_.present_cycle() && clock_.present_cycle() <= stalled_until_;
  }
  SectorMask held(LineAddress line, SectorVersions& versions) const override;
  void port_changed(unsigned bank) override {
    ports_ |= Banks{1} << bank;
    admitting_ |= Banks{1} << bank;
  }
  void buffered_reply_left() override;
  // Implements ControllerHost:
  bool predicts_hit(const EllcOperation& operation) override;
  void accessed(const EllcOperation& operation, bool all_touched) override;
  Transaction& make(const Access& access) override { return pool_.acquire(access).transaction(); }
  void release(Transaction& message) override { Payload::of(message).release(); }
  void answer(Transaction& request, const Transaction* source, Answer how) override;
  bool dram_room(LineAddress line) const override { return dram_[channel_of(line)]->room(); }
  void read_dram(const Transaction& cause, std::uint32_t code, SectorMask sectors) override;
  void send(Transaction& message, MessageKind kind, const EllcWord& word) override;
  // Implements MessageSource and MessageSink:
  void posted(unsigned bank, Picoseconds at) override;
  bool message(unsigned bank, Payload& payload, Picoseconds at) override;

  void work(Cycle now);
  void admit_pending(Cycle now);
  void admit_pending(Bank& bank, Cycle now);
  void decide(Cycle now);
  void stall(stats::Counter* cause, Cycle now);
  stats::Counter* try_front(Bank& bank, Cycle now);
  void count_refused(Cycle last);
  void receive_results(Cycle now);
  bool receive_result(Bank& bank, Cycle now);
  void write_back(Transaction& message);
  void receive_lines(Cycle now);
  void send_messages(Cycle now);
  void message_left(Bank& bank);
  void sleep(Cycle now);
  Cycle next_of_banks(Cycle now, bool& contends);
  void push_home(Bank& bank, const Home& home);
  template <class Visit>
  void for_each(Banks banks, Visit visit) {
    for (const unsigned bank : set_bits(banks)) visit(*banks_[bank], std::uint64_t{1} << bank);
  }
  void check_row(unsigned row);
  std::uint64_t local_of(const AddressMap::Target& target) const {
    return target.local_line * banks_.size() + target.slice % banks_.size();
  }
  AddressSeparator::Home home_of(LineAddress line) const { return separator_.of(local_of(addresses_.locate(line.byte_address()))); }
  unsigned channel_of(LineAddress line) const { return addresses_.locate(line.byte_address()).channel % channels(); }

  const L2Params l2_;
  ClockDomain& clock_;
  PayloadPool& pool_;
  const AddressMap& addresses_;
  const EllcDirectory& directory_;
  const std::vector<EllcSet>& rows_;
  const unsigned number_, first_cache_sm_, first_slice_;
  const std::uint32_t flit_bytes_;
  const bool verify_;
  const HoldsUp holds_up_;
  const std::function<SectorMask(const EllcSet&, LineAddress, SectorVersions&)> in_set_;
  AddressSeparator separator_;
  stats::Group group_;
  ControllerLogic logic_;
  ClockDomain::BlockId block_;
  std::vector<std::unique_ptr<Bank>> banks_;
  std::vector<std::unique_ptr<DramPort>> dram_;
  std::unique_ptr<LookupInitiatorPort> predictor_;

  stats::Counter* refused_ = nullptr;  // cause for which the oldest request waits; counted up to counted_to_
  Cycle counted_to_ = 0;
  Cycle acted_ = kNever;  // service by rate: commit() does the rest of this act
  // The partition admits nothing after cycle stalled_since_, up to and including stalled_until_.
  Cycle stalled_since_ = kNever, stalled_until_ = 0;
  bool changed_ = false;  // something has progressed in this act, so waiting requests may continue
  bool moved_ = false;    // something has progressed in the previous act or since
  // Sets of banks. ports_: the port is not quiet. admitting_: a pending request may be admitted. The others: with requests, results, messages
  // to warps.
  Banks refused_banks_ = 0;  // banks whose oldest request waits for a change
  Banks ports_ = 0, admitting_ = 0, with_requests_ = 0, with_results_ = 0, with_messages_ = 0;
  std::vector<std::uint8_t> unchecked_;  // rows that received an operation in the last cycle; the predictor has all their updates by now
};

}  // namespace wharf
