#pragma once
// Which warps of an SM may issue, and which go first (CM-24). The order among them is the warp scheduler's business.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "policies/warp_scheduler/age_order.h"

namespace wharf {

/// One bit a warp slot of the SM.
struct WarpMasks {
  WarpMask may_issue = ~WarpMask{0};       // any instruction
  WarpMask may_issue_load = ~WarpMask{0};  // a load of global or local space, beside may_issue
  WarpMask prefer = 0;                     // these issue first: another warp only in a cycle in which none of them is ready
};

/// What happened to a warp of the SM.
struct WarpEvent {
  enum class Kind : std::uint8_t {
    launched,
    finished,
    waiting,  // stopped at a barrier or fence
    resumed,  // the barrier or fence is passed
    predictor,       // it belongs to the CTA that predicts for the others
    predicted,       // no CTA does any more; of no warp
  };
  Kind kind = Kind::launched;
  std::uint32_t warp = 0;  // slot, < kMaxWarps
  std::uint64_t age = 0;   // launched: order of assignment to the SM, lower is older
};

/// Eligibility only: a filter never sees the SM. Its masks change in observe() and at no other time, so a host may sleep on them.
class WarpFilter {
 public:
  virtual ~WarpFilter() = default;
  const WarpMasks& masks() const { return masks_; }
  virtual void observe(WarpEvent event) = 0;
  /// False where the masks stay open for ever (CM-4: issuing ahead is legal only then).
  virtual bool restricts() const { return true; }

 protected:
  WarpMasks masks_;
};

struct WarpFilterOptions {
  std::uint32_t limit = kMaxWarps;  // swl: warps of the SM that may issue, 1..kMaxWarps
  std::uint32_t schedulers = 1;     // swl: schedulers that share the limit; warp slot w belongs to scheduler w mod schedulers
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<WarpFilter> make_warp_filter(std::string_view name, const WarpFilterOptions& options);

std::vector<config::PolicyName> warp_filter_catalogue_names();

}  // namespace wharf
