#include "policies/catalogue.h"

#include "policies/cta_scheduler/cta_scheduler.h"
#include "policies/cta_scheduler/distributed.h"
#include "policies/cta_scheduler/round_robin.h"

namespace wharf {
namespace {

template <class Scheduler>
std::unique_ptr<CtaScheduler> make() {
  return std::make_unique<Scheduler>();
}

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<CtaScheduler> (*make)();
};

constexpr Entry kCatalogue[] = {
    {"round_robin", "one CTA per SM in ascending order until full, then to the SM that freed a slot (CM-27)", make<RoundRobinCtas>},
    {"distributed", "an equal contiguous block of CTAs for each SM (DC-27)", make<DistributedCtas>},
};

}  // namespace

std::unique_ptr<CtaScheduler> make_cta_scheduler(std::string_view name) { return find_policy(kCatalogue, "CTA scheduler", name).make(); }

std::vector<config::PolicyName> cta_scheduler_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
