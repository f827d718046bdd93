// Control flow of a warp: indexed branches, calls, barriers, and functions that wait for lanes (CU-44, 47, 49).
#include <fmt/format.h>

#include "model/base/bits.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/execution/ptx_warp.h"
#include "stimuli/ptx/execution/system_calls.h"
#include "stimuli/ptx/lanes/moves.h"
#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx {

namespace {

/// The lanes of `mask` whose value equals `value`.
template <class T>
LaneMask lanes_with(const T* row, T value, LaneMask mask) {
  LaneMask same = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) same |= static_cast<LaneMask>(row[lane] == value) << lane;
  return same & mask;
}

}  // namespace

/// Others wait while the running split has its turn: it is watched before it gives way.
void PtxWarp::end_turn() {
  switch (std::exchange(found_, SpinWatch::Finding::none)) {
    case SpinWatch::Finding::spins:
      return lanes_.yield_turn();
    case SpinWatch::Finding::moves:
      return lanes_.take_turns();
    default:
      if (!spins_.is_on()) spins_.begin();
  }
}

/// Lanes are about to jump back. Throws SimulationError where no warp of the launch gets anywhere.
void PtxWarp::watch_loop(bool may_be_endless) {
  std::vector<SavedState::Part> state;
  std::vector<std::uint64_t> places;
  const std::vector<Split>& splits = lanes_.splits();
  for (auto split = splits.rbegin(); split != splits.rend(); ++split) {
    places.insert(places.end(), {split->pc, split->mask, split->meeting, static_cast<std::uint64_t>(split->state)});
    for (const Frame* frame = split->frame; frame != nullptr; frame = frame->caller) {
      places.push_back(frame->return_pc);
      state.push_back({frame->rows.data(), frame->function.frame_bytes});
      state.push_back({frame->parameters.data(), std::size_t{frame->function.parameter_bytes} * kLanes});
    }
  }
  state.push_back({access_.stacks().data(), access_.stacks().size()});
  state.push_back({places.data(), places.size() * sizeof places.front()});
  const Split& running = lanes_.running();
  if (spins_.is_on()) found_ = spins_.look(running.pc, state);
  if (may_be_endless && loops_.look(cta_->launch.progress, running.pc, state))
    fail_thread(
        *cta_, {running.pc, number_, lowest_bit(running.mask)},
        "the loop never ends: its registers are the same each time, and every other thread of the kernel waits, or is in such a loop; "
        "blocks that have not begun, other kernels and the host cannot end it while the kernel runs",
        FaultKind::endless);
}

void PtxWarp::execute_indexed_branch(const Operation& operation, LaneMask mask) {
  const std::vector<std::uint32_t>& table = program_.branch_tables()[operation.target];
  const std::uint32_t* const index = row_of<std::uint32_t>(rows_, operation.operands[0]);
  const std::uint32_t next = lanes_.running().pc + 1;
  if (mask == 0) return lanes_.go_to(next);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
    if (index[lowest_bit(rest)] >= table.size())
      fail(fmt::format("brx.idx with index {}, but {} targets", index[lowest_bit(rest)], table.size()), lowest_bit(rest));
  // The lowest target runs first; the other lanes stay at the branch until these have parted.
  std::uint32_t lowest = kNone;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) lowest = std::min(lowest, table[index[lowest_bit(rest)]]);
  LaneMask same = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
    if (table[index[lowest_bit(rest)]] == lowest) same |= rest & ~(rest - 1);
  if (same == lanes_.running().mask) return lanes_.go_to(lowest);
  lanes_.diverge(same, lowest, same == mask ? next : next - 1, operation.join);
}

void PtxWarp::enter(const CallSite& site, const FunctionCode& function, LaneMask mask, std::uint32_t return_pc) {
  const Frame& caller = *lanes_.running().frame;
  const Rows outer = rows_;
  Frame& callee = lanes_.call(mask, function, site, return_pc);
  if (callee.stack_base + function.local_bytes > cta_->launch.resources.stack_bytes)
    fail(fmt::format("the stack of {} bytes is full in function {}; recurse less, or raise cudaLimitStackSize by cudaDeviceSetLimit",
                     cta_->launch.resources.stack_bytes, function.readable_name),
         lowest_bit(mask));
  Rows inner = rows_;
  inner.banks[static_cast<unsigned>(Bank::frame)] = callee.rows.data();
  const std::size_t count = std::min(site.arguments.size(), function.parameters.size());
  for (std::size_t i = 0; i < count; ++i) copy_value({site.arguments[i], outer, caller}, {function.parameters[i], inner, callee}, mask);
}

