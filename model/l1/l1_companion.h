#pragma once
// What stands beside an L1 and shares its cycles: a port for other SMs (model/l1_sharing/remote_port.h), a distributor of its misses in a
// cluster (model/designs/ata), shared memory used as a cache (model/l1_sharing/shared_memory). The L1 knows them by this interface
// alone, and a design attaches what it needs when it makes the cache (L1Cache::Environment::companions).
//
// A cycle of a cache with companions; each step asks them in the order in which they were attached:
//
//   kernel_started     behind the invalidation of a kernel's start
//   begin              what has arrived is taken, and what goes before lookups is done
//   serve_oldest       while something has waited for l1.age_limit: of the fill and AgedWork, the older goes first
//   lookups            one of each bank that no companion holds; looked_up tells what came of each
//   fill               unless fills are held, and those of a store beside the cache go to it (Beside)
//   end                what uses the data banks that are left, or the cycle
//   next_work          when it has something to do again
//
// What a companion decides with the tags stands behind the interfaces of L1Logic: Neighbours, who supply some of a miss, and SideStore.
// What only one of them can do, answer other SMs, serve aged work or stand beside the tags, it says in its constructor.
// Most companions take a few of these steps only. A cache with none, the private L1, is compiled without any of them (L1Cache::plain_).

#include <memory>
#include <vector>

#include "model/l1/l1_cache.h"

namespace wharf {

/// Answers accesses of other SMs.
class PeerAnswers {
 public:
  /// The answer arrives in cycle `at`.
  virtual void answer(Payload&, Cycle at) = 0;

 protected:
  ~PeerAnswers() = default;
};

/// Work that goes before lookups when it has waited for long.
class AgedWork {
 public:
  /// Since when what is served next has waited for data banks; kNever where nothing does.
  virtual Cycle waiting_since(Cycle) const = 0;
  /// That is served, or has been tried in vain and is not asked about again in this cycle.
  virtual void serve_oldest(Cycle, L1Cache::Work&) = 0;

 protected:
  ~AgedWork() = default;
};

/// The way to the SideStore that L1Logic has joined.
class SideStorePort {
 public:
  /// Before what came over the sideband is obeyed.
  virtual void take_events(Cycle) = 0;
  /// The load, which the tags do not have, comes next.
  virtual void look_up_beside(Payload& load, Cycle) = 0;
  /// The line of a load that has found it in the L1 is to move; false where it has to wait.
  virtual bool migrate(Payload& load, L1Cache::Refused&, Cycle) = 0;
  /// The same line is read out: after migrate(), when the load's time has been claimed.
  virtual void read_out(Payload& load, Cycle) = 0;
  /// Something goes before the first of `fills`, the replies from below.
  virtual bool goes_before(const RequestQueue& fills, Cycle) const = 0;
  /// The first of `fills` is for the store: false where it has to wait.
  virtual bool drain(RequestQueue& fills, Cycle) = 0;

 protected:
  ~SideStorePort() = default;
};

class L1Companion {
 public:
  explicit L1Companion(L1Cache& cache) : cache_(cache) {}
  virtual ~L1Companion() = default;
  L1Companion(const L1Companion&) = delete;
  L1Companion& operator=(const L1Companion&) = delete;

  /// A kernel's start has been told: what kernel_started() then makes of it.
  virtual void kernel_starts(const Event&) {}
  virtual void kernel_started() {}

  virtual void begin(Cycle, L1Cache::Work&) {}
  /// An access has left its queue with this verdict, its own SM's or another's.
  virtual void looked_up(Payload&, const L1Logic::Verdict&) {}
  virtual void end(Cycle, L1Cache::Work&) {}

  /// `changes`: of this cycle, what a refused access may wait for.
  virtual Cycle next_work(Cycle now, const L1Cache::Changes& changes) = 0;

  /// Saves or loads its state between kernels (model/base/archive.h); false where that has no description, and checkpoints are refused.
  virtual bool archive(Archive&) { return false; }

  /// Counts the refused cycles up to the present.
  virtual void catch_up(Cycle) {}
  virtual void inspect(std::vector<Wait>& waits) const = 0;

