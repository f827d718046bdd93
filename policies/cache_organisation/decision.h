#pragma once
// The metrics by which a dynamic organisation decides, as functions of the counts of one group of sets (shared_l1 section 9).

#include <cstdint>

#include "policies/cache_organisation/dynamic_params.h"

namespace wharf {

/// Lookups of one kind: the SM's own, or those of other SMs.
struct LookupCounts {
  std::uint64_t accesses = 0, misses = 0;
  std::uint64_t merges = 0;  // lookups that joined an MSHR entry; not among the misses
  friend LookupCounts operator+(LookupCounts a, LookupCounts b) {
    return {a.accesses + b.accesses, a.misses + b.misses, a.merges + b.merges};
  }
  /// The same with merges among the misses, or counted as hits (SL-24).
  LookupCounts read(bool merge_is_miss) const { return {accesses, misses + (merge_is_miss ? merges : 0), 0}; }
  /// Returns 1 for 0 accesses; 0 misses count as one (SL-25).
  double miss_rate() const;
};

/// The counts of one parity of the sets in a sampling phase (shared_l1 section 9.4).
struct SampleGroup {
  LookupCounts own, incoming;
  std::uint64_t own_l2_replies = 0, incoming_l2_replies = 0;
  std::uint64_t home_replies = 0, direct_replies = 0;
  std::uint64_t own_remote = 0;  // R of shared_l1 section 9.1; L is own.accesses

  SampleGroup read(bool merge_is_miss) const {
    SampleGroup group = *this;
    group.own = own.read(merge_is_miss);
    group.incoming = incoming.read(merge_is_miss);
    return group;
  }
};

struct AmatLatencies {
  double hit = 28, home = 54, l2 = 247;  // in cycles
};

/// AMAT of shared_l1 section 9.1; the private group has no remote accesses.
double amat(const SampleGroup& group, const AmatLatencies& latencies);
/// EB of the even sets (shared_l1 section 9.2).
double eb_private(const SampleGroup& group, bool with_incoming);
/// EB of the odd sets (shared_l1 section 9.2, SL-21, SL-22).
double eb_shared(const SampleGroup& group, EbScope scope, bool with_direct);

}  // namespace wharf
