#include "model/rtl/blocks/islip_rtl.h"

#include <islip_sets.h>

#include "model/rtl/catalogue.h"
#include "model/rtl/members.h"

namespace wharf::rtl {

std::unique_ptr<arbitration::PortAllocator> make_islip_rtl(unsigned inputs, unsigned outputs, unsigned iterations) {
  const auto visit = [](auto&& visitor) { visit_islip_sets(visitor); };
  const std::vector<Need> needs = {at_least("INPUTS", inputs), at_least("OUTPUTS", outputs), equal("ITERATIONS", iterations)};
  return make_of_set<arbitration::PortAllocator>("islip", visit, needs, [](auto set) {
    return std::make_unique<IslipRtl<typename decltype(set)::Model>>("rtl", kIslipRtl.name, set.text);
  });
}

}  // namespace wharf::rtl
