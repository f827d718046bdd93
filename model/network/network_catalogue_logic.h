#pragma once
// The topologies of L2 traffic by name. Interconnect builds the built-in ones; an added one brings its own module.

#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

struct NetworkOptions;
struct AddedNetwork;

/// A topology of the catalogue, which keeps the pointers to its texts.
struct NetworkEntry {
  const char* name;
  const char* help;
  /// Makes one direction, requests or replies (model/network/added_network.h); null for built-in topologies.
  AddedNetwork (*make)(const NetworkOptions&);
};

std::vector<config::PolicyName> network_catalogue_names();

/// The entry that `topology` names, and the values of the arguments that follow the name. Both throw InputError for an unknown name or
/// argument.
const NetworkEntry& network_entry(std::string_view topology);
Arguments network_arguments(std::string_view topology);

/// Adds a topology; call it before the first configuration is read. Throws InputError where the name is taken.
void add_network(const NetworkEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
