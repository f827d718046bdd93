// Executes a warp up to and through its timed instructions.
#include "stimuli/ptx/execution/ptx_warp.h"

#include <fmt/format.h>

#include <utility>

#include "model/base/bits.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/lanes/cache_policy.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

namespace {

/// Operations that are passed over in a row, because loops may never end.
constexpr unsigned kMostPassedOver = 4096;

LaneMask threads_of(const Dim3& block, unsigned warp) {
  const std::uint64_t rest = block.count() - std::uint64_t{warp} * kLanes;
  return rest >= kLanes ? kAllLanes : (LaneMask{1} << rest) - 1;
}

bool is_access(Action action) { return action == Action::load || action == Action::store || action == Action::atomic; }
bool is_asynchronous(Action action) { return action == Action::mbarrier || action == Action::copy || action == Action::bulk_copy; }

Unit unit_of(Action action, StateSpace space) {
  if (space == StateSpace::shared || space == StateSpace::shared_cluster)
    return action == Action::atomic ? Unit::shared_atomic : Unit::shared;
  return action == Action::load ? Unit::load : action == Action::store ? Unit::store : Unit::atomic;
}

}  // namespace

PtxWarp::PtxWarp(std::shared_ptr<CtaState> cta, unsigned number)
    : cta_(std::move(cta)),
      program_(cta_->launch.program),
      checks_(cta_->checks.get()),
      number_(number),
      lanes_(cta_->launch.kernel, threads_of(cta_->launch.request.block, number), cta_->launch.pool),
      access_(*cta_, number) {
  cta_->launch.progress.begin_warp();
  // Only rows of the frame are ever destinations.
  rows_.banks[static_cast<unsigned>(Bank::constants)] = const_cast<std::byte*>(program_.constants().data());
  rows_.banks[static_cast<unsigned>(Bank::launch)] = cta_->launch.rows.data();
  rows_.banks[static_cast<unsigned>(Bank::cta)] = cta_->rows.data();
  rows_.banks[static_cast<unsigned>(Bank::warp)] = cta_->launch.warp_rows.data() + std::size_t{number} * kWarpRowsBytes;
}

void PtxWarp::fail(const std::string& text, unsigned lane) const {
  fail_thread(*cta_, {lanes_.splits().empty() ? cta_->launch.kernel.begin : lanes_.splits().back().pc, number_, lane}, text);
}

LaneMask PtxWarp::guarded(const Operation& operation, LaneMask mask) const {
  if (!operation.guard.present()) return mask;
  const LaneMask guard = rows_.predicate(operation.guard);
  return mask & (operation.guard_negated ? ~guard : guard);
}

const WarpInstruction* PtxWarp::peek() {
  if (!ready_ && !finished_) ready_ = cta_->launch.options.returns_faults ? prepare_or_end() : prepare();
  return ready_ ? &instruction_ : nullptr;
}

/// As prepare(), but a fault, of this warp or another one, ends the launch: all its warps end.
bool PtxWarp::prepare_or_end() {
  if (cta_->launch.fault == nullptr) {
    try {
      return prepare();
    } catch (const ThreadFault&) {
      Islands::require_mainland("a fault ends a kernel");
      cta_->launch.fault = std::current_exception();
    }
  }
  finish();
  return false;
}

/// Runs to the next timed instruction and shows it; returns false at the end of the warp.
bool PtxWarp::prepare() {
  if (std::exchange(waits_, false)) cta_->launch.progress.go_on();
  if (!reductions_.empty()) read_barrier();
  if (std::exchange(acquires_, false) && checks_ != nullptr) checks_->on_acquire(number_);
  if (std::exchange(timed_out_, false)) lanes_.yield_turn();  // to lanes that may end the phase
  while (!lanes_.ended()) {
    if (found_ != SpinWatch::Finding::none || lanes_.is_turn_over(program_.options().yield_after)) end_turn();
    Split& split = lanes_.running();
    const Operation& operation = program_.code()[split.pc];
    use_frame(*split.frame);
    if (!may_go_on(operation, split, guarded(operation, split.mask))) continue;
    const LaneMask mask = guarded(operation, split.mask);  // which may have gained lanes
    const Issue& issue = program_.issues()[split.pc];
    if (issue.cost.size() != 0 && !passes_over(operation, issue.cost, split)) {
      show(operation, issue, split, mask);
      return true;
    }
    mask_ = pending_ = mask;
    if (is_access(operation.action)) {
      MemoryAccess::compute_addresses(operation, rows_, instruction_.addresses);
      access_.execute(operation, split.pc, operation.space, rows_, *split.frame, mask, instruction_.addresses);
      lanes_.go_to(split.pc + 1);
    } else {
      execute(operation, mask);
    }
  }
  finish();
  return false;
}

