#pragma once
// A companion: a block that a design attaches to an L1 and that shares the L1's cycles. Examples are a port for other SMs
// (model/l1_sharing/remote_port.h), a distributor of misses within a cluster (model/designs/ata), and shared memory used as a cache
// (model/l1_sharing/shared_memory). The L1 knows companions only through this interface. A design passes them when it makes the cache
// (L1Cache::Environment::companions).
//
// The steps of a cycle of a cache with companions. Each step calls the companions in the order in which they were attached:
//
//   kernel_started     after the invalidation at a kernel's start
//   begin              takes arrivals, and does the work that precedes lookups
//   serve_oldest       while some work has waited for l1.age_limit cycles: serves the older of the fill and AgedWork
//   lookups            one per bank that no companion holds; looked_up reports the verdict of each
//   fill               unless fills are held; fills of a side store go to it (SideStorePort)
//   end                uses the data banks, or the cycle, that are left
//   next_work          returns the next cycle with work
//
// Decisions of a companion that involve the tags go through the interfaces of L1Logic: Neighbours, which supply part of a miss, and
// SideStore. Three roles belong to at most one companion each: it answers other SMs, serves aged work, or provides a store beside the tags.
// The companion registers for them in its constructor.
// Most companions use only a few of these steps. The private L1, which has none, is compiled without any (L1Cache::plain_).

#include <memory>
#include <vector>

#include "model/l1/l1_cache.h"

namespace wharf {

/// Answers accesses by other SMs.
class PeerAnswers {
 public:
  /// The answer arrives in cycle `at`.
  virtual void answer(Payload&, Cycle at) = 0;

 protected:
  ~PeerAnswers() = default;
};

/// Work that precedes lookups once it has waited too long.
class AgedWork {
 public:
  /// Since when the next work to be served has waited for data banks; kNever if there is none.
  virtual Cycle waiting_since(Cycle) const = 0;
  /// Serves the work that has waited longest. If it cannot be served, it is not asked about again in this cycle.
  virtual void serve_oldest(Cycle, L1Cache::Work&) = 0;

 protected:
  ~AgedWork() = default;
};

/// The L1's access to the SideStore that L1Logic has joined.
class SideStorePort {
 public:
  /// Called before the cache handles the events of its sideband.
  virtual void before_events(Cycle) = 0;
  /// Looks up in the store a load that missed in the tags.
  virtual void look_up_load(Payload& load, Cycle) = 0;
  /// Begins to move the line of a load that hit in the L1 to the store; false if the load has to wait.
  virtual bool migrate(Payload& load, L1Cache::Refused&, Cycle) = 0;
  /// Reads out that line, after migrate() and after the load's time has been claimed.
  virtual void read_out(Payload& load, Cycle) = 0;
  /// Another line is served before the first of `fills`, the replies from below.
  virtual bool precedes(const RequestQueue& fills, Cycle) const = 0;
  /// Takes the first of `fills`, which is for the store; false if it has to wait.
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

  /// A kernel start was signalled. kernel_started() follows once the cache applies it.
  virtual void kernel_starts(const Event&) {}
  virtual void kernel_started() {}

  virtual void begin(Cycle, L1Cache::Work&) {}
  /// An access, of the cache's own SM or of another, has left its queue with this verdict.
  virtual void looked_up(Payload&, const L1Logic::Verdict&) {}
  virtual void end(Cycle, L1Cache::Work&) {}

  /// Returns the next cycle with work. `changes`: of this cycle; a refused access may wait for them.
  virtual Cycle next_work(Cycle now, const L1Cache::Changes& changes) = 0;

  /// Saves or loads the state between kernels (model/base/archive.h). False if that is not supported; checkpoints are then refused.
  virtual bool archive(Archive&) { return false; }

  /// Counts the refused cycles up to the present.
  virtual void catch_up(Cycle) {}
  virtual void inspect(std::vector<Wait>& waits) const = 0;

