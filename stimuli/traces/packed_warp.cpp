#include "stimuli/traces/packed_warp.h"

#include <cstring>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/bits.h"
#include "model/base/error.h"

namespace wharf::traces {

namespace {

// Maps small differences of either sign to small numbers: 0, -1, 1, -2 ... -> 0, 1, 2, 3 ...
constexpr std::uint64_t fold(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unfold(std::uint64_t value) { return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1); }

constexpr std::uint64_t kListed = 0;  // in place of a stride: differences follow. A stride s is fold(s) + 1.
constexpr std::int64_t kLargestStride = std::int64_t{1} << 40;

constexpr std::int64_t difference(Address to, Address from) { return static_cast<std::int64_t>(to - from); }

}  // namespace

std::uint32_t CodeTable::intern(const StaticInstruction& instruction) {
  const auto [latest, is_new] = latest_of_pc_.try_emplace(instruction.pc, kNone);
  for (std::uint32_t number = latest->second; number != kNone; number = entries_[number].next_of_same_pc) {
    if (entries_[number].instruction == instruction) return number;
  }
  entries_.push_back({instruction, latest->second});
  latest->second = static_cast<std::uint32_t>(entries_.size() - 1);
  return latest->second;
}

void PackedBytes::damaged() {
  throw InputError(
      "a packed trace is damaged: its bytes end too early or name what is not there; delete it, or run 'wharf trace pack' again");
}

void WarpPacker::begin(std::uint32_t number, LaneMask active) {
  const bool mask_changes = active != active_;
  append_number(bytes_, fold(static_cast<std::int64_t>(number) - expected_) << 1 | (mask_changes ? 1 : 0));
  if (mask_changes) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof active);
    std::memcpy(bytes_.data() + at, &active, sizeof active);
  }
  expected_ = number + 1;
  active_ = active;
  ++instructions_;
}

void WarpPacker::put_first_address(Address first) {
  append_number(bytes_, fold(difference(first, address_)));
  address_ = first;
}

void WarpPacker::add_strided(std::uint32_t number, LaneMask active, Address first, std::int64_t stride) {
  begin(number, active);
  put_first_address(first);
  if (stride > -kLargestStride && stride < kLargestStride) {
    append_number(bytes_, fold(stride) + 1);
    return;
  }
  append_number(bytes_, kListed);
  for (unsigned i = 1; i < lanes_in(active); ++i) append_number(bytes_, fold(stride));
}

void WarpPacker::add_listed(std::uint32_t number, LaneMask active, const Address* addresses, unsigned count) {
  const std::int64_t stride = count > 1 ? difference(addresses[1], addresses[0]) : 0;
  bool regular = true;
  for (unsigned i = 2; i < count && regular; ++i) regular = difference(addresses[i], addresses[i - 1]) == stride;
  if (regular) {
    add_strided(number, active, addresses[0], stride);
    return;
  }
  begin(number, active);
  put_first_address(addresses[0]);
  append_number(bytes_, kListed);
  for (unsigned i = 1; i < count; ++i) append_number(bytes_, fold(difference(addresses[i], addresses[i - 1])));
}

void WarpPacker::add_operands(std::uint32_t number, LaneMask active, const Address* operands, unsigned count) {
  begin(number, active);
  for (unsigned i = 0; i < count; ++i) append_number(bytes_, operands[i]);
}

PackedWarp WarpPacker::finish() {
  PackedWarp warp;
  warp.bytes.assign(bytes_.begin(), bytes_.end());
  warp.instructions = instructions_;
  bytes_.clear();
  instructions_ = 0;
  expected_ = 0;
  active_ = kAllLanes;
  address_ = 0;
  return warp;
}

bool PackedStream::decode() {
  if (bytes_.at_end()) return false;
  const std::uint64_t head = bytes_.number();
  const auto number = static_cast<std::uint32_t>(expected_ + unfold(head >> 1));
  if (head & 1) bytes_.copy_to(current_.active);
  if (number >= code_->size()) PackedBytes::damaged();
  expected_ = number + 1;
  const StaticInstruction& fixed = (*code_)[number];
  current_.pc = fixed.pc;
  current_.unit = fixed.unit;
  current_.space = fixed.space;
  current_.cache_op = fixed.cache_op;
  current_.eviction = fixed.eviction;
  current_.access_bytes = fixed.access_bytes;
  current_.unit_cycles = fixed.unit_cycles;
  current_.destination = fixed.destination;
  current_.sources = fixed.sources;
  current_.barrier = fixed.barrier;
  current_.mbarrier = fixed.mbarrier;
  if (has_addresses(fixed.unit) && current_.active != 0) decode_addresses();
  if (fixed.unit == Unit::barrier && MbarrierUse::is_by(fixed.barrier)) decode_operands();
  decoded_ = true;
  return true;
}

void PackedStream::decode_operands() {
  const bool copies = static_cast<MbarrierOp>(current_.barrier.number) == MbarrierOp::copy;
  for (unsigned i = 0; i < (copies ? BulkCopy::kOperands : MbarrierUse::kOperands); ++i) current_.addresses[i] = bytes_.number();
  const bool good = copies ? BulkCopy::is_copy(current_.addresses) && BulkCopy::of(current_).ranks >> ctas_ == 0
                           : rank_of(MbarrierUse::of(current_).at) < ctas_;
  if (!good) PackedBytes::damaged();
}

void PackedStream::decode_addresses() {
  Address address = address_ + static_cast<Address>(unfold(bytes_.number()));
  address_ = address;
  const std::uint64_t form = bytes_.number();
  const LaneMask others = current_.active & (current_.active - 1);
  current_.addresses[lowest_bit(current_.active)] = address;
  if (form != kListed) {
    const auto stride = static_cast<Address>(unfold(form - 1));
    for (const unsigned lane : set_bits(others)) {
      address += stride;
      current_.addresses[lane] = address;
    }
    return;
  }
  for (const unsigned lane : set_bits(others)) {
    address += static_cast<Address>(unfold(bytes_.number()));
    current_.addresses[lane] = address;
  }
}

}  // namespace wharf::traces
