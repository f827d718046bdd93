#include "policies/warp_filter/ccws.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"

namespace wharf {

WarpFilterNeeds Ccws::needs() const {
  WarpFilterNeeds needs;
  needs.issues = needs.losses = needs.losses_at_once = true;
  needs.victim_sets = 2;
  return needs;
}

std::uint64_t Ccws::cutoff() const { return std::uint64_t{params_.base} * static_cast<unsigned>(__builtin_popcountll(resident_)); }

std::uint64_t Ccws::score(unsigned w, Cycle now) const {
  const Warp& warp = warps_[w];
  const std::uint64_t fallen = (now - warp.set) * params_.decay;
  return warp.score > params_.base + fallen ? warp.score - fallen : params_.base;
}

void Ccws::changed(const WarpEvent& event) {
  Warp& warp = warps_[event.warp];
  if (event.kind == WarpEvent::Kind::launched) {
    warp = {};
    resident_ |= warp_bit(event.warp);
  } else if (event.kind == WarpEvent::Kind::finished) {
    hits_ -= warp.hits;
    issued_ -= warp.issued;
    warp = {};
    resident_ &= ~warp_bit(event.warp);
  } else {
    return;
  }
  due_ = 0;
}

void Ccws::issued(unsigned warp, Cycle) {
  ++warps_[warp].issued;
  ++issued_;
}

void Ccws::lost(const LostLine& loss, Cycle now) {
  if ((resident_ & warp_bit(loss.victim)) == 0) return;
  Warp& warp = warps_[loss.victim];
  ++warp.hits;
  ++hits_;
  warp.score = hits_ * params_.k * cutoff() / std::max<std::uint64_t>(1, issued_);
  warp.set = now;
  due_ = 0;
}

void Ccws::advance(Cycle now) {
  struct Scored {
    std::uint64_t score;
    unsigned warp;
  };
  std::array<Scored, kMaxWarps> order;
  unsigned count = 0;
  std::uint64_t first_at_base = ~std::uint64_t{0};  // least excess over the base: until it has decayed, the order is fixed
  for (const unsigned w : set_bits(resident_)) {
    order[count++] = {score(w, now), w};
    if (order[count - 1].score > params_.base) first_at_base = std::min(first_at_base, order[count - 1].score - params_.base);
  }
  std::sort(order.begin(), order.begin() + count,
            [](const Scored& a, const Scored& b) { return a.score != b.score ? a.score > b.score : a.warp < b.warp; });
  std::uint64_t sum = 0, falling = 0;
  WarpMask can_load = 0;
  for (unsigned i = 0; i < count && (i == 0 || sum < cutoff()); ++i) {
    sum += order[i].score;
    if (order[i].score > params_.base) falling += params_.decay;
    can_load |= warp_bit(order[i].warp);
  }
  masks_.may_issue_load = can_load;
  if (can_load == resident_)
    due_ = kNever;  // decaying scores disable no warp
  else
    due_ = now + std::min((sum - cutoff()) / falling + 1, (first_at_base + params_.decay - 1) / params_.decay);
}

bool Ccws::archive(Archive& file) {
  file(masks_, due_, warps_, resident_, hits_, issued_);
  return true;
}

}  // namespace wharf
