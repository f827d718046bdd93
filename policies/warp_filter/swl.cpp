#include "policies/warp_filter/swl.h"

namespace wharf {

StaticWarpLimit::StaticWarpLimit(std::uint32_t limit, std::uint32_t schedulers) : limit_(limit), own_(schedulers, 0) {
  for (unsigned warp = 0; warp < kMaxWarps; ++warp) own_[warp % schedulers] |= warp_bit(warp);
  choose();
}

void StaticWarpLimit::observe(WarpEvent event) {
  const WarpMask bit = warp_bit(event.warp);
  switch (event.kind) {
    case WarpEvent::Kind::launched:
      order_.launch(event.warp, event.age);
      waiting_ &= ~bit;
      break;
    case WarpEvent::Kind::finished:
      order_.finish(event.warp);
      break;
    case WarpEvent::Kind::waiting:
      waiting_ |= bit;
      break;
    case WarpEvent::Kind::resumed:
      waiting_ &= ~bit;
      break;
    case WarpEvent::Kind::predictor:
    case WarpEvent::Kind::predicted:
      break;
  }
  choose();
}

void StaticWarpLimit::choose() {
  const auto schedulers = static_cast<std::uint32_t>(own_.size());
  WarpMask pool = 0;
  if (limit_ < schedulers) {
    pool = pool_of_few_places();
  } else {
    const WarpMask eligible = order_.resident() & ~waiting_;
    for (std::uint32_t s = 0; s < schedulers; ++s)
      pool |= order_.oldest(eligible & own_[s], limit_ / schedulers + (s < limit_ % schedulers ? 1 : 0));
  }
  masks_.may_issue = pool;
  masks_.may_issue_load = pool;
}

WarpMask StaticWarpLimit::pool_of_few_places() const {
  WarpMask eligible = order_.resident() & ~waiting_;
  WarpMask pool = 0;
  for (std::uint32_t places = limit_; places != 0 && eligible != 0; --places) {
    const unsigned oldest = order_.oldest(eligible);
    pool |= warp_bit(oldest);
    eligible &= ~own_[oldest % own_.size()];
  }
  return pool;
}

}  // namespace wharf
