// Asynchronous copies of a warp. They take effect when they issue; the machine moves the bytes in its own time and lets those wait that ask
// for their end.
#include <fmt/format.h>

#include <cstring>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/bits.h"
#include "model/base/error.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/lanes/mbarrier_word.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

namespace {

/// Writes the elements of a bulk copy, or combines them with those that are there.
void write_elements(const Operation& operation, std::byte* to, const std::byte* from, std::uint32_t bytes) {
  if (operation.modify == nullptr) {
    std::memmove(to, from, bytes);
    return;
  }
  const unsigned size = bytes_of(operation.type);
  for (std::uint32_t i = 0; i < bytes; i += size) {
    std::uint64_t old = 0, value = 0;  // the first bytes are the low ones
    std::memcpy(&old, to + i, size);
    std::memcpy(&value, from + i, size);
    value = operation.modify(old, value, value);
    std::memcpy(to + i, &value, size);
  }
}

}  // namespace

/// The lanes whose copy reads global memory; the others write zeros only.
LaneMask PtxWarp::lanes_that_read(const Operation& operation) const {
  if (!operation.operands[2].present()) return kAllLanes;
  if (operation.ignores_source) return ~read_predicate(operation, rows_, 2);
  const std::uint32_t* const bytes = row_of<std::uint32_t>(rows_, operation.operands[2]);
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) lanes |= static_cast<LaneMask>(bytes[lane] != 0) << lane;
  return lanes;
}

void PtxWarp::show_copy(const Operation& operation) {
  MemoryAccess::compute_addresses(operation, rows_, instruction_.addresses);
  instruction_.unit = Unit::load;
  instruction_.active = pending_ & lanes_that_read(operation);
  instruction_.access_bytes = static_cast<std::uint8_t>(bytes_of(operation.type) * operation.elements);
  instruction_.space = Space::global;
  instruction_.cache_op = operation.bypasses_l1 ? CacheOp::bypass_l1 : CacheOp::all;
  instruction_.eviction = eviction_of(operation);
}

/// A load into registers of its own, and a store from there. Lanes that read only some bytes have zeros behind them.
void PtxWarp::execute_copy(const Operation& operation, LaneMask mask) {
  constexpr unsigned kMostWords = 4;
  const std::uint32_t pc = lanes_.running().pc;
  const Frame& frame = *lanes_.running().frame;
  const unsigned bytes = bytes_of(operation.type) * operation.elements;
  alignas(64) std::byte words[kMostWords * kRow32] = {};
  Rows own;
  own.banks[static_cast<unsigned>(Bank::frame)] = words;
  Operation part = operation;
  part.data_wide = 0;
  const auto operands_from = [&](unsigned slot) {
    for (unsigned i = 0; i < operation.elements; ++i) part.operands[slot + i] = Operand(Bank::frame, i * kRow32);
  };
  LaneMask whole = mask & lanes_that_read(operation);
  if (operation.operands[2].present() && !operation.ignores_source) {
    const std::uint32_t* const counts = row_of<std::uint32_t>(rows_, operation.operands[2]);
    for (LaneMask rest = whole; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest_bit(rest), count = counts[lane];
      if (count > bytes) fail(fmt::format("a copy of {} bytes that reads {}; use at most {}", bytes, count, bytes), lane);
      if (count == bytes) continue;
      whole &= ~(LaneMask{1} << lane);
      const std::byte* const from = access_.readable(instruction_.addresses[lane], count, pc, lane);
      for (unsigned i = 0; i < count; ++i) words[i / 4 * kRow32 + lane * 4 + i % 4] = from[i];
    }
  }
  part.action = Action::load;
  operands_from(0);
  access_.execute(part, pc, StateSpace::global, own, frame, whole, instruction_.addresses);
  part.action = Action::store;
  operands_from(1);
  MemoryAccess::Addresses to;
  MemoryAccess::compute_further_addresses(operation, 0, operation.operands[1], rows_, to);
  access_.execute(part, pc, StateSpace::shared, own, frame, mask, to);
  if (checks_ != nullptr) checks_->on_copy(pc, number_, mask, to, bytes);
}