 protected:
  // Access to the companion's cache, which has one port.
  ClockDomain& clock() const { return cache_.clock_; }
  PayloadPool& pool() const { return cache_.pool_; }
  L1Logic& logic() const { return cache_.logic_; }
  stats::Group& group() const { return cache_.group_; }
  const L1Params& params() const { return cache_.params_; }
  /// Makes the cache act in this cycle.
  void wake(Cycle cycle) const { cache_.wake(0, cycle); }
  /// Returns the sectors that share a data bank with these.
  SectorMask banks_of(SectorMask sectors) const { return cache_.banks_of(sectors); }
  unsigned bank_of(const Access& access) const { return cache_.banks_ == 1 ? 0 : cache_.bank_of(access); }
  /// Cycles from acceptance to lookup.
  Cycle lookup_latency(const Access& access) const { return cache_.lookup_latency(access); }
  /// Looks up the head of `queue` as one of the cache's own accesses; false if it was refused and stays queued.
  bool look_up(RequestQueue& queue, L1Cache::Refused& refused, Cycle now, SectorMask& taken) const {
    return cache_.look_up<L1Cache::Where::here>(cache_.ports_[0], queue, refused, now, taken);
  }
  /// Decides on a load at the head of `queue` whose lookup beside the cache is due; false if it was refused and stays queued.
  bool decide_after_lookup(RequestQueue& queue, L1Cache::Refused& refused, Cycle now) const {
    SectorMask none = 0;  // of the L1's data banks
    return cache_.look_up<L1Cache::Where::in_side_store>(cache_.ports_[0], queue, refused, now, none);
  }
  void claim_lookup(Payload& payload, Cycle ready, Cycle now) const { cache_.claim_lookup(payload, ready, now, true, Stage::queueing); }
  void count_refused(L1Cache::Refused& refused, Cycle last) const { cache_.count_refused(refused, last); }
  static bool may_retry(Refusal cause, const L1Cache::Changes& changes) { return L1Cache::may_retry(cause, changes); }
  static const char* resource_of(const L1Cache::Refused& refused) { return L1Cache::resource_of(refused); }
  /// Free places in the miss queue; queue_miss() takes one.
  std::uint32_t room() const { return cache_.room(cache_.ports_[0]); }
  void queue_miss(Payload& payload) const { cache_.queue_miss(cache_.ports_[0], payload); }
  /// Delivers the data of a reply that is filled now; they reach the SM in cycle `data_at`.
  void deliver(Payload& reply, Cycle now, Cycle data_at) const { cache_.deliver<false>(reply, now, data_at); }
  /// Takes the one fill of this cycle for this companion; false if it is already taken.
  bool claim_fill(Cycle now) const {
    Cycle& filled_at = cache_.ports_[0].filled_at;
    return filled_at != now && (filled_at = now, true);
  }
  const RequestQueue& fills() const { return cache_.ports_[0].fills; }
  /// No fill begins before this cycle.
  void hold_fills_until(Cycle cycle) const { cache_.fills_from_ = cycle; }
  /// Stops lookups in the bank, or allows them again.
  void hold_bank(unsigned bank, bool held) const {
    const std::uint32_t bit = std::uint32_t{1} << bank;
    cache_.held_banks_ = held ? cache_.held_banks_ | bit : cache_.held_banks_ & ~bit;
  }
  /// No SM is attached: all accesses arrive through a companion.
  bool detached() const { return cache_.detached_; }
  GateTerms gate_terms() const { return cache_.gate_terms(0); }
  unsigned debug(tlm::tlm_generic_payload& transaction) const { return cache_.debug(transaction); }

  // Called before simulation starts.
  void serve_peers(PeerAnswers& peers) const { cache_.peers_ = &peers; }
  void serve_aged(AgedWork& work) const { cache_.aged_ = &work; }
  void attach_side_store(SideStorePort& port) const { cache_.side_store_ = &port; }
  /// Adds so many cycles to the tag lookup of loads.
  void lengthen_load_lookups(std::uint32_t cycles) const {
    cache_.load_lookup_latency_ += cycles;
    for (L1Cache::Port& port : cache_.ports_)
      for (L1Cache::Bank& bank : port.banks) bank.queue.lengthen_pipeline(cycles);
  }
  /// Data from another SM reach the SM so many cycles after their fill begins.
  void set_peer_fill_cycles(std::uint32_t cycles) const { cache_.peer_fill_cycles_ = cycles; }

 private:
  L1Cache& cache_;
};

/// For L1Cache::Environment::companions: makes a Companion with these arguments, attached to its cache.
template <class Companion, class... Arguments>
L1Cache::MakeCompanion l1_companion(Arguments... arguments) {
  return [=](L1Cache& cache) { return std::make_unique<Companion>(cache, arguments...); };
}

}  // namespace wharf
