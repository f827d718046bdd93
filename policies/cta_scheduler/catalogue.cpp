#include "policies/catalogue.h"

#include "policies/cta_scheduler/cta_scheduler.h"
#include "policies/cta_scheduler/distributed.h"
#include "policies/cta_scheduler/round_robin.h"

namespace wharf {
namespace {

template <class Scheduler>
std::unique_ptr<CtaScheduler> make(const Arguments&) {
  return std::make_unique<Scheduler>();
}

std::unique_ptr<CtaScheduler> make_rotating(const Arguments&) {
  return std::make_unique<RoundRobinCtas>(RoundRobinCtas::Pointer::continues);
}

constexpr CtaSchedulerEntry kTable[] = {
    {"round_robin", "one CTA per SM in ascending order until full, then to the SM that freed a slot, the lowest of several (CM-27)",
     make<RoundRobinCtas>},
    {"rotating", "round_robin, but the next CTA goes to the first SM with room after the one served last, across kernels too (CM-27)",
     make_rotating},
    {"distributed", "an equal contiguous block of CTAs for each SM (DC-27)", make<DistributedCtas>},
};

Catalogue<CtaSchedulerEntry>& catalogue() {
  static Catalogue<CtaSchedulerEntry> members("CTA scheduler", kTable);
  return members;
}

}  // namespace

std::unique_ptr<CtaScheduler> make_cta_scheduler(std::string_view name) { return catalogue().make(name, catalogue().arguments_in(name)); }

std::vector<config::PolicyName> cta_scheduler_catalogue_names() { return catalogue().names(); }

void add_cta_scheduler(const CtaSchedulerEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
