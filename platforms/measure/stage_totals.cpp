#include "platforms/measure/stage_totals.h"

#include <string>

namespace wharf {

StageTotals::StageTotals(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, unsigned stages)
    : sms_(sms), group_(registry, "loads"), cycles_(stages) {
  for (unsigned stage = 0; stage < stages; ++stage)
    cycles_.emplace_back(group_, std::string("in_") + kStageNames[stage],
                         "core cycles of the round trips of all loads that passed in this stage", stats::Unit::cycles);
}

void StageTotals::catch_up() {
  LatencyStack all;
  for (const auto& sm : sms_)
    for (unsigned server = 0; server < kServedBy; ++server) all += sm->logic().latency_stack(static_cast<ServedBy>(server));
  for (unsigned stage = 0; stage < cycles_.size(); ++stage) cycles_[stage] += all.cycles[stage] - cycles_[stage].value();
}

}  // namespace wharf
