#include "stimuli/traces/version_6/bulk_operands.h"

#include <utility>

namespace wharf::traces {

namespace {

constexpr std::uint64_t kLargestCopy = 1 << 20;              // more than shared memory holds
constexpr std::uint64_t kAddressList = 3, kDifferences = 4;  // address modes
constexpr std::uint64_t kLargestAccess = 32;

constexpr WrongField kAddress = {"an address of the bulk copy", "hex digits, and bytes that end before 2^64"};

std::uint64_t in_bounds(const BulkOperands& operands) { return operands.bytes - operands.out_of_bounds; }

std::uint64_t bytes_each(const BulkOperands& operands) {
  return (in_bounds(operands) + operands.addresses.size() - 1) / operands.addresses.size();
}

/// `most`: addresses, each of which moves a byte at least.
WrongField parse_bulk_addresses(TextCursor& cursor, std::uint64_t most, BulkOperands& operands) {
  std::uint64_t mode = 0, count = 0;
  Address base = 0;
  bool ignored = false;
  if (!cursor.parse_unsigned(mode, kDifferences) || mode < kAddressList)
    return {"the address mode of the bulk copy", "3 (list) or 4 (base and differences)"};
  if (mode == kDifferences && !cursor.parse_address(base, ignored)) return kAddress;
  if (!cursor.parse_unsigned(count, most)) return {"the number of addresses of the bulk copy", "a number up to its bytes"};
  for (std::uint64_t i = 0; i < count; ++i) {
    std::int64_t difference = 0;
    if (mode == kAddressList && !cursor.parse_address(base, ignored)) return kAddress;
    if (mode == kDifferences && i != 0 && !cursor.parse_signed(difference)) return {"an address difference", "a decimal number"};
    base += static_cast<Address>(difference);
    operands.addresses.push_back(base);
  }
  for (const Address address : operands.addresses)
    if (address > ~Address{0} - bytes_each(operands)) return kAddress;
  return {};
}

}  // namespace

WrongField parse_bulk_operands(TextCursor& cursor, BulkOperands& operands) {
  std::uint64_t multicast = 0, ctas = 0, all = 0, out_of_bounds = 0;
  bool ignored = false;
  if (!cursor.parse_address(operands.mbarrier, ignored)) return {"the mbarrier address", "hex digits"};
  if (!cursor.parse_unsigned(multicast, 1)) return {"the multicast flag", "0 or 1"};
  if (multicast == 1 && (!cursor.parse_address(ctas, ignored) || ctas > 0xFFFF)) return {"the mask of CTAs", "up to 4 hex digits"};
  if (!cursor.parse_unsigned(all, kLargestCopy)) return {"the bytes of the bulk copy", "a number up to 1048576"};
  if (!cursor.parse_unsigned(out_of_bounds, all)) return {"the bytes out of bounds", "a number up to the copy's bytes"};
  operands.ctas = static_cast<std::uint32_t>(ctas);
  operands.bytes = static_cast<std::uint32_t>(all);
  operands.out_of_bounds = static_cast<std::uint32_t>(out_of_bounds);
  return parse_bulk_addresses(cursor, all, operands);
}

/// Places in shared memory are unknown. Rows of a tensor lie there behind each other from the first byte on. A copy to global memory writes
/// nothing out of bounds, and one between shared memories has no rows.
std::vector<BulkCopy> copies_of(const BulkOperands& operands, const BulkCopy& like) {
  std::vector<BulkCopy> copies;
  if (like.direction == BulkCopy::Direction::between_shared) {
    copies.push_back(like);
    copies.back().row_bytes = operands.bytes;
    return copies;
  }
  const std::vector<Address>& addresses = operands.addresses;
  const std::uint64_t each = addresses.empty() ? 0 : like.writes_global() ? bytes_each(operands) : in_bounds(operands) / addresses.size();
  const auto row_bytes = static_cast<std::uint32_t>(each);
  std::uint32_t moved = 0;
  for (std::size_t first = 0, end = 0; row_bytes != 0 && first != addresses.size(); first = end) {
    const Address stride = first + 1 == addresses.size() ? 0 : addresses[first + 1] - addresses[first];
    end = first + 1;
    while (end != addresses.size() && addresses[end] - addresses[end - 1] == stride) ++end;
    BulkCopy copy = like;
    copy.from = like.writes_global() ? moved : addresses[first];
    copy.to = like.writes_global() ? addresses[first] : moved;
    copy.row_bytes = row_bytes;
    copy.rows = static_cast<std::uint32_t>(end - first);
    copy.row_stride = stride;
    if (stride == row_bytes) copy.row_bytes *= std::exchange(copy.rows, 1);
    moved += copy.read();
    copies.push_back(copy);
  }
  if (like.writes_global()) return copies;
  if (copies.empty()) {
    copies.push_back(like);
    copies.back().rows = 0;
  }
  copies.back().filled = operands.bytes - moved;  // out of bounds, and what does not divide evenly
  return copies;
}

std::uint8_t access_bytes_of(const BulkOperands& operands) {
  Address all = kLargestAccess | bytes_each(operands);
  for (const Address address : operands.addresses) all |= address;
  return static_cast<std::uint8_t>(all & (~all + 1));  // the lowest bit of any
}

std::vector<BulkPiece> pieces_of(const BulkOperands& operands) {
  const unsigned step = access_bytes_of(operands);
  std::vector<BulkPiece> pieces;
  for (const Address begin : operands.addresses) {
    for (std::uint64_t offset = 0; offset < bytes_each(operands); offset += step) {
      if (pieces.empty() || pieces.back().count == kLanes) pieces.emplace_back();
      BulkPiece& piece = pieces.back();
      piece.addresses[piece.count++] = begin + offset;
    }
  }
  return pieces;
}

}  // namespace wharf::traces
