#include "model/tlm/block_wheel.h"

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

unsigned BlockWheel::add(const Block& block) {
  blocks_.push_back(block);
  const std::size_t words = (blocks_.size() + 63) / 64;
  if (words != words_) {
    std::vector<std::uint64_t> wider(kSlots * words);
    for (Cycle slot = 0; slot < kSlots; ++slot) std::copy_n(&slots_[slot * words_], words_, &wider[slot * words]);
    slots_ = std::move(wider);
    words_ = words;
  }
  return static_cast<unsigned>(blocks_.size() - 1);
}

void BlockWheel::act(Cycle now, const ClockOptions& options) {
  occupied_.clear(now);
  if (options.ticking || options.scramble_seed) return act_in_order(now, options);
  std::uint64_t* slot = &slots_[(now % kSlots) * words_];
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

/// With options that change which blocks act, or in which order.
void BlockWheel::act_in_order(Cycle now, const ClockOptions& options) {
  std::uint64_t* slot = &slots_[(now % kSlots) * words_];
  order_.clear();
  for (unsigned block = 0; block < blocks_.size(); ++block)
    if (options.ticking || (slot[block / 64] >> (block % 64) & 1) != 0) order_.push_back(block);
  std::fill_n(slot, words_, 0);
  if (options.scramble_seed) Rng(*options.scramble_seed, now).shuffle(order_.begin(), order_.end());
  for (const unsigned block : order_) blocks_[block].act(*blocks_[block].block, now);
}

unsigned BlockWheel::awake(Cycle cycle) const {
  unsigned awake = 0;
  for (std::size_t word = 0; word < words_; ++word) awake += popcount(slots_[(cycle % kSlots) * words_ + word]);
  return awake;
}

// Not inlined into wake(), which rarely calls it.
[[gnu::noinline]] void BlockWheel::wake_far(unsigned block, Cycle cycle) {
  far_.emplace_back(cycle, block);
  std::push_heap(far_.begin(), far_.end(), std::greater<>());
}

void BlockWheel::take_near(Cycle now) {
  while (!far_.empty() && far_.front().first - now < kSlots) {
    const auto [cycle, block] = far_.front();
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
    wake_near(block, cycle);
  }
}

Cycle BlockWheel::next_cycle(Cycle now) const {
  if (blocks_.empty()) return kNever;
  const Cycle near = occupied_.next(now + 1);
  return far_.empty() ? near : std::min(near, far_.front().first);
}

}  // namespace wharf
