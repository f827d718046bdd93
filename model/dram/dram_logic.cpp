#include "model/dram/dram_logic.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"
#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {
namespace {

constexpr DramCommand column_command(bool write) { return write ? DramCommand::write : DramCommand::read; }
constexpr bool is_column(DramCommand command) { return command == DramCommand::read || command == DramCommand::write; }

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
  group.law("reads + writes == row_hits + row_misses + row_conflicts",
            [&c] { return c.reads.value() + c.writes.value() == c.row_hits.value() + c.row_misses.value() + c.row_conflicts.value(); });
  group.law("activates == row_misses + row_conflicts + activates_undone",
            [&c] { return c.activates.value() == c.row_misses.value() + c.row_conflicts.value() + c.activates_undone.value(); });
  group.law("precharges == row_conflicts + precharges_for_refresh",
            [&c] { return c.precharges.value() == c.row_conflicts.value() + c.precharges_for_refresh.value(); });
  group.law("nothing is queued, at work or unreturned", [this] { return idle(); });
}

DramLogic::DramLogic(const DramParams& params, stats::Group& group)
    : DramLogic(params, group, make_dram_scheduler(params.scheduler, {params.age_cap})) {}

DramLogic::DramLogic(const DramParams& params, stats::Group& group, std::unique_ptr<DramScheduler> scheduler)
    : refresh_due_(!params.refresh.enabled         ? kNever
                   : params.refresh.first_due != 0 ? params.refresh.first_due
                                                   : params.refresh.tREFI),
      return_entries_(params.return_entries),
      banks_(params.banks),
      dual_command_(params.dual_command),
      reads_first_(params.write_policy == DramWritePolicy::drain),
      timers_(params),
      queue_entries_(params.queue_entries),
      writes_wait_up_to_(params.queue_entries * params.write_drain_percent / 100),
      accepts_per_clock_(params.accepts_per_clock),
      scheduler_(std::move(scheduler)),
      returns_(params.return_entries),
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
    throw SimulationError("DRAM request " + std::to_string(request.id) + " requests no sector of its line");
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
  const unsigned slot = lowest_bit(~occupied_);
  const std::uint8_t bursts = bursts_of_[request.sectors & kAllSectors];
  queue_[slot] = {request.id, at.row, LineAddress::of(request.address).number, 0, static_cast<std::uint8_t>(at.bank), bursts};
  arrival_[slot] = arrivals_++;
  occupied_ |= bit(slot);
  ++queued_;
  if (request.write) writes_ |= bit(slot);
  hold_behind_same_line(slot);
  append(at.bank, slot);
  bank_[at.bank].row_hits |= Slots{bank_[at.bank].open_row == at.row} << slot;
  try_at_ = std::min(try_at_, std::max(now, open_from_));
  ++count_.requests;
  count_.requested_bursts += bursts;
  return true;
}

/// Makes a write wait for every older read of its line, and a read for every older write.
void DramLogic::hold_behind_same_line(unsigned slot) {
  Waiting& entry = queue_[slot];
  const bool write = (writes_ & bit(slot)) != 0;
  for (const unsigned older : set_bits(bank_[entry.bank].slots & (write ? ~writes_ : writes_))) {
    if (queue_[older].line == entry.line) entry.after |= bit(older);
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
    next_slot_[bank.last] = static_cast<std::uint8_t>(slot);
    previous_slot_[slot] = bank.last;
  }
  bank.last = static_cast<std::uint8_t>(slot);
  bank.slots |= bit(slot);
  waiting_ |= bit(number);
}

void DramLogic::unchain(unsigned number, unsigned slot) {
  Bank& bank = bank_[number];
  const bool is_first = bank.first == slot, is_last = bank.last == slot;
  if (is_first)
    bank.first = next_slot_[slot];
  else
    next_slot_[previous_slot_[slot]] = next_slot_[slot];
  if (is_last)
    bank.last = previous_slot_[slot];
  else
    previous_slot_[next_slot_[slot]] = previous_slot_[slot];
  bank.slots &= ~bit(slot);
  bank.row_hits &= ~bit(slot);
  if (bank.slots == 0) waiting_ &= ~bit(number);
}

