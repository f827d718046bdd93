#include "model/rtl/blocks/pc_two_bit_rtl.h"

#include <pc_two_bit_sets.h>

#include "model/rtl/catalogue.h"
#include "model/rtl/members.h"

namespace wharf::rtl {

std::unique_ptr<SharingPredictor> make_pc_two_bit_rtl(const SharingPredictorOptions& options) {
  const PcTwoBitParams& params = options.pc_two_bit;
  const auto visit = [](auto&& visitor) { visit_pc_two_bit_sets(visitor); };
  const std::vector<Need> needs = {equal("ENTRIES", params.entries),
                                   equal("WINDOW", params.window),
                                   {"COUNT_AT", params.count_at == CountAt::issue ? "issue" : "complete"},
                                   {"PROBED", params.probed == ProbedShare::first ? "first" : "spread"},
                                   {"SURVIVES_KERNELS", params.survives_kernels ? "true" : "false"}};
  return make_of_set<SharingPredictor>("pc_two_bit", visit, needs, [](auto set) {
    return std::make_unique<LinkedSharingPredictor<typename decltype(set)::Model>>("predictor", kPcTwoBitRtl.name, set.text);
  });
}

}  // namespace wharf::rtl
