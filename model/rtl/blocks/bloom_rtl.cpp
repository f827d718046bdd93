#include "model/rtl/blocks/bloom_rtl.h"

#include <bloom_sets.h>

#include <algorithm>

#include "model/rtl/catalogue.h"
#include "model/rtl/members.h"

namespace wharf::rtl {

std::unique_ptr<HitPredictor> make_bloom_rtl(const HitPredictorOptions& options) {
  const BloomParams& bloom = options.bloom;
  const auto visit = [](auto&& visitor) { visit_bloom_sets(visitor); };
  const std::vector<Need> needs = {equal("BYTES", bloom.bytes), equal("HASHES", bloom.hashes),
                                   at_least("ROWS", options.associativity.size())};
  return make_of_set<HitPredictor>("bloom", visit, needs, [&](auto set) {
    return std::make_unique<BloomRtl<typename decltype(set)::Model>>("rtl", kBloomRtl.name, set.text, options);
  });
}

}  // namespace wharf::rtl
