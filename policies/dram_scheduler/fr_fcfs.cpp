#include "policies/dram_scheduler/fr_fcfs.h"

#include "model/base/types.h"

namespace wharf {

unsigned FrFcfs::choose(const DramBankView& view) const {
  const std::uint64_t hits = view.candidates & view.row_hits;
  if (age_cap_ == kUnlimited) return view.oldest(hits != 0 ? hits : view.candidates);
  const unsigned oldest = view.oldest(view.candidates);
  const std::uint64_t later_arrivals = view.arrivals - 1 - view.arrival[oldest];
  return hits == 0 || later_arrivals > age_cap_ ? oldest : view.oldest(hits);
}

}  // namespace wharf
