#pragma once
// One DRAM channel: a request queue, banks that each serve one request at a time, open rows, and the commands that serve the requests
// (common section 7; CM-38 for HBM with two command interfaces).
//
// In every clock, each free bank takes the waiting request that the scheduler chooses for it. Then one column command is issued. A row
// command is also issued if dual_command is set or if there was no column command. Each serves the oldest request that is ready. A row
// stays open until another one is needed. A request leaves the queue when its bank takes it.
//
// A read and a write of one 128 B line are served in order of acceptance. With write_policy `drain`, reads are served before writes unless
// the queue is filled beyond write_drain_percent or a read waits for the write.
//
// A due refresh stops all commands until every bank is precharged and refreshed.
//
// Not modelled: per-bank refresh, tFAW, power-down, ECC, the command encoding.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/host/host_lines.h"
#include "model/base/host/ring.h"
#include "model/base/stats/stats.h"
#include "model/base/types.h"
#include "model/dram/dram_address.h"
#include "model/dram/dram_params.h"
#include "model/dram/dram_timing.h"
#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {

class Archive;

struct DramRequest {
  std::uint64_t id = 0;    // returned at completion
  Address address = 0;     // full byte address of the line, for the order within a line and for mapping `mask`
  Address local = 0;       // byte address within the channel, unique there: mapping `row_bank_column`
  SectorMask sectors = 0;  // not empty; one column command per burst that holds any of them
  bool write = false;
};

struct DramCompletion {
  std::uint64_t id = 0;
  Cycle cycle = 0;  // clock in which the last data have left the bus
  bool write = false;
};

class DramLogic {
 public:
  /// `group` names the channel's counters and must outlive it. Throws InputError for an unknown params.scheduler.
  DramLogic(const DramParams& params, stats::Group& group);
  /// Uses a scheduler from outside the catalogue.
  DramLogic(const DramParams& params, stats::Group& group, std::unique_ptr<DramScheduler> scheduler);
  DramLogic(const DramLogic&) = delete;
  DramLogic& operator=(const DramLogic&) = delete;

  /// True if accept() would take the first request of a clock.
  bool has_room() const { return queued_ < queue_entries_; }
  /// True if accept() would take a request in clock `now`.
  bool can_accept(Cycle now) const { return has_room() && accepted_in(now) < accepts_per_clock_; }
  /// Takes the request, or refuses it and changes only the count of the cause. The request can be served in clock `now` unless that clock
  /// is done. All clocks before `now` must be done: run_before(now). Throws SimulationError for a request without sectors.
  bool accept(const DramRequest& request, Cycle now);

  /// Counts the bursts of a request that is served in no time.
  void count_bursts(SectorMask sectors, bool write) { (write ? count_.writes : count_.reads) += bursts_of_[sectors & kAllSectors]; }

  /// Performs all clocks before `end` that are not done. Nothing may be accepted or taken back for these clocks any more. Their effects are
  /// therefore fixed, and visible only as completions and as room in the queue, so the call may come long after them.
  void run_before(Cycle end);
  /// The clock in which run_before() next has work if nothing is accepted; kNever if there is none.
  Cycle next_step() const {
    const Cycle work = std::min(try_at_, next_.cycle);
    // A command that follows a refresh may come before the one planned without it.
    return refresh_due_ < work && work != kNever ? std::max(refresh_due_, open_from_) : work;
  }
  /// The first clock that is not done.
  Cycle open_from() const { return open_from_; }
  /// Completion of the oldest served request; kNever if there is none. Requests served later complete later.
  Cycle next_completion() const { return next_return_; }
  /// Lower bound of the clocks from a request's last column command to its completion. `writes`: the request may be a write.
  Cycle least_clocks(bool writes) const { return writes & (write_clocks_ < read_clocks_) ? write_clocks_ : read_clocks_; }

  /// Takes the next request completed by `now`, in order of completion; false if there is none.
  bool pop_completed(Cycle now, DramCompletion& out) {
    if (next_return_ > now) return false;
    pop_return(out);
    return true;
  }

  /// The earliest clock, not yet done, in which run_before() or pop_completed() has work; kNever if there is none until the next
  /// accept(). Valid until the next run_before, accept or pop_completed.
  Cycle next_event() const {
    const Cycle next = std::min(next_step(), next_return_);
    return next < open_from_ ? open_from_ : next;
  }

  /// Performs the refreshes due up to `now`, a clock that is done. run_before() performs those that precede its commands; the owner calls
  /// this once more at the end of the run.
  void refresh_until(Cycle now) {
    while (refresh_due_ <= now) {
      const Cycle opens = refresh(refresh_due_);
      refresh_due_ += refresh_interval_;
      if (busy_ == 0 && opens <= refresh_due_ && refresh_due_ <= now) count_idle_refreshes(now);
    }
  }

  bool idle() const { return occupied_ == 0 && busy_ == 0 && returns_.empty(); }
  /// Saves or loads open rows, timers and refresh while the channel is idle.
  void archive(Archive& file);
  unsigned queued() const { return queued_; }
  /// Clocks with data on the bus so far.
  std::uint64_t bus_busy_cycles() const { return count_.bus_busy_cycles.value(); }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
  using Slots = std::uint64_t;  // one bit per queue entry
  using Banks = std::uint64_t;  // one bit per bank
  enum class RowOutcome : std::uint8_t { hit, miss, conflict };

