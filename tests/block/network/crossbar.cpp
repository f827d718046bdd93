// The crossbar as a module: cycles between message links, and behaviour when a destination takes nothing (CM-15).

#include <algorithm>

#include "model/network/crossbar/crossbar.h"
#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

/// Two sources, two destinations, each in its own clock domain.
struct CrossbarRig {
  explicit CrossbarRig(NetworkParams params = {}, std::uint32_t ends_mhz = 700)
      : ends("ends", ends_mhz, {}), crossbar("crossbar", params, {0, 2}, {0, 2}, "net", clock, registry) {
    for (unsigned i = 0; i < 2; ++i) {
      const std::string n = std::to_string(i);
      sources.push_back(std::make_unique<MessageOut>(("source" + n).c_str(), ends));
      sinks.push_back(std::make_unique<MessageIn>(("sink" + n).c_str(), ends));
      checkers.push_back(std::make_unique<ProtocolChecker>(("in" + n).c_str(), LinkKind::message));
      connect(sources.back()->port.socket, *checkers.back(), crossbar.input(i, Traffic::to_l2));
      checkers.push_back(std::make_unique<ProtocolChecker>(("out" + n).c_str(), LinkKind::message));
      connect(crossbar.output(i, Traffic::to_l2), *checkers.back(), sinks.back()->port.socket);
      sinks.back()->then = [](Payload& payload) { payload.release(); };
    }
  }
  void post(unsigned source, Cycle cycle, std::uint64_t id, unsigned destination, unsigned flits = 1, unsigned vc = 0) {
    Access access;
    access.id = id;
    while (network::virtual_channel(access.line, {0, 4}) != vc) ++access.line.number;
    Payload& payload = pool.acquire(access);
    payload.message().source = static_cast<std::uint16_t>(source);
    payload.message().destination = static_cast<std::uint16_t>(destination);
    payload.message().flits = static_cast<std::uint8_t>(flits);
    sources[source]->post(cycle, payload);
  }
  void run() {
    run_kernel();
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
  }
  ClockDomain clock{"network", 700, {}}, ends;
  PayloadPool pool;
  stats::Registry registry;
  Script script{ends};
  Crossbar crossbar;
  std::vector<std::unique_ptr<MessageOut>> sources;
  std::vector<std::unique_ptr<MessageIn>> sinks;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

NetworkParams latency(unsigned cycles) {
  NetworkParams p;
  p.of<network::CrossbarParams>().latency = cycles;
  return p;
}

}  // namespace

TEST_CASE("crossbar block: a message of f flits is at its destination latency + (f - 1) network cycles after it was offered") {
  const NetworkParams p = latency(6);
  CrossbarRig net(p);
  for (unsigned f = 1; f <= 5; ++f) net.post(0, 100 * f, f, f % 2, f);
  net.run();
  for (unsigned f = 1; f <= 5; ++f) {
    const auto& messages = net.sinks[f % 2]->messages;
    const auto found = std::find_if(messages.begin(), messages.end(), [&](const auto& m) { return m.id == f; });
    REQUIRE(found != messages.end());
    CHECK(found->cycle == 100 * f + 6 + (f - 1));
  }
}

TEST_CASE("crossbar block: a crossbar of one cycle is possible") {
  CrossbarRig net(latency(1));
  net.post(0, 10, 1, 1);
  net.run();
  CHECK(net.sinks[1]->cycles() == Cycles{11});
}

TEST_CASE("crossbar block: between ends of 1400 MHz a message waits for the network's edge and pays whole network cycles") {
  const NetworkParams p = latency(6);
  CrossbarRig net(p, 1400);
  net.post(0, 10, 1, 0);     // edge 5 of the network
  net.post(1, 21, 2, 1, 3);  // between edges 10 and 11
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + 2 * 6});
  CHECK(net.sinks[1]->cycles() == Cycles{22 + 2 * (6 + 2)});
}

TEST_CASE("crossbar block: messages of one source to two destinations follow each other flit by flit") {
  const NetworkParams p = latency(2);
  CrossbarRig net(p);
  net.post(0, 10, 1, 0, 3, 0);
  net.post(0, 11, 2, 1, 3, 1);
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + 2 + 2});
  CHECK(net.sinks[1]->cycles() == Cycles{13 + 2 + 2});  // the link carries one flit per cycle
}

TEST_CASE("crossbar block: two sources share an output flit by flit of time, and both arrive") {
  const NetworkParams p = latency(2);
  CrossbarRig net(p);
  net.post(0, 10, 1, 0, 4);
  net.post(1, 10, 2, 0, 4);
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + 2 + 3, 10 + 2 + 3 + 4});
}

TEST_CASE("crossbar block: many packets behind one that its destination refuses all arrive, in order, once it is taken") {
  CrossbarRig net(latency(2));
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  std::vector<std::uint64_t> order;
  for (std::uint64_t id = 1; id <= 40; ++id) {
    net.post(0, 10 + id, id, 0, 2, 0);
    order.push_back(id);
  }
  net.script.at(499, [&] {
    CHECK(net.sinks[0]->messages.size() == 1);
    net.sinks[0]->accept_waiting();
  });
  net.run();
  CHECK(net.sinks[0]->ids() == order);
  // The flits that waited in the ejection buffer, as many as the pipeline holds, are delivered one per cycle.
  CHECK(net.sinks[0]->cycles()[1] >= 500);
  for (std::size_t i = 2; i < 8; ++i) CHECK(net.sinks[0]->cycles()[i] - net.sinks[0]->cycles()[i - 1] <= 2);
}

