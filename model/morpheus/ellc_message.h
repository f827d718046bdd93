#pragma once
// What a Morpheus controller and the warps of a cache-mode SM tell each other (morpheus sections 5.2, 5.5 and 8): one word beside the line,
// in MessageHeader::tag. Line, sectors and covered sectors are those of the access; versions travel where data do.

#include <cstdint>

#include "model/base/access.h"

namespace wharf {

/// What the warp of a row is to do.
enum class EllcOp : std::uint8_t {
  read,
  write,   // of the sectors of the access; a miss stores the line where every byte of it is covered, and waits for it otherwise
  insert,  // the line comes with it; one that is there already stays, unless `dirty`
  touch,   // L1 sets: have the line fetched, wait for nothing (morpheus section 6.6)
  atomic,
};

enum class EllcResult : std::uint8_t {
  hit,      // of a read: with the line
  miss,     // the line is not there; nothing has changed. A write or atomic keeps its data in the warp and waits for ellc_block (no service by rate)
  done,     // the line is there, or was: the operation is over
  dropped,  // a clean insert found the line there, or a touch did, which then fetches nothing
};

/// MessageHeader::tag of every ellc message.
struct EllcWord {
  std::uint8_t row = 0;  // set of the partition, < 256; with the partition it names the warp (model/morpheus/ellc_geometry.h)
  EllcOp op = EllcOp::read;
  EllcResult result = EllcResult::hit;
  bool dirty = false;          // insert, ellc_block: the line differs from DRAM
  bool clear_touched = false;  // ellc_request: forget which lines of the set have been used (morpheus section 7.5)
  bool all_touched = false;    // ellc_result: every line of the set has been used since
  bool data = false;           // the line, or the sectors of the access, travel with it
  bool nothing = false;        // ellc_poll: the answer; the load itself without it
  bool packs = false;          // ellc_request of a service by rate: a line is compressed, or what is read is kept so

  std::uint32_t pack() const {
    return row | static_cast<std::uint32_t>(op) << 8 | static_cast<std::uint32_t>(result) << 11 | std::uint32_t{dirty} << 13 |
           std::uint32_t{clear_touched} << 14 | std::uint32_t{all_touched} << 15 | std::uint32_t{data} << 16 | std::uint32_t{nothing} << 17 |
           std::uint32_t{packs} << 18;
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

/// Payload bytes beside the 8 B header of a message (the table of morpheus section 8).
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
