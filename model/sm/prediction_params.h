#pragma once
// Parameters of the L2 access-count prediction in an SM's load/store unit (loscache sections 4.1, 5 and 7).

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// The prediction for a pc whose example has left L2: its count of 0 acts as 1, or the pc stays without a prediction (AM-21).
enum class AbsentExample { one, none };
enum class PredictionScheme { none, naive, adaptive };
enum class PeriodScope { sm, gpu };
/// The source of predicted counts.
enum class PredictionSource { probes, nowhere, fixed, random };

struct PredictionParams {
  static constexpr std::uint32_t kMostCounted = 63;   // 6 bits
  static constexpr std::uint32_t kMostThreshold = 3;  // 2 bits

  PredictionScheme scheme = PredictionScheme::none;
  std::uint32_t entries = 21;
  std::uint32_t period_accesses = 100;
  PeriodScope period_scope = PeriodScope::sm;
  AbsentExample absent_example = AbsentExample::one;
  std::uint32_t threshold_max = 3;
  bool reuse_table_across_launches = false;
  PredictionSource source = PredictionSource::probes;
  std::uint32_t fixed_count = 0;
  bool priority = false;

  bool on() const { return scheme != PredictionScheme::none; }
  /// True where SMs go through prediction phases.
  bool has_phases() const { return source == PredictionSource::probes || source == PredictionSource::nowhere; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("scheme", scheme,
             {{"none", PredictionScheme::none}, {"naive", PredictionScheme::naive}, {"adaptive", PredictionScheme::adaptive}},
             "none; counts of the prediction phase as they are; the same raised by a threshold for each pc (loscache section 7)");
    b.integer("entries", entries, Unit::count, "pcs in the table of an SM; others stay without a prediction", 1, 1024);
    b.limit("period_accesses", period_accesses, Unit::accesses,
            "accesses of predictor CTAs to L2 after which a prediction phase ends, if its CTA has not; unlimited: when its CTA has", 1,
            1u << 20);
    b.choice("period_scope", period_scope, {{"sm", PeriodScope::sm}, {"gpu", PeriodScope::gpu}},
             "whose accesses are counted: of the SM's own predictor CTA, or of all, in which case all phases end together");
    b.choice("absent_example", absent_example, {{"one", AbsentExample::one}, {"none", AbsentExample::none}},
             "a pc whose example has left L2 by the end of the phase: its count of 0 acts as 1; or it stays without a prediction");
    b.integer("threshold_max", threshold_max, Unit::accesses, "most that a pc's prediction is raised by", 0, kMostThreshold);
    b.flag("reuse_table_across_launches", reuse_table_across_launches,
           "a kernel begins with the table of the one before, and without a prediction phase once there is one");
    b.choice("source", source,
             {{"probes", PredictionSource::probes},
              {"nowhere", PredictionSource::nowhere},
              {"fixed", PredictionSource::fixed},
              {"random", PredictionSource::random}},
             "counts that L2 has after the phase; phases, and no prediction; fixed_count for every access; 0..6 for each access");
    b.integer("fixed_count", fixed_count, Unit::accesses, "what every access is predicted, 0: nothing", 0, kMostCounted);
    b.flag("priority", priority,
           "warps of the predictor CTA go first among those that sm.warp_filter lets issue, whichever it is (loscache section 5.3)");
    const char* off = "sm.prediction.scheme is none";
    for (const char* key : {"entries", "period_accesses", "period_scope", "reuse_table_across_launches", "priority"})
      b.ineffective_unless(on() && has_phases(), key, on() ? "sm.prediction.source knows no phases" : off);
    b.ineffective_unless(on(), "source", off);
    b.ineffective_unless(on() && source == PredictionSource::probes, "absent_example",
                         on() ? "sm.prediction.source asks for no counts" : off);
    b.ineffective_unless(scheme == PredictionScheme::adaptive && source == PredictionSource::probes, "threshold_max",
                         "no threshold is kept: sm.prediction.scheme is not adaptive, or source is not probes");
    b.ineffective_unless(on() && source == PredictionSource::fixed, "fixed_count", "sm.prediction.source is not fixed");
  }
};

}  // namespace wharf