void PtxWarp::execute_call(const Operation& operation, LaneMask mask) {
  const CallSite& site = program_.calls()[operation.target];
  const std::uint32_t pc = lanes_.running().pc;
  if (mask == 0) return lanes_.go_to(pc + 1);
  if (site.system == SystemFunction::none) return enter(site, program_.functions()[site.function], mask, pc + 1);
  cta_->launch.progress.note();
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
    execute_system_call({*cta_, access_, {pc, number_, lowest_bit(rest)}, site, *lanes_.running().frame, rows_});
  lanes_.go_to(pc + 1);
}

void PtxWarp::execute_indirect_call(const Operation& operation, LaneMask mask) {
  const CallSite& site = program_.calls()[operation.target];
  const std::uint32_t pc = lanes_.running().pc;
  if (mask == 0) return lanes_.go_to(pc + 1);
  const std::uint64_t* const handles = row_of<std::uint64_t>(rows_, operation.operands[0]);
  std::uint64_t lowest = ~std::uint64_t{0};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) lowest = std::min(lowest, handles[lowest_bit(rest)]);
  const LaneMask same = lanes_with(handles, lowest, mask);
  const std::uint64_t index = (lowest - kFunctionWindow) / Program::kBytesPerInstruction;
  if (lowest < kFunctionWindow || lowest % Program::kBytesPerInstruction != 0 || index >= program_.functions().size())
    fail(fmt::format("call through {:#x}, which is the address of no function", lowest), lowest_bit(same));
  const FunctionCode& function = program_.functions()[index];
  if (!function.error.empty())
    fail("call of function " + function.readable_name + ", which cannot run: " + function.error, lowest_bit(same));
  // Lanes with other targets stay at the call, and have their turn when these have returned.
  const LaneMask rest = mask & ~same;
  if (rest != 0) lanes_.diverge(same, pc, pc, pc + 1);
  enter(site, function, same, pc + 1);
}

/// The barrier operation that `lane` requests. Throws SimulationError for a number or a count that no barrier has.
BarrierUse PtxWarp::barrier_use(const Operation& operation, unsigned lane) const {
  BarrierUse use;
  use.arrives_only = operation.barrier == BarrierKind::arrive;
  use.of_cluster = operation.action == Action::cluster_barrier;
  if (use.of_cluster) return use;
  const std::uint32_t number = row_of<std::uint32_t>(rows_, operation.operands[1])[lane];
  if (number >= CtaBarriers::kCount) fail(fmt::format("barrier {} does not exist; there are {}", number, CtaBarriers::kCount), lane);
  use.number = static_cast<std::uint8_t>(number);
  if (!operation.operands[2].present()) return use;
  const std::uint32_t threads = row_of<std::uint32_t>(rows_, operation.operands[2])[lane];
  const std::uint64_t warps = (cta_->launch.request.block.count() + kLanes - 1) / kLanes;
  if (threads == 0 || threads % kLanes != 0)
    fail(fmt::format("barrier {} of {} threads: the count is not a multiple of {}; use one from {} on", number, threads, kLanes, kLanes),
         lane);
  if (threads / kLanes > warps)
    fail(fmt::format("barrier {} of {} threads, but the block has {} warps; use at most {}", number, threads, warps, warps * kLanes), lane);
  use.warps = static_cast<std::uint8_t>(threads / kLanes == warps ? 0 : threads / kLanes);
  return use;
}

bool PtxWarp::reach_barrier(const Operation& operation, LaneMask mask) {
  Split& split = lanes_.running();
  if (mask == 0) {
    lanes_.go_to(split.pc + 1);
    return false;
  }
  const unsigned lane = lowest_bit(mask);
  const BarrierUse use = barrier_use(operation, lane);
  if (split.mask == lanes_.live()) return true;
  split.state = Split::State::at_barrier;
  split.barrier = use;
  if (lanes_.block()) return false;
  if (lanes_.force_waiting()) {
    report_missing(lanes_.running());
    return false;
  }
  // All lanes wait at barriers, at more than one place.
  bool one_place = true;
  for (const Split& other : lanes_.splits()) {
    if (other.barrier.of_cluster != use.of_cluster)
      fail("lanes of a warp wait for ever: some at a barrier of the block, some at that of the cluster", lane);
    if (other.barrier.number != use.number)
      fail(fmt::format("lanes of a warp wait at barriers {} and {} for ever", use.number, other.barrier.number), lane);
    if (other.barrier.warps != use.warps || other.barrier.arrives_only != use.arrives_only)
      fail(fmt::format("lanes of a warp use barrier {} in different ways at {} and {}; let all lanes execute one instruction", use.number,
                       program_.place_of(split.pc), program_.place_of(other.pc)),
           lane);
    one_place &= other.pc == split.pc;
  }
  if (!one_place)
    cta_->launch.warn(fmt::format("kernel {}: lanes of a warp reach a barrier at different instructions, one at {}",
                                  cta_->launch.kernel.readable_name, program_.place_of(split.pc)));
  return true;
}

