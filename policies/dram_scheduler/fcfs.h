#pragma once
// First come, first served per bank; the banks still work in parallel.

#include "policies/dram_scheduler/dram_scheduler.h"

namespace wharf {

class Fcfs final : public DramScheduler {
 public:
  unsigned choose(const DramBankView& view) const override { return view.oldest(view.candidates); }
};

}  // namespace wharf
