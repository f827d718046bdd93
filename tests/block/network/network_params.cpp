// Valid combinations of networks, and the reasons why a configuration is refused.

#include "model/network/network_params.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/network/crossbar/crossbar_params.h"
#include "model/network/routed/routed_params.h"

using namespace wharf;

namespace {

// Records the conditions that do not hold, and the keys beside the groups, and the groups, that have no effect.
class Refusals final : public config::Binder {
 public:
  using Unit = config::Unit;
  void integer(std::string_view, std::uint32_t&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {}
  void integer(std::string_view, std::uint64_t&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {}
  void integer_or(std::string_view, std::string_view, std::uint32_t&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {}
  void real(std::string_view, double&, Unit, std::string_view, double, double) override {}
  void flag(std::string_view, bool&, std::string_view) override {}
  void text(std::string_view, std::string&, std::string_view) override {}
  void policy(std::string_view, std::string&, const std::vector<config::PolicyName>&, std::string_view) override {}
  void integers(std::string_view, std::vector<std::uint32_t>&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {}
  void require(bool holds, std::string_view key, std::string_view what, std::string_view) override {
    if (!holds) broken.push_back(std::string(key) + " " + std::string(what));
  }
  void ineffective_unless(bool effective, std::string_view key, std::string_view) override {
    if (!effective && depth_ == 0) idle.emplace_back(key);
  }

  std::vector<std::string> broken, idle;

 protected:
  std::size_t choose(std::string_view, std::size_t current, const std::vector<std::string>&, std::string_view) override { return current; }
  bool begin_group(std::string_view, std::string_view) override {
    ++depth_;
    return true;
  }
  void end_group() override { --depth_; }

 private:
  unsigned depth_ = 0;
};

using Texts = std::vector<std::string>;

/// 28 SMs and 8 slices with messages between SMs.
NetworkParams of(const char* topology, PeerNetwork peer) {
  NetworkParams p;
  p.sms = 28;
  p.slices = 8;
  p.between_sms = true;
  p.topology = topology;
  p.peer = peer;
  return p;
}

Texts broken(NetworkParams p) {
  Refusals refusals;
  p.bind(refusals);
  return refusals.broken;
}

Texts idle(NetworkParams p) {
  Refusals refusals;
  p.bind(refusals);
  return refusals.idle;
}

}  // namespace

TEST_CASE("network params: every topology carries messages between SMs, but crossbars only with another peer network") {
  for (const char* const t : {"mesh", "ring", "butterfly"}) CHECK(broken(of(t, PeerNetwork::same)) == Texts{});
  for (const PeerNetwork p : {PeerNetwork::via_slices, PeerNetwork::ring, PeerNetwork::butterfly, PeerNetwork::ideal})
    CHECK(broken(of("crossbar", p)) == Texts{});
  CHECK(broken(of("rate", PeerNetwork::ideal)) == Texts{});
  CHECK(broken(of("rate", PeerNetwork::same)) == Texts{"peer is same, and topology rate has no way from one SM to another"});
  CHECK(broken(of("crossbar", PeerNetwork::same)) == Texts{"peer is same, and topology crossbar has no way from one SM to another"});
  NetworkParams private_l1 = of("crossbar", PeerNetwork::same);
  private_l1.between_sms = false;
  CHECK(broken(private_l1) == Texts{});
}

TEST_CASE("network params: a crossbar connects at most 128 SMs, the rate model more") {
  NetworkParams p;
  p.slices = 32;
  p.sms = 128;
  CHECK(broken(p).empty());
  p.sms = 129;
  CHECK(broken(p) == Texts{"topology crossbar connects at most 128 SMs, but sms is 129"});
  p.topology = "rate";
  CHECK(broken(p).empty());
}

TEST_CASE("network params: by way of the slices needs crossbars with three virtual channels") {
  CHECK(broken(of("mesh", PeerNetwork::via_slices)) == Texts{"peer is via_slices, but the topology is not crossbar"});
  NetworkParams two = of("crossbar", PeerNetwork::via_slices);
  two.of<network::CrossbarParams>().virtual_channels = 2;
  CHECK(broken(two) == Texts{"crossbar has fewer virtual channels than the three classes of peer: via_slices"});
}

TEST_CASE("network params: SMs and slices must fill the rows of a mesh and fit a butterfly") {
  NetworkParams mesh = of("mesh", PeerNetwork::same);
  mesh.of<network::MeshParams>().columns = 8;
  CHECK(broken(mesh) == Texts{"mesh has rows of 8, which 36 SMs and slices do not fill"});
  mesh.of<network::MeshParams>().columns = 12;
  CHECK(broken(mesh) == Texts{});
  NetworkParams fly = of("butterfly", PeerNetwork::same);
  fly.of<network::ButterflyParams>().radix = 5;
  CHECK(broken(fly) == Texts{"butterfly has radix^stages = 25 nodes for 36 endpoints"});
  NetworkParams beside = of("crossbar", PeerNetwork::butterfly);
  beside.of<network::ButterflyParams>().radix = 5;
  CHECK(broken(beside) == Texts{"butterfly has radix^stages = 25 nodes for 28 endpoints"});
}

TEST_CASE("network params: named nodes of slices are as many as slices, different, and in the mesh") {
  NetworkParams mesh = of("mesh", PeerNetwork::same);
  const Texts refused{"mesh has slice_nodes that are not 8 different nodes below 36"};
  auto& nodes = mesh.of<network::MeshParams>().slice_nodes;
  nodes = {0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(broken(mesh) == Texts{});
  nodes = {0, 1, 2, 3, 4, 5, 6};
  CHECK(broken(mesh) == refused);
  nodes = {0, 1, 2, 3, 4, 5, 6, 6};
  CHECK(broken(mesh) == refused);
  nodes = {0, 1, 2, 3, 4, 5, 6, 36};
  CHECK(broken(mesh) == refused);
}

TEST_CASE("network params: groups of networks that are not there have no effect") {
  CHECK(idle(of("mesh", PeerNetwork::ring)) == Texts{"cluster", "crossbar", "hierarchical_crossbar", "rate", "request_ring", "butterfly"});
  CHECK(idle(of("crossbar", PeerNetwork::rings)) == Texts{"cluster", "hierarchical_crossbar", "rate", "mesh", "butterfly"});
  CHECK(idle(of("crossbar", PeerNetwork::ideal)) ==
        Texts{"cluster", "hierarchical_crossbar", "rate", "mesh", "ring", "request_ring", "butterfly"});
  NetworkParams private_l1 = of("ring", PeerNetwork::same);
  private_l1.between_sms = false;
  CHECK(idle(private_l1) == Texts{"peer", "cluster", "crossbar", "hierarchical_crossbar", "rate", "mesh", "request_ring", "butterfly"});
}
