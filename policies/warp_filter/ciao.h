#pragma once
// CIAO (ciao sections 4 and 5): the warp that interferes most with another is isolated, so that its accesses go to the shared-memory cache,
// and is stalled if it interferes there as well. Actions are undone in reverse order, when their victim is no longer hurt or has finished.
//
// State changes at the ends of epochs, which count issued instructions; the masks follow when the test unit has finished (CIAO-O18).
//
// Not modelled: the widths of lists and counters, except those of the interference list.

#include <array>
#include <vector>

#include "policies/warp_filter/interference_list.h"
#include "policies/warp_filter/pair_list.h"
#include "policies/warp_filter/re_reference_score.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {

/// The action against an interferer (ciao section 3.5).
enum class CiaoMode { isolate, stall, both };

class Ciao final : public WarpFilter {
 public:
  Ciao(CiaoMode mode, const CiaoParams& params);
  void issued(unsigned warp, Cycle now) override;
  void lost(const LostLine& loss, Cycle now) override;
  void kernel_started(bool region) override;
  void advance(Cycle now) override;
  WarpFilterNeeds needs() const override;
  bool archive(Archive& file) override;

  /// The decided states V = 0 and I = 1, which the masks may not show yet.
  WarpMask stalled() const { return decided_.stalled; }
  WarpMask isolated() const { return decided_.isolated; }
  const PairList& pairs() const { return pairs_; }
  const InterferenceList& interferers() const { return interferers_; }

 private:
  struct States {
    WarpMask stalled = 0, isolated = 0;
  };
  struct Shown {
    Cycle at;
    States states;
  };
  enum class Verdict { go_on, settled };

  void changed(const WarpEvent& event) override;
  void launched(const WarpEvent& event);
  void finished(unsigned warp);
  void end_epoch(unsigned front, bool high, Cycle now);
  unsigned undo_some();
  unsigned act_on_some(unsigned front);
  Verdict consider(unsigned warp, bool high);
  bool act_for(unsigned victim);
  int action_on(unsigned interferer, unsigned victim) const;
  bool is_above_low(unsigned victim) const;
  void undo(unsigned warp, PairList::Field field);
  void reactivate(unsigned warp);
  void reactivate_for_barriers();
  void reactivate_for_progress();
  template <class Visit>
  void in_list_order(unsigned front, WarpMask warps, Visit visit) const;
  unsigned active() const;
  WarpMask runnable() const { return order_.resident() & ~decided_.stalled & ~waiting_; }
  void show_at(Cycle at);
  void show();
  void check_for_standstill() {
    look_ = true;
    due_ = 0;
  }

  CiaoMode mode_;
  CiaoParams params_;
  bool region_ = false;
  ReReferenceScore score_;
  InterferenceList interferers_;
  PairList pairs_;
  AgeOrder order_;  // of unfinished warps
  WarpMask waiting_ = 0;
  std::array<WarpMask, kMaxWarps> cta_{};     // by CTA slot: its warps
  std::array<std::uint8_t, kMaxWarps> in_{};  // CTA slot of each warp
  States decided_, shown_;
  WarpMask acted_on_ = 0;           // in the present scan for interference
  std::vector<Shown> to_show_;      // decisions that the masks do not show yet, in order of time
  bool look_ = false;               // advance() must check for a standstill
  std::uint32_t to_low_, to_high_;  // instructions to the end of the low epoch, and low epochs to the end of the high one
};

}  // namespace wharf
