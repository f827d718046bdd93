#pragma once
// The topologies of L2 traffic by name. A network is a file that returns its entry, and a row of the table; one of a plugin is an entry too.

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

/// All that the rest asks of a network. The catalogue keeps the pointers to its texts.
struct NetworkEntry {
  const char* name;
  const char* help;
  /// Makes one direction, requests or replies (model/network/added_network.h).
  AddedNetwork (*make)(const NetworkOptions&);

  // Keys of its own, beside the arguments that may follow its name; null: it has none.
  /// Their defaults, for NetworkParams::of<Keys>().
  std::any (*keys)() = nullptr;
  /// Names them in every GPU, says which of them have an effect in this one, and checks them.
  void (*bind)(config::Binder&, NetworkParams&) = nullptr;

  /// SMs are on one side and slices on the other. Else every endpoint reaches every other, and the network may carry messages between SMs.
  bool two_sided = true;
  /// Messages between SMs may pass it by way of the slices (network.peer: via_slices).
  bool goes_via_slices = false;
  /// Its sockets are all there from the start and have to be bound. Else each is made when somebody asks for it.
  bool has_all_sockets = false;
  /// The most slices that a GPU may have on it.
  std::uint32_t most_slices = 128;
  /// Why network.interface_packets has no effect; null: it has.
  const char* queues_elsewhere = "the topology has queues of its own";
  /// Classes of traffic that it keeps apart; null: as many as there are.
  std::uint32_t (*most_classes)(const NetworkParams&) = nullptr;
  /// Bytes a network cycle that one slice sends in replies; null: nobody knows.
  double (*slice_bytes)(const NetworkParams&) = nullptr;
};

std::vector<config::PolicyName> network_catalogue_names();
const std::vector<NetworkEntry>& network_entries();

/// The entry that `topology` names, and the values of the arguments that follow the name. Both throw InputError for an unknown name or
/// argument.
const NetworkEntry& network_entry(std::string_view topology);
Arguments network_arguments(std::string_view topology);
/// One direction of it. Throws InputError where its maker returns nothing.
AddedNetwork make_network(std::string_view topology, const NetworkOptions& options);

/// Adds a topology; call it before the first configuration is read. Throws InputError where the name is taken.
void add_network(const NetworkEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
