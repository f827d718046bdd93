#include "model/dram/dram_logic.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {
namespace {

constexpr DramCommand kAllCommands[] = {DramCommand::activate, DramCommand::precharge, DramCommand::read, DramCommand::write};

}  // namespace

DramLogic::Counters::Counters(stats::Group& group)
    : requests(group, "requests", "requests accepted", config::Unit::accesses),
      completions(group, "completions", "requests served and taken", config::Unit::accesses),
      requested_bursts(group, "requested_bursts", "bursts that the accepted requests need", config::Unit::count),
      reads(group, "reads", "read bursts, one column command each", config::Unit::count),
      writes(group, "writes", "write bursts, one column command each", config::Unit::count),
      row_hits(group, "row_hits", "bursts that found their row open", config::Unit::count),
      row_misses(group, "row_misses", "bursts that found their bank closed", config::Unit::count),
      row_conflicts(group, "row_conflicts", "bursts that found another row open", config::Unit::count),
      activates(group, "activates", "rows opened", config::Unit::count),
      activates_undone(group, "activates_undone", "rows closed by a refresh before the burst they were opened for", config::Unit::count),
      precharges(group, "precharges", "rows closed", config::Unit::count),
      precharges_for_refresh(group, "precharges_for_refresh", "rows closed by a refresh", config::Unit::count),
      refreshes(group, "refreshes", "refreshes of all banks", config::Unit::count),
      bus_busy_cycles(group, "bus_busy_cycles", "DRAM clocks with data on the bus", config::Unit::cycles),
      refused_queue_full(group, "refused.queue_full", "offers refused because the queue was full", config::Unit::accesses),
      refused_port(group, "refused.port", "offers refused because accepts_per_clock were accepted in the clock", config::Unit::accesses) {}

void DramLogic::declare_laws(stats::Group& group) {
  const Counters& c = count_;
  group.law("requests == completions", [&c] { return c.requests.value() == c.completions.value(); });
  group.law("requested_bursts == reads + writes", [&c] { return c.requested_bursts.value() == c.reads.value() + c.writes.value(); });
  group.law("reads + writes == row_hits + row_misses + row_conflicts", [&c] {
    return c.reads.value() + c.writes.value() == c.row_hits.value() + c.row_misses.value() + c.row_conflicts.value();
  });
  group.law("activates == row_misses + row_conflicts + activates_undone", [&c] {
    return c.activates.value() == c.row_misses.value() + c.row_conflicts.value() + c.activates_undone.value();
  });
  group.law("precharges == row_conflicts + precharges_for_refresh", [&c] {
    return c.precharges.value() == c.row_conflicts.value() + c.precharges_for_refresh.value();
  });
  group.law("nothing is queued, at work or unreturned", [this] { return idle(); });
}

DramLogic::DramLogic(const DramParams& params, stats::Group& group)
    : DramLogic(params, group, make_dram_scheduler(params.scheduler, {params.age_cap})) {}

DramLogic::DramLogic(const DramParams& params, stats::Group& group, std::unique_ptr<DramScheduler> scheduler)
    : refresh_due_(params.refresh.enabled ? params.refresh.tREFI : kNever),
      banks_(params.banks),
      dual_command_(params.dual_command),
      reads_first_(params.write_policy == DramWritePolicy::drain),
      timers_(params),
      queue_entries_(params.queue_entries),
      writes_wait_up_to_(params.queue_entries * params.write_drain_percent / 100),
      accepts_per_clock_(params.accepts_per_clock),
      scheduler_(std::move(scheduler)),
      return_ring_(params.return_entries),
      burst_clocks_(params.burst_clocks()),
      read_clocks_(params.timing.tCL + burst_clocks_),
      write_clocks_(params.timing.tWL + burst_clocks_),
      precharge_clocks_(params.timing.tRP),
      refresh_interval_(params.refresh.tREFI),
      refresh_clocks_(params.refresh.tRFC),
      decoder_(params),
      count_(group) {
  const unsigned sectors_per_burst = params.burst_bytes / kSectorBytes;
  for (unsigned mask = 0; mask <= kAllSectors; ++mask) {
    for (unsigned first = 0; first < kSectorsPerLine; first += sectors_per_burst) {
      if ((mask >> first & ((1u << sectors_per_burst) - 1)) != 0) ++bursts_of_[mask];
    }
  }
  declare_laws(group);
}

