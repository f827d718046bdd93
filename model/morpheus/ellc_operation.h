#pragma once
// One operation of a set, from the request queue of its partition to the warp that owns it (morpheus sections 5.2 and 5.4).

#include "model/base/access.h"
#include "model/morpheus/ellc_message.h"

namespace wharf {

struct EllcOperation {
  LineAddress line;
  std::uint32_t tag = 0;             // of the line, in its set
  std::uint8_t row = 0;
  EllcOp op = EllcOp::read;
  bool dirty = false;                // insert: the line differs from DRAM
  bool counted = false;              // as a hit, a miss or merged
  bool forced = false;               // another operation with the line was pending: nobody asked the predictor
  bool was_resident = false;         // when it was predicted
  std::uint8_t riders = 0;           // reads that share the answer, linked behind the requester by `next`
  bool held = false;                 // in an MSHR's list, and still in its place of the request queue (morpheus section 5.6 rule 4)
  Transaction* requester = nullptr;  // waits for an answer: a read, an atomic, a write that has not been acknowledged
  Transaction* data = nullptr;       // goes to the warp: of an acknowledged write, or an insert

  bool carries_data() const { return op == EllcOp::write || op == EllcOp::insert || op == EllcOp::atomic; }
};

}  // namespace wharf
