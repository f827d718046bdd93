#pragma once
// Cache-conscious wavefront scheduling (ciao section 3.3; MICRO 2012): a warp that misses on lines it has lost gets a score, which decays
// over time. The scores share a fixed sum; warps beyond that sum may not load.
//
// Scores are stored with the cycle in which they were set, because they decay by themselves, and the next cycle in which the choice can
// change is computed.

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
  bool archive(Archive& file) override;

  /// The lost-locality score (LLS) of a resident warp in cycle `now`.
  std::uint64_t score(unsigned warp, Cycle now) const;
  std::uint64_t cutoff() const;

 private:
  void changed(const WarpEvent& event) override;

  struct Warp {
    std::uint64_t hits = 0, issued = 0;
    std::uint64_t score = 0;  // value when it was set
    Cycle set = 0;
  };
  CcwsParams params_;
  std::array<Warp, kMaxWarps> warps_{};
  WarpMask resident_ = 0;
  std::uint64_t hits_ = 0, issued_ = 0;  // summed over resident warps
};

}  // namespace wharf