/// All splits are at the barrier. Each votes with the predicate of its own instruction, and all go on.
void PtxWarp::execute_barrier() {
  const BarrierUse use = instruction_.barrier;
  if (use.of_cluster) {
    if (checks_ != nullptr && use.arrives_only) checks_->on_release(number_);
    acquires_ = !use.arrives_only;
    return lanes_.release_barrier();
  }
  if (cta_->barriers.contradicts(use)) {
    const auto threads = [](unsigned warps) { return warps == 0 ? std::string("all") : std::to_string(warps * kLanes); };
    fail(fmt::format("barrier {} of {} threads, but other warps are there that expect {}; use one count, or another barrier", use.number,
                     threads(use.warps), threads(cta_->barriers.expected(use.number))),
         lowest_bit(lanes_.running().mask));
  }
  for (const Split& split : lanes_.splits()) {
    const Operation& own = program_.code()[split.pc];
    if (own.action != Action::barrier || own.barrier == BarrierKind::sync || own.barrier == BarrierKind::arrive) continue;
    use_frame(*split.frame);
    const std::shared_ptr<BarrierVotes>& votes = cta_->barriers.votes(use.number);
    const LaneMask voters = guarded(own, split.mask), yes = read_predicate(own, rows_, 3) & voters;
    votes->count += static_cast<std::uint32_t>(__builtin_popcount(yes));
    votes->all = votes->all && yes == voters;
    votes->any = votes->any || yes != 0;
    reductions_.push_back({split.pc, voters, split.frame, votes});
  }
  if (checks_ != nullptr) check_barrier(use);
  const std::uint32_t pc = lanes_.running().pc;
  lanes_.release_barrier();
  cta_->barriers.arrive(number_, use, pc);
  require_progress();
}

/// Throws SimulationError where all warps of the CTA wait at barriers that never open.
void PtxWarp::require_progress() const {
  const std::vector<BarrierState::Stuck> stuck = cta_->barriers.stuck();
  if (stuck.empty()) return;
  std::string text = "deadlock: all warps of the block that have not ended wait at barriers;";
  for (const BarrierState::Stuck& one : stuck)
    text += fmt::format(" barrier {} at {} has {} of {} warps,", one.number, program_.place_of(one.pc), one.arrivals, one.expected);
  text.back() = '.';
  fail_thread(*cta_, {stuck.front().pc, stuck.front().warp, 0}, text);
}

void PtxWarp::check_barrier(const BarrierUse& use) {
  const Split& running = lanes_.running();
  std::vector<FaultPlace> others;
  for (const Split& split : lanes_.splits())
    if (split.pc != running.pc) others.push_back({split.pc, number_, lowest_bit(split.mask)});
  for (const Split& split : lanes_.splits()) {
    use_frame(*split.frame);
    const LaneMask executing = guarded(program_.code()[split.pc], split.mask), missing = split.mask & ~executing;
    if (missing != 0 && program_.code()[split.pc].is_aligned)
      checks_->on_missing({split.pc, number_, lowest_bit(executing)}, missing_at_barrier(missing));
  }
  checks_->on_barrier({number_, use.number, use.warps * kLanes, !use.arrives_only, running.pc, lowest_bit(running.mask)}, others);
}

/// The barrier has opened, so that all warps have voted.
void PtxWarp::read_barrier() {
  for (const Reduction& reduction : reductions_) {
    const Operation& operation = program_.code()[reduction.pc];
    if (!operation.operands[0].present()) continue;
    use_frame(*reduction.frame);
    const BarrierVotes& votes = *reduction.votes;
    if (operation.barrier == BarrierKind::popc) {
      std::uint32_t out[kLanes];
      for (std::uint32_t& lane : out) lane = votes.count;
      write_row(rows_.of(operation.operands[0]), out, reduction.mask);
    } else {
      const bool result = operation.barrier == BarrierKind::all ? votes.all : votes.any;
      write_predicate(rows_.predicate(operation.operands[0]), result ? kAllLanes : 0, reduction.mask);
    }
  }
  reductions_.clear();
}

