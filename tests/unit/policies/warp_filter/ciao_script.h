#pragma once
// A CIAO filter with a few warps that issue and evict each other's lines as scripted, for the ciao_* tests.

#include "policies/warp_filter/ciao.h"

namespace wharf::test {

/// Epochs of 10 and 20 instructions. The thresholds are exceeded by one lost line of four warps, but not by none. Scores cover the last
/// epochs, there is one action per high epoch, old evidence is forgotten, and domains are separate, so a test sees one action at a time.
inline CiaoParams short_epochs() {
  CiaoParams params;
  params.low_epoch = 10;
  params.high_epoch = 20;
  params.high = 0.1;
  params.low = 0.05;
  params.irs_window = ScoreWindow::epoch;
  params.max_act = 1;
  params.same_domain = params.empty_on_action = true;
  return params;
}

class CiaoScript {
 public:
  /// Warp w belongs to CTA w / `warps_per_cta`. A lower slot is older.
  explicit CiaoScript(CiaoMode mode, const CiaoParams& params = short_epochs(), unsigned warps = 4, unsigned warps_per_cta = 2)
      : filter(mode, params) {
    filter.kernel_started(true);
    for (unsigned w = 0; w < warps; ++w) launch(w, w, w / warps_per_cta);
  }
  void launch(unsigned warp, std::uint64_t age, unsigned cta) { filter.observe({WarpEvent::Kind::launched, warp, age, cta}); }
  void observe(WarpEvent::Kind kind, unsigned warp) { filter.observe({kind, warp}); }

  void hurt(unsigned victim, unsigned interferer, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) filter.lost({victim, interferer}, now);
  }
  /// Issues one instruction per cycle.
  void issue(unsigned warp, unsigned instructions) {
    for (unsigned i = 0; i < instructions; ++i) {
      step();
      filter.issued(warp, now);
    }
  }
  /// Advances to a later cycle.
  void step(Cycle cycles = 1) {
    for (; cycles != 0; --cycles) {
      ++now;
      if (filter.due() <= now) filter.advance(now);
    }
  }
  unsigned victim(unsigned warp, PairList::Field field) const { return filter.pairs().victim(warp, field); }

  Ciao filter;
  Cycle now = 0;
};

}  // namespace wharf::test
