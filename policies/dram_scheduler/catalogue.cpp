#include "policies/catalogue.h"

#include "policies/dram_scheduler/dram_scheduler.h"
#include "policies/dram_scheduler/fcfs.h"
#include "policies/dram_scheduler/fr_fcfs.h"

namespace wharf {
namespace {

constexpr DramSchedulerEntry kTable[] = {
    {"fr_fcfs", "row hits first, then the oldest request of the bank",
     [](const DramSchedulerOptions& options) -> std::unique_ptr<DramScheduler> { return std::make_unique<FrFcfs>(options.age_cap); }},
    {"fcfs", "the oldest request of the bank",
     [](const DramSchedulerOptions&) -> std::unique_ptr<DramScheduler> { return std::make_unique<Fcfs>(); }},
};

Catalogue<DramSchedulerEntry>& catalogue() {
  static Catalogue<DramSchedulerEntry> members("DRAM scheduler", kTable);
  return members;
}

}  // namespace

std::vector<config::PolicyName> dram_scheduler_catalogue_names() { return catalogue().names(); }

std::unique_ptr<DramScheduler> make_dram_scheduler(std::string_view name, DramSchedulerOptions options) {
  options.arguments = catalogue().arguments_in(name);
  return catalogue().make(name, options);
}

void add_dram_scheduler(const DramSchedulerEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
