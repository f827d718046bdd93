#pragma once
// The two extremes of prediction: a predictor that sends every request to its set, and one that never errs.

#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {

class NoHitPrediction final : public HitPredictor {
 public:
  bool predict_hit(const Block&) const override { return true; }
  bool archive(Archive&) override { return true; }
};

class PerfectHitPrediction final : public HitPredictor {
 public:
  explicit PerfectHitPrediction(std::function<bool(LineAddress)> resident) : resident_(std::move(resident)) {}
  bool predict_hit(const Block& block) const override { return resident_(block.line); }
  bool archive(Archive&) override { return true; }

 private:
  std::function<bool(LineAddress)> resident_;
};

}  // namespace wharf
