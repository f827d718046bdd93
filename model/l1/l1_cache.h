#pragma once
// The L1 of an SM as a module: bank pipelines, fill port, miss queue (common sections 3 and 4). One L1 per SM, or one L1 that several SMs
// share, with a port for each SM; an example is the idealised L1 for all SMs (DC-20). Memory links lead up (SM) and down (network
// interface). Invalidations arrive over the sideband.
//
// The outcome of an access accepted in cycle a is known at a + tag_cycles, when a miss is also offered to the network. The data of a hit
// reach the SM at a + tag_cycles + data_cycles. The data of a fill reach it fill_cycles after the ejection of the reply (CM-9). A design
// adds its own features, such as accesses by other SMs, as companions that share the cache's cycles (l1_companion.h).

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
#include "model/tlm/outlet.h"
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
    /// Bytes of the unified L1 and shared-memory array; 0 if the L1 has its own capacity.
    std::uint32_t unified_bytes;
    std::uint64_t seed = 0;  // of the run
    /// The cache's companions, in the order in which they act.
    std::vector<MakeCompanion> companions{};
    /// Lines that are evicted before others; empty: none (SL-26).
    std::function<bool(LineAddress)> preferred_victim{};
    /// No SM is attached: all accesses arrive through a companion, and all replies from below wait in order in the fill queue.
    bool detached = false;
    const HomeMap* homes = nullptr;  // the map of homes to which this cache belongs; null: it serves only its SM
    /// For l1.perfect in a checked run: returns the versions that answer a load.
    std::function<SectorVersions(const Access&)> newest{};
    const char* group = "l1";  // of its counters' statistics group
    /// For l1.kernel_boundary: keep_clean: records the writes of all caches of the GPU; null: a kernel boundary empties the cache.
    StoredLines* written = nullptr;
    bool in_order = true;   // requests for one line reach L2 in the order in which this cache sends them
    unsigned first_sm = 0;  // if SMs share the cache: the SM of port 0; the other ports follow in order
  };

  /// The last lookup of an access that was refused. The access is retried when the state of this cache has changed. The cycles between two
  /// lookups count as refused for the same cause, because nothing that decides the outcome can change while the cache sleeps.
  struct Refused {
    Cycle counted_to = kNever;  // kNever: the head was not refused
    Refusal cause = Refusal::mshr_full;
  };
  /// What has changed in a cycle.
  struct Changes {
    bool any;     // anything
    bool served;  // a fill, which alone frees an MSHR or a target; an access, which may fill the miss queue, and a full one is the first of
                  // the causes of refusal; or activity of other blocks in the tags and MSHRs
  };
  /// What the cache has done so far in a cycle.
  struct Work {
    bool served = false;     // anything
    bool filled = false;     // a fill
    bool closed = false;     // no further lookup begins
    bool looked_up = false;  // an access, not a fill, was served; valid from the fill step on
    SectorMask taken = 0;    // sectors whose data banks are in use; with one bank all or none
  };

  /// `number`: index of the cache; `ports`: number of SMs that share it.
  L1Cache(sc_core::sc_module_name name, const L1Params& params, TransactionUnit unit, unsigned number, unsigned ports,
          const Environment& environment);
  ~L1Cache() override;

  tlm::tlm_target_socket<>& upstream(unsigned port) { return ports_[port].upstream->socket; }
  tlm::tlm_initiator_socket<>& downstream(unsigned port) { return ports_[port].downstream.socket; }
  /// Returns the companion of this type. Throws std::logic_error if there is none.
  template <class Companion>
  Companion& companion() const {
    for (const auto& one : companions_)
      if (auto* const found = dynamic_cast<Companion*>(one.get())) return *found;
    throw std::logic_error(std::string(name()) + " has no such companion");
  }
  /// Returns the port on which the cache reports events of its lines; the reports start with this call.
  CacheEventPort& cache_events();

  void act(Cycle now) override;
  /// Counts the refused cycles up to the present. Called after the edges of the present.
  void catch_up();
  void write(const Event& event) override;
  /// Called between kernels.
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;
  const L1Logic& logic() const { return logic_; }
  /// Same as transport_dbg of upstream(0).
  unsigned debug(tlm::tlm_generic_payload& transaction) { return debug(0, transaction); }

 private:
  friend class L1Companion;
  friend class MemoryTargetPortOf<L1Cache>;
  friend class MemoryInitiatorPortOf<L1Cache>;

  // Marks the L1's own stores (written-back lines), whose acknowledgements end here and not at the SM.
  static constexpr std::uint32_t kOwnStore = ~std::uint32_t{0};

  struct Bank {
    Bank(std::uint32_t places, std::uint32_t stages) : queue(places, stages) {}
    RequestQueue queue;
    Refused refused;     // of its head
    bool stuck = false;  // the head was refused, and what it waits for cannot have become free since
  };
  struct Port {
    Port(L1Cache& owner, unsigned index, const L1Params& params, bool attached);
    Cycle filled_at = kNever;  // cycle of the last fill
    Outlet outlet;             // of misses
    RequestQueue fills;
    InlineArray<Bank, 1> banks;
    std::optional<MemoryTargetPortOf<L1Cache>> upstream;  // absent if no SM is attached
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

  // `plain`: compiled for a plain cache (see plain_). The behaviour is identical, but the code assumes no companion and one bank.
  template <bool plain>
  void act_port(unsigned index, Cycle now);
  [[gnu::noinline]] void act_ports(Cycle now);
  template <bool plain>
  static std::size_t bank_count(const Port& port) {
    return plain ? 1 : port.banks.size();
  }
  [[gnu::noinline, gnu::cold]] void obey_events(Cycle now);
  /// Returns the cycle in which load data that are ready at `ready` pass the response port. Calls are served in order.
  Cycle response_turn(Cycle ready) {
    if (!params_.response_port) return ready;
    response_free_ = std::max(response_free_, ready) + 1;
    return response_free_ - 1;
  }
  void claim_lookup(Payload& payload, Cycle ready, Cycle now, bool of_peer, Stage wait) const;
  enum class Where { plain, here, in_side_store };
  template <Where where>
  bool look_up(Port& port, RequestQueue& queue, Refused& refused, Cycle now, SectorMask& taken);
  template <bool plain>
  bool answer(Port& port, Payload& payload, Cycle at);
  [[gnu::noinline]] void handle_other_outcome(Port& port, Payload& payload, L1Logic::Outcome outcome, Cycle now);
  Payload& request_of(Payload& load, const L1Logic::Verdict& verdict);
  /// Counts the cycles up to `last` as refused; the head was not retried in them.
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
  /// The access comes from an SM that is not this cache's own, and a companion answers it.
  bool of_peer(const Access& access) const { return peers_ != nullptr && (detached_ || access.sm != group_.instance()); }
  SectorMask banks_of(SectorMask sectors) const { return banks_of_[sectors]; }
  bool send_miss(Port& port, Cycle now);
  void queue_miss(Port& port, Payload& payload);
  [[gnu::noinline, gnu::cold]] void write_back(Port& port, const Access& line, const SectorVersions& versions);
  /// Applies the L1's new size, and invalidates its lines in cycle `from`.
  void apply_kernel_start(const Event& event, Cycle from);
  void drain(Cycle now);
  static bool may_retry(Refusal cause, const Changes& changes);
  template <bool plain>
  Cycle next_work(Port& port, const Changes& changes, Cycle now);
  bool passes_through(const Access& access) const;
  Cycle lookup_latency(const Access& access) const;
  std::string nic_of(const Access& access) const;
  unsigned bank_of(const Access& access) const;
  void wake(unsigned port, Cycle cycle);
  std::uint32_t room(const Port& port) const { return params_.miss_queue - port.misses.size(); }

  // Members that every act() reads come first, because the clock domain prefetches them.
  Committed* directory_commit_;  // publishes this cache's updates of the directory; null without a directory
  ClockDomain& clock_;
  Cycle events_from_ = kNever;  // the earliest cycle in which an event of the sideband is due
  PayloadPool& pool_;
  ClockDomain::BlockId block_;
  TransactionUnit unit_;
  bool ages_;  // age_limit is in use
  bool detached_;
  bool plain_;  // one SM accesses it through one port to one bank, and only its own tags and the level below answer
  bool fill_shares_port_;
  std::uint32_t banks_;
  L1Timing timing_;
  Cycle load_lookup_latency_;
  InlineArray<Cycle, 1> port_wake_;  // when each port has work next; unused in a plain cache, which has one port
  InlineArray<Port, 1> ports_;
  const L1Params params_;
  stats::Group group_;
  L1Logic logic_;

  // Empty in a plain cache.
  std::vector<std::unique_ptr<L1Companion>> companions_;
  // Companions with these roles; null: none has it.
  PeerAnswers* peers_ = nullptr;
  AgedWork* aged_ = nullptr;
  SideStorePort* side_store_ = nullptr;
  Cycle fills_from_ = 0;          // no fill begins before this cycle
  std::uint32_t held_banks_ = 0;  // banks that a companion holds
  std::uint32_t peer_fill_cycles_;
  CacheEventPort cache_events_;
  const unsigned first_sm_;
  std::uint32_t unified_bytes_;
  const bool keeps_clean_;                            // keeps clean lines at a kernel boundary
  std::array<SectorMask, kAllSectors + 1> banks_of_;  // [sectors]: the sectors that share a data bank with them
  Cycle invalidate_at_ = kNever, fence_at_ = kNever;
  bool keeps_dirty_ = false;                        // at that invalidation dirty lines stay, because a kernel starts beside others
  std::vector<std::pair<Cycle, LineAddress>> old_;  // stale lines and the cycle of their invalidation, in order
  Cycle response_free_ = 0;                         // first cycle in which the response port is free
  std::uint32_t ways_after_ = 0;
  Cycle drain_from_ = kNever;  // dirty lines are written back from this cycle on until none is left
};

}  // namespace wharf
