#include "policies/catalogue.h"

#include "model/base/error.h"
#include "policies/warp_scheduler/gto.h"
#include "policies/warp_scheduler/lrr.h"
#include "policies/warp_scheduler/two_level.h"
#include "policies/warp_scheduler/warp_scheduler.h"

namespace wharf {
namespace {

std::unique_ptr<WarpScheduler> make_lrr(const WarpSchedulerOptions&) { return std::make_unique<LooseRoundRobin>(); }
std::unique_ptr<WarpScheduler> make_gto(const WarpSchedulerOptions&) { return std::make_unique<GreedyThenOldest>(); }

std::unique_ptr<WarpScheduler> make_two_level(const WarpSchedulerOptions& options) {
  if (options.active_warps == 0) throw InputError("warp scheduler two_level has 0 active warps; give it at least one");
  return std::make_unique<TwoLevel>(options.active_warps);
}

constexpr WarpSchedulerEntry kTable[] = {
    {"lrr", "loose round robin over the warp slots", make_lrr},
    {"gto", "greedy then oldest", make_gto},
    {"two_level", "round robin in an active set that a warp leaves on a long stall", make_two_level},
};

Catalogue<WarpSchedulerEntry>& catalogue() {
  static Catalogue<WarpSchedulerEntry> members("warp scheduler", kTable);
  return members;
}

}  // namespace

std::unique_ptr<WarpScheduler> make_warp_scheduler(std::string_view name, WarpSchedulerOptions options) {
  options.arguments = catalogue().arguments_in(name);
  return catalogue().make(name, options);
}

std::vector<config::PolicyName> warp_scheduler_catalogue_names() { return catalogue().names(); }

void add_warp_scheduler(const WarpSchedulerEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
