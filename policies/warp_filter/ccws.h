#pragma once
// Cache-conscious wavefront scheduling (ciao section 3.3; MICRO 2012): warps that want back what they have lost get a score, which falls
// with time. The scores share a fixed sum; warps for which none of it is left may not load.
//
// Scores fall by themselves, so they are kept with the cycle they were set in, and the next cycle at which the choice can change is known.

#include <array>

#include "policies/warp_filter/warp_filter.h"

namespace wharf {

class Ccws final : public WarpFilter {
 public:
  explicit Ccws(const CcwsParams& params) : params_(params) {}
  void issued(unsigned warp, Cycle now) override;
  void lost(const LostLine& loss, Cycle now) override;
  void advance(Cycle now) override;
  WarpFilterNeeds needs() const override;

  /// LLS of a resident warp, in cycle `now`.
  std::uint64_t score(unsigned warp, Cycle now) const;
  std::uint64_t cutoff() const;

 private:
  void changed(const WarpEvent& event) override;

  struct Warp {
    std::uint64_t hits = 0, issued = 0;
    std::uint64_t score = 0;  // when it was set
    Cycle set = 0;
  };
  CcwsParams params_;
  std::array<Warp, kMaxWarps> warps_{};
  WarpMask resident_ = 0;
  std::uint64_t hits_ = 0, issued_ = 0;  // of resident warps
};

}  // namespace wharf
