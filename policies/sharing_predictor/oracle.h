#pragma once
// The oracle of RS-10, perfect or degraded (remote_sharing section 5.2): it recognises every shared miss, and takes a fraction of the
// non-shared ones for shared. A precision of 100 % is the oracle itself.

#include "model/base/archive.h"
#include "model/base/rng.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf {

class OracleSharing final : public SharingPredictor {
 public:
  OracleSharing(double precision_percent, Rng random) : mistaken_((100.0 - precision_percent) / 100.0), random_(random) {}

  Answer predict(const Miss& miss) override { return {miss.held_elsewhere || (mistaken_ > 0.0 && random_.chance(mistaken_)), {}}; }
  bool archive(Archive& file) override {
    file(random_);
    return true;
  }

 private:
  double mistaken_;
  Rng random_;
};

}  // namespace wharf