/// Shows the copy of the first lane that is still to come.
void PtxWarp::show_bulk_copy(const Operation& operation) {
  if (operation.operands[kPolicySlot].present())
    cta_->launch.warn(fmt::format("kernel {}: a bulk copy's cache policy has no effect", cta_->launch.kernel.readable_name));
  LaneMask lanes = pending_ & ~(pending_ - 1);
  const unsigned lane = lowest_bit(lanes);
  MemoryAccess::Addresses addresses;
  MemoryAccess::compute_addresses(operation, rows_, addresses);
  BulkCopy copy;
  copy.direction = operation.direction;
  copy.from = copy.reads_shared() ? offset_in_cta(shared_place(StateSpace::shared, addresses, lanes)) : addresses[lane];
  copy.row_bytes = row_of<std::uint32_t>(rows_, operation.operands[2])[lane];
  MemoryAccess::compute_further_addresses(operation, 0, operation.operands[1], rows_, addresses);
  if (copy.writes_global()) copy.to = addresses[lane];
  if (copy.writes_shared()) {
    const Address to = shared_place(StateSpace::shared_cluster, addresses, lanes);
    MemoryAccess::compute_further_addresses(operation, 1, operation.operands[3], rows_, addresses);
    const Address mbarrier = shared_place(StateSpace::shared_cluster, addresses, lanes);
    if (rank_of(to) != rank_of(mbarrier))
      fail("a bulk copy to one block whose mbarrier is in another one; use one of the same block", lane);
    copy.to = offset_in_cta(to);
    copy.mbarrier = offset_in_cta(mbarrier);
    copy.ranks = operation.operands[4].present() ? row_of<std::uint16_t>(rows_, operation.operands[4])[lane] & 0xFFFF
                                                 : std::uint32_t{1} << rank_of(to);
  }
  try {
    copy.put_into(instruction_, static_cast<unsigned>(cta_->launch.request.cluster.count()));
  } catch (const InputError& error) {
    fail(error.what(), lane);
  }
  instruction_.active = LaneMask{1} << lane;
}

void PtxWarp::execute_bulk_copy(const Operation& operation, unsigned lane) {
  const BulkCopy copy = BulkCopy::of(instruction_);
  const std::uint32_t pc = lanes_.running().pc, bytes = copy.bytes();
  if (copy.direction == BulkCopy::Direction::prefetch) return;
  const std::byte* const from =
      copy.reads_shared() ? access_.shared_part(*cta_, copy.from, bytes, pc, lane) : access_.readable(copy.from, bytes, pc, lane);
  std::byte* const to = copy.writes_global() ? access_.writable(copy.to, bytes, pc, lane) : nullptr;
  if (checks_ != nullptr) checks_->on_bulk_copy({operation, {pc, number_, lane}, copy, from, to});
  if (to != nullptr) return write_elements(operation, to, from, bytes);
  for (const unsigned rank : set_bits(copy.ranks)) {
    CtaState& owner = access_.peer(rank, pc, lane);
    write_elements(operation, access_.shared_part(owner, copy.to, bytes, pc, lane), from, bytes);
    if (owner.checks != nullptr) owner.checks->on_write_from_outside(copy.to, bytes);
    count_bytes(cluster_address(rank, copy.mbarrier), bytes, lane);
  }
}

/// The mbarrier counts bytes that an asynchronous operation of the lane has written.
void PtxWarp::count_bytes(Address mbarrier, std::uint32_t bytes, unsigned lane) {
  std::byte* const place = mbarrier_bytes(mbarrier, lane);
  std::uint64_t bits = 0;
  std::memcpy(&bits, place, sizeof bits);
  MbarrierWord word = MbarrierWord::unpacked(bits);
  if (!word.valid) fail(fmt::format("bytes for the mbarrier at offset {:#x}, which is not initialised", offset_in_cta(mbarrier)), lane);
  word.missing_bytes -= bytes;
  if (word.missing_bytes < -MbarrierWord::kMostBytes) fail("bytes that nobody expects; expect them at the mbarrier", lane);
  word.end_if_complete();
  bits = word.packed();
  std::memcpy(place, &bits, sizeof bits);
}

/// Of the lanes of an access, shows those whose mbarriers have the first one's offset. The own CTA is one of the cluster.
void PtxWarp::show_counted_access(const Operation& operation) {
  LaneMask& lanes = instruction_.active;
  const unsigned first = lowest_bit(lanes);
  if (space_ != StateSpace::shared && space_ != StateSpace::shared_cluster)
    fail(fmt::format("an asynchronous store to {:#x}, which is not in shared memory", instruction_.addresses[first]), first);
  MemoryAccess::Addresses mbarriers;
  MemoryAccess::compute_further_addresses(operation, 0, operation.operands[kMbarrierSlot], rows_, mbarriers);
  LaneMask same = 0;
  for (const unsigned lane : set_bits(lanes)) {
    if (space_ == StateSpace::shared) instruction_.addresses[lane] += cluster_address(cta_->rank, 0);
    LaneMask own = LaneMask{1} << lane;
    const Address mbarrier = shared_place(operation.space, mbarriers, own);
    if (rank_of(mbarrier) != rank_of(instruction_.addresses[lane]))
      fail("an asynchronous store to one block whose mbarrier is in another one; use one of the same block", lane);
    if (lane == first) instruction_.mbarrier = offset_in_cta(mbarrier);
    if (offset_in_cta(mbarrier) == instruction_.mbarrier) same |= own;
  }
  lanes = same;
  space_ = StateSpace::shared_cluster;
}

void PtxWarp::count_access() {
  for (const unsigned lane : set_bits(instruction_.active))
    count_bytes(cluster_address(rank_of(instruction_.addresses[lane]), instruction_.mbarrier), instruction_.access_bytes, lane);
}

}  // namespace wharf::ptx