 protected:
  // What a companion may ask of its cache, which has one port.
  ClockDomain& clock() const { return cache_.clock_; }
  PayloadPool& pool() const { return cache_.pool_; }
  L1Logic& logic() const { return cache_.logic_; }
  stats::Group& group() const { return cache_.group_; }
  const L1Params& params() const { return cache_.params_; }
  /// The cache acts in this cycle.
  void wake(Cycle cycle) const { cache_.wake(0, cycle); }
  /// Sectors that share a data bank with these.
  SectorMask banks_of(SectorMask sectors) const { return cache_.banks_of(sectors); }
  unsigned bank_of(const Access& access) const { return cache_.banks_ == 1 ? 0 : cache_.bank_of(access); }
  /// From acceptance to lookup.
  Cycle lookup_latency(const Access& access) const { return cache_.lookup_latency(access); }
  /// Looks the head of `queue` up as one of the cache's own accesses; false where it was refused and keeps its place.
  bool look_up(RequestQueue& queue, L1Cache::Refused& refused, Cycle now, SectorMask& taken) const {
    return cache_.look_up<L1Cache::Where::here>(cache_.ports_[0], queue, refused, now, taken);
  }
  /// The same of a load that was to be looked up beside the cache.
  bool decide_beside(RequestQueue& queue, L1Cache::Refused& refused, Cycle now) const {
    SectorMask none = 0;  // not of the data of the L1
    return cache_.look_up<L1Cache::Where::beside>(cache_.ports_[0], queue, refused, now, none);
  }
  void claim_lookup(Payload& payload, Cycle ready, Cycle now) const { cache_.claim_lookup(payload, ready, now, true, Stage::queueing); }
  void count_refused(L1Cache::Refused& refused, Cycle last) const { cache_.count_refused(refused, last); }
  static bool may_go(Refusal cause, const L1Cache::Changes& changes) { return L1Cache::may_go(cause, changes); }
  static const char* resource_of(const L1Cache::Refused& refused) { return L1Cache::resource_of(refused); }
  /// Requests that can be sent below, and one of them.
  std::uint32_t room() const { return cache_.room(cache_.ports_[0]); }
  void queue_miss(Payload& payload) const { cache_.queue_miss(cache_.ports_[0], payload); }
  /// The data of a reply that is filled now, at the SM in cycle `data_at`.
  void deliver(Payload& reply, Cycle now, Cycle data_at) const { cache_.deliver<false>(reply, now, data_at); }
  /// The one fill of this cycle is this companion's; false where there has been one.
  bool take_fill(Cycle now) const {
    Cycle& filled_at = cache_.ports_[0].filled_at;
    return filled_at != now && (filled_at = now, true);
  }
  const RequestQueue& fills() const { return cache_.ports_[0].fills; }
  /// No fill begins before this cycle.
  void hold_fills_until(Cycle cycle) const { cache_.fills_from_ = cycle; }
  /// Nothing of the bank is looked up until it is let go.
  void hold_bank(unsigned bank, bool held) const {
    const std::uint32_t bit = std::uint32_t{1} << bank;
    cache_.held_banks_ = held ? cache_.held_banks_ | bit : cache_.held_banks_ & ~bit;
  }
  /// No SM is attached: all accesses come over a companion.
  bool detached() const { return cache_.detached_; }
  GateTerms gate_terms() const { return cache_.gate_terms(0); }
  unsigned debug(tlm::tlm_generic_payload& transaction) const { return cache_.debug(transaction); }

  // Before simulation starts.
  void serve_peers(PeerAnswers& peers) const { cache_.peers_ = &peers; }
  void serve_aged(AgedWork& work) const { cache_.aged_ = &work; }
  void stand_beside(SideStorePort& port) const { cache_.side_store_ = &port; }
  /// Loads take so many cycles more in the tags.
  void lengthen_load_lookups(std::uint32_t cycles) const {
    cache_.load_lookup_latency_ += cycles;
    for (L1Cache::Port& port : cache_.ports_)
      for (L1Cache::Bank& bank : port.banks) bank.queue.lengthen_pipeline(cycles);
  }
  /// Data that come from another SM are at the SM so many cycles after their fill begins.
  void set_peer_fill_cycles(std::uint32_t cycles) const { cache_.peer_fill_cycles_ = cycles; }

 private:
  L1Cache& cache_;
};

/// For L1Cache::Environment::companions: a Companion of these arguments behind its cache.
template <class Companion, class... Arguments>
L1Cache::MakeCompanion l1_companion(Arguments... arguments) {
  return [=](L1Cache& cache) { return std::make_unique<Companion>(cache, arguments...); };
}

}  // namespace wharf
