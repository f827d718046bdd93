// Splits and meetings of a warp.
#include "stimuli/ptx/execution/convergence.h"

#include <algorithm>

namespace wharf::ptx {

namespace {

std::byte* address_of(const ValuePlace& place, unsigned lane) {
  const Parameter& parameter = place.parameter;
  if (!parameter.row.present()) return place.frame.parameters_of(lane) + parameter.offset;
  return place.rows.of(parameter.row) + std::size_t{lane} * (parameter.wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t));
}

void copy_results(const Frame& callee, LaneMask mask) {
  Rows inner, outer;
  inner.banks[static_cast<unsigned>(Bank::frame)] = callee.rows.data();
  outer.banks[static_cast<unsigned>(Bank::frame)] = callee.caller->rows.data();
  const std::size_t count = std::min(callee.site->results.size(), callee.function.results.size());
  for (std::size_t i = 0; i < count; ++i)
    copy_value({callee.function.results[i], inner, callee}, {callee.site->results[i], outer, *callee.caller}, mask);
}

}  // namespace

void copy_value(const ValuePlace& from, const ValuePlace& to, LaneMask mask) {
  const std::size_t bytes = std::min(from.parameter.bytes, to.parameter.bytes);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memmove(address_of(to, lane), address_of(from, lane), bytes);
  }
}

Convergence::Convergence(const FunctionCode& kernel, LaneMask threads, std::pmr::memory_resource& pool) : pool_(pool), live_(threads) {
  frames_.push_back(std::make_unique<Frame>(kernel, pool_, nullptr, nullptr, 0, 0));
  if (threads == 0) return;
  Split split;
  split.pc = kernel.begin;
  split.mask = threads;
  split.frame = frames_.back().get();
  splits_.push_back(split);
}

std::uint32_t Convergence::new_meeting(const Meeting& meeting) {
  const auto free = std::find_if(meetings_.begin(), meetings_.end(), [](const Meeting& one) { return !one.in_use; });
  const auto index = static_cast<std::uint32_t>(free - meetings_.begin());
  if (free == meetings_.end())
    meetings_.push_back(meeting);
  else
    *free = meeting;
  meetings_[index].in_use = true;
  return index;
}

void Convergence::push(Split split) {
  splits_.push_back(split);
  if (split.meeting != kNone && meetings_[split.meeting].pc == split.pc) arrive();
}

void Convergence::arrive() {
  const Split split = splits_.back();
  splits_.pop_back();
  Meeting& meeting = meetings_[split.meeting];
  meeting.arrived |= split.mask;
  meeting.executed = std::max(meeting.executed, split.executed);
  waiting_ |= split.mask;
  complete(split.meeting);
}

/// Ends the meeting if no lane is missing.
void Convergence::complete(std::uint32_t index) {
  if ((meetings_[index].expected & live_) != meetings_[index].arrived) return;
  const Meeting meeting = meetings_[index];
  meetings_[index].in_use = false;
  waiting_ &= ~meeting.arrived;
  if (meeting.arrived != 0) leave(meeting, meeting.arrived);
  if (meeting.is_call) release_frame(meeting.frame);
}

/// The lanes of `mask` go on behind the meeting.
void Convergence::leave(const Meeting& meeting, LaneMask mask) {
  Split split;
  split.mask = mask;
  split.meeting = meeting.outer;
  split.executed = meeting.executed;
  split.frame = meeting.frame;
  split.pc = meeting.pc;
  if (meeting.is_call) {
    copy_results(*meeting.frame, mask);
    split.pc = meeting.frame->return_pc;
    split.frame = meeting.frame->caller;
  }
  push(split);
}

void Convergence::release_frame(Frame* frame) {
  frames_.erase(std::find_if(frames_.begin(), frames_.end(), [frame](const auto& one) { return one.get() == frame; }));
}

void Convergence::diverge(LaneMask taken, std::uint32_t target, std::uint32_t other, std::uint32_t join) {
  Split split = splits_.back();
  splits_.pop_back();
  ++split.executed;
  // Lanes that meet where they meet already need no meeting of their own; those of a kernel end at its return.
  const bool has_meeting = split.meeting != kNone && meetings_[split.meeting].pc == join;
  const bool ends = join == kAtReturn && split.frame->caller == nullptr;
  if (!has_meeting && !ends) {
    Meeting meeting;
    meeting.pc = join;
    meeting.expected = split.mask;
    meeting.frame = split.frame;
    meeting.outer = split.meeting;
    split.meeting = new_meeting(meeting);
  }
  Split first = split, second = split;
  first.pc = target;
  first.mask = split.mask & taken;
  second.pc = other;
  second.mask = split.mask & ~taken;
  push(second);
  push(first);
}

Frame& Convergence::call(LaneMask mask, const FunctionCode& function, const CallSite& site, std::uint32_t return_pc) {
  Split split = splits_.back();
  splits_.pop_back();
  ++split.executed;
  if (split.mask != mask) {
    Meeting meeting;
    meeting.pc = return_pc;
    meeting.expected = split.mask;
    meeting.frame = split.frame;
    meeting.outer = split.meeting;
    split.meeting = new_meeting(meeting);
    Split others = split;
    others.mask = split.mask & ~mask;
    // The others stay at the call where they have another function to enter, and wait behind it else: the caller decides.
    others.pc = return_pc;
    push(others);
    split.mask = mask;
  }
  frames_.push_back(
      std::make_unique<Frame>(function, pool_, split.frame, &site, return_pc, split.frame->stack_base + split.frame->function.local_bytes));
  Meeting meeting;
  meeting.pc = kAtReturn;
  meeting.expected = split.mask;
  meeting.frame = frames_.back().get();
  meeting.outer = split.meeting;
  meeting.is_call = true;
  split.meeting = new_meeting(meeting);
  split.pc = function.begin;
  split.frame = frames_.back().get();
  splits_.push_back(split);
  return *split.frame;
}

