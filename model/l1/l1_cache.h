#pragma once
// The L1 of an SM as a module: bank pipelines, fill port, miss queue (common sections 3 and 4). One per SM, or one for several of them
// with a port each, such as the idealised one for all (DC-20). Memory link above (SM) and below (network interface); invalidations come
// over the sideband.
//
// An access accepted in cycle a is looked up so that hit or miss is known, and a miss offered to the network, at a + tag_cycles; a hit's
// data are at the SM at a + tag_cycles + data_cycles; a fill's data fill_cycles after its ejection (CM-9). What a design adds, such as
// accesses of other SMs, is a companion that shares the cycles of the cache (l1_companion.h).

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <systemc>
#include <utility>
#include <vector>

#include "model/base/host/inline_array.h"
#include "model/base/host/ring.h"
#include "model/l1/l1_logic.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"

namespace wharf {

class AgedWork;
class L1Companion;
class PeerAnswers;
class SideStorePort;

class L1Cache final : public sc_core::sc_module,
                      public Clocked,
                      public Inspectable,
                      public SidebandListener,
                      private MemoryTarget,
                      private MemoryInitiator {
 public:
  using MakeCompanion = std::function<std::unique_ptr<L1Companion>(L1Cache&)>;
  struct Environment {
    ClockDomain& clock;
    PayloadPool& pool;
    stats::Registry& registry;
    LineDirectory* directory;  // null: oracle_directory off
    Committed* directory_commit;
    bool verify;
    /// Bytes of the unified L1 and shared-memory array; 0 where the L1 has its own capacity.
    std::uint32_t unified_bytes;
    std::uint64_t seed = 0;  // of the run
    /// What stands beside it, in the order in which they act.
    std::vector<MakeCompanion> companions{};
    /// Lines that give way before others; empty: none (SL-26).
    std::function<bool(LineAddress)> preferred_victim{};
    /// No SM is attached: all accesses come over a companion, and all answers from below wait in order in the fill queue.
    bool detached = false;
    const HomeMap* homes = nullptr;  // it is one of these homes; null: of its SM alone
    /// l1.perfect in a checked run: what a load is answered with.
    std::function<SectorVersions(const Access&)> newest{};
    const char* group = "l1";  // of its counters
    /// l1.kernel_boundary: keep_clean: what all caches of the GPU write to; null: a kernel boundary empties the cache.
    StoredLines* written = nullptr;
    bool in_order = true;   // what it sends for a line reaches L2 in that order
    unsigned first_sm = 0;  // where SMs share it: theirs are the ports, in order from this one on
  };

  /// The last try of an access that has to wait. It is tried again when something of this cache has changed, and the cycles between
  /// count as refused for the same cause: nothing that decides can change while the cache sleeps.
  struct Refused {
    Cycle counted_to = kNever;  // kNever: the head was not refused
    Refusal cause = Refusal::mshr_full;
  };
  /// What a cycle has changed.
  struct Changes {
    bool any;     // something
    bool filled;  // a fill, the only thing that frees an MSHR or one of its targets, or what others do with the tags and MSHRs
  };
  /// What has been done so far in a cycle.
  struct Work {
    bool served = false;     // something
    bool filled = false;     // as Changes::filled
    bool closed = false;     // no lookup begins
    bool looked_up = false;  // an access has been served, fills apart; known from the fills on
    SectorMask taken = 0;    // sectors whose data banks have done something: with one bank all or none
  };

  /// `number`: index of the cache; `ports`: SMs that share it.
  L1Cache(sc_core::sc_module_name name, const L1Params& params, TransactionUnit unit, unsigned number, unsigned ports,
          const Environment& environment);
  ~L1Cache() override;

  tlm::tlm_target_socket<>& upstream(unsigned port) { return ports_[port].upstream->socket; }
  tlm::tlm_initiator_socket<>& downstream(unsigned port) { return ports_[port].downstream.socket; }
  /// The one of this type, which must be there.
  template <class Companion>
  Companion& companion() const {
    for (const auto& one : companions_)
      if (auto* const found = dynamic_cast<Companion*>(one.get())) return *found;
    throw std::logic_error(std::string(name()) + " has no such companion");
  }
  /// Tells whose lines come and go, from now on.
  CacheEventPort& cache_events();

  void act(Cycle now) override;
  /// Counts the refused cycles up to the present, after its edges.
  void catch_up();
  void write(const Event& event) override;
  /// Between kernels.
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;
  const L1Logic& logic() const { return logic_; }
  /// As transport_dbg of upstream(0).
  unsigned debug(tlm::tlm_generic_payload& transaction) { return debug(0, transaction); }

 private:
  friend class L1Companion;
  friend class MemoryTargetPortOf<L1Cache>;
  friend class MemoryInitiatorPortOf<L1Cache>;

  // Marks the L1's own stores (written-back lines): their ack ends here and not at the SM.
  static constexpr std::uint32_t kOwnStore = ~std::uint32_t{0};

  struct Bank {
    Bank(std::uint32_t places, std::uint32_t stages) : queue(places, stages) {}
    RequestQueue queue;
    Refused refused;     // its head
    bool stuck = false;  // the head was refused in the last act
  };
  struct Port {
    Port(L1Cache& owner, unsigned index, const L1Params& params, bool attached);
    Cycle filled_at = kNever;  // the last fill
    Cycle free_at = 0;         // the next miss may go from this cycle on; kNever: a request is pending below
    RequestQueue fills;
    InlineArray<Bank, 1> banks;
    std::optional<MemoryTargetPortOf<L1Cache>> upstream;  // absent where no SM is attached
    MemoryInitiatorPortOf<L1Cache> downstream;
    Ring<Payload*> misses;  // requests that wait for the network
  };

  Acceptance request(unsigned port, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds) override {}
  unsigned debug(unsigned port, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned port) const override {
    const unsigned sm = ports_.size() == 1 ? static_cast<unsigned>(group_.instance()) : first_sm_ + port;
    return {&clock_, pool_.contents(), unit_ == TransactionUnit::sector, static_cast<std::uint16_t>(sm)};
  }
  void request_accepted(unsigned port, Picoseconds at) override;
  bool response(unsigned port, Payload& payload, Picoseconds at) override;

  // `plain`: of a plain cache. It does the same as others, but its code knows that there is no companion to ask, and one bank.
  template <bool plain>
  void act_port(unsigned index, Cycle now);
  [[gnu::noinline]] void act_ports(Cycle now);
  template <bool plain>
  static std::size_t bank_count(const Port& port) {
    return plain ? 1 : port.banks.size();
  }
  [[gnu::noinline, gnu::cold]] void obey_events(Cycle now);
  /// The cycle in which load data that are ready at `ready` pass the response port, in the order of the calls.
  Cycle response_turn(Cycle ready) {
    if (!params_.response_port) return ready;
    response_free_ = std::max(response_free_, ready) + 1;
    return response_free_ - 1;
  }
  void claim_lookup(Payload& payload, Cycle ready, Cycle now, bool of_peer, Stage wait) const;
  enum class Where { plain, here, beside };
  template <Where where>
  bool look_up(Port& port, RequestQueue& queue, Refused& refused, Cycle now, SectorMask& taken);
  template <bool plain>
  bool answer(Port& port, Payload& payload, Cycle at);
  [[gnu::noinline]] void go_on(Port& port, Payload& payload, L1Logic::Outcome outcome, Cycle now);
  Payload& request_of(Payload& load, const L1Logic::Verdict& verdict);
  /// The cycles up to `last` in which the head was refused without a try.
  void count_refused(Refused& refused, Cycle last) {
    if (refused.counted_to == kNever) return;
    logic_.counters().refused(refused.cause) += last - refused.counted_to;
    refused.counted_to = last;
  }
  [[gnu::noinline, gnu::cold]] void accept_fill(Port& port, Cycle now);
  [[gnu::noinline, gnu::cold]] void accept_access(Port& port, Bank& bank, Cycle now);
  static const char* resource_of(const Refused& refused);
  template <bool plain>
  bool fill(Port& port, Cycle now, SectorMask& taken);
  template <bool plain>
  void deliver(Payload& reply, Cycle now, Cycle data_at);
  [[gnu::noinline]] void serve_aged(Port& port, Cycle now, Work& work);
  /// Of an SM that is not this cache's own, and answered by a companion.
  bool of_peer(const Access& access) const { return peers_ != nullptr && (detached_ || access.sm != group_.instance()); }
  SectorMask banks_of(SectorMask sectors) const { return banks_of_[sectors]; }
  bool send_miss(Port& port, Cycle now);
  void queue_miss(Port& port, Payload& payload);
  [[gnu::noinline, gnu::cold]] void write_back(Port& port, const Access& line, const SectorVersions& versions);
  /// Takes the L1's size, and invalidates its lines in cycle `from`.
  void take_kernel(const Event& event, Cycle from);
  void drain(Cycle now);
  static bool may_go(Refusal cause, const Changes& changes);
  template <bool plain>
  Cycle next_work(Port& port, const Changes& changes, Cycle now);
  bool passes_through(const Access& access) const;
  Cycle lookup_latency(const Access& access) const;
  std::string nic_of(const Access& access) const;
  unsigned bank_of(const Access& access) const;
  void wake(unsigned port, Cycle cycle);
  std::uint32_t room(const Port& port) const { return params_.miss_queue - port.misses.size(); }

  // What every act looks at comes first: the clock domain fetches it ahead.
  Committed* directory_commit_;  // publishes what this cache has told the directory; null without one
  ClockDomain& clock_;
  Cycle events_from_ = kNever;  // what came over the sideband is to be obeyed from then on: the earliest of those below
  PayloadPool& pool_;
  ClockDomain::BlockId block_;
  TransactionUnit unit_;
  bool ages_;  // age_limit says what goes first
  bool detached_;
  bool plain_;  // only its SM has access to it, by one port to one bank, and nothing but its own tags and what is below answers
  bool fill_shares_port_;
  std::uint32_t banks_;
  L1Timing timing_;
  Cycle load_lookup_latency_;
  InlineArray<Cycle, 1> port_wake_;  // when each port has something to do; a plain cache does not ask, it has one
  InlineArray<Port, 1> ports_;
  const L1Params params_;
  stats::Group group_;
  L1Logic logic_;

  // None of a plain cache.
  std::vector<std::unique_ptr<L1Companion>> companions_;
  // What one of them can do; null: none can.
  PeerAnswers* peers_ = nullptr;
  AgedWork* aged_ = nullptr;
  SideStorePort* side_store_ = nullptr;
  Cycle fills_from_ = 0;          // no fill begins before
  std::uint32_t held_banks_ = 0;  // banks that a companion holds
  std::uint32_t peer_fill_cycles_;
  CacheEventPort cache_events_;
  const unsigned first_sm_;
  std::uint32_t unified_bytes_;
  const bool keeps_clean_;                            // at a kernel boundary
  std::array<SectorMask, kAllSectors + 1> banks_of_;  // [sectors]: those that share a data bank with them
  Cycle invalidate_at_ = kNever;
  bool keeps_dirty_ = false;                        // then: a kernel starts beside others, whose dirty lines stay
  std::vector<std::pair<Cycle, LineAddress>> old_;  // lines whose copies are old from a cycle on, in order
  Cycle response_free_ = 0;                         // the response port is free from then on
  std::uint32_t ways_after_ = 0;
  Cycle drain_from_ = kNever;  // dirty lines are sent below from then on, until there are none
};

}  // namespace wharf
