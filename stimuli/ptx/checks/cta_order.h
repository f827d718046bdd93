#pragma once
// Order between the CTAs of a launch, from atomics after fences.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "stimuli/ptx/checks/access_shadow.h"

namespace wharf::ptx {

/// One time for the launch. A strong write publishes what its CTA has done before its last fence; a strong read takes notice of all that has been
/// published until then, whatever its address: so a CTA that spins on a counter is ordered, and some races behind unrelated atomics are missed.
class CtaOrder final : public AccessOrder {
 public:
  bool precedes(const Access& earlier, std::uint32_t cta) const override;
  std::uint32_t time() const { return time_; }

  void fence(std::uint32_t cta) { ctas_[cta].fenced = ++time_; }
  void strong_write(std::uint32_t cta);
  void strong_read(std::uint32_t cta);

 private:
  struct Release {
    std::uint32_t time, covers;  // accesses before `covers` are published at `time`
  };
  struct Cta {
    std::uint32_t fenced = 0, noticed = 0;
    std::vector<Release> releases;  // ascending
  };
  std::uint32_t time_ = 0;
  std::unordered_map<std::uint32_t, Cta> ctas_;  // with a fence, or with something to notice
};

}  // namespace wharf::ptx
