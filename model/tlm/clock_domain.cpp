#include "model/tlm/clock_domain.h"

#include <algorithm>
#include <functional>

#include "model/base/bits.h"
#include "model/base/rng.h"

namespace wharf {

namespace {

/// Prefetches the host cache lines in which most blocks keep the members that they read first.
void fetch(const void* block) {
  const auto* begin = static_cast<const char*>(block);
  for (unsigned line = 0; line < 4; ++line) __builtin_prefetch(begin + 64 * line);
}

}  // namespace

ClockDomain::ClockDomain(sc_core::sc_module_name name, std::uint32_t mhz, ClockOptions options)
    : sc_module(name),
      next_delay_(1'000'000 / mhz),
      slots_(kSlots),
      edges_of_all_(ClockEdges::of_simulation()),
      number_(edges_of_all_->add(*this, mhz)),
      mhz_(mhz),
      options_(options) {}

ClockDomain::BlockId ClockDomain::add(Clocked& block, Act act) {
  blocks_.push_back({act, &block, &block});
  const std::size_t words = (blocks_.size() + 63) / 64;
  if (words != words_) {
    std::vector<std::uint64_t> wider(kSlots * words);
    for (Cycle slot = 0; slot < kSlots; ++slot) std::copy_n(&slots_[slot * words_], words_, &wider[slot * words]);
    slots_ = std::move(wider);
    words_ = words;
  }
  return static_cast<BlockId>(blocks_.size() - 1);
}

void ClockDomain::end_of_elaboration() {
  const Cycle first = next_cycle();
  if (first != kNever) schedule(first);
}

void ClockDomain::on_edge() {
  now_ = scheduled_;
  now_ps_ = present();
  next_delay_ = edge(now_ + 1) - now_ps_;
  scheduled_ = 0;
  ++edges_;
  if (!far_.empty()) prefetch_blocks();
  act_all(now_);
  // A commit may request further commits, which are appended.
  for (std::size_t i = 0; i < commits_.size(); ++i) commits_[i]->commit();
  commits_.clear();
  scheduled_ = kNever;
  Cycle next = next_cycle();
  if (options_.ticking && next != kNever) next = now_ + 1;
  if (next != kNever)
    schedule(next);
  else
    edges_of_all_->due(number_, kNever);
}

void ClockDomain::act_all(Cycle now) {
  std::uint64_t* slot = &slots_[(now % kSlots) * words_];
  occupied_.clear(now);
  if (options_.ticking || options_.scramble_seed) {
    order_.clear();
    for (BlockId id = 0; id < blocks_.size(); ++id)
      if (options_.ticking || (slot[id / 64] >> (id % 64) & 1)) order_.push_back(id);
    std::fill_n(slot, words_, 0);
    if (options_.scramble_seed) Rng(*options_.scramble_seed, now).shuffle(order_.begin(), order_.end());
    for (BlockId id : order_) blocks_[id].act(*blocks_[id].block, now);
    return;
  }
  const Block* blocks = blocks_.data();
  for (const std::uint64_t* end = slot + words_; slot != end; ++slot, blocks += 64) {
    std::uint64_t bits = *slot;
    *slot = 0;
    while (bits != 0) {
      const Block& block = blocks[lowest_bit(bits)];
      bits &= bits - 1;
      // The blocks of a large machine do not fit in the host's caches, so the next one is prefetched while this one acts.
      if (bits != 0) {
        const Block& next = blocks[lowest_bit(bits)];
        fetch(next.block);
        fetch(next.hot);
      }
      block.act(*block.block, now);
    }
  }
}

// Not inlined into wake(), which rarely calls it.
[[gnu::noinline]] void ClockDomain::wake_far(BlockId block, Cycle cycle) {
  far_.emplace_back(cycle, block);
  std::push_heap(far_.begin(), far_.end(), std::greater<>());
  if (cycle < scheduled_) schedule(cycle);
}

[[gnu::noinline]] void ClockDomain::schedule(Cycle cycle) {
  scheduled_ = cycle;
  edges_of_all_->due(number_, now_ps_ + delay(cycle - now_));
}

void ClockDomain::prefetch_blocks() {
  while (!far_.empty() && far_.front().first - now_ < kSlots) {
    const auto [cycle, block] = far_.front();
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
    wake_near(block, cycle);
  }
}

Cycle ClockDomain::next_cycle() const {
  const Cycle near = occupied_.next(now_ + 1);
  return far_.empty() ? near : std::min(near, far_.front().first);
}

}  // namespace wharf
