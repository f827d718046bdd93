#include "model/rtl/blocks/tag_array_rtl.h"

#include <aggregated_tag_array_sets.h>

#include "model/base/bits.h"
#include "model/rtl/catalogue.h"

namespace wharf::rtl {
namespace {

constexpr unsigned kLineNumberBits = 57;  // of a 64-bit address

}  // namespace

std::unique_ptr<ClusterTags> make_tag_array_rtl(const ClusterShape& shape) {
  const auto visit = [](auto&& visitor) { visit_aggregated_tag_array_sets(visitor); };
  const std::uint32_t sets = shape.set_index.sets();
  const std::vector<Need> needs = {at_least("PORTS", shape.l1s), at_least("SETS", sets), at_least("WAYS", shape.ways),
                                   at_least("TAG_BITS", kLineNumberBits - floor_log2(sets)), equal("SECTORS", kSectorsPerLine)};
  return make_of_set<ClusterTags>("aggregated_tag_array", visit, needs, [&](auto set) {
    return std::make_unique<TagArrayRtl<typename decltype(set)::Model>>("rtl", "aggregated_tag_array", set.text, shape);
  });
}

}  // namespace wharf::rtl
