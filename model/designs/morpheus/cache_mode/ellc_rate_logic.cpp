// Service by rate of the extended LLC kernel: a server with a measured rate and latency (morpheus section 9.1).
#include <algorithm>
#include <cmath>

#include "model/designs/morpheus/cache_mode/ellc_kernel.h"

namespace wharf {

EllcBlocks& EllcKernel::begin(unsigned number, std::uint8_t row, EllcOp op, LineAddress line) {
  Warp& warp = warps_[number];
  warp.word.row = row;
  warp.word.op = op;
  warp.access.line = line;
  sends_.clear();
  return warp.blocks;
}

void EllcKernel::end(unsigned number, Cycle now) {
  Warp& warp = warps_[number];
  EllcStep none;
  end_epoch(warp, now, none);
  save_displaced(warp);
  profile(warp);
}

EllcBlocks::Slot EllcKernel::insert(unsigned number) {
  Warp& warp = warps_[number];
  const CompressionLevel level = level_now(warp, warp.access.line, nullptr);
  const EllcBlocks::Slot slot = insert_line(warp, level);
  if (slot == EllcBlocks::kNone) return slot;
  count_level(warp, level);
  EllcStep none;
  evict_victims(warp, 0, none);
  save_displaced(warp);
  return slot;
}

void EllcKernel::updated(unsigned number, EllcBlocks::Slot slot) {
  Warp& warp = warps_[number];
  if (!compresses(warp)) return;
  warp.blocks.change_level(slot, level_of(warp, warp.blocks[slot].line, &warp.blocks[slot]));
  EllcStep none;
  evict_victims(warp, 0, none);
  save_displaced(warp);
}

void EllcKernel::save_displaced(Warp& warp) {
  for (const EllcSend& send : sends_) warp.displaced.push_back({send, warp.messages + 1});
  sends_.clear();
}

bool EllcKernel::packs(unsigned number, LineAddress line, EllcOp op) const {
  const Warp& warp = warps_[number];
  if (!compresses(warp)) return false;
  if (op != EllcOp::read) return true;
  const EllcBlocks::Slot slot = warp.blocks.find(line);
  return slot != EllcBlocks::kNone && warp.blocks.stored_level(slot) != CompressionLevel::uncompressed;
}

/// Every operation takes the time of one line at the SM's rate, in order of arrival, and ends after the measured latency. If an operation
/// takes more or less time than in the measured kernel (compression, Indirect-MOV), it uses proportionally more or less of the rate.
void EllcKernel::serve(Warp& warp, const EllcWord& word, Transaction& message, Cycle now) {
  const bool probe = word.result == EllcResult::miss, reads = word.op == EllcOp::read;
  ++counters_.requests;
  ++counters_.of(word.op);
  ++counters_.of(warp.unit);
  ++(probe ? counters_.tag_only_operations : counters_.block_operations);
  if (word.op != EllcOp::insert) ++(probe ? counters_.misses : counters_.hits);
  if (reads && word.packs) ++counters_.decompressions;
  double ns = params_.rate.c2c_ns;
  if (reads && !probe && warp.unit == EllcUnit::register_file && params_.indirect_mov == IndirectMov::isa)
    ns -= params_.time_ns.rf_software - params_.time_ns.rf_isa;
  if (word.packs) ns += reads ? params_.compression.decompress_ns : params_.compression.compress_ns;

  const double mhz = environment_.core_mhz;
  const std::uint64_t slot = std::max(now * kParts, next_slot_);
  next_slot_ = slot + static_cast<std::uint64_t>(std::llround(params_.rate.line_ns * ns / params_.rate.c2c_ns * mhz));
  const Cycle start = (slot + kParts - 1) / kParts;
  const Cycle in_sm = static_cast<Cycle>(std::llround((ns - params_.rate.network_ns) * mhz / 1000));
  // Evicted blocks are sent before the result of the message that they accompany. The results of a set are sent in the order of its
  // operations.
  warp.since = std::max({start + in_sm, now + kLeast, warp.since});
  ++warp.arrivals;
  auto left = warp.displaced.begin();
  for (; left != warp.displaced.end() && left->with <= warp.arrivals; ++left) {
    left->send.ready = warp.since;
    sends_.push_back(left->send);
  }
  warp.displaced.erase(warp.displaced.begin(), left);
  EllcSend send;
  send.word = word;
  send.word.packs = false;
  send.word.data = word.result == EllcResult::hit;
  send.carrier = &message;
  send.line = message.access.line;
  send.ready = warp.since;
  const unsigned unit = static_cast<unsigned>(warp.unit);
  counters_.kernel_instructions +=
      (costs_.deliver + costs_.tag[unit] + (reads ? costs_.read : costs_.write)[unit] + costs_.result).instructions;
  counters_.busy_warp_cycles += warp.since - now;
  sends_.push_back(send);
}

}  // namespace wharf