void Convergence::return_lanes(LaneMask mask) {
  if (splits_.back().frame->caller == nullptr) return exit_lanes(mask);
  Split split = splits_.back();
  splits_.pop_back();
  ++split.executed;
  if (split.mask != mask) {
    Split others = split;
    others.mask &= ~mask;
    ++others.pc;
    push(others);
    split.mask = mask;
  }
  // Lanes that return before a meeting inside the function are not expected there any more.
  while (meetings_[split.meeting].pc != kAtReturn) {
    meetings_[split.meeting].expected &= ~mask;
    split.meeting = meetings_[split.meeting].outer;
  }
  split.pc = kAtReturn;
  push(split);
  complete_meetings();
}

void Convergence::exit_lanes(LaneMask mask) {
  live_ &= ~mask;
  Split split = splits_.back();
  splits_.pop_back();
  split.mask &= ~mask;
  ++split.pc;
  if (split.mask != 0) push(split);
  complete_meetings();
}

/// Ends all meetings for which no lane is missing any more.
void Convergence::complete_meetings() {
  for (std::size_t i = 0; i < meetings_.size(); ++i)
    if (meetings_[i].in_use) complete(static_cast<std::uint32_t>(i));
}

bool Convergence::has_others() const {
  return std::any_of(splits_.begin(), splits_.end() - 1, [](const Split& split) { return split.state == Split::State::runs; });
}

void Convergence::rotate() { std::rotate(splits_.begin(), splits_.end() - 1, splits_.end()); }

bool Convergence::release_waiting() {
  if (waiting_ == 0) return false;
  std::uint32_t index = splits_.empty() ? kNone : splits_.back().meeting;
  while (index != kNone && meetings_[index].arrived == 0) index = meetings_[index].outer;
  if (index == kNone) {
    const auto any = std::find_if(meetings_.rbegin(), meetings_.rend(), [](const Meeting& one) { return one.in_use && one.arrived != 0; });
    index = static_cast<std::uint32_t>(meetings_.rend() - any) - 1;
  }
  Meeting& meeting = meetings_[index];
  const LaneMask mask = meeting.arrived;
  meeting.expected &= ~mask;
  meeting.arrived = 0;
  waiting_ &= ~mask;
  Meeting copy = meeting;
  copy.executed = 0;
  note_parted(copy.is_call ? copy.frame->return_pc : copy.pc, mask, copy.expected);
  leave(copy, mask);
  return true;
}

/// The first place where lanes part is kept.
void Convergence::note_parted(std::uint32_t pc, LaneMask mask, LaneMask expected) {
  if (pc == kAtReturn) return;  // they meet again at the return
  LaneMask waiting = 0;
  for (const Split& split : splits_)
    if (split.state != Split::State::runs) waiting |= split.mask;
  const auto is_over = [](const Parted& one) { return one.others == 0; };
  parted_.erase(std::remove_if(parted_.begin(), parted_.end(), is_over), parted_.end());
  for (const Parted& one : parted_) mask &= ~one.lanes;
  if (mask != 0 && (waiting & expected) != 0) parted_.push_back({pc, mask, waiting & expected});
}

bool Convergence::block() {
  for (std::size_t i = splits_.size(); i-- > 0;) {
    if (splits_[i].state != Split::State::runs) continue;
    std::rotate(splits_.begin() + static_cast<std::ptrdiff_t>(i), splits_.begin() + static_cast<std::ptrdiff_t>(i) + 1, splits_.end());
    return true;
  }
  return release_waiting();
}

void Convergence::yield_turn() {
  splits_.back().executed = 0;
  const std::size_t before = splits_.size();
  if (release_waiting()) {
    // The released lanes run on top; the split that gave way goes to the bottom.
    if (splits_.size() > before) std::rotate(splits_.begin(), splits_.end() - 2, splits_.end() - 1);
    return;
  }
  rotate();
}

void Convergence::take_turns() {
  splits_.back().executed = 0;
  if (has_others()) rotate();
}

void Convergence::join_waiting() {
  Split& running = splits_.back();
  for (std::size_t i = splits_.size() - 1; i-- > 0;) {
    const Split& other = splits_[i];
    if (other.state != Split::State::waits_for_lanes || other.pc != running.pc || other.frame != running.frame ||
        other.meeting != running.meeting)
      continue;
    const LaneMask mask = other.mask;
    splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(i));
    splits_.back().mask |= mask;
  }
}

bool Convergence::force_waiting() {
  const auto waits =
      std::find_if(splits_.begin(), splits_.end(), [](const Split& split) { return split.state == Split::State::waits_for_lanes; });
  if (waits == splits_.end()) return false;
  waits->is_forced = true;
  waits->state = Split::State::runs;
  std::rotate(waits, waits + 1, splits_.end());
  return true;
}

void Convergence::release_lanes(LaneMask mask) {
  for (Split& split : splits_) {
    if ((split.mask & mask) == 0) continue;
    split.is_forced = true;
    split.state = Split::State::runs;
  }
  end_wait(mask);
}

void Convergence::release_barrier() {
  parted_.clear();
  const std::vector<Split> all = std::move(splits_);
  splits_.clear();
  for (Split split : all) {
    split.state = Split::State::runs;
    ++split.pc;
    ++split.executed;
    push(split);
  }
}

}  // namespace wharf::ptx
