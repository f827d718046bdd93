#include "model/network/network_catalogue_logic.h"

#include "policies/catalogue.h"

namespace wharf {
namespace {

constexpr NetworkEntry kTable[] = {
    {"crossbar", "input-queued switches with virtual channels, SMs on one side and slices on the other", nullptr},
    {"mesh", "routers in rows and columns, a node each", nullptr},
    {"ring", "routers in a circle, a node each", nullptr},
    {"butterfly", "radix^stages nodes, as many stages of switches", nullptr},
    {"rate", "a latency, and ports that let through so many bytes in a cycle (morpheus section 2.4)", nullptr},
};

Catalogue<NetworkEntry>& catalogue() {
  static Catalogue<NetworkEntry> members("network", kTable);
  return members;
}

}  // namespace

std::vector<config::PolicyName> network_catalogue_names() { return catalogue().names(); }

const NetworkEntry& network_entry(std::string_view topology) { return catalogue().find(topology); }

Arguments network_arguments(std::string_view topology) { return catalogue().arguments_in(topology); }

void add_network(const NetworkEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
