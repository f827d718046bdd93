// Mbarriers of a warp: the lanes that use one mbarrier alike are one machine instruction. The word in shared memory changes when the
// instruction issues, and the machine lets the warp wait until what it has been told to wait for has happened there.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/base/barriers/mbarriers.h"
#include "model/base/bits.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/lanes/mbarrier_word.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {
namespace {

/// Sums an operand over lanes; each has `otherwise` where the operand is absent.
std::int64_t sum_of(Operand operand, const Rows& rows, LaneMask lanes, std::uint32_t otherwise) {
  std::int64_t sum = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
    sum += operand.present() ? row_of<std::uint32_t>(rows, operand)[lowest_bit(rest)] : otherwise;
  return sum;
}

std::int64_t arrivals_of(const Operation& operation, const Rows& rows, LaneMask lanes) {
  const bool arrives = is_arrival(operation.mbarrier) || operation.mbarrier == MbarrierKind::arrive_later;
  return arrives ? sum_of(operation.operands[2], rows, lanes, 1) : 0;
}
std::int64_t bytes_of(const Operation& operation, const Rows& rows, LaneMask lanes) {
  const std::int64_t bytes = sum_of(operation.operands[3], rows, lanes, 0);
  return operation.mbarrier == MbarrierKind::complete ? -bytes : bytes;
}

/// The parity of the phase whose end a lane tests.
std::uint32_t tested_parity(const Operation& operation, const Rows& rows, unsigned lane) {
  if (operation.names_parity) return row_of<std::uint32_t>(rows, operation.operands[2])[lane] & 1;
  return MbarrierWord::unpacked(row_of<std::uint64_t>(rows, operation.operands[2])[lane]).parity;
}

/// The state behind an arrival of one lane, or one at which bytes are expected or written. Calls refuse(text), which throws, for misuse.
template <class Refuse>
MbarrierWord arrived(MbarrierWord word, MbarrierKind kind, std::int64_t arrivals, std::int64_t bytes, Refuse refuse) {
  if (is_arrival(kind) && arrivals == 0) refuse("gets 0 arrivals; use 1 or more");
  if (arrivals > word.missing) refuse(fmt::format("gets {} arrivals, and its phase lacks {}", arrivals, word.missing));
  if (kind == MbarrierKind::arrive_drop) {
    if (arrivals > word.arrivals) refuse(fmt::format("loses {} arrivals of each phase, which needs {}", arrivals, word.arrivals));
    word.arrivals -= static_cast<std::uint32_t>(arrivals);
  }
  word.missing -= static_cast<std::uint32_t>(arrivals);
  word.missing_bytes += bytes;
  if (word.missing_bytes > MbarrierWord::kMostBytes || word.missing_bytes < -MbarrierWord::kMostBytes)
    refuse(fmt::format("expects {} bytes in a phase; at most {} are possible", word.missing_bytes, MbarrierWord::kMostBytes));
  word.end_if_complete();
  return word;
}

/// Copies of the warp are awaited, but no mbarrier is used.
bool uses_no_mbarrier(MbarrierKind kind) { return kind >= MbarrierKind::commit_copies; }
/// Operations that are two machine instructions.
bool has_two_steps(MbarrierKind kind) { return kind == MbarrierKind::await_copies || kind == MbarrierKind::expect_later; }

}  // namespace

/// The place in the cluster's shared memory that the first lane names; `lanes` becomes those that name the same one.
Address PtxWarp::shared_place(StateSpace space, MemoryAccess::Addresses& addresses, LaneMask& lanes) const {
  if (space != StateSpace::shared) space = MemoryAccess::split(space, lanes, addresses, lanes);
  const unsigned first = lowest_bit(lanes);
  if (space != StateSpace::shared && space != StateSpace::shared_cluster)
    fail(fmt::format("address {:#x} is not in shared memory", addresses[first]), first);
  if (space == StateSpace::shared && addresses[first] >= kWindowBytes)
    fail(fmt::format("offset {:#x} is not in the block's own shared memory", addresses[first]), first);
  LaneMask same = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
    same |= static_cast<LaneMask>(addresses[lowest_bit(rest)] == addresses[first]) << lowest_bit(rest);
  lanes = same;
  return space == StateSpace::shared ? cluster_address(cta_->rank, addresses[first]) : addresses[first];
}

/// The host bytes of an mbarrier. Throws SimulationError where there is no memory.
std::byte* PtxWarp::mbarrier_bytes(Address at, unsigned lane) {
  const std::uint64_t offset = at - cluster_address(rank_of(at), 0);
  CtaState& owner = access_.peer(rank_of(at), lanes_.running().pc, lane);
  if (offset % MbarrierWord::kBytes != 0) fail(fmt::format("an mbarrier at offset {:#x}; align it to 8 bytes", offset), lane);
  if (owner.shared.size() < MbarrierWord::kBytes || offset > owner.shared.size() - MbarrierWord::kBytes)
    fail(fmt::format("an mbarrier at offset {:#x} of shared memory; there are {} bytes", offset, owner.shared.size()), lane);
  return owner.shared.data() + offset;
}

