// What an L1 tells of whose lines come and go (ciao sections 3.3 and 4.1).

#include "model/l1/l1_logic.h"

namespace wharf {

void L1Logic::tell(CacheEvent::Kind kind, const Access& access) const {
  CacheEvent event;
  event.kind = kind;
  event.sm = access.sm;
  event.warp = access.warp;
  event.line = access.line;
  tell_(event);
}

/// The line in `slot` gives way to that of `by`.
void L1Logic::tell_evicted(TagArray::Slot slot, const Access& by) const {
  const LineOrigin& origin = tags_.origin(slot);
  CacheEvent event;
  event.kind = CacheEvent::Kind::evicted;
  event.sm = origin.sm;
  event.warp = origin.warp;
  event.by_sm = by.sm;
  event.by_warp = by.warp;
  event.line = LineAddress{tags_.line(slot).number};
  tell_(event);
}

}  // namespace wharf
