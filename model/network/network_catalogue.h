#pragma once
// The topologies of L2 traffic by name. A network consists of a file that returns its entry and a row of the table; a plugin adds an entry.

#include <any>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

struct AddedNetwork;
struct NetworkOptions;
struct NetworkParams;

/// A network of the catalogue. The catalogue keeps the pointers to the texts.
struct NetworkEntry {
  const char* name;
  const char* help;
  /// Makes one direction, requests or replies (model/network/added_network.h).
  AddedNetwork (*make)(const NetworkOptions&);

  // The network's own keys, in addition to the arguments that may follow its name; null: it has none.
  /// Returns the defaults of the keys, for NetworkParams::of<Keys>().
  std::any (*keys)() = nullptr;
  /// Declares the keys in every GPU, marks those without effect in this one, and checks them.
  void (*bind)(config::Binder&, NetworkParams&) = nullptr;

  /// SMs are on one side and slices on the other. If false, every endpoint reaches every other, and SMs may send messages to each other.
  bool two_sided = true;
  /// Its SMs form GPCs.
  bool has_gpcs = false;
  /// Messages between SMs may be sent via the slices (network.peer: via_slices).
  bool can_use_slices = false;
  /// The host's time for requests and for replies beside that for all SMs and slices, where each direction can be advanced by another thread:
  /// they have no state in common, and whether a destination takes a message at once does not matter before the next cycle. 0: it cannot.
  struct Work {
    double requests = 0, replies = 0;
    bool has_own_threads() const { return requests != 0; }
  } work = {};
  /// All its sockets exist from the start and must be bound. If false, each is made on demand.
  bool has_all_sockets = false;
  /// The largest number of slices of a GPU with this network.
  std::uint32_t most_slices = 128;
  /// Why network.interface_packets has no effect; null: it has an effect.
  const char* queues_elsewhere = "the topology has queues of its own";
  /// Returns the number of traffic classes that it can separate; null: any number.
  std::uint32_t (*most_classes)(const NetworkParams&) = nullptr;
  /// Returns the bytes of replies that one slice sends per network cycle; null: unknown.
  double (*slice_bytes)(const NetworkParams&) = nullptr;
};

std::vector<config::PolicyName> network_catalogue_names();
const std::vector<NetworkEntry>& network_entries();

/// Returns the entry that `topology` names, and the values of the arguments that follow the name. Both throw InputError for an unknown name
/// or argument.
const NetworkEntry& network_entry(std::string_view topology);
Arguments network_arguments(std::string_view topology);
/// Makes one direction of the network. Throws InputError if its maker returns nothing.
AddedNetwork make_network(std::string_view topology, const NetworkOptions& options);

/// Adds a topology; call it before the first configuration is read. Throws InputError if the name is taken.
void add_network(const NetworkEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
