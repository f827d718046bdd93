// A network of routers as a module, and the networks of a GPU behind the interconnect: cycles between sockets, classes, and the network of
// each kind of traffic (CM-6, CM-15, SL-11, SL-30, SL-31, SL-32, SL-33).

#include <map>

#include "model/base/error.h"
#include "model/network/crossbar/crossbar_params.h"
#include "model/network/interconnect.h"
#include "model/network/routed/routed_params.h"
#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr unsigned kRoutedSms = 7, kRoutedSlices = 2;

NetworkParams on_mesh() {
  NetworkParams p;
  p.sms = kRoutedSms;
  p.slices = kRoutedSlices;
  p.topology = "mesh";
  p.of<network::MeshParams>().columns = 3;
  return p;
}

NetworkParams with(PeerNetwork peer, const char* topology = "crossbar") {
  NetworkParams p = on_mesh();
  p.between_sms = true;
  p.topology = topology;
  p.peer = peer;
  p.of<network::ButterflyParams>().radix = 3;
  return p;
}

TrafficPlan between_sms(bool split) {
  TrafficPlan plan;
  plan.between_sms = true;
  plan.split_classes = split;
  return plan;
}

/// Every socket of the plan has a scripted end with a protocol checker.
struct Gpu {
  explicit Gpu(const NetworkParams& params, TrafficPlan plan = {})
      : interconnect(params, kRoutedSms, kRoutedSlices, with_addresses(plan), clock, registry) {
    for (unsigned e = 0; e < kRoutedSms + kRoutedSlices; ++e) {
      const bool sm = e < kRoutedSms;
      const bool peers = plan.between_sms && sm;
      if (sm) source(e, Traffic::to_l2);
      if (peers || (!sm && plan.slices_to_peers)) source(e, Traffic::to_peer);
      if (!sm) source(e, Traffic::from_l2);
      if (peers) source(e, Traffic::from_peer);
      if (!sm) sink(e, Traffic::to_l2);
      if (peers) sink(e, Traffic::to_peer);
      if (sm) sink(e, Traffic::from_l2);
      if (peers) sink(e, Traffic::from_peer);
    }
  }
  TrafficPlan with_addresses(TrafficPlan plan) const {
    plan.addresses = addresses.get();
    return plan;
  }

  void post(unsigned from, Cycle cycle, std::uint64_t id, unsigned to, Traffic traffic, unsigned flits = 1, std::uint64_t line = 0) {
    Access access;
    access.id = id;
    access.line.number = line;
    Payload& payload = pool.acquire(access);
    payload.message().source = static_cast<std::uint16_t>(from);
    payload.message().destination = static_cast<std::uint16_t>(to);
    payload.message().traffic = traffic;
    payload.message().flits = static_cast<std::uint8_t>(flits);
    sources.at(&interconnect.input(from, traffic))->post(cycle, payload);
  }
  MessageIn& at(unsigned endpoint, Traffic traffic) { return *sinks.at(&interconnect.output(endpoint, traffic)); }
  void run() {
    run_kernel();
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws() == std::vector<std::string>{});
  }

  ClockDomain clock{"network", 700, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", kRoutedSlices, 1);
  Interconnect interconnect;
  std::map<tlm::tlm_target_socket<>*, std::unique_ptr<MessageOut>> sources;
  std::map<tlm::tlm_initiator_socket<>*, std::unique_ptr<MessageIn>> sinks;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;

 private:
  ProtocolChecker& checker() {
    checkers.push_back(std::make_unique<ProtocolChecker>(("checker" + std::to_string(checkers.size())).c_str(), LinkKind::message));
    return *checkers.back();
  }
  void source(unsigned endpoint, Traffic traffic) {
    tlm::tlm_target_socket<>& socket = interconnect.input(endpoint, traffic);
    if (sources.count(&socket) != 0) return;
    auto& made = sources[&socket] = std::make_unique<MessageOut>(("source" + std::to_string(sources.size())).c_str(), clock);
    connect(made->port.socket, checker(), socket);
  }
  void sink(unsigned endpoint, Traffic traffic) {
    tlm::tlm_initiator_socket<>& socket = interconnect.output(endpoint, traffic);
    if (sinks.count(&socket) != 0) return;
    auto& made = sinks[&socket] = std::make_unique<MessageIn>(("sink" + std::to_string(sinks.size())).c_str(), clock);
    made->then = [](Payload& payload) { payload.release(); };
    connect(socket, checker(), made->port.socket);
  }
};

/// Nodes of 3 x 3: slices by the staggered rule in the middle of rows 0 and 1, SMs on the others in order.
constexpr unsigned kNode[kRoutedSms + kRoutedSlices] = {0, 2, 3, 5, 6, 7, 8, 1, 4};
unsigned between(unsigned a, unsigned b) {
  const auto apart = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
  return apart(a % 3, b % 3) + apart(a / 3, b / 3);
}

}  // namespace

