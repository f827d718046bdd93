#pragma once
// The state of a slice whose line policy can switch data off (loscache section 6): counters by line state, and the judge of predictions. A
// present line without data, valid or pending, is OFF_TAG. An absent line whose way was never used is EMPTY.

#include "model/base/stats/stats.h"
#include "model/l2/prediction_judge.h"

namespace wharf {

struct L2Gating {
  L2Gating(stats::Group& group, std::uint32_t lines);

  stats::Counter no_tag, pending, on, off_tag;  // accesses by the state of the line
  stats::Counter gates_clean, gates_dirty, bypasses, bypassed_reads, bypassed_writes, bypassed_fills, tag_only_records, mispredicts;
  stats::Counter count_updates, wakes, probes, probes_present;
  stats::Counter pending_store;
  PredictionJudge judge;
};

}  // namespace wharf
