#include "policies/arbitration/catalogue.h"

#include <algorithm>
#include <string>

#include "model/base/error.h"
#include "policies/arbitration/islip.h"
#include "policies/arbitration/round_robin.h"
#include "policies/catalogue.h"

namespace wharf::arbitration {
namespace {

constexpr Entry kTable[] = {
    {"islip", "outputs grant, inputs accept, pointers move on acceptance",
     [](unsigned inputs, unsigned outputs, unsigned iterations) -> std::unique_ptr<PortAllocator> {
       return std::make_unique<Islip>(inputs, outputs, iterations);
     },
     true},
    {"round_robin", "inputs in rotating order take the first free output they ask for",
     [](unsigned inputs, unsigned outputs, unsigned) -> std::unique_ptr<PortAllocator> {
       return std::make_unique<RoundRobin>(inputs, outputs);
     }},
};

Catalogue<Entry>& catalogue() {
  static Catalogue<Entry> members("arbitration policy", kTable);
  return members;
}

}  // namespace

std::vector<config::PolicyName> catalogue_names() { return catalogue().names(); }

bool iterative(std::string_view name) {
  const auto names = catalogue().names();
  const bool known = std::any_of(names.begin(), names.end(), [&](const auto& member) { return member.name == name; });
  return !known || catalogue().find(name).iterative;
}

void add(const Entry& entry) { catalogue().add(entry); }

std::unique_ptr<PortAllocator> make(std::string_view name, unsigned inputs, unsigned outputs, unsigned iterations) {
  if (inputs < 1 || inputs > kMaxPorts || outputs < 1 || outputs > kMaxPorts)
    throw InputError("arbitration of " + std::to_string(inputs) + " x " + std::to_string(outputs) + " ports: choose 1 to " +
                     std::to_string(kMaxPorts) + " each way");
  if (iterations < 1) throw InputError("arbitration with 0 iterations matches nothing: choose 1 or more");
  return catalogue().make(name, inputs, outputs, iterations);
}

}  // namespace wharf::arbitration
