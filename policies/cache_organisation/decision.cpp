#include "policies/cache_organisation/decision.h"

#include <algorithm>

namespace wharf {

double LookupCounts::miss_rate() const {
  if (accesses == 0) return 1.0;
  return static_cast<double>(std::max<std::uint64_t>(misses, 1)) / static_cast<double>(accesses);
}

double amat(const SampleGroup& group, const AmatLatencies& latencies) {
  const auto local = static_cast<double>(group.own.accesses), remote = static_cast<double>(group.own_remote);
  if (local + remote == 0) return latencies.hit;
  // A miss rate of 0 stays 0 here, because it is not a divisor.
  const auto rate = [](LookupCounts c) { return c.misses == 0 ? 0.0 : c.miss_rate(); };
  const double at_home = latencies.home + rate(group.incoming) * latencies.l2;
  return latencies.hit + local / (local + remote) * rate(group.own) * latencies.l2 + remote / (local + remote) * at_home;
}

double eb_private(const SampleGroup& group, bool with_incoming) {
  const LookupCounts lookups = with_incoming ? group.own + group.incoming : group.own;
  const std::uint64_t replies = group.own_l2_replies + (with_incoming ? group.incoming_l2_replies : 0);
  return static_cast<double>(replies) / lookups.miss_rate();
}

double eb_shared(const SampleGroup& group, EbScope scope, bool with_direct) {
  const bool all = scope == EbScope::all;
  const LookupCounts lookups = all ? group.own + group.incoming : group.own;
  const std::uint64_t replies = group.own_l2_replies + (all ? group.incoming_l2_replies : 0);
  return static_cast<double>(replies) / lookups.miss_rate() +
         static_cast<double>(group.home_replies + (with_direct ? group.direct_replies : 0));
}

}  // namespace wharf
