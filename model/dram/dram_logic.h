#pragma once
// One DRAM channel: a request queue, banks with one request at work each, open rows, and the commands that serve them
// (common section 7; CM-38 for HBM with two command interfaces).
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

#include "model/base/host/cycle_select.h"
#include "model/base/host/host_lines.h"
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

  /// Whether accept() would take a request in a clock in which it has taken none.
  bool has_room() const { return queued_ < queue_entries_; }
  /// Whether accept() would take a request in clock `now`.
  bool can_accept(Cycle now) const { return has_room() && accepted_in(now) < accepts_per_clock_; }
  /// Takes the request, or changes nothing but the count of the cause. The request can be served in clock `now` if that is still to be
  /// done. Every clock before it is done: run_before(now). Throws SimulationError for a request without sectors.
  bool accept(const DramRequest& request, Cycle now);

  /// All clocks before `end` that are not done yet, in none of which anything more is accepted or taken back. What a clock does is fixed
  /// by then, and nobody sees it but by what is completed and by room in the queue: so it may be done long after.
  void run_before(Cycle end);
  /// The clock in which run_before() will do something next, if nothing is accepted; kNever: in none.
  Cycle next_step() const { return earlier(try_at_, next_.cycle); }
  /// The first clock that is not done.
  Cycle open_from() const { return open_from_; }
  /// When the oldest request that has been served is completed; kNever where there is none. Those served later are completed later.
  Cycle next_completion() const { return next_return_; }
  /// From the last column command of a request to its completion, at least; `writes`: a write may be among those asked about.
  Cycle least_clocks(bool writes) const { return writes & (write_clocks_ < read_clocks_) ? write_clocks_ : read_clocks_; }

  /// The next request that has been served by `now`, in order of completion.
  bool take_completed(Cycle now, DramCompletion& out) {
    if (next_return_ > now) return false;
    take_return(out);
    return true;
  }

  /// The earliest clock that is not done in which run_before() or take_completed() has something to do; kNever when there is none
  /// until the next accept(). Ask again after run_before, accept and take_completed.
  Cycle next_event() const {
    const Cycle next = earlier(next_step(), next_return_);
    return next < open_from_ ? open_from_ : next;
  }

  /// Gives the refreshes that were due up to `now`, which is done. run_before() gives those before its commands; to be called once
  /// more at the end of the run.
  void refresh_until(Cycle now) {
    for (; refresh_due_ <= now; refresh_due_ += refresh_interval_) refresh(refresh_due_);
  }

  bool idle() const { return occupied_ == 0 && busy_ == 0 && returns_ == 0; }
  unsigned queued() const { return queued_; }
  /// Clocks of data on the bus so far.
  std::uint64_t bus_busy_cycles() const { return count_.bus_busy_cycles.value(); }

 private:
  static constexpr std::uint64_t kNoRow = ~std::uint64_t{0};
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
  /// When a bank may have the command that it needs, and its rank among those that may in that cycle: column commands before row commands,
  /// older requests before younger ones. The lowest bits of the rank name the bank and the command.
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

  static unsigned lowest(std::uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }
  static std::uint64_t bit(unsigned n) { return std::uint64_t{1} << n; }

  void declare_laws(stats::Group& group);
  unsigned accepted_in(Cycle now) const { return accept_cycle_ == now ? accepted_ : 0; }
  void hold_behind_same_line(unsigned slot);
  void append(unsigned bank, unsigned slot);
  void unchain(unsigned bank, unsigned slot);
  Slots eligible() const;
  void take_requests(Cycle now);
  void take(unsigned bank, unsigned slot);
  void leave_queue(unsigned slot);
  void plan(Cycle from, Banks among);
  void need(unsigned bank, DramCommand command);
  void propose(Turn& next, unsigned bank, Cycle from) const;
  /// The banks that may have a command: a column command needs a place for what it returns.
  Banks servable() const { return returns_ == return_entries_ ? busy_ & ~columns_ : busy_; }
  void give_next();
  void give(const Turn& turn);
  void give_column(unsigned bank, Cycle now);
  void give_row(unsigned bank, bool opens);
  [[gnu::noinline]] void refresh(Cycle due);
  void close_for_refresh(unsigned bank);
  void take_return(DramCompletion& out);

  // What every clock looks at first. The banks with entries in the queue, those with a current request, those that need a column command.
  alignas(kHostLineBytes) Turn next_;  // the first of all, if no other request is taken before
  Banks waiting_ = 0, busy_ = 0, columns_ = 0;
  Cycle try_at_ = kNever;           // when free banks look for requests again: something has come, or gone, since they did
  Cycle refresh_due_;               // made up for before what is due after it
  Cycle open_from_ = 0;             // all clocks before it are done
  Cycle next_return_ = kNever;      // of the oldest served request
  std::uint32_t returns_ = 0, return_entries_, return_head_ = 0;
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
  std::array<std::uint8_t, DramParams::kMaxQueue> next_slot_{}, previous_slot_{};  // of a slot, in its bank
  std::array<std::uint64_t, DramParams::kMaxQueue> arrival_{};
  std::array<Waiting, DramParams::kMaxQueue> queue_{};

  std::array<Turn, DramParams::kMaxBanks> turn_{};  // of a busy bank, as far as its own timers go
  std::array<Bank, DramParams::kMaxBanks> bank_{};
  // Served requests: data leave the bus in the order of the column commands.
  std::vector<Return> return_ring_;
  Cycle burst_clocks_, read_clocks_, write_clocks_, precharge_clocks_, refresh_interval_, refresh_clocks_;
  std::array<std::uint8_t, kAllSectors + 1> bursts_of_{};  // by sector mask
  DramAddressDecoder decoder_;
  Counters count_;
};

}  // namespace wharf
