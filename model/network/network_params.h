#pragma once
// The choice of networks, the parameters that all of them share (common section 5), and the keys of each.

#include <any>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/config/binder.h"
#include "model/network/hierarchical/hop_params.h"
#include "model/network/network_catalogue.h"
#include "model/network/sm_groups.h"

namespace wharf {

/// The network that carries messages between SMs.
enum class PeerNetwork { same, via_slices, ring, rings, butterfly, ideal, cluster };

struct NetworkParams {
  NetworkParams();  // with the defaults of every network of the catalogue

  /// The machine to connect, set by the owner of this group; not keys.
  std::uint32_t sms = 80, slices = 32;
  bool between_sms = false;
  SmGroups groups = {};  // SMs send only within their group; none: all SMs form one

  std::string topology = "crossbar";
  PeerNetwork peer = PeerNetwork::same;
  std::uint32_t interface_packets = 2;
  network::HopParams cluster;

  /// The network that carries L2 traffic.
  const NetworkEntry& entry() const { return network_entry(topology); }
  bool keeps_apart(std::uint32_t classes) const { return entry().most_classes == nullptr || entry().most_classes(*this) >= classes; }
  bool peers_on(PeerNetwork network) const { return between_sms && peer == network; }

  /// The keys of a network, selected by their type.
  template <class Keys>
  const Keys& of() const {
    for (const std::any& keys : keys_)
      if (const auto* const found = std::any_cast<Keys>(&keys)) return *found;
    throw std::logic_error("no network has these keys");
  }
  template <class Keys>
  Keys& of() {
    return const_cast<Keys&>(static_cast<const NetworkParams&>(*this).of<Keys>());
  }

  void bind(config::Binder& b);

 private:
  std::vector<std::any> keys_;  // of the networks that have keys
};

}  // namespace wharf