/// True where the operation is executed without being shown; counts its instructions then.
bool PtxWarp::passes_over(const Operation& operation, const Cost& cost, Split& split) {
  const Action action = operation.action;
  const bool computes = action == Action::compute || action == Action::matrix_product || action == Action::branch;
  if (passed_over_ == nullptr || !computes || passed_over_in_turn_ == kMostPassedOver) {
    passed_over_in_turn_ = 0;
    return false;
  }
  ++passed_over_in_turn_;
  for (const Share& share : cost.shares) {
    issued_ += share.count;
    *passed_over_ += share.count;
  }
  split.is_forced = false;
  return true;
}

void PtxWarp::finish() {
  finished_ = true;
  cta_->launch.progress.end_warp();
  cta_->launch.warp_instructions += issued_;
  if (checks_ != nullptr) checks_->on_end_of_warp();
  cta_->barriers.end_warp(number_);
  if (cta_->barriers.ended())
    ++cta_->launch.finished_ctas;
  else
    require_progress();
}

/// False where the split has to wait, and another one runs now.
bool PtxWarp::may_go_on(const Operation& operation, const Split& split, LaneMask mask) {
  if (operation.action == Action::barrier || operation.action == Action::cluster_barrier) return reach_barrier(operation, mask);
  if (operation.waits_for_lanes && !split.is_forced && split.mask != lanes_.live()) return gather_lanes(mask);
  return true;
}

void PtxWarp::show(const Operation& operation, const Issue& issue, const Split& split, LaneMask mask) {
  mask_ = mask;
  share_ = 0;
  instruction_.pc = split.pc * Program::kBytesPerInstruction;
  instruction_.destination = issue.destination;
  instruction_.sources = issue.sources;
  instruction_.mbarrier = kNoMbarrier;
  instruction_.fails_test = false;
  instruction_.active = mask;
  instruction_.unit = issue.cost.shares[0].unit;
  instruction_.repeat = issue.cost.shares[0].count;
  if (operation.action == Action::barrier || operation.action == Action::cluster_barrier) {
    instruction_.active = lanes_.live();
    instruction_.barrier = barrier_use(operation, static_cast<unsigned>(__builtin_ctz(mask)));
  }
  if (operation.action == Action::texture) show_texture(operation);
  pending_ = mask;
  if (is_access(operation.action)) return show_access(operation);
  if (is_matrix_access(operation.action)) return show_matrix_access(operation);
  if (operation.action == Action::prefetch && instruction_.unit == Unit::load) return show_prefetch(operation);
  if (is_asynchronous(operation.action)) show_asynchronous(operation);
}

/// Shows the next part of an access: all lanes, or the lanes of one space where the address decides.
void PtxWarp::show_access(const Operation& operation) {
  space_ = operation.space;
  MemoryAccess::compute_addresses(operation, rows_, instruction_.addresses);
  LaneMask part = pending_;
  if (space_ == StateSpace::generic || space_ == StateSpace::shared_cluster)
    space_ = MemoryAccess::split(space_, pending_, instruction_.addresses, part);
  instruction_.active = part;
  if (part != 0 && operation.operands[kMbarrierSlot].present()) show_counted_access(operation);
  if (space_ == StateSpace::shared_cluster)  // the machine sends the access before it takes effect
    for (const unsigned lane : set_bits(instruction_.active))
      access_.require_rank(rank_of(instruction_.addresses[lane]), lanes_.running().pc, lane);
  instruction_.access_bytes = static_cast<std::uint8_t>(bytes_of(operation.type) * operation.elements);
  instruction_.space = space_ == StateSpace::local ? Space::local : space_ == StateSpace::shared_cluster ? Space::cluster : Space::global;
  instruction_.cache_op = operation.bypasses_l1 ? CacheOp::bypass_l1 : CacheOp::all;
  instruction_.eviction = eviction_of(operation);
  if (space_ != StateSpace::constant) instruction_.unit = unit_of(operation.action, space_);
}

