#pragma once
// Reads the counters of a registry by metric name, summed over instances.

#include <stdexcept>
#include <string>
#include <string_view>

#include "model/base/stats/stats.h"

namespace wharf::test {

/// The sum since the beginning. Throws for a metric that nothing registered: a misspelt name must not read as 0.
inline std::uint64_t counted(const stats::Registry& registry, std::string_view metric) {
  const stats::Snapshot now = registry.snapshot();
  const stats::View view(registry, stats::Snapshot(now.size()), now);
  if (!view.has(metric)) throw std::logic_error("no counter is called " + std::string(metric));
  return view.sum(metric);
}

}  // namespace wharf::test
