// The catalogue of networks: every name is built by its entry, and a new network needs only an entry, which includes its keys.

#include "model/network/network_catalogue.h"

#include <catch2/catch.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "model/base/config/load.h"
#include "model/network/added_network.h"
#include "model/network/interconnect.h"
#include "model/network/routed/placed_network.h"

using namespace wharf;

namespace {

/// A network as in a file of its own: a ring of SMs and slices in numerical order, with a key.
struct LoopKeys {
  std::uint32_t hop_cycles = 3;
  void bind(config::Binder& b) { b.integer("hop_cycles", hop_cycles, config::Unit::cycles, "a router and its link", 1, 64); }
};

AddedNetwork make_loop(const NetworkOptions& options) {
  network::RingParams keys;
  keys.hop_cycles = options.params.of<LoopKeys>().hop_cycles;
  network::PlacedNetwork placed = network::ring_of(options.sms() + options.slices(), keys);
  placed.nodes = network::in_order(options.sms() + options.slices());
  return network::make_with_hops(options, placed);
}

NetworkEntry loop_network() {
  NetworkEntry entry{"loop", "a ring of a test", make_loop};
  entry.keys = [] { return std::any(LoopKeys()); };
  entry.bind = [](config::Binder& b, NetworkParams& params) {
    b.group("loop", params.of<LoopKeys>(), "the loop of each direction");
    b.ineffective_unless(params.topology == "loop", "loop", "topology is not loop");
  };
  entry.two_sided = false;
  entry.queues_elsewhere = nullptr;
  entry.slice_bytes = [](const NetworkParams&) { return 32.0; };
  return entry;
}

void with_loop() {
  static const bool added = (add_network(loop_network()), true);
  REQUIRE(added);
}

struct Root {
  NetworkParams network;
  void bind(config::Binder& b) { b.group("network", network, "networks"); }
};

Root read(const std::string& text) {
  config::Mistakes mistakes;
  const config::Layers layers = config::parse_layers(text, "f.yaml", "no-such-folder", mistakes);
  return config::read_layers<Root>(layers, {}, "", mistakes).params;
}

}  // namespace

TEST_CASE("network catalogue: every name is built by its entry, for requests and for replies, and says what a report asks") {
  ClockDomain clock("clock", 700, {});
  stats::Registry registry;
  unsigned number = 0;
  for (const NetworkEntry& entry : network_entries()) {
    CAPTURE(entry.name);
    REQUIRE(entry.make != nullptr);
    CHECK(&network_entry(entry.name) == &entry);
    NetworkParams params;
    params.topology = entry.name;
    const Arguments none;
    for (const bool requests : {true, false}) {
      const EndpointRange sms{0, 28}, slices{28, 8};
      const std::string name = std::string(entry.name) + std::to_string(number++);
      const Traffic traffic = requests ? Traffic::to_l2 : Traffic::from_l2;
      const EndpointRange from = requests ? sms : slices, to = requests ? slices : sms;
      AddedNetwork made =
          make_network(entry.name, {name.c_str(), name, from, to, {}, none, clock, registry, params, {{traffic, from, to}}});
      REQUIRE(made.network);
      CHECK_NOTHROW(made.network->input(from.first, traffic));
      CHECK_NOTHROW(made.network->output(to.first, traffic));
      CHECK(!made.shapes.empty());
      CHECK(made.hops.size() == (entry.two_sided ? 0 : 36 * 36));
    }
    REQUIRE(entry.slice_bytes != nullptr);
    CHECK(entry.slice_bytes(params) >= 32.0);
  }
}

TEST_CASE("network catalogue: one that is added is chosen, has its keys and carries messages between SMs without another file") {
  with_loop();
  const NetworkParams params = read("network: {topology: loop, loop: {hop_cycles: 5}}\n").network;
  CHECK(params.of<LoopKeys>().hop_cycles == 5);
  ClockDomain clock("clock", 700, {});
  stats::Registry registry;
  TrafficPlan plan;
  plan.between_sms = true;
  Interconnect interconnect(params, 6, 3, plan, clock, registry);
  CHECK(interconnect.hops(0, 8) == 1);
  CHECK(interconnect.hops(0, 4) == 4);
  CHECK_NOTHROW(interconnect.input(0, Traffic::to_peer));
}

TEST_CASE("network catalogue: the keys of one that is not the topology are refused with the reason of its entry") {
  with_loop();
  CHECK_THROWS_WITH(read("network: {topology: mesh, mesh: {columns: 8}, loop: {hop_cycles: 5}}\n"),
                    Catch::Contains("topology is not loop"));
}

TEST_CASE("network catalogue: a second one of a name is refused") {
  with_loop();
  CHECK_THROWS_WITH(add_network(loop_network()), Catch::Contains("there is a network 'loop' already"));
}

TEST_CASE("network catalogue: GPCs that do not have the SMs of the GPU are refused with both numbers, and keys that make no hierarchy") {
  const auto crossbar = [](const std::string& keys) {
    return "network: {topology: hierarchical_crossbar, hierarchical_crossbar: {" + keys + "}}\n";
  };
  CHECK_NOTHROW(read(crossbar("gpcs: [40, 40]")));
  CHECK_NOTHROW(read(crossbar("cpc_sms: 0")));  // one GPC of all SMs
  CHECK_THROWS_WITH(read(crossbar("gpcs: [40, 39]")), Catch::Contains("gpcs have 79 SMs together, but sms is 80; make them add up to sms"));
  CHECK_THROWS_WITH(read(crossbar("cpc_sms: 5")), Catch::Contains("5 does not divide into TPCs of 2 SMs; choose a multiple of tpc_sms"));
  CHECK_THROWS_WITH(read(crossbar("cpc_sms: 0, reply: {cpc: {bytes: 64}}")), Catch::Contains("no effect because cpc_sms is 0"));
  CHECK_THROWS_WITH(read(crossbar("sm_slice_credits: 3")), Catch::Contains("from 4 to"));
  CHECK_THROWS_WITH(read("network: {hierarchical_crossbar: {queue: 3}}\n"), Catch::Contains("topology is not hierarchical_crossbar"));
}
