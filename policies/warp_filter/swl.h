#pragma once
// Static wavefront limiting (ciao section 3.2, Best-SWL with a given N): only the N oldest warps of the SM that do not wait may issue.

#include "model/base/archive.h"
#include "policies/warp_filter/oldest_pool.h"

namespace wharf {

class StaticWarpLimit final : public WarpFilter {
 public:
  /// Both >= 1.
  StaticWarpLimit(std::uint32_t limit, std::uint32_t schedulers) : limit_(limit), pool_(schedulers) { choose(); }

  bool archive(Archive& file) override {
    file(masks_, pool_);
    return true;
  }

 private:
  void changed(const WarpEvent& event) override {
    pool_.observe(event);
    choose();
  }
  void choose() { masks_.may_issue = masks_.may_issue_load = pool_.of(limit_); }

  std::uint32_t limit_;
  OldestPool pool_;
};

}  // namespace wharf