TEST_CASE("crossbar block: a destination that refuses every packet once gets each of them once") {
  CrossbarRig net(latency(2));
  net.sinks[0]->takes = [](std::size_t) { return false; };
  std::vector<std::uint64_t> order;
  for (std::uint64_t id = 1; id <= 20; ++id) {
    net.post(0, 10 + id, id, 0, 2);
    order.push_back(id);
    net.script.at(200 + 10 * id, [&] { net.sinks[0]->accept_waiting(); });
  }
  net.run();
  CHECK(net.sinks[0]->ids() == order);
}

TEST_CASE(
    "crossbar block: a destination that takes nothing fills the buffers, stops its source, and holds up no other destination's packets on "
    "other channels") {
  NetworkParams p = latency(2);
  p.interface_packets = 1;
  p.of<network::CrossbarParams>().ejection_flits = 2;
  p.of<network::CrossbarParams>().buffer_flits = 2;
  CrossbarRig net(p);
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 30; ++id) net.post(0, 10, id, 0, 1, 0);
  for (std::uint64_t id = 101; id <= 110; ++id) net.post(1, 10, id, 1, 1, 0);
  net.script.at(299, [&] {
    CHECK(net.sinks[1]->messages.size() == 10);
    CHECK(net.sources[0]->arrived.size() < 15);
    net.sinks[0]->accept_waiting();
  });
  net.run();
  CHECK(net.sinks[0]->messages.size() == 30);
  CHECK_FALSE(net.sources[0]->taken_later.empty());
}

TEST_CASE("crossbar block: packets of different channels pass one whose destination takes nothing") {
  NetworkParams p = latency(2);
  p.of<network::CrossbarParams>().ejection_flits = 1;
  p.of<network::CrossbarParams>().buffer_flits = 1;
  p.interface_packets = 4;
  CrossbarRig net(p);
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 4; ++id) net.post(0, 10 + id, id, 0, 1, 0);
  net.post(0, 50, 9, 1, 1, 1);
  net.script.at(299, [&] {
    CHECK(net.sinks[1]->cycles() == Cycles{50 + 2});
    net.sinks[0]->accept_waiting();
  });
  net.run();
  CHECK(net.sinks[0]->ids() == std::vector<std::uint64_t>{1, 2, 3, 4});
}

TEST_CASE("crossbar block: packets of one source, destination and channel never overtake, whatever their lengths") {
  CrossbarRig net(latency(3));
  std::vector<std::uint64_t> order;
  for (std::uint64_t id = 1; id <= 60; ++id) {
    net.post(0, 10 + id, id, 0, 1 + id % 5, 2);
    net.post(1, 10 + id, 100 + id, 0, 1 + id % 3, 2);
    order.push_back(id);
  }
  net.run();
  std::vector<std::uint64_t> of_first;
  for (const std::uint64_t id : net.sinks[0]->ids())
    if (id <= 60) of_first.push_back(id);
  CHECK(of_first == order);
  CHECK(net.sinks[0]->messages.size() == 120);
}

TEST_CASE("crossbar block: a busy output delivers one flit a cycle") {
  CrossbarRig net(latency(2));
  for (std::uint64_t id = 1; id <= 50; ++id) net.post(id % 2, 10 + id / 2, id, 0, 4, static_cast<unsigned>(id / 2 % 4));
  net.run();
  const Cycles cycles = net.sinks[0]->cycles();
  REQUIRE(cycles.size() == 50);
  CHECK(cycles.back() - cycles.front() == 49 * 4);
}

TEST_CASE("crossbar block: packets that wait at an output with nothing else in the network leave one a cycle once the first is taken") {
  CrossbarRig net(latency(2));
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t id = 1; id <= 5; ++id) net.post(0, 10 + id, id, 0);
  net.script.at(499, [&] { net.sinks[0]->accept_waiting(); });
  net.run();
  // The first leaves in the cycle in which it is taken, 500. The next ones follow one per cycle.
  CHECK(net.sinks[0]->cycles() == Cycles{11 + 2, 501, 502, 503, 504});
}

TEST_CASE("crossbar block: a packet that is to be taken later leaves then and not when the network next has something to do") {
  CrossbarRig net(latency(2));
  net.sinks[0]->takes = [](std::size_t n) { return n != 0; };
  net.post(0, 10, 1, 0);
  net.post(0, 11, 2, 0);
  for (std::uint64_t id = 11; id <= 30; ++id) net.post(1, 490 + id, id, 1);
  net.script.at(499, [&] { net.sinks[0]->accept_waiting(10); });
  net.run();
  CHECK(net.sinks[0]->cycles() == Cycles{10 + 2, 499 + 10 + 1});
}
