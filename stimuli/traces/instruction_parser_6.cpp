// What only tracer version 6 has: barriers and bulk copies.

#include <algorithm>

#include "model/base/bits.h"
#include "stimuli/traces/instruction_parser.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

constexpr const char* kLeaveOut = "leave the kernel out of the list, or run with --skip-bad-kernels";

}  // namespace

/// A warp whose predicate does not hold takes no part in a barrier.
void InstructionParser::add_barrier(Line& line, LaneMask active, WarpPacker& out) {
  if (active == 0) return out.add(number_for(line, no_addresses), active);
  if (line.instruction.barrier.of_cluster) return out.add(number_for(line, as_named), active);
  StaticInstruction barrier = line.instruction;
  barrier.barrier.arrives_only = line.arrives_only;
  require(read_barrier(line.destinations != 0, end_, barrier.barrier));
  out.add(code_.intern(barrier), active);
}

/// The addresses of `count` active lanes are those of their mbarriers. Groups of asynchronous loads need none.
void InstructionParser::add_mbarriers(Line& line, LaneMask active, unsigned count, WarpPacker& out) {
  const MbarrierForm& form = line.mbarrier;
  if (active == 0 || (form.only_replay && !in_replay_)) return out.add(number_for(line, as_named), active);
  if (is_on_groups(form.op)) return add_group_use(line, active, out);
  if (count == 0) fail("an instruction for an mbarrier has no address", "record the kernel with the 2.0 tracer");
  if (form.of_several) fail("an arrival at the mbarriers of several CTAs, which the line does not name", kLeaveOut);
  if (form.has_value() && !end_.has_register)
    fail("an instruction for an mbarrier has no value of its second source register", "record the kernel with the registers' values");
  for (unsigned i = 0; i < count; ++i) {
    addresses_[i] = windows_.mbarrier(addresses_[i], form.by_rank);
    require_rank(rank_of(addresses_[i]));
  }
  for (const MbarrierLanes& lanes : uses_of(form, active, addresses_.data(), end_.in_lane)) {
    if (form.adds) add_use(line, lanes.lanes, {MbarrierOp::expect_arrivals, lanes.use.at, lanes.use.value, 0}, out);
    add_use(line, lanes.lanes, lanes.use, out);
  }
}

/// A store or reduction that an mbarrier counts. Its address is a pair of registers: the place in shared memory below, and above it that of
/// the mbarrier. Both have the rank of their CTA above the offset. Returns false where the lines have no pairs and the CTA is alone.
bool InstructionParser::add_counted(const Line& line, LaneMask active, unsigned count, WarpPacker& out) {
  constexpr unsigned kPlaceBits = 32;
  const auto has_mbarrier = [](Address pair) { return pair >> kPlaceBits != 0; };
  if (!std::all_of(addresses_.begin(), addresses_.begin() + count, has_mbarrier)) {
    refuse_peer();
    return false;
  }
  require_cluster();
  std::array<Address, kLanes> mbarriers;
  for (unsigned i = 0; i < count; ++i) {
    mbarriers[i] = windows_.mbarrier(addresses_[i] >> kPlaceBits, true);
    addresses_[i] = windows_.mbarrier(static_cast<std::uint32_t>(addresses_[i]), true);
    require_rank(rank_of(addresses_[i]));
    if (rank_of(mbarriers[i]) != rank_of(addresses_[i]))
      fail("an asynchronous store to the CTA of rank " + std::to_string(rank_of(addresses_[i])) + ", whose mbarrier is in that of rank " +
               std::to_string(rank_of(mbarriers[i])),
           kRecordAgain);
  }
  StaticInstruction access = line.instruction;
  access.space = Space::cluster;
  for (LaneMask left = active; left != 0;) {
    std::array<Address, kLanes> places;
    LaneMask same = 0;
    unsigned lanes = 0, i = 0;
    for (const unsigned lane : set_bits(active)) {
      const std::uint32_t offset = offset_in_cta(mbarriers[i]);
      const bool is_left = (left >> lane & 1) != 0;
      if (is_left && lanes == 0) access.mbarrier = offset;
      if (is_left && offset == access.mbarrier) {
        places[lanes++] = addresses_[i];
        same |= LaneMask{1} << lane;
      }
      ++i;
    }
    out.add_listed(code_.intern(access), same, places.data(), lanes);
    left &= ~same;
  }
  return true;
}

