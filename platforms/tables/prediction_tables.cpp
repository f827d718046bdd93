#include "platforms/tables/prediction_tables.h"

#include <map>

namespace wharf {

namespace {

stats::TableRows by_pc(const std::vector<std::unique_ptr<Sm>>& sms) {
  std::map<std::uint32_t, std::uint64_t> mispredicts;
  for (const auto& sm : sms)
    for (const auto& [pc, times] : sm->logic().prediction()->mispredicts()) mispredicts[pc] += times;
  stats::TableRows table{{"pc", "mispredicts"}, {}};
  for (const auto& [pc, times] : mispredicts) table.rows.push_back({std::uint64_t{pc}, times});
  return table;
}

stats::TableRows by_threshold(const std::vector<std::unique_ptr<Sm>>& sms) {
  stats::TableRows table{{"threshold", "entries"}, {}};
  for (std::uint64_t threshold = 0; threshold <= PredictionParams::kMostThreshold; ++threshold) {
    std::uint64_t entries = 0;
    for (const auto& sm : sms) entries += sm->logic().prediction()->entries_with(threshold);
    table.rows.push_back({threshold, entries});
  }
  return table;
}

stats::TableRows by_sm(const std::vector<std::unique_ptr<Sm>>& sms) {
  stats::TableRows table{{"sm", "predict_cycles", "transfer_cycles", "normal_cycles", "predictor_accesses", "ended_by_accesses",
                          "ended_by_cta", "ended_by_kernel"},
                         {}};
  for (std::uint64_t i = 0; i < sms.size(); ++i) {
    const PredictionUnit::Counters& c = sms[i]->logic().prediction()->counters();
    table.rows.push_back({i, c.predict_cycles.value(), c.transfer_cycles.value(), c.normal_cycles.value(), c.predict_accesses.value(),
                          c.ended_by_accesses.value(), c.ended_by_cta.value(), c.ended_by_kernel.value()});
  }
  return table;
}

}  // namespace

void declare_prediction_tables(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms) {
  registry.table("prediction_pcs", "replies that said a pc's predicted count was too small", [&sms] { return by_pc(sms); });
  registry.table("prediction_thresholds", "valid entries of prediction tables by threshold, at the end of each kernel",
                 [&sms] { return by_threshold(sms); });
  registry.table("prediction_phases", "core cycles and ends of each SM's phases, over all kernels", [&sms] { return by_sm(sms); });
}

}  // namespace wharf