/// A prefetch is a load that nobody waits for. It passes over lanes whose address is in no allocation of global memory.
void PtxWarp::show_prefetch(const Operation& operation) {
  MemoryAccess::compute_addresses(operation, rows_, instruction_.addresses);
  for (const unsigned lane : set_bits(pending_)) {
    const DeviceMemory::Allocation* const found = cta_->launch.memory.find(instruction_.addresses[lane]);
    if (found == nullptr || found->is_freed) instruction_.active &= ~(LaneMask{1} << lane);
  }
  instruction_.access_bytes = 1;
  instruction_.space = Space::global;
  instruction_.cache_op = operation.bypasses_l1 ? CacheOp::bypass_l1 : CacheOp::all;
  instruction_.eviction = operation.eviction;
}

/// The hint for the access that `instruction_` shows: its policy's for the first lane's line, or the operation's own.
Eviction PtxWarp::eviction_of(const Operation& operation) const {
  const Operand policy = operation.operands[kPolicySlot];
  if (!policy.present() || instruction_.active == 0) return operation.eviction;
  const unsigned lane = lowest_bit(instruction_.active);
  return cache_policy::eviction_of(row_of<std::uint64_t>(rows_, policy)[lane], LineAddress::of(instruction_.addresses[lane]));
}

void PtxWarp::advance() {
  if (peek() == nullptr) return;
  if (!cta_->launch.options.returns_faults) return issue();
  try {
    issue();
  } catch (const ThreadFault&) {
    Islands::require_mainland("a fault ends a kernel");
    if (cta_->launch.fault == nullptr) cta_->launch.fault = std::current_exception();
    ready_ = false;
    finish();
  }
}

void PtxWarp::issue() {
  issued_ += instruction_.repeat;
  Split& split = lanes_.running();
  const std::uint32_t pc = split.pc;
  const Operation& operation = program_.code()[pc];
  if (instruction_.unit == Unit::barrier && !std::exchange(waits_, true)) cta_->launch.progress.wait();
  if (is_access(operation.action)) {
    access_.execute(operation, pc, space_, rows_, *split.frame, instruction_.active, instruction_.addresses);
    if (instruction_.mbarrier != kNoMbarrier) count_access();
    pending_ &= ~instruction_.active;
    if (pending_ != 0) return show_access(operation);
    ready_ = false;
    return lanes_.go_to(pc + 1);
  }
  if (is_matrix_access(operation.action)) return issue_matrix_access(operation);
  if (is_asynchronous(operation.action)) return issue_asynchronous(operation);
  const Cost& cost = program_.issues()[pc].cost;
  if (++share_ < cost.size()) {
    // Later machine instructions of the operation depend on the one before.
    instruction_.unit = cost.shares[share_].unit;
    instruction_.repeat = cost.shares[share_].count;
    instruction_.sources = {instruction_.destination, kNoRegister, kNoRegister, kNoRegister};
    return;
  }
  ready_ = false;
  split.is_forced = false;
  execute(operation, mask_);
}

