#pragma once
// Parameters of the warp filters that need more than a limit (ciao section 7.4).

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

/// Parameters of cache-conscious wavefront scheduling (ciao section 3.3).
struct CcwsParams {
  std::uint32_t base = 100;
  std::uint32_t k = 8;
  std::uint32_t decay = 1;

  void bind(config::Binder& b) {
    using config::Unit;
    b.integer("base", base, Unit::count,
              "lost-locality score of a warp that has lost nothing; all scores share this much per warp (CIAO-O6)", 1, 1u << 20);
    b.integer("k", k, Unit::count, "K_throttle: weight of lost lines (CIAO-O6)", 1, 1u << 20);
    b.integer("decay", decay, Unit::count, "points that a score above the base loses per cycle", 1, 1u << 20);
  }
};

/// The utilisation of L2 or DRAM: the mean of all units, or the busiest unit on the path (CIAO-O7).
enum class PcalUtilisation { mean, busiest };

/// Parameters of static priority-based cache allocation (ciao section 3.4); the tokens are sm.swl_limit.
struct PcalParams {
  PcalUtilisation utilisation = PcalUtilisation::busiest;
  double low = 0.70;
  double high = 0.90;
  std::uint32_t window = 2048;
  std::uint32_t step = 2;

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("utilisation", utilisation, {{"mean", PcalUtilisation::mean}, {"busiest", PcalUtilisation::busiest}},
             "utilisation of L2 and DRAM: the mean over access ports and over data buses; or the busiest access or reply port of a slice, "
             "and the busiest data bus (CIAO-O7)");
    b.real("low", low, Unit::ratio, "utilisation of both L2 and DRAM below which more warps run without a token (CIAO-O7)", 0.0, 1.0);
    b.real("high", high, Unit::ratio, "utilisation of either above which fewer do", 0.0, 1.0);
    b.integer("window", window, Unit::cycles, "core cycles per measurement of both", 16, 1u << 30);
    b.integer("step", step, Unit::warps, "change in the number of warps without a token after each measurement", 1, 64);
    b.require(low <= high, "low", "is above high", "make it at most high");
  }
};

/// The examination for interference at the end of an epoch (CIAO-O14): all warps, with actions for up to max_act that qualify; or only the
/// warp in front.
enum class CiaoExam { scan, front_only };
/// The window of a score (CIAO-O11).
enum class ScoreWindow { epoch, kernel };

/// Parameters of interference-aware throttling and isolation (ciao sections 4 and 5).
struct CiaoParams {
  double high = 0.01;
  double low = 0.005;
  std::uint32_t high_epoch = 5000;
  std::uint32_t low_epoch = 100;
  CiaoExam exam = CiaoExam::scan;
  std::uint32_t max_act = 64;
  bool act_once = false;
  std::uint32_t max_undo = 1;
  std::uint32_t test_latency = 8;
  bool same_domain = false;
  bool empty_on_action = false;
  ScoreWindow irs_window = ScoreWindow::kernel;
  bool replace_on_reach_zero = false;

  void bind(config::Binder& b) {
    using config::Unit;
    b.real("high", high, Unit::ratio,
           "a warp's misses on lost lines, per instruction of an average warp, above which its interferer is acted upon", 0.0, 1e9);
    b.real("low", low, Unit::ratio,
           "misses on lost lines, counted as for `high`, at or below which actions on the warp's behalf are undone", 0.0, 1e9);
    b.integer("high_epoch", high_epoch, Unit::count, "warp instructions of the SM between two examinations for interference", 1, 1u << 30);
    b.integer("low_epoch", low_epoch, Unit::count, "warp instructions of the SM between two examinations for actions to undo", 1, 1u << 30);
    b.choice(
        "exam", exam, {{"scan", CiaoExam::scan}, {"front_only", CiaoExam::front_only}},
        "warps examined at an epoch's end: all, in order, until max_act actions have been taken; or the one about to issue (CIAO-O14)");
    b.integer("max_act", max_act, Unit::count,
              "scan: isolations and stalls at the end of one high epoch; 64: for every warp that qualifies (CIAO-O14)", 1, 64);
    b.flag("act_once", act_once,
           "scan: a warp is acted upon at most once at the end of a high epoch, so that it runs isolated before it can be stalled; false: "
           "as listed (CIAO-O14)");
    b.integer("max_undo", max_undo, Unit::count, "scan: actions undone at the end of one low epoch", 1, 64);
    b.integer("test_latency", test_latency, Unit::cycles,
              "an epoch's end to its effect, in addition to one cycle per examined warp (CIAO-O18)", 0, 10000);
    b.flag("same_domain", same_domain,
           "an isolated warp is stalled only on behalf of another isolated warp; false: on behalf of any, as listed (CIAO-O32)");
    b.flag("empty_on_action", empty_on_action,
           "entries of the interference list that name a warp are cleared when it is acted upon; false: they stay, as listed (CIAO-O32)");
    b.choice("irs_window", irs_window, {{"kernel", ScoreWindow::kernel}, {"epoch", ScoreWindow::epoch}},
             "window of a score: since the kernel's start, or the last one or two high epochs (CIAO-O11)");
    b.flag("replace_on_reach_zero", replace_on_reach_zero,
           "an entry of the interference list takes the warp that brings its counter to 0; false: the next other warp (CIAO-O9)");
    for (const char* key : {"max_act", "act_once", "max_undo"}) b.ineffective_unless(exam == CiaoExam::scan, key, "exam is front_only");
    b.require(low <= high, "low", "is above high", "make it at most high");
    b.require(high_epoch % low_epoch == 0, "high_epoch", "does not end where a low_epoch does", "make it a multiple of low_epoch");
  }
};

}  // namespace wharf