void PtxWarp::show_mbarrier(const Operation& operation) {
  MbarrierUse use;
  switch (operation.mbarrier) {
    case MbarrierKind::commit_copies:
      use.op = MbarrierOp::commit_loads;
      break;
    case MbarrierKind::await_groups:
      use.op = MbarrierOp::wait_loads;
      use.value = static_cast<std::uint32_t>(operation.immediate);
      break;
    case MbarrierKind::commit_bulk:
      use.op = MbarrierOp::commit_copies;
      break;
    case MbarrierKind::await_bulk:
    case MbarrierKind::await_bulk_reads:
      use.op = operation.mbarrier == MbarrierKind::await_bulk ? MbarrierOp::wait_copies : MbarrierOp::wait_reads;
      use.value = static_cast<std::uint32_t>(operation.immediate);
      break;
    case MbarrierKind::await_copies:
      use.op = share_ == 0 ? MbarrierOp::commit_loads : MbarrierOp::wait_loads;
      break;
    default:
      return show_mbarrier_of_lanes(operation);
  }
  use.put_into(instruction_);
}

/// Shows the part of the lanes that use the first one's mbarrier.
void PtxWarp::show_mbarrier_of_lanes(const Operation& operation) {
  MemoryAccess::Addresses addresses;
  MemoryAccess::compute_addresses(operation, rows_, addresses);
  LaneMask lanes = pending_;
  MbarrierUse use;
  use.at = shared_place(operation.space, addresses, lanes);
  const unsigned first = lowest_bit(lanes);
  if (is_test(operation.mbarrier)) {
    LaneMask same = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest_bit(rest);
      same |= static_cast<LaneMask>(tested_parity(operation, rows_, lane) == tested_parity(operation, rows_, first)) << lane;
    }
    lanes = same;
  }
  instruction_.active = lanes;
  switch (operation.mbarrier) {
    case MbarrierKind::init:
      use.op = MbarrierOp::init;
      use.value = row_of<std::uint32_t>(rows_, operation.operands[2])[first];
      break;
    case MbarrierKind::invalidate:
      use.op = MbarrierOp::invalidate;
      break;
    case MbarrierKind::test:
    case MbarrierKind::try_wait:
      use.op = MbarrierOp::wait;
      use.value = tested_parity(operation, rows_, first);
      use.limit_ns = limit_of(operation, first);
      break;
    case MbarrierKind::arrive_later:
    case MbarrierKind::expect_later:
      use.op = operation.mbarrier == MbarrierKind::expect_later && share_ == 0 ? MbarrierOp::expect_arrivals : MbarrierOp::arrive_later;
      use.value = use.lanes = popcount(lanes);
      break;
    default:
      use.op = operation.mbarrier == MbarrierKind::arrive_drop ? MbarrierOp::arrive_drop : MbarrierOp::arrive;
      use.value = static_cast<std::uint32_t>(arrivals_of(operation, rows_, lanes));
      use.bytes = static_cast<std::int32_t>(bytes_of(operation, rows_, lanes));
      use.lanes = popcount(lanes);
  }
  use.put_into(instruction_);
  if (is_test(operation.mbarrier)) show_test(operation);
}

/// The longest wait of a try_wait in ns; 0 for a test, which waits only until the machine has done what has ended the phase.
std::uint32_t PtxWarp::limit_of(const Operation& operation, unsigned lane) const {
  if (operation.mbarrier == MbarrierKind::test) return 0;
  if (!operation.operands[4].present()) return program_.options().try_wait_ns;
  return std::max(1u, row_of<std::uint32_t>(rows_, operation.operands[4])[lane]);
}

/// A test of a phase that has not ended fails at once where the program wants no wait, or where other lanes of the warp may end the phase.
void PtxWarp::show_test(const Operation& operation) {
  const MbarrierUse use = MbarrierUse::of(instruction_);
  std::uint64_t bits = 0;
  std::memcpy(&bits, mbarrier_bytes(use.at, lowest_bit(instruction_.active)), sizeof bits);
  const MbarrierWord word = MbarrierWord::unpacked(bits);
  passes_ = !word.valid || word.parity != use.value || (operation.mbarrier == MbarrierKind::try_wait && !lanes_.has_others());
  instruction_.fails_test = !passes_;
  if (!passes_) instruction_.unit = Unit::alu;
}

void PtxWarp::time_out() {
  if (waited_.row != nullptr) write_predicate(*reinterpret_cast<LaneMask*>(waited_.row), 0, waited_.lanes);
  acquires_ = false;
  timed_out_ = true;
}