  /// A queue entry. Arrival numbers are stored apart, because the scheduler reads them.
  struct Waiting {
    std::uint64_t id, row, line;
    Slots after;  // older entries of the line that banks must take first
    std::uint8_t bank, bursts;
  };
  /// The request that a bank serves.
  struct Current {
    std::uint64_t id = 0, row = 0, arrival = 0;
    std::uint8_t bursts = 0;
    bool write = false;
    RowOutcome outcome = RowOutcome::hit;  // outcome of its next column command
  };
  /// All that a command reads, in one cache line of the host.
  struct alignas(kHostLineBytes) Bank {
    std::uint64_t open_row = kNoRow;
    Slots slots = 0, row_hits = 0;     // the bank's queue entries, and those whose row is open
    std::uint8_t first = 0, last = 0;  // oldest and newest of the slots
    Current current;
  };
  static_assert(sizeof(Bank) == kHostLineBytes);
  struct Return {
    std::uint64_t id;
    Cycle cycle;
    bool write;
  };
  /// The clock from which a bank may receive the command that it needs, and its rank among the commands possible in that clock: column
  /// commands before row commands, older requests before younger ones. The lowest bits of the rank name bank and command.
  struct Turn {
    static constexpr unsigned kBankBits = 6, kCommandBits = 2;
    Cycle cycle = kNever;
    std::uint64_t rank = ~std::uint64_t{0};
    unsigned bank() const { return rank % (1u << kBankBits); }
    DramCommand command() const { return static_cast<DramCommand>(rank >> kBankBits & ((1u << kCommandBits) - 1)); }
  };
  static_assert(1u << Turn::kBankBits == DramParams::kMaxBanks && 1u << Turn::kCommandBits == kDramCommands);

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter requests, completions, requested_bursts, reads, writes, row_hits, row_misses, row_conflicts, activates, activates_undone,
        precharges, precharges_for_refresh, refreshes, bus_busy_cycles, refused_queue_full, refused_port;
    std::array<stats::Counter*, kDramCommands> of_command{&activates, &precharges, &reads, &writes};
    std::array<stats::Counter*, 3> of_outcome{&row_hits, &row_misses, &row_conflicts};
  };

  static std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

  void declare_laws(stats::Group& group);
  unsigned accepted_in(Cycle now) const { return accept_cycle_ == now ? accepted_ : 0; }
  void hold_behind_same_line(unsigned slot);
  void append(unsigned bank, unsigned slot);
  void unchain(unsigned bank, unsigned slot);
  Slots eligible() const;
  void assign_requests(Cycle now);
  void assign(unsigned bank, unsigned slot);
  void remove_from_queue(unsigned slot);
  void plan(Cycle from, Banks among);
  void need(unsigned bank, DramCommand command);
  void propose(Turn& next, unsigned bank, Cycle from) const;
  bool returns_full() const { return returns_.size() == return_entries_; }
  /// The banks that may receive a command. A column command needs a free return entry.
  Banks servable() const { return returns_full() ? busy_ & ~columns_ : busy_; }
  void give_next();
  void grant(const Turn& turn);
  void give_column(unsigned bank, Cycle now);
  void give_row(unsigned bank, bool opens);
  [[gnu::noinline]] Cycle refresh(Cycle due);
  void count_idle_refreshes(Cycle now);
  void close_for_refresh(unsigned bank);
  void pop_return(DramCompletion& out);

  // The members that every clock reads come first: banks with queue entries, banks with a current request, and banks that need a column
  // command.
  alignas(kHostLineBytes) Turn next_;  // the earliest of all, unless another request is taken before
  Banks waiting_ = 0, busy_ = 0, columns_ = 0;
  Cycle try_at_ = kNever;       // when free banks search for requests again, after an arrival or departure
  Cycle refresh_due_;           // performed before any later command
  Cycle open_from_ = 0;         // every earlier clock is done
  Cycle next_return_ = kNever;  // completion of the oldest served request
  std::uint32_t return_entries_;
  std::uint32_t banks_;
  bool dual_command_, reads_first_;
  DramTimers timers_;

  // The request queue.
  Slots occupied_ = 0, writes_ = 0, held_ = 0, awaited_writes_ = 0;  // held_: wait for an older request of the line
  std::uint32_t queued_ = 0, queue_entries_, writes_wait_up_to_;
  std::uint32_t accepted_ = 0, accepts_per_clock_;
  Cycle accept_cycle_ = kNever;
  std::uint64_t arrivals_ = 0;
  std::unique_ptr<DramScheduler> scheduler_;
  std::array<std::uint8_t, DramParams::kMaxQueue> next_slot_{}, previous_slot_{};  // neighbours of a slot in its bank's list
  std::array<std::uint64_t, DramParams::kMaxQueue> arrival_{};
  std::array<Waiting, DramParams::kMaxQueue> queue_{};

  std::array<Turn, DramParams::kMaxBanks> turn_{};  // of each busy bank, considering its own timers only
  std::array<Bank, DramParams::kMaxBanks> bank_{};
  // Served requests. Data leave the bus in the order of the column commands.
  Ring<Return> returns_;
  Cycle burst_clocks_, read_clocks_, write_clocks_, precharge_clocks_, refresh_interval_, refresh_clocks_;
  std::array<std::uint8_t, kAllSectors + 1> bursts_of_{};  // [sector mask]
  DramAddressDecoder decoder_;
  Counters count_;
};

}  // namespace wharf