// ---- the queue

bool DramLogic::accept(const DramRequest& request, Cycle now) {
  if (bursts_of_[request.sectors & kAllSectors] == 0) {
    throw SimulationError("DRAM request " + std::to_string(request.id) + " asks for no sector of its line");
  }
  if (queued_ >= queue_entries_) {
    ++count_.refused_queue_full;
    return false;
  }
  if (accepted_in(now) >= accepts_per_clock_) {
    ++count_.refused_port;
    return false;
  }
  accepted_ = accepted_in(now) + 1;
  accept_cycle_ = now;

  const DramLocation at = decoder_.locate(request.address, request.local);
  const unsigned slot = lowest(~occupied_);
  const std::uint8_t bursts = bursts_of_[request.sectors & kAllSectors];
  queue_[slot] = {request.id, at.row, LineAddress::of(request.address).number, 0, static_cast<std::uint8_t>(at.bank), bursts};
  arrival_[slot] = arrivals_++;
  occupied_ |= bit(slot);
  ++queued_;
  if (request.write) writes_ |= bit(slot);
  hold_behind_same_line(slot);
  append(at.bank, slot);
  if (bank_[at.bank].open_row == at.row) bank_[at.bank].row_hits |= bit(slot);
  ++count_.requests;
  count_.requested_bursts += bursts;
  return true;
}

/// A write waits for every older read of its line, a read for every older write.
void DramLogic::hold_behind_same_line(unsigned slot) {
  Waiting& entry = queue_[slot];
  const bool write = (writes_ & bit(slot)) != 0;
  for (Slots rest = bank_[entry.bank].slots & (write ? ~writes_ : writes_); rest != 0; rest &= rest - 1) {
    if (queue_[lowest(rest)].line == entry.line) entry.after |= rest & -rest;
  }
  if (entry.after == 0) return;
  held_ |= bit(slot);
  if (!write) awaited_writes_ |= entry.after;
}

void DramLogic::append(unsigned number, unsigned slot) {
  Bank& bank = bank_[number];
  if (bank.slots == 0) {
    bank.first = static_cast<std::uint8_t>(slot);
  } else {
    next_[bank.last] = static_cast<std::uint8_t>(slot);
    previous_[slot] = bank.last;
  }
  bank.last = static_cast<std::uint8_t>(slot);
  bank.slots |= bit(slot);
  waiting_ |= bit(number);
}

void DramLogic::unchain(unsigned number, unsigned slot) {
  Bank& bank = bank_[number];
  const bool is_first = bank.first == slot, is_last = bank.last == slot;
  if (is_first) bank.first = next_[slot];
  else next_[previous_[slot]] = next_[slot];
  if (is_last) bank.last = previous_[slot];
  else previous_[next_[slot]] = previous_[slot];
  bank.slots &= ~bit(slot);
  bank.row_hits &= ~bit(slot);
  if (bank.slots == 0) waiting_ &= ~bit(number);
}

/// Entries that a free bank may take now.
DramLogic::Slots DramLogic::eligible() const {
  const Slots free = occupied_ & ~held_;
  const bool writes_wait = reads_first_ && (free & ~writes_) != 0 && queued_ <= writes_wait_up_to_;
  return writes_wait ? free & (~writes_ | awaited_writes_) : free;
}

void DramLogic::leave_queue(unsigned slot) {
  const Slots mine = bit(slot);
  const unsigned bank = queue_[slot].bank;
  occupied_ &= ~mine;
  --queued_;
  writes_ &= ~mine;
  awaited_writes_ &= ~mine;
  unchain(bank, slot);
  for (Slots rest = held_ & bank_[bank].slots; rest != 0; rest &= rest - 1) {
    Waiting& entry = queue_[lowest(rest)];
    entry.after &= ~mine;
    if (entry.after == 0) held_ &= ~(rest & -rest);
  }
}

void DramLogic::take_requests() {
  Banks free = waiting_ & ~busy_;
  if (free == 0) return;
  const Slots allowed = eligible();
  for (; free != 0; free &= free - 1) {
    const unsigned number = lowest(free);
    const Bank& bank = bank_[number];
    const Slots candidates = bank.slots & allowed;
    if (candidates == 0) continue;
    const unsigned slot = scheduler_->choose({candidates, bank.row_hits, arrivals_, arrival_.data(), next_.data(), bank.first});
    if (slot >= DramParams::kMaxQueue || (candidates & bit(slot)) == 0) {
      throw SimulationError("the DRAM scheduler chose queue entry " + std::to_string(slot) + ", which is no candidate of the bank");
    }
    take(number, slot);
  }
}