void PtxWarp::execute_mbarrier(const Operation& operation, LaneMask lanes) {
  const MbarrierKind kind = operation.mbarrier;
  if (is_test(kind)) {
    const Operand result = operation.operands[0];
    if (result.present()) write_predicate(rows_.predicate(result), passes_ ? kAllLanes : 0, lanes);
    if (!passes_) return;
    acquires_ = true;
    waited_ = {result.present() ? rows_.of(result) : nullptr, lanes};
  }
  if (checks_ != nullptr) note_copies(operation, lanes);
  if (uses_no_mbarrier(kind)) return;
  arrive_at_mbarrier(operation, lanes);
}

/// Tells the checks of groups of copies and of their ends.
void PtxWarp::note_copies(const Operation& operation, LaneMask lanes) {
  switch (operation.mbarrier) {
    case MbarrierKind::commit_copies:
      return checks_->on_commit_of_copies(number_, lanes);
    case MbarrierKind::await_groups:
      return checks_->on_wait_for_groups(number_, lanes, static_cast<std::uint32_t>(operation.immediate));
    case MbarrierKind::await_copies:
    case MbarrierKind::arrive_later:
    case MbarrierKind::expect_later:
      return checks_->on_wait_for_copies(number_, lanes);
    default:
      return;
  }
}

/// The effect on the word in shared memory.
void PtxWarp::arrive_at_mbarrier(const Operation& operation, LaneMask lanes) {
  const MbarrierUse use = MbarrierUse::of(instruction_);
  const MbarrierKind kind = operation.mbarrier;
  const unsigned lane = lowest_bit(lanes);
  std::byte* const place = mbarrier_bytes(use.at, lane);
  std::uint64_t before = 0;
  std::memcpy(&before, place, sizeof before);
  MbarrierWord word = MbarrierWord::unpacked(before);
  const auto refuse = [&](const std::string& text) {
    fail(fmt::format("the mbarrier at offset {:#x} {}", use.at - cluster_address(rank_of(use.at), 0), text), lane);
  };
  if (kind == MbarrierKind::init) {
    if (use.value == 0 || use.value > MbarrierWord::kMostArrivals)
      refuse(fmt::format("is initialised for {} arrivals; use 1 to {}", use.value, MbarrierWord::kMostArrivals));
    word = {use.value, use.value, 0, 0, true};
  } else if (!word.valid) {
    refuse("is not initialised; initialise it, and let the threads that use it meet at a barrier first");
  } else if (kind == MbarrierKind::invalidate) {
    word = {};
  } else if (!is_test(kind)) {
    std::uint64_t states[kLanes] = {};
    for (const unsigned arriving : set_bits(lanes)) {  // lanes arrive one after the other
      states[arriving] = word.packed();
      const LaneMask own = LaneMask{1} << arriving;
      word = arrived(word, kind, arrivals_of(operation, rows_, own), bytes_of(operation, rows_, own), refuse);
    }
    if (is_arrival(kind) && operation.operands[0].present()) write_row(rows_.of(operation.operands[0]), states, lanes);
    if (checks_ != nullptr) checks_->on_release(number_);
  }
  const std::uint64_t after = word.packed();
  std::memcpy(place, &after, sizeof after);
}

/// Shows the next part of an operation on mbarriers or of a copy: lanes that are one machine instruction.
void PtxWarp::show_asynchronous(const Operation& operation) {
  instruction_.active = pending_;
  if (pending_ == 0) {  // the guard holds in no lane
    instruction_.unit = Unit::alu;
    return;
  }
  if (operation.action == Action::copy) return show_copy(operation);
  if (operation.action == Action::bulk_copy) return show_bulk_copy(operation);
  show_mbarrier(operation);
}

void PtxWarp::issue_asynchronous(const Operation& operation) {
  const std::uint32_t pc = lanes_.running().pc;
  const LaneMask part = operation.action == Action::copy ? pending_ : instruction_.active;
  const bool is_mbarrier = operation.action == Action::mbarrier;
  if (part != 0 && is_mbarrier && share_ == 0 && has_two_steps(operation.mbarrier)) {
    share_ = 1;
    return show_mbarrier(operation);
  }
  if (part != 0 && operation.action == Action::copy) execute_copy(operation, part);
  if (part != 0 && operation.action == Action::bulk_copy) execute_bulk_copy(operation, lowest_bit(part));
  if (part != 0 && is_mbarrier) execute_mbarrier(operation, part);
  const bool fails = is_mbarrier && part != 0 && is_test(operation.mbarrier) && !passes_;
  cta_->launch.progress.note();
  pending_ &= ~part;
  share_ = 0;
  if (pending_ != 0) return show_asynchronous(operation);
  ready_ = false;
  lanes_.go_to(pc + 1);
  if (fails && lanes_.has_others()) lanes_.give_way();
}

}  // namespace wharf::ptx