/// Returns the entries that a free bank may take now.
DramLogic::Slots DramLogic::eligible() const {
  const Slots free = occupied_ & ~held_;
  const bool writes_wait = reads_first_ && (free & ~writes_) != 0 && queued_ <= writes_wait_up_to_;
  return writes_wait ? free & (~writes_ | awaited_writes_) : free;
}

void DramLogic::remove_from_queue(unsigned slot) {
  const Slots mine = bit(slot);
  const unsigned bank = queue_[slot].bank;
  occupied_ &= ~mine;
  --queued_;
  writes_ &= ~mine;
  awaited_writes_ &= ~mine;
  unchain(bank, slot);
  for (const unsigned held : set_bits(held_ & bank_[bank].slots)) {
    Waiting& entry = queue_[held];
    entry.after &= ~mine;
    if (entry.after == 0) held_ &= ~bit(held);
  }
}

/// Banks that remain free look again in the next clock, because each request taken may release one that waited for it.
void DramLogic::assign_requests(Cycle now) {
  try_at_ = kNever;
  const Banks free = waiting_ & ~busy_;
  if (free == 0) return;
  const Slots allowed = eligible();
  for (const unsigned number : set_bits(free)) {
    const Bank& bank = bank_[number];
    const Slots candidates = bank.slots & allowed;
    if (candidates == 0) continue;
    const unsigned slot = scheduler_->choose({candidates, bank.row_hits, arrivals_, arrival_.data(), next_slot_.data(), bank.first});
    if (slot >= DramParams::kMaxQueue || (candidates & bit(slot)) == 0) {
      throw SimulationError("the DRAM scheduler chose queue entry " + std::to_string(slot) + ", which is not a candidate of the bank");
    }
    assign(number, slot);
    if ((waiting_ & ~busy_) != 0) try_at_ = now + 1;
    if ((servable() & bit(number)) != 0) propose(next_, number, now);
  }
}

void DramLogic::assign(unsigned bank, unsigned slot) {
  const Waiting& entry = queue_[slot];
  const bool write = (writes_ & bit(slot)) != 0;
  const std::uint64_t open = bank_[bank].open_row;
  // A row hit, miss or conflict starts with one of these commands. Selected without branches, because it is unpredictable.
  const DramCommand first[] = {column_command(write), DramCommand::activate, DramCommand::precharge};
  const bool other = open != entry.row, conflict = other & (open != kNoRow);
  const unsigned outcome = unsigned{other} + unsigned{conflict};
  bank_[bank].current = {entry.id, entry.row, arrival_[slot], entry.bursts, write, RowOutcome{static_cast<std::uint8_t>(outcome)}};
  remove_from_queue(slot);
  busy_ |= bit(bank);
  need(bank, first[outcome]);
}

// ---- commands

void DramLogic::run_before(Cycle end) {
  for (Cycle at = next_step(); at < end; at = next_step()) {
    if (refresh_due_ <= at)
      refresh_until(at);
    else if (try_at_ == at)
      assign_requests(at);
    else
      give_next();
  }
  open_from_ = std::max(open_from_, end);
}

/// Sets the next command of the bank's current request.
void DramLogic::need(unsigned bank, DramCommand command) {
  const std::uint64_t column = is_column(command);
  const std::uint64_t at = bank | static_cast<std::uint64_t>(command) << Turn::kBankBits;
  const std::uint64_t age = bank_[bank].current.arrival << (Turn::kBankBits + Turn::kCommandBits);
  turn_[bank] = {timers_.bank(command, bank), (column ^ 1) << 63 | age | at};
  columns_ = (columns_ & ~bit(bank)) | column << bank;
}

/// Finds the next command of these banks from clock `from` on.
void DramLogic::plan(Cycle from, Banks among) {
  Turn next;
  for (const unsigned bank : set_bits(among)) propose(next, bank, from);
  next_ = next;
}

/// Makes the bank's command the next one if it is earlier.
void DramLogic::propose(Turn& next, unsigned bank, Cycle from) const {
  const Turn& turn = turn_[bank];
  const Cycle cycle = std::max({turn.cycle, timers_.shared(turn.command(), bank), from});
  if (cycle < next.cycle || (cycle == next.cycle && turn.rank < next.rank)) next = {cycle, turn.rank};
}

