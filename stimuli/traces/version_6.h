#pragma once
// What tracer version 6 adds to an instruction line. The operands of a bulk copy (TMA):
//   mbarrier address, multicast flag, [CTA mask], bytes, bytes out of bounds, 3 count addresses | 4 base count differences
// The values of the registers, at the end: NoVal, or Val and for each register 1 value (of all lanes) or 32 values

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/traces/bytes/text_cursor.h"

namespace wharf::traces {

struct BulkCopy {
  std::uint64_t bytes = 0;         // that move, without those out of bounds, which nothing accesses
  std::vector<Address> addresses;  // the bytes are split evenly among them
};

/// A field that is missing or malformed; empty where there is none.
struct WrongField {
  std::string_view name, expected;
};

/// Takes the operands behind the width. A copy to several CTAs reads memory once, so the mask of CTAs is not kept.
WrongField parse_bulk_operands(TextCursor& cursor, BulkCopy& copy);

/// What stands behind the addresses of a line.
struct LineEnd {
  unsigned immediates = 0;                  // how many there are
  std::array<std::uint64_t, 2> value{};     // of the immediates; 0 where there is none
  std::optional<std::uint64_t> first = {};  // value of the first register that the line names, in its first lane
};

/// Checks the registers' values, where there are any, and keeps the first.
WrongField parse_values(TextCursor& cursor, LineEnd& end);

/// How a BAR instruction uses its barrier. With a destination register, that holds the number and the immediate is the count of threads;
/// else the immediates are both. A count of 0 is all threads of the CTA.
WrongField read_barrier(bool has_destination, const LineEnd& end, BarrierUse& use);

/// Up to 32 accesses of a bulk copy, one per lane from lane 0 on.
struct BulkPiece {
  std::array<Address, kLanes> addresses;
  unsigned count = 0;
};

/// Bytes of each access: the largest size that a lane can access and that divides all addresses and what belongs to each of them.
std::uint8_t access_bytes_of(const BulkCopy& copy);
/// All accesses of the copy, in the order of its addresses.
std::vector<BulkPiece> pieces_of(const BulkCopy& copy);

}  // namespace wharf::traces