void DramLogic::take(unsigned bank, unsigned slot) {
  const Waiting& entry = queue_[slot];
  const bool write = (writes_ & bit(slot)) != 0;
  const std::uint64_t open = bank_[bank].open_row;
  const RowOutcome outcome = open == entry.row ? RowOutcome::hit : open == kNoRow ? RowOutcome::miss : RowOutcome::conflict;
  bank_[bank].current = {entry.id, entry.row, arrival_[slot], entry.bursts, write, outcome};
  leave_queue(slot);
  busy_ |= bit(bank);
  switch (outcome) {
    case RowOutcome::hit: want(write ? DramCommand::write : DramCommand::read, bank); break;
    case RowOutcome::miss: want(DramCommand::activate, bank); break;
    case RowOutcome::conflict: want(DramCommand::precharge, bank); break;
  }
}

// ---- commands

void DramLogic::tick(Cycle now) {
  refresh_until(now);
  take_requests();
  const bool column = issue_column(now);
  if (!column || dual_command_) issue_row(now);
  open_from_ = now + 1;
}

/// `bank` needs `command` next.
void DramLogic::want(DramCommand command, unsigned bank) {
  Want& want = want_[static_cast<unsigned>(command)];
  want.banks |= bit(bank);
  want.ready_from = std::min(want.ready_from, timers_.bank(command, bank));
}

/// The bank, of those that need `command` and may have it, whose request is the oldest; kNone if there is none. Brings
/// ready_from up to date on the way.
DramLogic::Choice DramLogic::oldest_of(DramCommand command, Cycle now) {
  Want& want = want_[static_cast<unsigned>(command)];
  Choice best;
  Cycle best_ready = kNever;
  std::uint64_t best_arrival = ~std::uint64_t{0};
  for (Banks rest = want.banks; rest != 0; rest &= rest - 1) {
    const unsigned bank = lowest(rest);
    Cycle ready = timers_.bank(command, bank);
    const std::uint64_t arrival = bank_[bank].current.arrival;
    if (ready <= now && arrival < best_arrival) {
      std::swap(ready, best_ready);  // the bank that was best is one of the others now
      best_arrival = arrival;
      best.bank = bank;
    }
    best.others_ready = std::min(best.others_ready, ready);
  }
  want.ready_from = std::min(best.others_ready, best_ready);
  return best;
}

/// Of two banks (or kNone) the one whose request is older.
bool DramLogic::first_is_older(unsigned first, unsigned second) const {
  if (first == kNone || second == kNone) return second == kNone;
  return bank_[first].current.arrival < bank_[second].current.arrival;
}

bool DramLogic::issue_column(Cycle now) {
  if (returns_ == return_ring_.size()) return false;
  const Choice reader = oldest_ready(DramCommand::read, now), writer = oldest_ready(DramCommand::write, now);
  if (reader.bank == kNone && writer.bank == kNone) return false;
  if (first_is_older(reader.bank, writer.bank)) give_column(DramCommand::read, reader, now);
  else give_column(DramCommand::write, writer, now);
  return true;
}

/// Gives the bank, which oldest_ready() found, its command.
void DramLogic::give(DramCommand command, const Choice& choice, Cycle now) {
  timers_.issued(command, choice.bank, now);
  Want& want = want_[static_cast<unsigned>(command)];
  want.banks &= ~bit(choice.bank);
  want.ready_from = choice.others_ready;
}

void DramLogic::give_column(DramCommand command, const Choice& choice, Cycle now) {
  give(command, choice, now);
  Current& current = bank_[choice.bank].current;
  ++(current.write ? count_.writes : count_.reads);
  switch (current.outcome) {
    case RowOutcome::hit: ++count_.row_hits; break;
    case RowOutcome::miss: ++count_.row_misses; break;
    case RowOutcome::conflict: ++count_.row_conflicts; break;
  }
  count_.bus_busy_cycles += burst_clocks_;
  current.outcome = RowOutcome::hit;
  if (--current.bursts != 0) return want(command, choice.bank);
  const Cycle last_data = now + (current.write ? write_clocks_ : read_clocks_);
  std::size_t tail = std::size_t{return_head_} + returns_;
  if (tail >= return_ring_.size()) tail -= return_ring_.size();
  return_ring_[tail] = {current.id, last_data, current.write};
  if (returns_++ == 0) next_return_ = last_data;
  busy_ &= ~bit(choice.bank);
}