/// Issues the next command, and in the same clock a row command if each kind has its own interface.
void DramLogic::give_next() {
  const Turn turn = next_;
  grant(turn);
  if (dual_command_ && is_column(turn.command())) {
    plan(turn.cycle, busy_ & ~columns_);
    if (next_.cycle == turn.cycle) grant(next_);
  }
  open_from_ = turn.cycle + 1;
  plan(open_from_, servable());
}

void DramLogic::grant(const Turn& turn) {
  const DramCommand command = turn.command();
  ++*count_.of_command[static_cast<unsigned>(command)];
  if (is_column(command)) {
    timers_.column_issued(command, turn.bank(), turn.cycle);
    give_column(turn.bank(), turn.cycle);
  } else {
    timers_.row_issued(command, turn.bank(), turn.cycle);
    give_row(turn.bank(), command == DramCommand::activate);
  }
}

void DramLogic::give_column(unsigned bank, Cycle now) {
  Current& current = bank_[bank].current;
  ++*count_.of_outcome[static_cast<unsigned>(current.outcome)];
  count_.bus_busy_cycles += burst_clocks_;
  current.outcome = RowOutcome::hit;
  const bool last = --current.bursts == 0;
  const Cycle last_data = now + (current.write ? write_clocks_ : read_clocks_);
  if (last) {
    next_return_ = std::min(next_return_, last_data);
    returns_.push({current.id, last_data, current.write});
    busy_ &= ~bit(bank);
    if (bank_[bank].slots != 0) try_at_ = std::min(try_at_, now + 1);
  }
  need(bank, column_command(current.write));
}

/// Opens the row of the current request, or closes another row.
void DramLogic::give_row(unsigned number, bool opens) {
  Bank& bank = bank_[number];
  bank.open_row = opens ? bank.current.row : kNoRow;
  bank.row_hits = 0;
  for (const unsigned slot : set_bits(bank.slots)) bank.row_hits |= Slots{queue_[slot].row == bank.open_row} << slot;
  need(number, opens ? column_command(bank.current.write) : DramCommand::activate);
}

// ---- refresh

/// No other command follows `due` until the refresh ends. Its course is therefore known, and may be computed as late as the next call. One
/// command closes every open row when the slowest bank allows it, and the refresh starts when every bank could be activated. Returns the
/// clock from which the banks can be activated again.
Cycle DramLogic::refresh(Cycle due) {
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
  for (unsigned bank = 0; bank < banks_; ++bank) {
    timers_.hold_activate(bank, start + refresh_clocks_);
    need(bank, DramCommand::activate);
  }
  plan(open_from_, servable());
  ++count_.refreshes;
  return start + refresh_clocks_;
}

/// Counts refreshes of an idle channel without performing each of them. If no bank has work and each refresh ends before the next, all
/// refreshes up to `now` but the last change nothing but their count.
void DramLogic::count_idle_refreshes(Cycle now) {
  if (refresh_clocks_ > refresh_interval_) return;
  const Cycle all_but_one = (now - refresh_due_) / refresh_interval_;
  count_.refreshes += all_but_one;
  refresh_due_ += all_but_one * refresh_interval_;
}

void DramLogic::close_for_refresh(unsigned number) {
  ++count_.precharges;
  ++count_.precharges_for_refresh;
  Bank& bank = bank_[number];
  if ((busy_ & bit(number)) != 0) {
    const bool opened_for_it = bank.open_row == bank.current.row && bank.current.outcome != RowOutcome::hit;
    if (opened_for_it)
      ++count_.activates_undone;
    else
      bank.current.outcome = RowOutcome::miss;
  }
  bank.open_row = kNoRow;
  bank.row_hits = 0;
}

// ---- completion

void DramLogic::pop_return(DramCompletion& out) {
  const Return served = returns_.front();
  out = {served.id, served.cycle, served.write};
  const bool was_full = returns_full();
  returns_.pop();
  next_return_ = returns_.empty() ? kNever : returns_.front().cycle;
  if (was_full) plan(open_from_, servable());
  ++count_.completions;
}

void DramLogic::archive(Archive& file) {
  file(next_, waiting_, busy_, columns_, try_at_, refresh_due_, open_from_, next_return_, timers_);
  file(occupied_, writes_, held_, awaited_writes_, queued_, accepted_, accept_cycle_, arrivals_);
  file(next_slot_, previous_slot_, arrival_, queue_, turn_, bank_);
}

}  // namespace wharf
