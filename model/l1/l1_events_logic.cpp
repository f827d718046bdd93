// Cache events that an L1 sends to its listeners (ciao sections 3.3 and 4.1).

#include "model/l1/l1_logic.h"

namespace wharf {

/// Another cache reports the accesses that a lineless cache passes on to it.
void L1Logic::report_event(CacheEvent::Kind kind, const Access& access) const {
  if (lineless_cache_) return;
  CacheEvent event;
  event.kind = kind;
  event.sm = access.sm;
  event.warp = access.warp;
  event.line = access.line;
  listener_(event);
}

/// The line in `slot` is evicted by that of `by`, or invalidated because `by` writes to it.
void L1Logic::report_removal(CacheEvent::Kind kind, TagArray::Slot slot, const Access& by) const {
  report_removal(kind, LineAddress{tags_.line(slot).number}, tags_.origin(slot), false, by);
}

void L1Logic::report_removal(CacheEvent::Kind kind, LineAddress line, const LineOrigin& origin, bool from_shared, const Access& by) const {
  CacheEvent event;
  event.kind = kind;
  event.from_shared = from_shared;
  event.sm = origin.sm;
  event.warp = origin.warp;
  event.by_sm = by.sm;
  event.by_warp = by.warp;
  event.line = line;
  listener_(event);
}

}  // namespace wharf
