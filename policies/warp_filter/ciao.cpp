#include "policies/warp_filter/ciao.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/bits.h"

namespace wharf {

Ciao::Ciao(CiaoMode mode, const CiaoParams& params)
    : mode_(mode),
      params_(params),
      score_(params.irs_window),
      interferers_(params.replace_on_reach_zero),
      to_low_(params.low_epoch),
      to_high_(params.high_epoch / params.low_epoch) {}

WarpFilterNeeds Ciao::needs() const {
  WarpFilterNeeds needs;
  needs.issues = needs.losses = needs.kernels = needs.hints = true;
  return needs;
}

void Ciao::kernel_started(bool region) {
  region_ = region;
  score_.kernel_started();
  to_low_ = params_.low_epoch;
  to_high_ = params_.high_epoch / params_.low_epoch;
}

void Ciao::lost(const LostLine& loss, Cycle) {
  score_.hit(loss.victim);
  if (loss.interferer != LostLine::kNobody) interferers_.hit(loss.victim, loss.interferer);
}

void Ciao::changed(const WarpEvent& event) {
  const WarpMask bit = warp_bit(event.warp);
  switch (event.kind) {
    case WarpEvent::Kind::launched:
      launched(event);
      break;
    case WarpEvent::Kind::finished:
      finished(event.warp);
      break;
    case WarpEvent::Kind::waiting:
      waiting_ |= bit;
      if (decided_.stalled != 0) check_for_standstill();
      break;
    case WarpEvent::Kind::resumed:
      waiting_ &= ~bit;
      break;
    case WarpEvent::Kind::predictor:
    case WarpEvent::Kind::predicted:
      break;
  }
}

/// CIAO-O13: clears the entries of the slot's last warp; its count of lost lines stays.
void Ciao::launched(const WarpEvent& event) {
  order_.launch(event.warp, event.age);
  waiting_ &= ~warp_bit(event.warp);
  cta_[in_[event.warp]] &= ~warp_bit(event.warp);
  in_[event.warp] = static_cast<std::uint8_t>(event.cta);
  cta_[event.cta] |= warp_bit(event.warp);
  interferers_.clear(event.warp);
  interferers_.forget(event.warp);
}

void Ciao::finished(unsigned warp) {
  order_.finish(warp);
  pairs_.finished(warp);
  const auto forget = [others = ~warp_bit(warp)](States& states) {
    states.stalled &= others;
    states.isolated &= others;
  };
  forget(decided_);
  for (Shown& shown : to_show_) forget(shown.states);
  forget(shown_);
  show();
  if (decided_.stalled != 0) check_for_standstill();
}

void Ciao::issued(unsigned warp, Cycle now) {
  score_.instruction();
  if (--to_low_ != 0) return;
  to_low_ = params_.low_epoch;
  const bool high = --to_high_ == 0;
  if (high) to_high_ = params_.high_epoch / params_.low_epoch;
  end_epoch(warp, high, now);
}

void Ciao::end_epoch(unsigned front, bool high, Cycle now) {
  if (params_.exam == CiaoExam::scan) {
    unsigned examined = undo_some();
    show_at(now + params_.test_latency + examined);
    if (high) {
      examined += act_on_some(front);
      show_at(now + params_.test_latency + examined);
    }
  } else {
    unsigned examined = 0;
    in_list_order(front, order_.resident(), [&](unsigned warp) {
      ++examined;
      return consider(warp, high) == Verdict::settled;
    });
    show_at(now + params_.test_latency + examined);
  }
  if (high) score_.end_high_epoch();
}

/// Undoes up to max_undo actions; returns the number of warps examined.
unsigned Ciao::undo_some() {
  unsigned examined = 0, undone = 0;
  for (std::size_t n = pairs_.actions().size(); n-- > 0 && undone < params_.max_undo;) {
    const auto [warp, field] = pairs_.actions()[n];
    // The isolation of a stalled warp is reconsidered only when it runs again.
    if (field == PairList::kIsolation && (decided_.stalled & warp_bit(warp)) != 0) continue;
    ++examined;
    if (is_above_low(pairs_.victim(warp, field))) continue;
    undo(warp, field);
    ++undone;
  }
  return examined;
}

unsigned Ciao::act_on_some(unsigned front) {
  unsigned examined = 0, acted = 0;
  acted_on_ = 0;
  in_list_order(front, order_.resident(), [&](unsigned warp) {
    if ((decided_.stalled & warp_bit(warp)) != 0) return false;
    ++examined;
    if (act_for(warp)) ++acted;
    return acted == params_.max_act;
  });
  return examined;
}

/// The literal listing (ciao section 5.2), at the end of a low epoch.
Ciao::Verdict Ciao::consider(unsigned warp, bool high) {
  const WarpMask bit = warp_bit(warp);
  if (((decided_.stalled | decided_.isolated) & bit) != 0) {
    const PairList::Field field = (decided_.stalled & bit) != 0 ? PairList::kStall : PairList::kIsolation;
    if (is_above_low(pairs_.victim(warp, field))) return Verdict::go_on;
    undo(warp, field);
  }
  if (high) act_for(warp);
  return Verdict::settled;
}

bool Ciao::act_for(unsigned victim) {
  if (!score_.above_high(victim, active(), params_.high)) return false;
  const unsigned interferer = interferers_.interferer(victim);
  const int action = action_on(interferer, victim);
  if (action < 0) return false;
  const auto field = static_cast<PairList::Field>(action);
  if (field == PairList::kStall) {
    decided_.stalled |= warp_bit(interferer);
    ++actions_.stalls;
    check_for_standstill();
  } else {
    decided_.isolated |= warp_bit(interferer);
    ++actions_.isolations;
  }
  acted_on_ |= warp_bit(interferer);
  pairs_.act(interferer, field, victim);
  if (params_.empty_on_action) interferers_.forget(interferer);
  return true;
}

/// The action to take, as a field of the pair list; -1 if none applies.
int Ciao::action_on(unsigned interferer, unsigned victim) const {
  const WarpMask bit = warp_bit(interferer);
  if (params_.act_once && (acted_on_ & bit) != 0) return -1;
  // CIAO-O15: a stalled warp keeps the victim for which it was stalled.
  if (interferer == victim || (order_.resident() & bit) == 0 || (decided_.stalled & bit) != 0) return -1;
  if (mode_ == CiaoMode::stall) return PairList::kStall;
  if ((decided_.isolated & bit) == 0) {
    if (region_) return PairList::kIsolation;
    return mode_ == CiaoMode::both ? PairList::kStall : -1;
  }
  const bool same_domain = !params_.same_domain || (decided_.isolated & warp_bit(victim)) != 0;
  return mode_ == CiaoMode::both && same_domain ? PairList::kStall : -1;
}

bool Ciao::is_above_low(unsigned victim) const { return victim != PairList::kDone && score_.above_low(victim, active(), params_.low); }

void Ciao::undo(unsigned warp, PairList::Field field) {
  (field == PairList::kStall ? decided_.stalled : decided_.isolated) &= ~warp_bit(warp);
  pairs_.undo(warp, field);
  ++actions_.undos;
}

/// The number of active warps (CIAO-O12).
unsigned Ciao::active() const { return std::max(1u, static_cast<unsigned>(__builtin_popcountll(order_.resident() & ~decided_.stalled))); }

/// Visits the warp that issued last, then the others by age, until visit() returns true.
template <class Visit>
void Ciao::in_list_order(unsigned front, WarpMask warps, Visit visit) const {
  if ((warps & warp_bit(front)) != 0 && visit(front)) return;
  for (WarpMask rest = warps & ~warp_bit(front); rest != 0;) {
    const unsigned warp = order_.oldest(rest);
    if (visit(warp)) return;
    rest &= ~warp_bit(warp);
  }
}

/// Makes the masks show the present decisions from `at` on; the test unit delivers its results in order.
void Ciao::show_at(Cycle at) {
  const States& last = to_show_.empty() ? shown_ : to_show_.back().states;
  if (last.stalled == decided_.stalled && last.isolated == decided_.isolated) return;
  to_show_.push_back({to_show_.empty() ? at : std::max(at, to_show_.back().at), decided_});
  due_ = std::min(due_, at);
}

void Ciao::show() {
  masks_.may_issue = masks_.may_issue_load = ~shown_.stalled;
  masks_.isolated = shown_.isolated;
}

void Ciao::advance(Cycle now) {
  std::size_t taken = 0;
  for (; taken < to_show_.size() && to_show_[taken].at <= now; ++taken) shown_ = to_show_[taken].states;
  to_show_.erase(to_show_.begin(), to_show_.begin() + static_cast<std::ptrdiff_t>(taken));
  if (look_) {
    look_ = false;
    reactivate_for_barriers();
    reactivate_for_progress();
  }
  show();
  due_ = to_show_.empty() ? kNever : to_show_.front().at;
}

/// Takes effect at once, whatever the test unit is still processing.
void Ciao::reactivate(unsigned warp) {
  undo(warp, PairList::kStall);
  shown_.stalled &= ~warp_bit(warp);
  for (Shown& shown : to_show_) shown.states.stalled &= ~warp_bit(warp);
  ++actions_.forced;
}

/// CIAO-O17 a: reactivates the stalled warps of a CTA whose running warps all wait at its barrier.
void Ciao::reactivate_for_barriers() {
  for (WarpMask rest = waiting_ & order_.resident() & ~decided_.stalled; rest != 0;) {
    const WarpMask members = cta_[in_[lowest_warp(rest)]] & order_.resident();
    rest &= ~members;
    if ((members & ~waiting_ & ~decided_.stalled) != 0) continue;
    for (const unsigned stalled : set_bits(members & decided_.stalled)) reactivate(stalled);
  }
}

/// CIAO-O17 b: reactivates stalled warps when no other warp can issue, because epochs end only with instructions.
void Ciao::reactivate_for_progress() {
  for (std::size_t n = pairs_.actions().size(); n-- > 0 && runnable() == 0;) {
    const auto [warp, field] = pairs_.actions()[n];
    if (field == PairList::kStall) reactivate(warp);
  }
}

bool Ciao::archive(Archive& file) {
  file(masks_, actions_, due_, region_, score_, interferers_, pairs_, order_, waiting_, cta_, in_, decided_, shown_, acted_on_, to_show_,
       look_, to_low_, to_high_);
  return true;
}

}  // namespace wharf
