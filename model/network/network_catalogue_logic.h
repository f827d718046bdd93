#pragma once
// The topologies of L2 traffic by name. Those of the table are built by Interconnect; one that is added brings a module of its own.

#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

struct NetworkOptions;
struct AddedNetwork;

/// A member of the family. The texts are kept as they are given.
struct NetworkEntry {
  const char* name;
  const char* help;
  /// Makes one direction, requests or replies; see model/network/added_network.h. Null for those of the table.
  AddedNetwork (*make)(const NetworkOptions&);
};

std::vector<config::PolicyName> network_catalogue_names();

/// The member that `topology` names, whatever arguments follow, and the values of these. Throw InputError for what there is not.
const NetworkEntry& network_entry(std::string_view topology);
Arguments network_arguments(std::string_view topology);

/// Before the first configuration is read. Throws InputError where the name is taken.
void add_network(const NetworkEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
