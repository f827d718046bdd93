#pragma once
// Parameters of the L2 access-count prediction in an SM's load/store unit (loscache sections 4.1, 5 and 7).

#include <cstdint>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// The prediction of a pc whose example has left L2: its count of 0 acts as 1, or the pc has no prediction (loscache section 4.1).
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
  /// True if SMs go through prediction phases.
  bool has_phases() const { return source == PredictionSource::probes || source == PredictionSource::nowhere; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("scheme", scheme,
             {{"none", PredictionScheme::none}, {"naive", PredictionScheme::naive}, {"adaptive", PredictionScheme::adaptive}},
             "none: no predictions. naive: the counts of the prediction phase. adaptive: these counts plus a threshold per pc "
             "(loscache section 7)");
    b.integer("entries", entries, Unit::count, "pcs in an SM's table; other pcs have no prediction", 1, 1024);
    b.limit("period_accesses", period_accesses, Unit::accesses,
            "accesses of predictor CTAs to L2 after which a prediction phase ends, unless its CTA ends first; unlimited: only with its CTA",
            1, 1u << 20);
    b.choice(
        "period_scope", period_scope, {{"sm", PeriodScope::sm}, {"gpu", PeriodScope::gpu}},
        "which accesses count. sm: those of the SM's own predictor CTA. gpu: those of all predictor CTAs, so that all phases end together");
    b.choice("absent_example", absent_example, {{"one", AbsentExample::one}, {"none", AbsentExample::none}},
             "a pc whose example has left L2 by the end of the phase. one: its count of 0 acts as 1. none: it has no prediction");
    b.integer("threshold_max", threshold_max, Unit::accesses, "maximum threshold that is added to a pc's prediction", 0, kMostThreshold);
    b.flag("reuse_table_across_launches", reuse_table_across_launches,
           "a kernel starts with the table of the previous kernel, and skips the prediction phase if that table exists");
    b.choice("source", source,
             {{"probes", PredictionSource::probes},
              {"nowhere", PredictionSource::nowhere},
              {"fixed", PredictionSource::fixed},
              {"random", PredictionSource::random}},
             "source of predictions. probes: L2's counts after the phase. nowhere: none, although phases run. fixed: fixed_count for "
             "every access. "
             "random: a random 0..6 per access");
    b.integer("fixed_count", fixed_count, Unit::accesses, "prediction for every access; 0: none", 0, kMostCounted);
    b.flag("priority", priority,
           "warps of the predictor CTA have priority among those that sm.warp_filter lets issue (loscache section 5.3)");
    const char* off = "sm.prediction.scheme is none";
    for (const char* key : {"entries", "period_accesses", "period_scope", "reuse_table_across_launches", "priority"})
      b.ineffective_unless(on() && has_phases(), key, on() ? "sm.prediction.source has no phases" : off);
    b.ineffective_unless(on(), "source", off);
    b.ineffective_unless(on() && source == PredictionSource::probes, "absent_example",
                         on() ? "sm.prediction.source asks for no counts" : off);
    b.ineffective_unless(scheme == PredictionScheme::adaptive && source == PredictionSource::probes, "threshold_max",
                         "no threshold is kept: sm.prediction.scheme is not adaptive, or source is not probes");
    b.ineffective_unless(on() && source == PredictionSource::fixed, "fixed_count", "sm.prediction.source is not fixed");
  }
};

}  // namespace wharf
