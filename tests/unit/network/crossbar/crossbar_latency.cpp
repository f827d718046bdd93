// Exact cycles of packets that meet no other packet, or exactly one (CM-7, CM-15).

#include <catch2/catch.hpp>

#include "model/network/flits.h"
#include "tests/unit/network/crossbar/crossbar_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

TEST_CASE("flits of a packet follow the table of CM-7") {
  const unsigned sector = 32;
  CHECK(flits_of(0, 32) == 1);
  CHECK(flits_of(1 * sector, 32) == 2);
  CHECK(flits_of(2 * sector, 32) == 3);
  CHECK(flits_of(3 * sector, 32) == 4);
  CHECK(flits_of(4 * sector, 32) == 5);
  CHECK(flits_of(0, 40) == 1);
  CHECK(flits_of(1 * sector, 40) == 1);  // reply_unit = sector: one flit per packet
  CHECK(flits_of(128, 8) == 17);
  CHECK(flits_of(128, 8) <= kMaxPacketFlits);
}

TEST_CASE("an unloaded packet takes latency plus its length less one, whatever the buffers hold") {
  for (const unsigned latency : {1u, 2u, 4u, 8u})
    for (unsigned flits = 1; flits <= 5; ++flits)
      for (const unsigned buffer : {1u, 2u, 4u, 512u})
        for (const unsigned vcs : {1u, 4u}) {
          CAPTURE(latency, flits, buffer, vcs);
          Harness h(params(vcs, buffer, buffer, latency), 3, 5);
          const Cycle injected = 7;
          const auto packet = h.offer(injected, 1, 4, flits, vcs - 1);
          h.run(100, Drive::events);
          CHECK(h.delivered_at(packet) == injected + latency + (flits - 1));
          CHECK(h.count("packet_latency_sum") == latency + (flits - 1));
          CHECK(h.count("network_latency_sum") == latency + (flits - 1));
          CHECK(h.registry.broken_laws().empty());
        }
}

TEST_CASE("the longest packet passes a one-flit buffer at one flit a cycle") {
  Harness h(params(1, 1, 1, 2), 2, 2);
  const auto packet = h.offer(0, 0, 1, kMaxPacketFlits);
  h.run(1000);
  CHECK(h.delivered_at(packet) == 2 + (kMaxPacketFlits - 1));
  CHECK(h.count("refused.credit") == 0);
}

TEST_CASE("packets of one source and destination follow each other without a gap, in order") {
  for (const unsigned buffer : {1u, 4u, 512u})
    for (unsigned flits = 1; flits <= 5; ++flits) {
      CAPTURE(buffer, flits);
      Harness h(params(1, buffer, 1, 4), 2, 2);
      const unsigned packets = 20;
      for (unsigned p = 0; p < packets; ++p) h.offer(0, 0, 1, flits);
      h.run(1000);
      REQUIRE(h.deliveries.size() == packets);
      for (unsigned p = 0; p < packets; ++p) {
        CHECK(h.deliveries[p].handle == p);
        CHECK(h.deliveries[p].cycle == p * flits + 4 + (flits - 1));
      }
    }
}

TEST_CASE("packet latency counts the wait in the source's queue, network latency does not") {
  Harness h(params(1, 8, 8, 4), 2, 2);
  h.offer(0, 0, 1, 3);
  h.offer(0, 0, 1, 3);  // enters the register when the first one's tail has left it, three cycles later
  h.run(100);
  CHECK(h.count("network_latency_sum") == 2 * (4 + 2));
  CHECK(h.count("packet_latency_sum") == (4 + 2) + (3 + 4 + 2));
  CHECK(h.count("packets") == 2);
  CHECK(h.count("flits") == 2 * 3);
  CHECK(h.count("bytes") == 2 * 3 * 32);
}

TEST_CASE("of two heads for one output, one waits for exactly the other's length") {
  for (unsigned flits = 1; flits <= 5; ++flits) {
    CAPTURE(flits);
    Harness h(params(1, 8, 8, 2), 2, 1);
    const auto winner = h.offer(10, 0, 0, flits);
    const auto loser = h.offer(10, 1, 0, flits);
    h.run(100);
    CHECK(h.delivered_at(winner) == 10 + 2 + (flits - 1));
    CHECK(h.delivered_at(loser) == 10 + flits + 2 + (flits - 1));
    CHECK(h.count("refused.arbitration") == flits);
    CHECK(h.count("refused.queue") == 0);
    CHECK(h.count("refused.ejection") == 0);
  }
}

TEST_CASE("two inputs that share an output alternate, and each loses exactly its share") {
  Harness h(params(1, 4, 8, 1), 2, 1);
  const unsigned packets = 50, flits = 3;
  for (unsigned p = 0; p < packets; ++p)
    for (unsigned input = 0; input < 2; ++input) h.offer(0, input, 0, flits);
  h.run(10000);
  REQUIRE(h.deliveries.size() == 2 * packets);
  for (unsigned d = 0; d < 2 * packets; ++d) {
    CHECK(h.deliveries[d].handle == d);  // handles alternate between the inputs, as offered
    CHECK(h.deliveries[d].cycle == d * flits + 1 + (flits - 1));
  }
}

TEST_CASE("next_event sleeps while a packet is in the pipeline and names the cycle of its arrival") {
  Harness h(params(1, 4, 4, 8), 2, 2);
  CHECK(h.logic.next_event(0) == kNever);
  h.logic.inject(0, {0, 1, 0, 1, 3}, 3);
  CHECK(h.logic.next_event(3) == 3);
  h.logic.tick(3);
  CHECK(h.logic.next_event(4) == 3 + 8);
  CHECK(h.logic.ejected(3 + 7).none());
  CHECK(h.logic.ejected(3 + 8).test(1));
  CHECK(h.logic.next_event(3 + 8) == kNever);  // waits for its destination
  CHECK(h.logic.peek(1).handle == 0);
  CHECK(h.logic.in_flight() == 1);
  h.logic.pop(1, 3 + 8);
  CHECK(h.logic.in_flight() == 0);
  CHECK(h.logic.ejected(3 + 9).none());
}

TEST_CASE("cycles beyond 32 bits are counted as those before") {
  const auto run_from = [](Cycle start) {
    stats::Registry registry;
    CrossbarLogic logic(params(2, 2, 4, 3), 2, 1, registry, "net");
    std::vector<Delivery> deliveries;  // in cycles after the start
    std::uint64_t sent = 0;
    for (Cycle now = start; now < start + 200; ++now) {
      // The destination takes nothing for a while, so that every kind of wait crosses the boundary.
      if (now >= start + 60 && logic.ejected(now).test(0)) deliveries.push_back({logic.pop(0, now).handle, 0, now - start});
      for (unsigned input = 0; input < 2; ++input)
        for (unsigned vc = 0; vc < 2; ++vc)
          if (sent < 20 && logic.can_inject(input, vc)) logic.inject(input, {sent++, 0, static_cast<std::uint8_t>(vc), 3, start}, now);
      logic.tick(now);
    }
    CHECK(registry.broken_laws().empty());
    return std::make_pair(deliveries, registry.snapshot());
  };
  const auto before = run_from(0), across = run_from((Cycle{1} << 32) - 30);
  CHECK(before.first.size() == 20);
  CHECK(across.first == before.first);
  CHECK(across.second == before.second);
}
