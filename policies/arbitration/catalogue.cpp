#include "policies/arbitration/catalogue.h"

#include <string>

#include "model/base/error.h"
#include "policies/arbitration/islip.h"
#include "policies/arbitration/round_robin.h"

namespace wharf::arbitration {
namespace {

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<PortAllocator> (*make)(unsigned inputs, unsigned outputs, unsigned iterations);
};

constexpr Entry kCatalogue[] = {
    {"islip", "outputs grant, inputs accept, pointers move on acceptance",
     [](unsigned inputs, unsigned outputs, unsigned iterations) -> std::unique_ptr<PortAllocator> {
       return std::make_unique<Islip>(inputs, outputs, iterations);
     }},
    {"round_robin", "inputs in rotating order take the first free output they ask for",
     [](unsigned inputs, unsigned outputs, unsigned) -> std::unique_ptr<PortAllocator> {
       return std::make_unique<RoundRobin>(inputs, outputs);
     }},
};

}  // namespace

std::vector<config::PolicyName> catalogue_names() {
  std::vector<config::PolicyName> names;
  for (const Entry& entry : kCatalogue) names.push_back({entry.name, entry.help});
  return names;
}

std::unique_ptr<PortAllocator> make(std::string_view name, unsigned inputs, unsigned outputs, unsigned iterations) {
  if (inputs < 1 || inputs > kMaxPorts || outputs < 1 || outputs > kMaxPorts)
    throw InputError("arbitration of " + std::to_string(inputs) + " x " + std::to_string(outputs) + " ports: choose 1 to " +
                     std::to_string(kMaxPorts) + " each way");
  if (iterations < 1) throw InputError("arbitration with 0 iterations matches nothing: choose 1 or more");
  std::string known;
  for (const Entry& entry : kCatalogue) {
    if (name == entry.name) return entry.make(inputs, outputs, iterations);
    known += known.empty() ? entry.name : std::string(", ") + entry.name;
  }
  throw InputError("arbitration policy '" + std::string(name) + "' is unknown: choose one of " + known);
}

}  // namespace wharf::arbitration
