#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/designs/morpheus/cache_mode/ellc_kernel.h"

namespace wharf {

namespace {

constexpr Cycle kFillCycles = 1;  // as in every L1 (CM-9)

[[noreturn]] void fail(const std::string& what, const Access& access) {
  throw SimulationError("a warp of a cache-mode SM has received " + what + ", line " + std::to_string(access.line.number) + ", access " +
                        std::to_string(access.id));
}

void copy(const SectorVersions& from, SectorMask sectors, SectorVersions& to) {
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (sectors >> s & 1) to[s] = from[s];
}

}  // namespace

EllcKernel::EllcKernel(const EllcKernelParams& params, const Environment& environment, stats::Group& group)
    : params_(params),
      environment_(environment),
      costs_(params, environment.core_mhz),
      compressor_(make_compressor(params.compression.algorithm)),
      counters_(group, params.delivery) {
  warps_.reserve(params.warps());
  for (std::uint32_t warp = 0; warp < params.warps(); ++warp) {
    const EllcUnit unit = params.unit_of(warp);
    warps_.emplace_back(unit, params.most_blocks(unit), params.data_blocks(unit), environment.seed + warp);
  }
}

const std::vector<EllcSend>& EllcKernel::arrived(unsigned number, MessageKind kind, const EllcWord& word, Transaction& message, Cycle now) {
  sends_.clear();
  changes_.clear();
  Warp& warp = warps_[number];
  if (params_.service == EllcService::rate) {
    serve(warp, word, message, now);
    return sends_;
  }
  if (kind == MessageKind::ellc_poll) {
    warp.word.row = word.row;
    poll_again(warp, message, now);
    return sends_;
  }
  if (kind == MessageKind::ellc_fill) {
    fill(warp, message, now);
  } else if (kind == MessageKind::ellc_block) {
    warp.word.row = word.row;
    warp.word.dirty = word.dirty;
    block(warp, message, now);
  } else {
    if (warp.state != State::idle) fail("an operation before the end of the last one", message.access);
    warp.word = word;
    request(warp, message, now);
  }
  for (EllcSend& send : sends_) send.ready = std::max(send.ready, now + kLeast);
  // A spinning warp polls after its result, the last message of an operation, but not while it waits for DRAM itself.
  const bool loads_block = warp.state == State::missed && environment_.miss_fetch == MissFetch::warp;
  if (params_.delivery == Delivery::spin && !loads_block && !sends_.empty() && sends_.back().kind == MessageKind::ellc_result)
    sends_.push_back(poll(warp, sends_.back().ready));
  return sends_;
}

EllcSend EllcKernel::first_poll(unsigned number, Cycle now) {
  return poll(warps_[number], now + kLeast + costs_.poll.cycles * number / warps_.size());
}

EllcSend EllcKernel::poll(Warp& warp, Cycle ready) {
  EllcSend send;
  send.kind = MessageKind::ellc_poll;
  send.word.row = warp.word.row;
  send.ready = warp.polled = ready;
  return send;
}

/// The row was empty: the warp repeats its load. It has one load in flight at a time and issues them at the interval of poll_ns.
void EllcKernel::poll_again(Warp& warp, Transaction& message, Cycle now) {
  if (warp.state != State::idle && warp.state != State::missed) fail("the answer to a load of its row while it is busy", message.access);
  ++counters_.polls->empty;
  counters_.polls->instructions += costs_.poll.instructions;
  counters_.kernel_instructions += costs_.poll.instructions;
  EllcSend next = poll(warp, std::max({warp.polled + costs_.poll.cycles, now + costs_.deliver.cycles, now + kLeast}));
  next.carrier = &message;
  sends_.push_back(next);
}

void EllcKernel::request(Warp& warp, Transaction& message, Cycle now) {
  ++counters_.requests;
  ++counters_.of(warp.word.op);
  ++counters_.of(warp.unit);
  warp.access = message.access;
  warp.versions = message.versions;
  warp.since = now;
  if (warp.word.clear_touched) warp.blocks.clear_touched();
  operate(warp, message, issue(warp.unit, now), costs_.deliver + costs_.tag[static_cast<unsigned>(warp.unit)]);
}

void EllcKernel::operate(Warp& warp, Transaction& message, Cycle start, EllcStep steps) {
  end_epoch(warp, start, steps);
  profile(warp);
  const EllcBlocks::Slot slot = warp.blocks.find(warp.access.line);
  const bool of_l1 = warp.unit == EllcUnit::l1;
  if (warp.word.op == EllcOp::insert) {
    if (of_l1) fail("an insertion into an L1 set", warp.access);
    insert(warp, message, slot, start, steps);
  } else if (warp.word.op == EllcOp::touch) {
    if (!of_l1) fail("a touch for a set that is not in the L1", warp.access);
    if (slot == EllcBlocks::kNone) {
      miss_in_l1(warp, message, start, steps);
    } else {
      ++counters_.drops;
      ++counters_.tag_only_operations;
      finish(warp, message, EllcResult::dropped, EllcBlocks::kNone, start, steps);
    }
  } else if (slot != EllcBlocks::kNone) {
    hit(warp, message, slot, start, steps);
  } else {
    miss(warp, message, start, steps);
  }
}

void EllcKernel::insert(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps) {
  if (slot == EllcBlocks::kNone) {
    insert_block(warp, message, warp.word.dirty, start, steps);
    return;
  }
  // Implements morpheus section 5.6 rule 5.
  ++counters_.duplicate_inserts;
  if (!warp.word.dirty) {
    ++counters_.drops;
    ++counters_.tag_only_operations;
    finish(warp, message, EllcResult::dropped, EllcBlocks::kNone, start, steps);
    return;
  }
  ++counters_.block_operations;
  steps += write_step(warp);
  write(warp, slot, message.versions, kAllSectors, start, steps);
  finish(warp, message, EllcResult::done, EllcBlocks::kNone, start, steps);
}

void EllcKernel::hit(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps) {
  ++counters_.hits;
  ++counters_.block_operations;
  if (warp.blocks[slot].pending) {
    ++counters_.pending_hits;
    hold(warp, message, State::fetching);
    counters_.kernel_instructions += steps.instructions;
    return;
  }
  const bool writes = warp.word.op == EllcOp::write;
  steps += writes ? write_step(warp) : read_step(warp);
  if (!writes && warp.blocks.stored_level(slot) != CompressionLevel::uncompressed) {
    ++counters_.decompressions;
    steps += costs_.decompress;
  }
  perform(warp, message, slot, start, steps);
}

/// Performs the operation on a present block whose register or line has been accessed.
void EllcKernel::perform(Warp& warp, Transaction& message, EllcBlocks::Slot slot, Cycle start, EllcStep steps) {
  warp.blocks.use(slot);
  if (warp.word.op == EllcOp::read) {
    finish(warp, message, EllcResult::hit, slot, start, steps);
    return;
  }
  const bool atomic = warp.word.op == EllcOp::atomic;
  if (atomic) steps += costs_.atomic;
  write(warp, slot, warp.versions, warp.access.sectors, start, steps);
  finish(warp, message, EllcResult::done, atomic ? slot : EllcBlocks::kNone, start, steps);
}

/// Writes `sectors` of a block, compresses it, and evicts blocks if it needs a larger place.
void EllcKernel::write(Warp& warp, EllcBlocks::Slot slot, const SectorVersions& versions, SectorMask sectors, Cycle start,
                       EllcStep& steps) {
  EllcBlocks::Block& block = warp.blocks[slot];
  copy(versions, sectors, block.versions);
  warp.blocks.use(slot);
  if (warp.unit == EllcUnit::l1 && params_.l1_ext_write == EllcL1Write::through) {
    write_back(warp, block, kAllSectors, start + steps.cycles);
    return;
  }
  block.dirty = kAllSectors;
  if (!compresses(warp)) return;
  steps += costs_.compress;
  warp.blocks.change_level(slot, level_of(warp, block.line, &block));
  evict_victims(warp, start, steps);
}

void EllcKernel::miss(Warp& warp, Transaction& message, Cycle start, EllcStep steps) {
  const bool whole = warp.word.op == EllcOp::write && warp.access.covered == kAllSectors;
  if (whole) {
    insert_block(warp, message, true, start, steps);
  } else if (warp.unit == EllcUnit::l1) {
    miss_in_l1(warp, message, start, steps);
  } else {
    ++counters_.tag_only_operations;
    finish(warp, message, EllcResult::miss, EllcBlocks::kNone, start, steps);
    if (warp.word.op != EllcOp::read || environment_.miss_fetch == MissFetch::warp) warp.state = State::missed;
  }
  if (warp.state != State::no_way) ++counters_.misses;
}

/// The L1 allocates a line and requests it. A victim is sent before the result of a touch, because the controller must receive the victim
/// before it learns of the eviction (morpheus section 5.6 rule 3).
void EllcKernel::miss_in_l1(Warp& warp, Transaction& message, Cycle start, EllcStep steps) {
  const EllcBlocks::Slot slot = insert_line(warp, CompressionLevel::uncompressed);
  if (slot == EllcBlocks::kNone) {
    hold(warp, message, State::no_way);
    return;
  }
  ++counters_.tag_only_operations;
  ++counters_.fetches;
  warp.blocks[slot].pending = true;
  warp.blocks[slot].valid = 0;
  EllcStep known = steps + read_step(warp);
  evict_victims(warp, start, known);
  EllcSend fetch;
  fetch.kind = MessageKind::ellc_fetch;
  fetch.word = warp.word;
  fetch.line = warp.access.line;
  fetch.ready = start + known.cycles + costs_.l1_fetch.cycles;
  sends_.push_back(fetch);
  if (warp.word.op == EllcOp::touch) {
    finish(warp, message, EllcResult::done, EllcBlocks::kNone, start, steps);
    sends_.back().ready = std::max(sends_.back().ready, fetch.ready);
  } else {
    hold(warp, message, State::fetching);
    counters_.kernel_instructions += known.instructions;
  }
}

/// Inserts an absent block with its whole line.
void EllcKernel::insert_block(Warp& warp, Transaction& message, bool dirty, Cycle start, EllcStep steps) {
  const EllcBlocks::Slot slot = insert_line(warp, level_of(warp, warp.access.line, nullptr));
  if (slot == EllcBlocks::kNone) {
    hold(warp, message, State::no_way);
    return;
  }
  ++counters_.block_operations;
  warp.blocks[slot].versions = message.versions;
  warp.blocks[slot].dirty = dirty ? kAllSectors : SectorMask{0};
  if (warp.unit == EllcUnit::l1) {
    steps += write_step(warp);
    evict_victims(warp, start, steps);
    if (params_.l1_ext_write == EllcL1Write::through) {
      warp.blocks[slot].dirty = 0;
      write_back(warp, warp.blocks[slot], kAllSectors, start + steps.cycles);
    }
  } else {
    steps += costs_.victim;
    evict_victims(warp, start, steps);
    steps += write_step(warp);
    if (compresses(warp)) steps += costs_.compress;
  }
  finish(warp, message, EllcResult::done, EllcBlocks::kNone, start, steps);
}

/// Handles state FETCH of the row (morpheus section 5.5): the block for a write or atomic that missed, or for a read that found no free
/// MSHR.
void EllcKernel::block(Warp& warp, Transaction& message, Cycle now) {
  const bool read = warp.word.op == EllcOp::read;
  if (!(warp.state == State::missed || (warp.state == State::idle && read)) || warp.access.line != message.access.line)
    fail("a block that it does not wait for", message.access);
  ++counters_.blocks;
  ++counters_.block_operations;
  if (warp.state == State::idle) warp.since = now;
  warp.state = State::idle;
  const Cycle start = issue(warp.unit, now);
  EllcStep steps = costs_.deliver + costs_.victim;
  end_epoch(warp, start, steps);
  // The block's level follows from its present contents, which include the pending write.
  const EllcBlocks::Slot slot = insert_line(warp, level_of(warp, warp.access.line, nullptr));
  evict_victims(warp, start, steps);
  steps += write_step(warp);
  if (compresses(warp)) steps += costs_.compress;
  EllcBlocks::Block& block = warp.blocks[slot];
  block.versions = message.versions;
  block.dirty = warp.word.dirty || !read ? kAllSectors : SectorMask{0};
  if (!read) copy(warp.versions, warp.access.sectors, block.versions);
  const bool atomic = warp.word.op == EllcOp::atomic;
  if (atomic) steps += costs_.atomic;
  const bool answers = atomic || (read && environment_.miss_fetch == MissFetch::warp);
  message.access = warp.access;
  finish(warp, message, read && answers ? EllcResult::hit : EllcResult::done, answers ? slot : EllcBlocks::kNone, start, steps);
}

void EllcKernel::fill(Warp& warp, const Transaction& message, Cycle now) {
  const EllcBlocks::Slot slot = warp.blocks.find(message.access.line);
  if (slot == EllcBlocks::kNone || !warp.blocks[slot].pending) fail("a line that its L1 has not requested", message.access);
  ++counters_.fills;
  ++counters_.block_operations;
  warp.blocks[slot].pending = false;
  warp.blocks[slot].valid = kAllSectors;
  warp.blocks[slot].versions = message.versions;
  if (warp.state == State::fetching && warp.access.line == message.access.line) {
    warp.state = State::idle;
    perform(warp, *warp.held, slot, now + kFillCycles, {});
  } else if (warp.state == State::no_way) {
    warp.state = State::idle;
    operate(warp, *warp.held, now + kFillCycles, {});
  }
}

void EllcKernel::hold(Warp& warp, Transaction& message, State state) {
  if (state == State::no_way) ++counters_.way_waits;
  warp.state = state;
  warp.held = &message;
}

/// Sends the result. `data` is the block whose line travels with it, or kNone.
void EllcKernel::finish(Warp& warp, Transaction& message, EllcResult result, EllcBlocks::Slot data, Cycle start, EllcStep steps) {
  steps += costs_.result;
  counters_.kernel_instructions += steps.instructions;
  EllcSend send;
  send.word.row = warp.word.row;
  send.word.op = warp.word.op;
  send.word.result = result;
  send.word.all_touched = warp.blocks.all_touched();
  send.word.data = data != EllcBlocks::kNone;
  send.carrier = &message;
  send.line = warp.access.line;
  send.ready = start + steps.cycles;
  if (send.word.data) message.versions = warp.blocks[data].versions;
  counters_.busy_warp_cycles += send.ready - warp.since;
  warp.since = send.ready;
  sends_.push_back(send);
}

/// Inserts the line of the operation; evict_victims() must follow. Returns kNone if the operation must wait for a way.
EllcBlocks::Slot EllcKernel::insert_line(Warp& warp, CompressionLevel level) {
  const EllcBlocks::Slot slot = warp.blocks.insert(warp.access.line, level);
  warp.has_been_full |= !warp.blocks.victims().empty();
  if (slot != EllcBlocks::kNone) changes_.push_back({warp.access.line, true});
  return slot;
}

/// Evicts the victims. Dirty ones are written back to DRAM, one after the other.
void EllcKernel::evict_victims(Warp& warp, Cycle start, EllcStep& steps) {
  for (const EllcBlocks::Block& victim : warp.blocks.victims()) {
    ++counters_.evictions;
    changes_.push_back({victim.line, false, victim.dirty != 0});
    if (victim.dirty == 0) continue;
    ++counters_.dirty_victims;
    if (warp.unit != EllcUnit::l1) steps += read_step(warp) + costs_.writeback;
    write_back(warp, victim, victim.dirty, start + steps.cycles);
  }
  warp.blocks.clear_victims();
}

void EllcKernel::write_back(const Warp& warp, const EllcBlocks::Block& block, SectorMask sectors, Cycle ready) {
  EllcSend send;
  send.kind = MessageKind::ellc_writeback;
  send.word.row = warp.word.row;
  send.word.op = warp.word.op;
  send.word.dirty = send.word.data = true;
  send.line = block.line;
  send.versions = block.versions;
  send.sectors = sectors;
  send.ready = ready;
  sends_.push_back(send);
}

/// The compression level of an inserted block or, if `block` is given, of an updated one. It is decided anew each time (morpheus section 7
/// point 2).
CompressionLevel EllcKernel::level_of(Warp& warp, LineAddress line, const EllcBlocks::Block* block) {
  const CompressionLevel level = level_now(warp, line, block);
  count_level(warp, level);
  return level;
}

CompressionLevel EllcKernel::level_now(Warp& warp, LineAddress line, const EllcBlocks::Block* block) {
  if (!compresses(warp)) return CompressionLevel::uncompressed;
  LineBytes bytes;
  CompressionLevel level;
  if (params_.compression.source == LevelSource::contents && environment_.contents && environment_.contents(line, bytes))
    level = compressor_->compress(bytes).level;
  else if (block == nullptr)
    level = random_level(SplitMix64(line.number ^ SplitMix64(environment_.seed).next()).next());
  else
    level = warp.rng.chance(params_.compression.drawn_change) ? random_level(warp.rng.next()) : block->level;
  return level;
}

void EllcKernel::count_level(Warp& warp, CompressionLevel level) {
  if (!compresses(warp)) return;
  ++warp.epoch_counts[static_cast<unsigned>(level)];
  ++(level == CompressionLevel::high  ? counters_.kept_high
     : level == CompressionLevel::low ? counters_.kept_low
                                      : counters_.kept_uncompressed);
}

CompressionLevel EllcKernel::random_level(std::uint64_t random) const {
  const double unit = static_cast<double>(random >> 11) * 0x1.0p-53;
  if (unit < params_.compression.drawn_high) return CompressionLevel::high;
  return unit < params_.compression.drawn_high + params_.compression.drawn_low ? CompressionLevel::low : CompressionLevel::uncompressed;
}

/// Profiles the set only after it has evicted a block, because its contents show its capacity only from then on.
void EllcKernel::profile(Warp& warp) {
  if (!warp.has_been_full || !compresses(warp)) return;
  counters_.profiled_blocks += warp.blocks.size();
  counters_.profiled_places += params_.data_blocks(warp.unit);
}

/// Ends the epoch if this operation is the first of a new one. Redistributes the places among the levels by the blocks that were inserted,
/// if there were enough of them (morpheus section 7).
void EllcKernel::end_epoch(Warp& warp, Cycle start, EllcStep& steps) {
  const std::uint64_t epoch = start / params_.compression.epoch_cycles;
  if (!compresses(warp) || epoch == warp.epoch) return;
  warp.epoch = epoch;
  const auto& counts = warp.epoch_counts;
  if (counts[0] + counts[1] + counts[2] < params_.compression.epoch_events) return;
  warp.blocks.assign(counts);
  warp.epoch_counts = {};
  ++counters_.layout_changes;
  counters_.layout_evictions += warp.blocks.victims().size();
  evict_victims(warp, start, steps);
}

/// Returns the cycle in which an operation of this unit starts. Issue slots are assigned in order of arrival.
Cycle EllcKernel::issue(EllcUnit unit, Cycle now) {
  std::uint64_t& next = next_issue_[static_cast<unsigned>(unit)];
  const std::uint64_t slot = std::max(now * kParts, next);
  next = slot + costs_.issue_gap[static_cast<unsigned>(unit)];
  return (slot + kParts - 1) / kParts;
}

/// Evicted blocks may wait for the set's next message, which may come in the next kernel.
void EllcKernel::archive(Archive& file) {
  for (Warp& warp : warps_) {
    file.expect_quiet(warp.state == State::idle, "a warp of a cache-mode SM");
    file(warp.blocks, warp.has_been_full, warp.word, warp.access, warp.versions, warp.since, warp.epoch, warp.epoch_counts, warp.rng);
    file(warp.displaced, warp.messages, warp.arrivals);
  }
  file(next_issue_, next_slot_);
}

}  // namespace wharf