/// The lanes that the member masks of a split at a .sync function name: all for instructions on matrices, which have none.
LaneMask PtxWarp::named_lanes(const Split& split) {
  const Operation& operation = program_.code()[split.pc];
  if (operation.action != Action::compute) return kAllLanes;
  use_frame(*split.frame);
  const LaneMask mask = guarded(operation, split.mask);
  unsigned last = static_cast<unsigned>(operation.operands.size()) - 1;
  while (!operation.operands[last].present()) --last;
  const std::uint32_t* const masks = row_of<std::uint32_t>(rows_, operation.operands[last]);
  LaneMask members = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) members |= (mask >> lane & 1) != 0 ? masks[lane] : 0;
  use_frame(*lanes_.running().frame);
  return members;
}

void PtxWarp::report_missing(const Split& split) {
  cta_->launch.warn(fmt::format("kernel {}: lanes of a member mask never reach the instruction at {}", cta_->launch.kernel.readable_name,
                                program_.place_of(split.pc)));
  if (checks_ == nullptr) return;
  const LaneMask members = named_lanes(split);
  checks_->on_missing({split.pc, number_, lowest_bit(split.mask)}, missing_lanes(members & lanes_.live() & ~split.mask, members));
}

/// True where the lanes of one member mask wait at different __syncwarp() and no lane is missing; all of them go on.
bool PtxWarp::meets_at_other_places(LaneMask members) {
  const auto only_waits = [this](const Split& split) {
    const Operation& operation = program_.code()[split.pc];
    return operation.action == Action::compute && operation.compute == nullptr;
  };
  if (!only_waits(lanes_.running())) return false;
  LaneMask met = 0;
  for (const Split& split : lanes_.splits())
    if (split.state == Split::State::waits_for_lanes && only_waits(split) && (named_lanes(split) & lanes_.live()) == members)
      met |= split.mask;
  if ((members & ~met) != 0) return false;
  lanes_.release_lanes(members);
  return true;
}

/// A function with a member mask waits until the lanes that it names are here, an instruction on matrices until all are; ended ones excepted.
bool PtxWarp::gather_lanes(LaneMask mask) {
  if (mask == 0) return true;
  const LaneMask members = named_lanes(lanes_.running()) & lanes_.live();
  if ((members & ~lanes_.running().mask) != 0) {
    lanes_.running().state = Split::State::waits_for_lanes;
    lanes_.join_waiting();
    if ((members & ~lanes_.running().mask) != 0) {
      if (lanes_.block()) return false;
      if (!meets_at_other_places(members)) report_missing(lanes_.running());
    }
  }
  Split& split = lanes_.running();
  lanes_.end_wait(split.mask);
  split.state = Split::State::runs;
  return true;
}

/// True where nothing but jumps lies between `from` and `end`.
bool PtxWarp::leads_to(std::uint32_t from, std::uint32_t end) const {
  for (std::size_t jumps = 0; from != end && jumps < program_.code().size(); ++jumps) {
    const Operation& operation = program_.code()[from];
    if (operation.action != Action::branch || operation.guard.present()) return false;
    from = operation.target;
  }
  return from == end;
}

/// Lanes end for which others still wait. That is right where they had nothing else left to do, as after `if (i >= n) return;`, and undefined
/// where they went past a barrier, or a function whose member mask names them, and did more (CUDA C++ programming guide, Synchronization
/// Functions and Warp Shuffle Functions; PTX ISA, barrier.cta).
void PtxWarp::check_end(LaneMask mask) {
  const std::uint32_t end = lanes_.running().pc;
  for (const Parted& parted : lanes_.parted()) {
    const LaneMask ending = parted.lanes & mask;
    if (ending == 0 || leads_to(parted.pc, end)) continue;
    const FaultPlace place{parted.pc, number_, lowest_bit(ending)};
    for (const Split& split : lanes_.splits()) {
      if ((split.mask & parted.others) == 0 || split.state == Split::State::runs) continue;
      const bool is_barrier = split.state == Split::State::at_barrier;
      if (is_barrier && !program_.code()[split.pc].is_aligned) continue;
      const LaneMask missing = ending & (is_barrier ? kAllLanes : named_lanes(split));
      if (missing == 0) continue;
      const std::string what = is_barrier ? missing_at_barrier(missing) : missing_lanes(missing, named_lanes(split));
      checks_->on_missing({split.pc, number_, lowest_bit(split.mask)}, what, &place);
    }
  }
}

}  // namespace wharf::ptx
