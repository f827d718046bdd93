#include "policies/dram_scheduler/dram_scheduler.h"

#include <string>

#include "model/base/error.h"
#include "policies/dram_scheduler/fcfs.h"
#include "policies/dram_scheduler/fr_fcfs.h"

namespace wharf {
namespace {

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<DramScheduler> (*make)(const DramSchedulerOptions&);
};

constexpr Entry kEntries[] = {
    {"fr_fcfs", "row hits first, then the oldest request of the bank",
     [](const DramSchedulerOptions& options) -> std::unique_ptr<DramScheduler> { return std::make_unique<FrFcfs>(options.age_cap); }},
    {"fcfs", "the oldest request of the bank",
     [](const DramSchedulerOptions&) -> std::unique_ptr<DramScheduler> { return std::make_unique<Fcfs>(); }},
};

}  // namespace

std::vector<config::PolicyName> dram_scheduler_catalogue_names() {
  std::vector<config::PolicyName> names;
  for (const Entry& entry : kEntries) names.push_back({entry.name, entry.help});
  return names;
}

std::unique_ptr<DramScheduler> make_dram_scheduler(std::string_view name, const DramSchedulerOptions& options) {
  std::string offered;
  for (const Entry& entry : kEntries) {
    if (name == entry.name) return entry.make(options);
    offered += (offered.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InputError("no DRAM scheduler is called '" + std::string(name) + "'; choose one of: " + offered);
}

}  // namespace wharf
