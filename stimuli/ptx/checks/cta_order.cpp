// Releases of CTAs.
#include "stimuli/ptx/checks/cta_order.h"

#include <algorithm>

namespace wharf::ptx {

bool CtaOrder::precedes(const Access& earlier, std::uint32_t cta) const {
  const auto reader = ctas_.find(cta), writer = ctas_.find(earlier.agent);
  if (reader == ctas_.end() || writer == ctas_.end()) return false;
  const std::vector<Release>& releases = writer->second.releases;
  const auto after = std::upper_bound(releases.begin(), releases.end(), reader->second.noticed,
                                      [](std::uint32_t time, const Release& release) { return time < release.time; });
  return after != releases.begin() && earlier.stamp < std::prev(after)->covers;
}

void CtaOrder::strong_write(std::uint32_t cta) {
  const auto found = ctas_.find(cta);
  if (found == ctas_.end() || found->second.fenced == 0) return;
  std::vector<Release>& releases = found->second.releases;
  if (!releases.empty() && releases.back().covers == found->second.fenced) return;
  releases.push_back({++time_, found->second.fenced});
}

void CtaOrder::strong_read(std::uint32_t cta) {
  if (time_ != 0) ctas_[cta].noticed = time_;
}

}  // namespace wharf::ptx