/// LDGDEPBAR and UTMACMDFLUSH end groups, of which DEPBAR.LE waits for those of the kinds that the warp has.
void InstructionParser::add_group_use(const Line& line, LaneMask active, WarpPacker& out) {
  const MbarrierOp op = line.mbarrier.op;
  const std::uint32_t left = groups_left();
  if (op == MbarrierOp::commit_loads) has_load_groups_ = true;
  if (op == MbarrierOp::commit_copies) has_copy_groups_ = true;
  const bool waits = op == MbarrierOp::wait_loads;
  if (!waits || has_load_groups_ || !has_copy_groups_) add_use(line, active, {op, 0, left, 0}, out);
  if (waits && has_copy_groups_) add_use(line, active, {MbarrierOp::wait_copies, 0, left, 0}, out);
}

void InstructionParser::add_use(const Line& line, LaneMask lanes, const MbarrierUse& use, WarpPacker& out) {
  StaticInstruction instruction = line.instruction;
  instruction.unit = Unit::barrier;
  instruction.barrier = MbarrierUse::barrier_of(use.op);
  Address operands[MbarrierUse::kOperands];
  use.put_operands(operands);
  out.add_operands(code_.intern(instruction), lanes, operands, MbarrierUse::kOperands);
}

/// Groups of asynchronous loads that may be unfinished after a wait: its immediate.
std::uint32_t InstructionParser::groups_left() const {
  constexpr std::uint64_t kMostGroups = 63;  // that a scoreboard counts
  return static_cast<std::uint32_t>(std::min(end_.value[0], kMostGroups));
}

/// The CTA names the one of `rank` in its cluster.
void InstructionParser::require_rank(unsigned rank) {
  if (rank >= windows_.ctas())
    fail("rank " + std::to_string(rank) + " in a cluster of " + std::to_string(windows_.ctas()) + " CTAs", kRecordAgain);
  if (rank != windows_.own_rank()) require_cluster();
}

/// Alone in its cluster, a CTA has no peer, and what looks like access to one is to its own memory.
void InstructionParser::refuse_peer() const {
  if (windows_.ctas() != 1)
    fail("asynchronous access to the shared memory of another CTA of the cluster, without the mbarrier that counts its bytes", kLeaveOut);
}

void InstructionParser::begin_or_end_replay(const Line& line) {
  in_replay_ = line.begins_replay;
  if (!line.begins_replay) return;
  ++replay_regions_;
  warnings_.warn("region between REPLAY_START and REPLAY_END, executed once as recorded", source_.name(), source_.line_number());
}

void InstructionParser::parse_bulk(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out) {
  BulkOperands operands;
  require(parse_bulk_operands(cursor, operands));
  parse_end(cursor, false);
  const std::uint32_t in_bounds = operands.bytes - operands.out_of_bounds;
  const bool accesses = !operands.addresses.empty() && in_bounds != 0;
  const bool fills = line.direction == BulkCopy::Direction::to_shared || line.direction == BulkCopy::Direction::between_shared;
  if (active == 0 || (line.copies && fills ? operands.bytes == 0 : !accesses)) return parse_no_addresses(line, active, out);
  if (accesses) bulk_bytes_ += in_bounds;
  if (line.copies) return add_copies(line, operands, out);
  StaticInstruction access = line.instruction;
  access.access_bytes = access_bytes_of(operands);
  const std::uint32_t number = code_.intern(access);
  for (const BulkPiece& piece : pieces_of(operands))
    out.add_listed(number, kAllLanes >> (kLanes - piece.count), piece.addresses.data(), piece.count);
}

/// The copy engine performs them. Mbarriers count the bytes that they write to shared memory.
void InstructionParser::add_copies(const Line& line, const BulkOperands& operands, WarpPacker& out) {
  BulkCopy like;
  like.direction = line.direction;
  if (like.writes_shared()) {
    const bool by_rank = like.reads_shared();  // to another CTA, whose rank the address has
    const Address mbarrier = by_rank ? windows_.mbarrier(operands.mbarrier, true) : windows_.in_cluster(operands.mbarrier, false);
    like.mbarrier = offset_in_cta(mbarrier);
    like.ranks = operands.ctas != 0 ? operands.ctas : 1u << rank_of(mbarrier);
    require_rank(31 - static_cast<unsigned>(__builtin_clz(like.ranks)));
  }
  require_cluster();
  StaticInstruction instruction = line.instruction;
  instruction.unit = Unit::barrier;
  instruction.cache_op = CacheOp::all;
  instruction.barrier = MbarrierUse::barrier_of(MbarrierOp::copy);
  const std::uint32_t number = code_.intern(instruction);
  for (const BulkCopy& copy : copies_of(operands, like)) {
    Address put[BulkCopy::kOperands];
    copy.put_operands(put);
    out.add_operands(number, 1, put, BulkCopy::kOperands);
  }
}

}  // namespace wharf::traces
