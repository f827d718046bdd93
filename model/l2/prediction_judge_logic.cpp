#include "model/l2/prediction_judge.h"

namespace wharf {

PredictionJudge::PredictionJudge(stats::Group& g, std::uint32_t lines)
    : states_(lines, State::none),
      correct_(g, "predictions.correct", "generations given up and not asked for again in their kernel", stats::Unit::count),
      early_(g, "predictions.wrong_early", "generations given up and asked for again", stats::Unit::count),
      late_(g, "predictions.wrong_late", "generations replaced, or at their kernel's end, with their data on", stats::Unit::count) {}

void PredictionJudge::asked_again(Slot slot, LineAddress line) {
  if (slot != kNoSlot) {
    if (states_[slot] == State::off) ++early_;
    states_[slot] = State::none;
  } else if (shadow_.size() != 0 && shadow_.contains(line)) {
    ++early_;
    shadow_.erase(line);
  }
}

void PredictionJudge::close(Slot slot) {
  if (states_[slot] == State::on) ++late_;
  if (states_[slot] == State::off) ++correct_;
  states_[slot] = State::none;
}

void PredictionJudge::kernel_ended() {
  for (Slot slot = 0; slot < states_.size(); ++slot) close(slot);
  correct_ += shadow_.size();
  shadow_.clear();
}

}  // namespace wharf