void DramLogic::issue_row(Cycle now) {
  const Choice opener = oldest_ready(DramCommand::activate, now), closer = oldest_ready(DramCommand::precharge, now);
  if (opener.bank == kNone && closer.bank == kNone) return;
  if (first_is_older(opener.bank, closer.bank)) activate(opener, now);
  else precharge(closer, now);
}

void DramLogic::activate(const Choice& choice, Cycle now) {
  give(DramCommand::activate, choice, now);
  ++count_.activates;
  Bank& bank = bank_[choice.bank];
  bank.open_row = bank.current.row;
  for (Slots rest = bank.slots; rest != 0; rest &= rest - 1) {
    if (queue_[lowest(rest)].row == bank.open_row) bank.row_hits |= rest & -rest;
  }
  want(bank.current.write ? DramCommand::write : DramCommand::read, choice.bank);
}

void DramLogic::precharge(const Choice& choice, Cycle now) {
  give(DramCommand::precharge, choice, now);
  ++count_.precharges;
  bank_[choice.bank].open_row = kNoRow;
  bank_[choice.bank].row_hits = 0;
  want(DramCommand::activate, choice.bank);
}

// ---- refresh

/// From `due` on nothing else is commanded, so all that follows is known now, and it may be worked out as late as the next
/// tick: every open row is closed by one command when the slowest may be, and the refresh begins when each bank could be
/// activated.
void DramLogic::refresh(Cycle due) {
  Cycle close = due, start = due;
  for (unsigned bank = 0; bank < banks_; ++bank) {
    if (bank_[bank].open_row != kNoRow) close = std::max(close, timers_.earliest(DramCommand::precharge, bank));
    start = std::max(start, timers_.bank(DramCommand::activate, bank));
  }
  for (unsigned bank = 0; bank < banks_; ++bank) {
    if (bank_[bank].open_row == kNoRow) continue;
    start = std::max(start, close + precharge_clocks_);
    close_for_refresh(bank);
  }
  want_ = {};
  for (unsigned bank = 0; bank < banks_; ++bank) {
    timers_.hold_activate(bank, start + refresh_clocks_);
    if ((busy_ & bit(bank)) != 0) want(DramCommand::activate, bank);
  }
  ++count_.refreshes;
}

void DramLogic::close_for_refresh(unsigned number) {
  ++count_.precharges;
  ++count_.precharges_for_refresh;
  Bank& bank = bank_[number];
  if ((busy_ & bit(number)) != 0) {
    const bool opened_for_it = bank.open_row == bank.current.row && bank.current.outcome != RowOutcome::hit;
    if (opened_for_it) ++count_.activates_undone;
    else bank.current.outcome = RowOutcome::miss;
  }
  bank.open_row = kNoRow;
  bank.row_hits = 0;
}

// ---- completion and sleep

void DramLogic::take_return(DramCompletion& out) {
  const Return& served = return_ring_[return_head_];
  out = {served.id, served.cycle, served.write};
  if (++return_head_ == return_ring_.size()) return_head_ = 0;
  next_return_ = --returns_ == 0 ? kNever : return_ring_[return_head_].cycle;
  ++count_.completions;
}

/// When tick() can next do something if nothing else happens; early where ready_from is.
Cycle DramLogic::earliest_action() const {
  Banks free = waiting_ & ~busy_;
  if (free != 0) {
    for (const Slots allowed = eligible(); free != 0; free &= free - 1) {
      if ((bank_[lowest(free)].slots & allowed) != 0) return 0;
    }
  }
  const bool columns = returns_ != return_ring_.size();
  Cycle earliest = kNever;
  for (const DramCommand command : kAllCommands) {
    const bool column = command == DramCommand::read || command == DramCommand::write;
    const Cycle ready = std::max(want_[static_cast<unsigned>(command)].ready_from, timers_.channel(command));
    if (columns || !column) earliest = std::min(earliest, ready);
  }
  return earliest;
}

}  // namespace wharf
