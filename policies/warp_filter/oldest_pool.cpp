#include "policies/warp_filter/oldest_pool.h"

namespace wharf {

OldestPool::OldestPool(std::uint32_t schedulers) : own_(schedulers, 0) {
  for (unsigned warp = 0; warp < kMaxWarps; ++warp) own_[warp % schedulers] |= warp_bit(warp);
}

void OldestPool::observe(const WarpEvent& event) {
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
}

WarpMask OldestPool::of(std::uint32_t places) const {
  const auto schedulers = static_cast<std::uint32_t>(own_.size());
  if (places < schedulers) return of_few(places);
  const WarpMask eligible = order_.resident() & ~waiting_;
  WarpMask pool = 0;
  for (std::uint32_t s = 0; s < schedulers; ++s)
    pool |= order_.oldest(eligible & own_[s], places / schedulers + (s < places % schedulers ? 1 : 0));
  return pool;
}

WarpMask OldestPool::of_few(std::uint32_t places) const {
  WarpMask eligible = order_.resident() & ~waiting_;
  WarpMask pool = 0;
  for (; places != 0 && eligible != 0; --places) {
    const unsigned oldest = order_.oldest(eligible);
    pool |= warp_bit(oldest);
    eligible &= ~own_[oldest % own_.size()];
  }
  return pool;
}

}  // namespace wharf
