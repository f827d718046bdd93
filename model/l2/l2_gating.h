#pragma once
// What a slice has beside its lines where a policy switches their data off (loscache section 6): counters by state, and the judgement of
// the predictions. A line that is present, has no data and awaits none is OFF_TAG; one that is not present was never used: EMPTY.

#include "model/base/stats/stats.h"
#include "model/l2/prediction_judge.h"

namespace wharf {

struct L2Gating {
  L2Gating(stats::Group& group, std::uint32_t lines);

  stats::Counter no_tag, pending, on, off_tag;  // accesses by the state they met
  stats::Counter gates_clean, gates_dirty, bypasses, bypassed_reads, bypassed_writes, bypassed_fills, tag_only_records, mispredicts;
  stats::Counter count_updates, wakes, probes, probes_present;
  stats::Counter pending_store;
  PredictionJudge judge;
};

}  // namespace wharf
