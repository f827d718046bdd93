#include "policies/core_selector/supplier.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

SupplierSelector::SupplierSelector(unsigned cores, unsigned self, const SupplierParams& params, Rng random)
    : cores_(cores), self_(self), params_(params), random_(random) {
  weigh();
}

/// Derives weights from the counts; uniform if there was no reply.
void SupplierSelector::weigh() {
  std::uint32_t lowest = 0;
  for (unsigned core = 0; core < cores_; ++core)
    if (counts_[core] != 0 && (lowest == 0 || counts_[core] < lowest)) lowest = counts_[core];
  for (unsigned core = 0; core < cores_; ++core)
    weights_[core] = lowest == 0 ? 1 : counts_[core] != 0 ? 2 * counts_[core] : lowest;
  weights_[self_] = 0;
}

/// Closes the periods that have ended by `now`. Where several have, the last one had no replies.
void SupplierSelector::advance(Cycle now) {
  const std::uint64_t period = now / params_.period_cycles;
  if (period == period_) return;
  if (period > period_ + 1) counts_.fill(0);
  if (params_.mode == SelectorMode::previous_period) weigh();
  counts_.fill(0);
  if (params_.mode == SelectorMode::running) weigh();
  period_ = period;
}

void SupplierSelector::replied(unsigned core, Cycle now) {
  advance(now);
  ++counts_[core];
  if (params_.mode == SelectorMode::running) weigh();
}

bool SupplierSelector::archive(Archive& file) {
  file(random_, period_, counts_, weights_);
  return true;
}

std::uint64_t SupplierSelector::weight(unsigned core, Cycle now) {
  advance(now);
  return weights_[core];
}

void SupplierSelector::select(unsigned count, const HolderMask&, Cycle now, CoreList& out) {
  advance(now);
  out.count = 0;
  std::array<std::uint8_t, CoreList::kMost> left;
  unsigned remaining = 0;
  std::uint64_t total = 0;
  for (unsigned core = 0; core < cores_; ++core) {
    if (core == self_) continue;
    left[remaining++] = static_cast<std::uint8_t>(core);
    total += weights_[core];
  }
  for (count = std::min(count, remaining); count > 0; --count) {
    std::uint64_t point = random_.below(total);
    unsigned place = 0;
    while (point >= weights_[left[place]]) point -= weights_[left[place++]];
    const unsigned core = left[place];
    total -= weights_[core];
    out.add(core);
    std::copy(left.begin() + place + 1, left.begin() + remaining, left.begin() + place);
    --remaining;
  }
}

}  // namespace wharf
