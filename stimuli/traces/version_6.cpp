#include "stimuli/traces/version_6.h"

#include "model/base/barriers/cta_barriers.h"

namespace wharf::traces {

namespace {

constexpr std::uint64_t kLargestCopy = 1 << 20;              // more than shared memory holds
constexpr std::uint64_t kAddressList = 3, kDifferences = 4;  // address modes
constexpr std::uint64_t kLargestAccess = 32;
constexpr std::uint64_t kMostThreads = 1024;  // of a CTA

constexpr WrongField kAddress = {"an address of the bulk copy", "hex digits, and bytes that end before 2^64"};

std::uint64_t bytes_each(const BulkCopy& copy) { return (copy.bytes + copy.addresses.size() - 1) / copy.addresses.size(); }

/// `most`: addresses, each of which moves a byte at least.
WrongField parse_bulk_addresses(TextCursor& cursor, std::uint64_t most, BulkCopy& copy) {
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
    copy.addresses.push_back(base);
  }
  for (const Address address : copy.addresses)
    if (address > ~Address{0} - bytes_each(copy)) return kAddress;
  return {};
}

}  // namespace

WrongField parse_bulk_operands(TextCursor& cursor, BulkCopy& copy) {
  std::uint64_t barrier = 0, multicast = 0, ctas = 0, all = 0, out_of_bounds = 0;
  bool ignored = false;
  if (!cursor.parse_address(barrier, ignored)) return {"the mbarrier address", "hex digits"};
  if (!cursor.parse_unsigned(multicast, 1)) return {"the multicast flag", "0 or 1"};
  if (multicast == 1 && (!cursor.parse_address(ctas, ignored) || ctas > 0xFFFF)) return {"the mask of CTAs", "up to 4 hex digits"};
  if (!cursor.parse_unsigned(all, kLargestCopy)) return {"the bytes of the bulk copy", "a number up to 1048576"};
  if (!cursor.parse_unsigned(out_of_bounds, all)) return {"the bytes out of bounds", "a number up to the copy's bytes"};
  copy.bytes = all - out_of_bounds;
  return parse_bulk_addresses(cursor, all, copy);
}

WrongField parse_values(TextCursor& cursor, LineEnd& end) {
  const std::string_view word = cursor.word();
  if (!word.empty() && word != "Val" && word != "NoVal") return {"what follows the immediates", "Val or NoVal"};
  while (word == "Val" && !cursor.done()) {
    std::uint64_t values = 0, value = 0;
    bool ignored = false;
    if (!cursor.parse_unsigned(values, kLanes) || (values != 1 && values != kLanes))
      return {"the number of a register's values", "1 or 32"};
    for (; values != 0; --values) {
      if (!cursor.parse_address(value, ignored)) return {"a register's value", "hex digits"};
      if (!end.first) end.first = value;
    }
  }
  return {};
}

WrongField read_barrier(bool has_destination, const LineEnd& end, BarrierUse& use) {
  const bool in_register = has_destination && end.first && end.value[1] == 0;
  const std::uint64_t number = in_register ? *end.first : end.value[0], threads = in_register ? end.value[0] : end.value[1];
  if (number >= CtaBarriers::kCount) return {"the number of the barrier", "0 to 15"};
  if (threads % kLanes != 0 || threads > kMostThreads) return {"the count of threads of the barrier", "a multiple of 32 up to 1024"};
  use.number = static_cast<std::uint8_t>(number);
  use.warps = static_cast<std::uint8_t>(threads / kLanes);
  return {};
}

std::uint8_t access_bytes_of(const BulkCopy& copy) {
  Address all = kLargestAccess | bytes_each(copy);
  for (const Address address : copy.addresses) all |= address;
  return static_cast<std::uint8_t>(all & (~all + 1));  // the lowest bit of any
}

std::vector<BulkPiece> pieces_of(const BulkCopy& copy) {
  const unsigned step = access_bytes_of(copy);
  std::vector<BulkPiece> pieces;
  for (const Address begin : copy.addresses) {
    for (std::uint64_t offset = 0; offset < bytes_each(copy); offset += step) {
      if (pieces.empty() || pieces.back().count == kLanes) pieces.emplace_back();
      BulkPiece& piece = pieces.back();
      piece.addresses[piece.count++] = begin + offset;
    }
  }
  return pieces;
}

}  // namespace wharf::traces
