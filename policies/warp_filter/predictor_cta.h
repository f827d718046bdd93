#pragma once
// Priority of the predictor CTA (loscache section 5.3): a warp of another CTA issues only in a cycle in which none of its warps is ready.
// Within each class the warp scheduler's order holds.

#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class PredictorCta final : public WarpFilter {
 public:
  void observe(WarpEvent event) override {
    switch (event.kind) {
      case WarpEvent::Kind::predictor:
        masks_.prefer |= warp_bit(event.warp);
        break;
      case WarpEvent::Kind::finished:
        masks_.prefer &= ~warp_bit(event.warp);
        break;
      case WarpEvent::Kind::predicted:
        masks_.prefer = 0;
        break;
      case WarpEvent::Kind::launched:
      case WarpEvent::Kind::waiting:
      case WarpEvent::Kind::resumed:
        break;
    }
  }
};

}  // namespace wharf
