#pragma once
// One DRAM channel: a request queue, banks with one request at work each, open rows, and the commands that serve them
// (common.md section 7; CM-38 for HBM with two command interfaces).
//
// In every clock: a bank without work takes the request that the scheduler chooses among its waiting ones; then one column
// command is given, and (dual_command, or no column command) one row command, each for the oldest request that is ready. A
// row stays open until another is wanted. A request leaves the queue when its bank takes it.
//
// A read and a write of one line of 128 B are served in order of acceptance. With write_policy `drain`, reads go before writes
// unless the queue is filled beyond write_drain_percent or a read waits for the write.
//
// Refresh: when due, no further command is given until all banks are precharged and refreshed.
//
// Not modelled: separate refresh of banks, tFAW, power-down, ECC, the command encoding.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/host_lines.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/dram/dram_address.h"
#include "model/dram/dram_params.h"
#include "model/dram/dram_timing.h"
#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {

struct DramRequest {
  std::uint64_t id = 0;        // given back at completion
  Address address = 0;         // full byte address of the line: line order, and mapping `mask`
  Address local = 0;           // byte address within the channel, unique there: mapping `row_bank_column`
  SectorMask sectors = 0;      // not empty: one column command for each burst that holds one of them
  bool write = false;
};

struct DramCompletion {
  std::uint64_t id = 0;
  Cycle cycle = 0;  // the last data have been on the bus
  bool write = false;
};

class DramLogic {
 public:
  /// `group` names the channel's counters and must outlive it. Throws InputError for an unknown params.scheduler.
  DramLogic(const DramParams& params, stats::Group& group);
  /// With a scheduler from outside the catalogue.
  DramLogic(const DramParams& params, stats::Group& group, std::unique_ptr<DramScheduler> scheduler);
  DramLogic(const DramLogic&) = delete;
  DramLogic& operator=(const DramLogic&) = delete;

  /// Whether accept() would take a request in clock `now`.
  bool can_accept(Cycle now) const { return queued_ < queue_entries_ && accepted_in(now) < accepts_per_clock_; }
  /// Takes the request, or changes nothing but the count of the cause. The request can be served in clock `now` if tick(now)
  /// is still to come. Throws SimulationError for a request without sectors.
  bool accept(const DramRequest& request, Cycle now);

  /// The clock `now`: to be called in each cycle that next_event() names; in other cycles it does nothing.
  void tick(Cycle now);

  /// The next request that has been served by `now`, in order of completion.
  bool take_completed(Cycle now, DramCompletion& out) {
    if (next_return_ > now) return false;
    take_return(out);
    return true;
  }

  /// Earliest cycle, after the last tick, in which tick() or take_completed() may have something to do (CM-3: sometimes early,
  /// never late); kNever when there is none until the next accept(). Ask again after tick, accept and take_completed.
  Cycle next_event(Cycle now) const {
    const Cycle next = std::min(earliest_action(), next_return_);
    return next == kNever ? kNever : std::max(next, first_open(now));
  }

  /// Gives the refreshes that were due up to `now`. tick() does; to be called once more at the end of the run.
  void refresh_until(Cycle now) {
    for (; refresh_due_ <= now; refresh_due_ += refresh_interval_) refresh(refresh_due_);
  }

  bool idle() const { return occupied_ == 0 && busy_ == 0 && returns_ == 0; }
  unsigned queued() const { return queued_; }
  /// Clocks of data on the bus so far.
  std::uint64_t bus_busy_cycles() const { return count_.bus_busy_cycles.value(); }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
  static constexpr unsigned kNone = ~0u;
  using Slots = std::uint64_t;  // one bit a queue entry
  using Banks = std::uint64_t;  // one bit a bank
  enum class RowOutcome : std::uint8_t { hit, miss, conflict };