TEST_CASE("interconnect: on a mesh a request and its reply take 1 + 2 hops + (f - 1) network cycles each") {
  Gpu gpu(on_mesh());
  Cycle cycle = 10;
  for (unsigned sm = 0; sm < kRoutedSms; ++sm)
    for (unsigned s = 0; s < kRoutedSlices; ++s, cycle += 50) {
      CHECK(gpu.interconnect.hops(sm, kRoutedSms + s) == between(kNode[sm], kNode[kRoutedSms + s]));
      gpu.post(sm, cycle, cycle, kRoutedSms + s, Traffic::to_l2, 2);
      gpu.post(kRoutedSms + s, cycle + 20, cycle + 20, sm, Traffic::from_l2, 5);
    }
  gpu.run();
  cycle = 10;
  std::vector<std::size_t> seen(kRoutedSms + kRoutedSlices);
  for (unsigned sm = 0; sm < kRoutedSms; ++sm)
    for (unsigned s = 0; s < kRoutedSlices; ++s, cycle += 50) {
      const unsigned hops = gpu.interconnect.hops(sm, kRoutedSms + s);
      CHECK(gpu.at(kRoutedSms + s, Traffic::to_l2).messages.at(seen[kRoutedSms + s]++).cycle == cycle + 1 + 2 * hops + 1);
      CHECK(gpu.at(sm, Traffic::from_l2).messages.at(seen[sm]++).cycle == cycle + 20 + 1 + 2 * hops + 4);
    }
}

TEST_CASE("interconnect: traffic that shares channels shares sockets, split classes and other networks have their own") {
  Gpu shared(with(PeerNetwork::same, "mesh"), between_sms(false));
  CHECK(&shared.interconnect.input(0, Traffic::to_l2) == &shared.interconnect.input(0, Traffic::to_peer));
  CHECK(&shared.interconnect.output(0, Traffic::from_l2) == &shared.interconnect.output(0, Traffic::from_peer));
}

TEST_CASE("interconnect: with split classes a stopped class does not hold up the other, on the way or at the destination") {
  NetworkParams p = with(PeerNetwork::same, "mesh");
  auto& mesh = p.of<network::MeshParams>();
  mesh.virtual_channels = 2;
  mesh.buffer_flits = 1;
  mesh.ejection_flits = 1;
  Gpu gpu(p, between_sms(true));
  CHECK(&gpu.interconnect.input(0, Traffic::to_l2) != &gpu.interconnect.input(0, Traffic::to_peer));
  CHECK(&gpu.interconnect.output(0, Traffic::from_l2) != &gpu.interconnect.output(0, Traffic::from_peer));
  gpu.at(4, Traffic::to_peer).takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 20; ++id) gpu.post(0, 10, id, 4, Traffic::to_peer, 2);
  gpu.post(0, 100, 50, kRoutedSms + 1, Traffic::to_l2);
  gpu.script.at(299, [&] {
    CHECK(gpu.at(kRoutedSms + 1, Traffic::to_l2).cycles() == Cycles{100 + 1 + 2 * gpu.interconnect.hops(0, kRoutedSms + 1)});
    gpu.at(4, Traffic::to_peer).accept_waiting();
  });
  gpu.run();
  CHECK(gpu.at(4, Traffic::to_peer).messages.size() == 20);
}

TEST_CASE("interconnect: a butterfly between SMs takes 2 cycles a stage beside the crossbars of L2 traffic") {
  Gpu gpu(with(PeerNetwork::butterfly), between_sms(true));
  CHECK(gpu.interconnect.hops(0, 5) == 0);
  gpu.post(0, 10, 1, 5, Traffic::to_peer);
  gpu.post(5, 20, 2, 0, Traffic::from_peer, 5);
  gpu.post(0, 10, 3, kRoutedSms, Traffic::to_l2);
  gpu.run();
  CHECK(gpu.at(5, Traffic::to_peer).cycles() == Cycles{10 + 2 * 2});
  CHECK(gpu.at(0, Traffic::from_peer).cycles() == Cycles{20 + 2 * 2 + 4});
  CHECK(gpu.at(kRoutedSms, Traffic::to_l2).cycles() == Cycles{10 + 2});
  CHECK(counted(gpu.registry, "net.peer.packets") == 2);
}

TEST_CASE("interconnect: a ring between SMs takes 1 cycle and 2 a hop beside the mesh of L2 traffic") {
  Gpu gpu(with(PeerNetwork::ring, "mesh"), between_sms(true));
  gpu.post(1, 10, 1, 4, Traffic::to_peer);
  gpu.post(4, 20, 2, 1, Traffic::from_peer, 3);
  gpu.post(6, 30, 3, 0, Traffic::to_peer);  // crosses the dateline
  gpu.run();
  CHECK(gpu.at(4, Traffic::to_peer).cycles() == Cycles{10 + 1 + 2 * 3});
  CHECK(gpu.at(1, Traffic::from_peer).cycles() == Cycles{20 + 1 + 2 * 3 + 2});
  CHECK(gpu.at(0, Traffic::to_peer).cycles() == Cycles{30 + 1 + 2});
}

