#pragma once
// The messages between a Morpheus controller and the warps of a cache-mode SM (morpheus sections 5.2, 5.5 and 8). Each is one word in
// MessageHeader::tag, next to the access. The access gives line, sectors and covered sectors. Messages with data carry versions.

#include <cstdint>

#include "model/base/access.h"

namespace wharf {

/// The operation that the warp of a row is to perform.
enum class EllcOp : std::uint8_t {
  read,
  write,   // of the access's sectors; a miss stores the line if every byte of it is covered, and waits for the line otherwise
  insert,  // carries the line; a line that is present is kept, unless `dirty`
  touch,   // L1 sets: starts the fetch of the line, without waiting for it (morpheus section 6.6)
  atomic,
};

enum class EllcResult : std::uint8_t {
  hit,   // of a read: with the line
  miss,  // the line is absent and nothing has changed; a write or atomic keeps its data in the warp and waits for ellc_block (not by rate)
  done,  // the operation has finished, and the line is or was present
  dropped,  // a clean insert or a touch found the line present; the touch fetches nothing
};

/// The contents of MessageHeader::tag in every ellc message.
struct EllcWord {
  std::uint8_t row = 0;  // set of the partition, < 256; names the warp together with the partition (model/designs/morpheus/ellc_geometry.h)
  EllcOp op = EllcOp::read;
  EllcResult result = EllcResult::hit;
  bool dirty = false;          // insert, ellc_block: the line differs from DRAM
  bool clear_touched = false;  // ellc_request: clear the touched bits of the set (morpheus section 7.5)
  bool all_touched = false;    // ellc_result: every line of the set has been used since the last clear
  bool data = false;           // the message carries the line or the sectors of the access
  bool nothing = false;        // ellc_poll: set in the answer, clear in the load
  bool packs = false;          // ellc_request by rate: the operation compresses a line, or reads a compressed one

  std::uint32_t pack() const {
    return row | static_cast<std::uint32_t>(op) << 8 | static_cast<std::uint32_t>(result) << 11 | std::uint32_t{dirty} << 13 |
           std::uint32_t{clear_touched} << 14 | std::uint32_t{all_touched} << 15 | std::uint32_t{data} << 16 |
           std::uint32_t{nothing} << 17 | std::uint32_t{packs} << 18;
  }
  static EllcWord unpack(std::uint32_t tag) {
    EllcWord word;
    word.row = static_cast<std::uint8_t>(tag);
    word.op = static_cast<EllcOp>(tag >> 8 & 7);
    word.result = static_cast<EllcResult>(tag >> 11 & 3);
    word.dirty = (tag >> 13 & 1) != 0;
    word.clear_touched = (tag >> 14 & 1) != 0;
    word.all_touched = (tag >> 15 & 1) != 0;
    word.data = (tag >> 16 & 1) != 0;
    word.nothing = (tag >> 17 & 1) != 0;
    word.packs = (tag >> 18 & 1) != 0;
    return word;
  }
};

/// Payload bytes of a message, without its 8 B header (the table of morpheus section 8).
constexpr unsigned ellc_payload_bytes(MessageKind kind, const EllcWord& word) {
  const unsigned line = word.data ? kLineBytes : 0;
  switch (kind) {
    case MessageKind::ellc_request:
    case MessageKind::ellc_block:
      return 8 + line;
    case MessageKind::ellc_result:
      return word.data ? kLineBytes : 8;
    case MessageKind::ellc_fill:
    case MessageKind::ellc_writeback:
      return kLineBytes;
    case MessageKind::ellc_poll:
      return word.nothing ? 8 : 0;
    default:
      return 0;
  }
}

}  // namespace wharf