  /// A queue entry; arrivals stand apart, as the scheduler reads them.
  struct Waiting {
    std::uint64_t id, row, line;
    Slots after;  // older entries of the line that must be taken first
    std::uint8_t bank, bursts;
  };
  /// The request that a bank works at.
  struct Current {
    std::uint64_t id = 0, row = 0, arrival = 0;
    std::uint8_t bursts = 0;
    bool write = false;
    RowOutcome outcome = RowOutcome::hit;  // of its next column command
  };
  /// All that a command looks at, in one cache line of the host.
  struct alignas(kHostLineBytes) Bank {
    std::uint64_t open_row = kNoRow;
    Slots slots = 0, row_hits = 0;       // its queue entries; those whose row is open
    std::uint8_t first = 0, last = 0;    // of the slots, in order of arrival
    Current current;
  };
  static_assert(sizeof(Bank) == kHostLineBytes);
  struct Return { std::uint64_t id; Cycle cycle; bool write; };
  /// The busy banks that need one command next.
  struct Want {
    Banks banks = 0;
    Cycle ready_from = kNever;  // none of them may have it earlier for its own or its group's sake; kNever if there is none
  };
  /// Who may have a command now.
  struct Choice {
    unsigned bank = kNone;
    Cycle others_ready = kNever;  // Want::ready_from without it
  };

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter requests, completions, requested_bursts, reads, writes, row_hits, row_misses, row_conflicts, activates, activates_undone,
        precharges, precharges_for_refresh, refreshes, bus_busy_cycles, refused_queue_full, refused_port;
  };

  static unsigned lowest(std::uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }
  static std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

  void declare_laws(stats::Group& group);
  unsigned accepted_in(Cycle now) const { return accept_cycle_ == now ? accepted_ : 0; }
  Cycle first_open(Cycle now) const { return now < open_from_ ? open_from_ : now; }
  void hold_behind_same_line(unsigned slot);
  void append(unsigned bank, unsigned slot);
  void unchain(unsigned bank, unsigned slot);
  Slots eligible() const;
  void take_requests();
  void take(unsigned bank, unsigned slot);
  void leave_queue(unsigned slot);
  void want(DramCommand command, unsigned bank);
  Choice oldest_ready(DramCommand command, Cycle now) {
    const Want& want = want_[static_cast<unsigned>(command)];
    return want.ready_from > now || timers_.channel(command) > now ? Choice{} : oldest_of(command, now);
  }
  Choice oldest_of(DramCommand command, Cycle now);
  bool first_is_older(unsigned first, unsigned second) const;
  bool issue_column(Cycle now);
  void issue_row(Cycle now);
  void give(DramCommand command, const Choice& choice, Cycle now);
  void give_column(DramCommand command, const Choice& choice, Cycle now);
  void activate(const Choice& choice, Cycle now);
  void precharge(const Choice& choice, Cycle now);
  [[gnu::noinline]] void refresh(Cycle due);
  void close_for_refresh(unsigned bank);
  Cycle earliest_action() const;
  void take_return(DramCompletion& out);

  // What every clock looks at first. The banks that need each command; those with entries in the queue, those with a current request.
  alignas(kHostLineBytes) std::array<Want, kDramCommands> want_{};
  Banks waiting_ = 0, busy_ = 0;
  Cycle refresh_due_;               // made up for by the next tick
  Cycle open_from_ = 0;             // the last tick's cycle + 1
  Cycle next_return_ = kNever;      // of the oldest served request
  std::uint32_t returns_ = 0, return_head_ = 0;
  std::uint32_t banks_;
  bool dual_command_, reads_first_;
  DramTimers timers_;

  // The queue.
  Slots occupied_ = 0, writes_ = 0, held_ = 0, awaited_writes_ = 0;  // held_: wait for an older one of the line
  std::uint32_t queued_ = 0, queue_entries_, writes_wait_up_to_;
  std::uint32_t accepted_ = 0, accepts_per_clock_;
  Cycle accept_cycle_ = kNever;
  std::uint64_t arrivals_ = 0;
  std::unique_ptr<DramScheduler> scheduler_;
  std::array<std::uint8_t, DramParams::kMaxQueue> next_{}, previous_{};  // of a slot, in its bank
  std::array<std::uint64_t, DramParams::kMaxQueue> arrival_{};
  std::array<Waiting, DramParams::kMaxQueue> queue_{};

  std::array<Bank, DramParams::kMaxBanks> bank_{};
  // Served requests: data leave the bus in the order of the column commands.
  std::vector<Return> return_ring_;
  Cycle burst_clocks_, read_clocks_, write_clocks_, precharge_clocks_, refresh_interval_, refresh_clocks_;
  std::array<std::uint8_t, kAllSectors + 1> bursts_of_{};  // by sector mask
  DramAddressDecoder decoder_;
  Counters count_;
};

}  // namespace wharf