TEST_CASE("interconnect: ideal messages between SMs arrive when they are sent, and wait only for their destination") {
  Gpu gpu(with(PeerNetwork::ideal), between_sms(true));
  gpu.at(3, Traffic::to_peer).takes = [](std::size_t n) { return n != 2; };
  gpu.post(5, 10, 5, 3, Traffic::to_peer, 5);
  gpu.post(0, 10, 1, 3, Traffic::to_peer, 5);
  gpu.post(2, 10, 2, 3, Traffic::to_peer, 5);
  gpu.post(3, 10, 3, 1, Traffic::from_peer, 5);
  gpu.post(4, 11, 4, 3, Traffic::to_peer);
  gpu.script.at(49, [&] { gpu.at(3, Traffic::to_peer).accept_waiting(); });
  gpu.run();
  CHECK(gpu.at(3, Traffic::to_peer).ids() == std::vector<std::uint64_t>{1, 2, 5, 4});  // by source if they arrive together
  CHECK(gpu.at(3, Traffic::to_peer).cycles() == Cycles{10, 10, 10, 50});
  CHECK(gpu.at(1, Traffic::from_peer).cycles() == Cycles{10});
}

TEST_CASE("interconnect: by way of the slices a message takes both crossbars and a cycle in the slice that owns its line") {
  Gpu gpu(with(PeerNetwork::via_slices), between_sms(true));
  gpu.post(0, 10, 1, 5, Traffic::to_peer, 1, 0);
  gpu.post(5, 40, 2, 0, Traffic::from_peer, 5, 2);  // 256 B chunk 1: the other slice
  gpu.run();
  CHECK(gpu.at(5, Traffic::to_peer).cycles() == Cycles{10 + 2 + 1 + 2});
  CHECK(gpu.at(0, Traffic::from_peer).cycles() == Cycles{40 + (2 + 4) + 1 + (2 + 4)});
  CHECK(counted(gpu.registry, "net.request.packets") == 2);
  CHECK(counted(gpu.registry, "net.reply.packets") == 2);
  for (const auto& entry : gpu.registry.counters())
    if (entry.prefix == "net.request.output_link") CHECK(entry.counter->value() == (entry.instance == 0 ? 1 : 5));
}

TEST_CASE("interconnect: by way of the slices no class holds up another where a slice or an SM stands still") {
  NetworkParams p = with(PeerNetwork::via_slices);
  auto& crossbar = p.of<network::CrossbarParams>();
  crossbar.virtual_channels = 3;
  crossbar.buffer_flits = 1;
  crossbar.ejection_flits = 1;
  Gpu gpu(p, between_sms(true));
  gpu.at(kRoutedSms, Traffic::to_l2).takes = [](std::size_t n) { return n != 0; };
  gpu.at(5, Traffic::to_peer).takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 20; ++id) {
    gpu.post(0, 10, id, kRoutedSms, Traffic::to_l2, 3);
    gpu.post(1, 10, 100 + id, 5, Traffic::to_peer, 3);
  }
  gpu.post(0, 200, 300, 5, Traffic::from_peer);
  gpu.script.at(399, [&] {
    CHECK(gpu.at(5, Traffic::from_peer).cycles() == Cycles{200 + 2 + 1 + 2});
    gpu.at(kRoutedSms, Traffic::to_l2).accept_waiting();
    gpu.at(5, Traffic::to_peer).accept_waiting();
  });
  gpu.run();
  CHECK(gpu.at(kRoutedSms, Traffic::to_l2).messages.size() == 20);
  CHECK(gpu.at(5, Traffic::to_peer).messages.size() == 20);
}

TEST_CASE("interconnect: networks that cannot carry the plan are refused") {
  ClockDomain clock("clock", 700, {});
  stats::Registry registry;
  const auto refused = [&](const NetworkParams& p, const TrafficPlan& plan) {
    CHECK_THROWS_AS(Interconnect(p, kRoutedSms, kRoutedSlices, plan, clock, registry), InputError);
  };
  refused(with(PeerNetwork::same), between_sms(false));
  TrafficPlan forwards = between_sms(false);
  forwards.slices_to_peers = true;
  refused(with(PeerNetwork::ring, "mesh"), forwards);
  NetworkParams one = with(PeerNetwork::same, "mesh");
  one.of<network::MeshParams>().virtual_channels = 1;
  refused(one, between_sms(true));
  NetworkParams crossbar = with(PeerNetwork::same);
  crossbar.of<network::CrossbarParams>().virtual_channels = 1;
  TrafficPlan extended;
  extended.extended_llc = true;
  refused(crossbar, extended);
}
