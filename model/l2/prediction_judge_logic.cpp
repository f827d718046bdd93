#include "model/l2/prediction_judge.h"

namespace wharf {

PredictionJudge::PredictionJudge(stats::Group& g, std::uint32_t lines)
    : generations_(lines),
      correct_(g, "predictions.correct", "generations that had as many accesses as predicted", stats::Unit::count),
      early_(g, "predictions.wrong_early", "generations that gating gave up too early: their line was requested again", stats::Unit::count),
      low_(g, "predictions.wrong_low", "generations with more accesses than predicted, but none after gating gave them up",
           stats::Unit::count),
      late_(g, "predictions.wrong_late", "generations with fewer accesses than predicted when they were replaced", stats::Unit::count),
      open_(g, "predictions.open", "generations with a prediction whose data were on at their kernel's end", stats::Unit::count) {}

void PredictionJudge::requested_again(Slot slot, LineAddress line) {
  if (slot != kNoSlot) {
    if (generations_[slot].state == State::off) ++early_;
    generations_[slot] = {};
  } else if (shadow_.size() != 0 && shadow_.contains(line)) {
    ++early_;
    shadow_.erase(line);
  }
}

void PredictionJudge::replaced(Slot slot, unsigned count) {
  const Generation generation = generations_[slot];
  generations_[slot] = {};
  if (generation.state == State::none) return;
  ++(count == generation.predicted ? correct_ : count > generation.predicted ? low_ : late_);
}

void PredictionJudge::count_open(Slot slot) {
  if (generations_[slot].state == State::on) ++open_;
  generations_[slot] = {};
}

void PredictionJudge::end_shadow() {
  correct_ += shadow_.size();
  shadow_.clear();
}

}  // namespace wharf
