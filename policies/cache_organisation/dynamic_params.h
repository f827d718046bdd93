#pragma once
// Parameters of the dynamic organisations (shared_l1 sections 8 and 9).

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

enum class ForcedMode { none, private_mode, shared_mode };
enum class EbScope { all, own };
enum class AmatLatency { constant, measured };
enum class MetricTie { private_mode, shared_mode };
/// The accesses that measure the length of a phase (SL-16, SL-17).
enum class PhaseCounts {
  issued,    // those that the SM issues, on any path
  own,       // of them, those that look up its own L1: requester = home
  incoming,  // these, and other SMs' lookups in its L1
};

struct DynamicParams {
  PhaseCounts phase_counts = PhaseCounts::issued;
  std::uint32_t sample_accesses = 512;
  std::uint32_t execute_accesses = 16384;
  std::uint64_t sample_access_cap = 0;
  bool miss_rate_check = true;
  std::uint32_t miss_rate_threshold_percent = 10;
  EbScope eb_scope = EbScope::all;
  bool eb_direct_replies = true;
  bool incoming_in_private_group = false;
  bool merge_is_miss = true;
  bool check_merge_is_miss = false;
  AmatLatency amat_latency = AmatLatency::constant;
  std::uint32_t amat_hit_cycles = 28;
  std::uint32_t amat_home_cycles = 54;
  std::uint32_t amat_l2_cycles = 247;
  bool wait_for_own_stores = false;
  bool persist_phases = true;
  MetricTie tie = MetricTie::private_mode;
  ForcedMode force = ForcedMode::none;

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("phase_counts", phase_counts,
             {{"issued", PhaseCounts::issued}, {"own", PhaseCounts::own}, {"incoming", PhaseCounts::incoming}},
             "what a phase counts: accesses that the SM issues; those of them to its own L1; lookups in its L1, other SMs' included "
             "(SL-16, SL-17)");
    b.integer("sample_accesses", sample_accesses, Unit::accesses,
              "R_S: accesses of each group of sets after which the sampling phase ends; published: 512", 1, 1u << 24);
    b.integer("execute_accesses", execute_accesses, Unit::accesses, "R_Ex: accesses of an execution phase; published: 16384", 1, 1u << 30);
    b.integer("sample_access_cap", sample_access_cap, Unit::accesses,
              "own accesses after which sampling ends in any case; a group without data then decides for private; 0: none (SL-17)", 0,
              std::uint64_t{1} << 40);
    b.flag("miss_rate_check", miss_rate_check, "L1MRpr: choose private if its miss rate is below the threshold, whatever the metric says");
    b.integer("miss_rate_threshold_percent", miss_rate_threshold_percent, Unit::percent, "L1MR_Threshold of that check", 0, 100);
    b.choice("eb_scope", eb_scope, {{"all", EbScope::all}, {"own", EbScope::own}},
             "L2 replies and miss rate of the shared group: of all lookups in its sets, or of the SM's own (SL-21)");
    b.flag("eb_direct_replies", eb_direct_replies, "replies to direct accesses count for the shared group, undivided (SL-22)");
    b.flag("incoming_in_private_group", incoming_in_private_group,
           "other SMs' lookups and their L2 replies count in the private group, too (SL-23)");
    b.flag("merge_is_miss", merge_is_miss, "a merge into a pending MSHR entry counts as a miss for the metric (SL-24)");
    b.flag("check_merge_is_miss", check_merge_is_miss, "a merge counts as a miss for the check of the private miss rate, too (SL-24)");
    b.ineffective_unless(miss_rate_check, "check_merge_is_miss", "shared_l1.dynamic.miss_rate_check is false");
    b.choice("amat_latency", amat_latency, {{"constant", AmatLatency::constant}, {"measured", AmatLatency::measured}},
             "latencies of AMAT: the three below, or the means of the SM's own sampling phase if it measured any (SL-20)");
    b.integer("amat_hit_cycles", amat_hit_cycles, Unit::cycles, "L1_HitLatency", 1, 100000);
    b.integer("amat_home_cycles", amat_home_cycles, Unit::cycles, "Home_AccessLatency: in addition to a hit", 0, 100000);
    b.integer("amat_l2_cycles", amat_l2_cycles, Unit::cycles, "L2_AccessLatency: in addition to a hit", 0, 100000);
    b.flag("wait_for_own_stores", wait_for_own_stores, "the mode changes only when all of the SM's stores are acknowledged (CM-32)");
    b.choice("force", force, {{"none", ForcedMode::none}, {"private", ForcedMode::private_mode}, {"shared", ForcedMode::shared_mode}},
             "execute this mode from the start and never sample, for checks");
    const char* const no_decisions = "shared_l1.dynamic.force leaves nothing to decide";
    b.flag("persist_phases", persist_phases,
           "phases and counters continue across kernels; false: each kernel starts with fresh sampling (SL-16)");
    b.ineffective_unless(force == ForcedMode::none, "persist_phases", no_decisions);
    b.choice("tie", tie, {{"private", MetricTie::private_mode}, {"shared", MetricTie::shared_mode}},
             "mode to execute if the metric is equal for both (SL-25)");
    b.ineffective_unless(force == ForcedMode::none, "tie", no_decisions);
  }
};

}  // namespace wharf