void PtxWarp::execute(const Operation& operation, LaneMask mask) {
  const std::uint32_t next = lanes_.running().pc + 1;
  switch (operation.action) {
    case Action::compute:
      if (checks_ != nullptr) checks_->on_compute(operation, rows_, {next - 1, number_, 0}, mask, lanes_.running().mask);
      if (operation.compute != nullptr && mask != 0) operation.compute(operation, rows_, mask);
      return lanes_.go_to(next);
    case Action::matrix_product:
      execute_product(operation, mask);
      return lanes_.go_to(next);
    case Action::branch:
      return execute_branch(operation, mask);
    case Action::branch_indexed:
      return execute_indexed_branch(operation, mask);
    case Action::call:
      return execute_call(operation, mask);
    case Action::call_indirect:
      return execute_indirect_call(operation, mask);
    case Action::ret:
      if (checks_ != nullptr && lanes_.running().frame->caller == nullptr) check_end(mask);
      return mask == 0 ? lanes_.go_to(next) : lanes_.return_lanes(mask);
    case Action::exit:
      if (checks_ != nullptr) check_end(mask);
      return mask == 0 ? lanes_.go_to(next) : lanes_.exit_lanes(mask);
    case Action::trap:
      if (mask != 0) fail(describe_trap(cta_->launch, next - 1), static_cast<unsigned>(__builtin_ctz(mask)));
      return lanes_.go_to(next);
    case Action::barrier:
    case Action::cluster_barrier:
      return execute_barrier();
    case Action::fence:
      if (checks_ != nullptr) checks_->on_fence(number_);
      return lanes_.go_to(next);
    case Action::texture:
      execute_texture(operation, mask);
      return lanes_.go_to(next);
    case Action::surface_place:
      execute_surface_place(operation, mask);
      return lanes_.go_to(next);
    case Action::clock:
      execute_clock(operation, mask);
      return lanes_.go_to(next);
    case Action::range_policy:
      execute_range_policy(operation, mask);
      return lanes_.go_to(next);
    default:
      return lanes_.go_to(next);  // a prefetch changes nothing
  }
}

void PtxWarp::execute_branch(const Operation& operation, LaneMask taken) {
  const Split& split = lanes_.running();
  if (taken != 0 && operation.target <= split.pc)
    if (const bool is_due = loops_.is_due(); is_due || spins_.is_on()) watch_loop(is_due);
  if (taken == split.mask) return lanes_.go_to(operation.target);
  if (taken == 0) return lanes_.go_to(split.pc + 1);
  lanes_.diverge(taken, operation.target, split.pc + 1, operation.join);
}

void PtxWarp::execute_range_policy(const Operation& operation, LaneMask mask) {
  MemoryAccess::Addresses begin;
  MemoryAccess::compute_addresses(operation, rows_, begin);
  const std::uint32_t* const primary = row_of<std::uint32_t>(rows_, operation.operands[2]);
  const std::uint32_t* const total = row_of<std::uint32_t>(rows_, operation.operands[3]);
  std::uint64_t policies[kLanes] = {};
  for (const unsigned lane : set_bits(mask)) {
    LaneMask part = 0;
    if (operation.space == StateSpace::generic &&
        MemoryAccess::split(StateSpace::generic, LaneMask{1} << lane, begin, part) != StateSpace::global)
      fail("a cache policy for a range that is not in global memory; give an address in global memory", lane);
    if (primary[lane] == 0 || primary[lane] > total[lane])
      fail(fmt::format("a cache policy for a primary range of {} of {} bytes; choose 1 to all bytes", primary[lane], total[lane]), lane);
    policies[lane] = cache_policy::range(operation.target, begin[lane], primary[lane], total[lane]);
  }
  if (operation.operands[0].present()) write_row(rows_.of(operation.operands[0]), policies, mask);
}

void PtxWarp::execute_clock(const Operation& operation, LaneMask mask) {
  constexpr std::uint64_t kPicosecondsPerNanosecond = 1000;
  const auto clock = static_cast<Clock>(operation.immediate);
  if (!operation.operands[0].present()) return;
  const bool counts_time = clock == Clock::nanoseconds || clock == Clock::nanoseconds_low || clock == Clock::nanoseconds_high;
  const RunningGpu* const gpu = cta_->launch.options.gpu;
  const std::uint64_t now = gpu == nullptr ? issued_ : counts_time ? gpu->time() / kPicosecondsPerNanosecond : gpu->core_cycle();
  cta_->launch.progress.note();
  std::byte* const row = rows_.of(operation.operands[0]);
  if (clock == Clock::both || clock == Clock::nanoseconds) {
    std::uint64_t out[kLanes];
    for (std::uint64_t& lane : out) lane = now;
    return write_row(row, out, mask);
  }
  std::uint32_t out[kLanes];
  const bool high = clock == Clock::high || clock == Clock::nanoseconds_high;
  for (std::uint32_t& lane : out) lane = static_cast<std::uint32_t>(high ? now >> 32 : now);
  write_row(row, out, mask);
}

}  // namespace wharf::ptx
