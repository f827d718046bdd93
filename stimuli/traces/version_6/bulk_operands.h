#pragma once
// The operands of a bulk copy (TMA) in tracer version 6:
//   mbarrier address, multicast flag, [CTA mask], bytes, bytes out of bounds, 3 count addresses | 4 base count differences

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/types.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/version_6/wrong_field.h"

namespace wharf::traces {

struct BulkOperands {
  Address mbarrier = 0;
  std::uint32_t ctas = 0;           // bit r: the CTA of rank r receives; 0: the one of the mbarrier's address
  std::uint32_t bytes = 0;          // those out of bounds included, which nothing accesses
  std::uint32_t out_of_bounds = 0;  // bytes
  std::vector<Address> addresses;   // the bytes in bounds are split evenly among them
};

/// Takes the operands behind the width.
WrongField parse_bulk_operands(TextCursor& cursor, BulkOperands& operands);

/// The copies that together move what the operands say: each has rows at one distance. `like` has the other fields.
std::vector<BulkCopy> copies_of(const BulkOperands& operands, const BulkCopy& like);

/// Up to 32 accesses to global memory of a bulk operation, one per lane from lane 0 on.
struct BulkPiece {
  std::array<Address, kLanes> addresses;
  unsigned count = 0;
};
/// Bytes of each access: the largest size that a lane can access and that divides all addresses and what belongs to each of them.
std::uint8_t access_bytes_of(const BulkOperands& operands);
/// All accesses of the operation, in the order of its addresses.
std::vector<BulkPiece> pieces_of(const BulkOperands& operands);

}  // namespace wharf::traces
