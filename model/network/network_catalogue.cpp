#include "model/network/network_catalogue.h"

#include "model/network/added_network.h"
#include "policies/catalogue.h"

namespace wharf {

// Each is defined in its own file.
NetworkEntry crossbar_network();
NetworkEntry hierarchical_network();
NetworkEntry rate_network();
NetworkEntry mesh_network();
NetworkEntry ring_network();
NetworkEntry butterfly_network();

namespace {

Catalogue<NetworkEntry>& catalogue() {
  static const NetworkEntry table[] = {crossbar_network(), hierarchical_network(), rate_network(),
                                       mesh_network(),     ring_network(),         butterfly_network()};
  static Catalogue<NetworkEntry> members("network", table);
  return members;
}

}  // namespace

std::vector<config::PolicyName> network_catalogue_names() { return catalogue().names(); }

const std::vector<NetworkEntry>& network_entries() { return catalogue().entries(); }

const NetworkEntry& network_entry(std::string_view topology) { return catalogue().find(topology); }

Arguments network_arguments(std::string_view topology) { return catalogue().arguments_in(topology); }

AddedNetwork make_network(std::string_view topology, const NetworkOptions& options) {
  const NetworkEntry& entry = catalogue().find(topology);
  AddedNetwork made = entry.make(options);
  made.network = catalogue().made_by(entry, std::move(made.network));
  return made;
}

void add_network(const NetworkEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
