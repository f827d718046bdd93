#pragma once
// One operation of a set, from the request queue of its partition to the warp that owns the set (morpheus sections 5.2 and 5.4).

#include "model/base/access.h"
#include "model/designs/morpheus/ellc_message.h"

namespace wharf {

struct EllcOperation {
  LineAddress line;
  std::uint32_t tag = 0;  // of the line, within its set
  std::uint8_t row = 0;
  EllcOp op = EllcOp::read;
  bool dirty = false;                // insert: the line differs from DRAM
  bool counted = false;              // as a hit, a miss or merged
  bool forced = false;               // another operation with the line was pending, so the predictor was not consulted
  bool was_resident = false;         // the line was in its set at the time of the prediction
  std::uint8_t riders = 0;           // reads that share the answer, linked behind the requester through `next`
  bool held = false;                 // in an MSHR's list, but still holds its request queue entry (morpheus section 5.6 rule 4)
  Transaction* requester = nullptr;  // waits for an answer: a read, an atomic, or an unacknowledged write
  Transaction* data = nullptr;       // sent to the warp: for an acknowledged write, or an insert

  bool carries_data() const { return op == EllcOp::write || op == EllcOp::insert || op == EllcOp::atomic; }
};

}  // namespace wharf
