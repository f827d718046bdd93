#include "model/l2/reused_data.h"

namespace wharf {

ReusedData::ReusedData(stats::Group& g, std::uint32_t slots)
    : generations_(slots),
      reads_(g, "reused.reads", "reads of data that are accessed more than once: by loads, atomics and writebacks", stats::Unit::accesses),
      writes_(g, "reused.writes", "writes of such data: by stores and atomics", stats::Unit::accesses),
      fills_(g, "reused.fills", "fills of such data", stats::Unit::accesses) {}

void ReusedData::accessed(Slot slot, AccessKind kind, bool first) {
  Generation& generation = generations_[slot];
  const bool reads = kind != AccessKind::store, writes = kind == AccessKind::store || kind == AccessKind::atomic;
  if (first) {
    generation = {false, reads, writes, 0};
    return;
  }
  if (!generation.reused) {
    generation.reused = true;
    reads_ += generation.reads;
    writes_ += generation.writes;
    fills_ += generation.fills;
  }
  reads_ += reads;
  writes_ += writes;
}

}  // namespace wharf
