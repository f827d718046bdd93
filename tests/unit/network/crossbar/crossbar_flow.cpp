// Wormhole switching, virtual channels, back-pressure: which packet waits for which, and for how long.

#include <catch2/catch.hpp>
#include <map>

#include "model/base/error.h"
#include "tests/unit/network/crossbar/crossbar_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

TEST_CASE("packets for one output are not interleaved, however long they are and however short the buffers") {
  for (const unsigned buffer : {1u, 3u, 64u}) {
    CAPTURE(buffer);
    Harness h(params(2, buffer, 64, 3), 8, 2);
    std::map<std::uint32_t, unsigned> length;
    std::mt19937 random(5);
    unsigned total = 0;
    for (unsigned p = 0; p < 200; ++p) {
      const unsigned flits = 1 + random() % 9;
      length[h.offer(0, p % 8, 1, flits, p / 8 % 2)] = flits;
      total += flits;
    }
    h.run(100000);
    REQUIRE(h.deliveries.size() == 200);
    // Tail after tail: only the flits of the later packet are between two tails.
    for (unsigned d = 1; d < 200; ++d) CHECK(h.deliveries[d].cycle - h.deliveries[d - 1].cycle == length[h.deliveries[d].handle]);
    CHECK(h.deliveries.back().cycle == total - 1 + 3);
    CHECK(h.most("output_link.busy") == total);
  }
}

TEST_CASE("packets of one virtual channel stay in order, and a blocked channel does not block another") {
  Harness h(params(2, 4, 1, 1), 2, 2);
  h.takes = [](unsigned output, Cycle now) { return output == 1 || now >= 50; };
  const auto stuck = h.offer(0, 0, 0, 1, 0);  // these two fill the buffer of one flit and the destination's register
  h.offer(0, 0, 0, 1, 0);
  const auto blocked = h.offer(0, 0, 0, 1, 0);
  const auto behind = h.offer(0, 0, 1, 1, 0);  // output 1 is free, but its channel's first packet is not
  const auto passing = h.offer(0, 0, 1, 1, 1);
  h.run(1000, Drive::events);
  CHECK(h.delivered_at(stuck) == 50);
  CHECK(h.delivered_at(blocked) == 50 + 1 + 1);  // crosses in cycle 50; one packet is taken per cycle
  CHECK(h.delivered_at(behind) == 50 + 1 + 1);   // `blocked` crosses in cycle 50, this one after it
  CHECK(h.delivered_at(passing) == 1 + 1);       // one cycle after `stuck` on the link
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("the link serves the virtual channels of an input in turn, packet by packet") {
  Harness h(params(4, 8, 64, 1), 1, 4);
  const unsigned flits = 4;
  for (unsigned vc = 0; vc < 4; ++vc)
    for (unsigned p = 0; p < 2; ++p) h.offer(0, 0, vc, flits, vc);
  h.run(1000);
  REQUIRE(h.deliveries.size() == 8);
  for (unsigned d = 0; d < 8; ++d) {
    CHECK(h.deliveries[d].output == d % 4);
    CHECK(h.deliveries[d].cycle == d * flits + 1 + (flits - 1));
  }
  // Packet k is on the link from cycle 4k on. A channel's second packet reaches the register when the first one's tail has left it.
  CHECK(h.count("refused.vc") == (0 + 1 + 2 + 3 + 3 + 3 + 3 + 3) * flits);
}

TEST_CASE("the link leaves a channel whose buffer is full and comes back for the packet that holds the switch") {
  Harness h(params(2, 2, 8, 1), 2, 2);
  const auto first = h.offer(0, 1, 0, 8);       // holds output 0 in cycles 0 .. 7
  const auto blocked = h.offer(1, 0, 0, 6, 0);  // two flits fit the buffer: cycles 1 and 2
  const auto other = h.offer(1, 0, 1, 4, 1);    // the link is free for it in cycles 3 .. 6
  h.run(100);
  CHECK(h.delivered_at(first) == 1 + 7);
  CHECK(h.delivered_at(other) == 3 + 1 + 3);
  CHECK(h.delivered_at(blocked) == 8 + 1 + 5);
  CHECK(h.count("refused.vc") == 2);  // `other`, cycles 1 and 2
  // `blocked`: no slot in cycles 3 .. 8; the first slot becomes free in cycle 8.
  CHECK(h.count("refused.credit") == 6);
  CHECK(h.count("refused.arbitration") == 8 - 1);  // `blocked` waits for the output in cycles 1 .. 7
}

TEST_CASE("the packet that holds the switch goes first on its link, so that its flits have arrived before they cross") {
  Harness h(params(3, 2, 8, 1), 4, 3);
  const unsigned held[] = {3, 30, 30};  // cycles for which the other inputs hold the outputs
  for (unsigned o = 0; o < 3; ++o) h.offer(0, 1 + o, o, held[o]);
  const auto winner = h.offer(1, 0, 0, 6, 0);  // on the link in cycles 1 and 2, then its buffer is full
  h.offer(1, 0, 1, 6, 1);                      // takes the link in cycle 3
  h.offer(1, 0, 2, 6, 2);
  h.run(7);
  h.logic.await(0, 0, true);
  h.run(8);
  // From cycle 3 on `winner` crosses; its flits 2 .. 5 enter the buffer in cycles 4 .. 7, while two other channels could send.
  CHECK(h.logic.freed_inputs().test(0));
  CHECK(h.logic.can_inject(0, 0));
  CHECK(h.count("refused.credit") == 1);  // `winner`, cycle 3
  CHECK(h.count("refused.vc") == 0);
  h.run(1000);
  CHECK(h.delivered_at(winner) == 3 + 1 + 5);
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("the packet that holds the switch goes before another channel's last flit, whose turn it would have been") {
  Harness h(params(2, 4, 8, 1), 3, 2);
  h.offer(0, 1, 0, 7);                         // holds output 0 in cycles 0 .. 6
  h.offer(0, 2, 1, 30);                        // and this one output 1
  const auto winner = h.offer(1, 0, 0, 6, 0);  // on the link in cycles 1 .. 4, then its buffer is full
  h.offer(1, 0, 1, 4, 1);                      // on the link in cycles 5 .. 7, its last flit would follow in cycle 8
  h.run(8);
  h.logic.await(0, 0, true);
  h.logic.await(0, 1, true);
  h.run(9);
  CHECK(h.logic.freed_inputs().none());
  h.run(10);  // `winner` crosses from cycle 7 on; its last two flits use the link in cycles 8 and 9
  CHECK(h.logic.freed_inputs().test(0));
  CHECK(h.logic.can_inject(0, 0));
  CHECK_FALSE(h.logic.can_inject(0, 1));
  h.run(11);
  CHECK(h.logic.freed_inputs().test(0));
  CHECK(h.logic.can_inject(0, 1));
  CHECK(h.count("refused.credit") == 3);  // `winner`, cycles 5 .. 7
  h.run(1000);
  CHECK(h.delivered_at(winner) == 7 + 1 + 5);
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("a channel that had to leave the link in the middle of a run goes on where it was") {
  Harness h(params(2, 4, 8, 1), 3, 2);
  h.offer(0, 1, 0, 6);   // holds output 0 in cycles 0 .. 5
  h.offer(0, 2, 1, 30);  // and this one output 1
  const auto winner =
      h.offer(1, 0, 0, 6, 0);               // on the link in cycles 1 .. 4, crosses from cycle 6 on, the rest of it on the link in 7 and 8
  const auto cut = h.offer(1, 0, 1, 6, 1);  // on the link in cycles 5 and 6, and in 9 and 10; then its buffer is full
  h.run(1000);
  CHECK(h.delivered_at(winner) == 6 + 1 + 5);
  CHECK(h.delivered_at(cut) == 30 + 1 + 5);
  // `winner` has no slot in cycles 5 and 6, `cut` none in cycles 11 .. 30.
  CHECK(h.count("refused.credit") == 2 + 20);
  CHECK(h.count("refused.vc") == 4 + 2);  // `cut`, cycles 1 .. 4, and 7 and 8
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("a link that carries the rest of a packet takes no other flit in that cycle") {
  Harness h(params(3, 4, 8, 1), 2, 3);
  h.offer(0, 1, 0, 7);                         // holds output 0 in cycles 0 .. 6
  const auto winner = h.offer(1, 0, 0, 6, 0);  // crosses from cycle 7 on; its rest is on the link in 8 and 9
  h.offer(7, 0, 1, 1, 1);                      // on the link in cycle 7
  h.offer(7, 0, 2, 1, 2);                      // could be on the link in cycle 8
  h.run(10);
  CHECK(h.logic.can_inject(0, 0));
  CHECK_FALSE(h.logic.can_inject(0, 2));
  h.run(11);
  CHECK(h.logic.can_inject(0, 2));
  h.run(100);
  CHECK(h.delivered_at(winner) == 7 + 1 + 5);
}

TEST_CASE("the link stays with a packet while it can send, whichever channel comes in between") {
  Harness h(params(4, 8, 8, 1), 2, 2);
  h.offer(0, 1, 0, 10);  // keeps `first` out of the switch, which would give it the link
  const auto first = h.offer(1, 0, 0, 4, 2);
  const auto later = h.offer(2, 0, 1, 4, 1);
  h.run(100);
  CHECK(h.delivered_at(first) == 10 + 1 + 3);
  CHECK(h.delivered_at(later) == 5 + 1 + 3);
  CHECK(h.count("refused.vc") == 5 - 2);  // `later`, cycles 2 .. 4
}

TEST_CASE("the virtual channels of an input that want one output win it in turn") {
  Harness h(params(2, 8, 8, 1), 2, 1);
  h.offer(0, 1, 0, 30);  // meanwhile both channels of input 0 fill up
  for (unsigned p = 0; p < 6; ++p) h.offer(1, 0, 0, 2, p / 3);
  h.run(1000);
  std::vector<unsigned> order;
  for (const Delivery& d : h.deliveries) order.push_back(d.handle);
  CHECK(order == std::vector<unsigned>{0, 1, 4, 2, 5, 3, 6});
}

TEST_CASE("each packet counts its own cycles without a slot") {
  Harness h(params(1, 2, 8, 1), 2, 1);
  h.offer(0, 1, 0, 10);  // holds the output in cycles 0 .. 9
  for (unsigned p = 0; p < 3; ++p) h.offer(1, 0, 0, 4);
  h.run(1000);
  CHECK(h.deliveries.back().cycle == 10 + 3 * 4 + 1 - 1);
  // First packet: two flits in cycles 1 and 2, no slot in cycles 3 .. 10. The buffer stays full. The second packet's head finds a slot at
  // once only because a flit leaves in every cycle from 10 on, so it does not wait further.
  CHECK(h.count("refused.credit") == 8);
  CHECK(h.count("refused.vc") == 0);
}

TEST_CASE("an output that runs out of room stops, and goes on in the cycle in which its destination takes a packet") {
  const unsigned ejection = 4, latency = 3;
  Harness h(params(1, 16, ejection, latency), 1, 1);
  const Cycle open = 40;
  h.takes = [&](unsigned, Cycle now) { return now >= open; };
  const unsigned packets = 10;
  for (unsigned p = 0; p < packets; ++p) h.offer(0, 0, 0);
  h.run(open);
  CHECK(h.deliveries.empty());
  CHECK(h.count("output_link.busy") == ejection + (latency - 1) + 1);  // the buffer, the pipeline's stages, the destination's register
  h.run(1000);
  REQUIRE(h.deliveries.size() == packets);
  for (unsigned p = 0; p < packets; ++p) {
    CHECK(h.deliveries[p].handle == p);
    CHECK(h.deliveries[p].cycle == open + p);
  }
  // Packet 7 is first in its channel from cycle 7 on and crosses in cycle 40. The next two packets follow without waiting for room.
  CHECK(h.count("refused.ejection") == open - (ejection + (latency - 1) + 1));
  CHECK(h.count("refused.arbitration") == 0);
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("a full ejection buffer stops its own output only") {
  Harness h(params(1, 4, 2, 1), 4, 2);
  h.takes = [](unsigned output, Cycle) { return output == 1; };
  for (unsigned p = 0; p < 10; ++p) h.offer(0, 0, 0);
  for (unsigned p = 0; p < 10; ++p) h.offer(0, 1, 1);
  h.run(100);
  CHECK(h.deliveries.size() == 10);
  for (const Delivery& d : h.deliveries) CHECK(d.output == 1);
  CHECK(h.logic.in_flight() == 1 + 2 + 4 + 1);  // destination's register, ejection buffer, input buffer, source's register
  CHECK_FALSE(h.logic.can_inject(0, 0));
  CHECK(h.registry.broken_laws().size() == 5);  // none of the laws holds for a network that has not drained
}

TEST_CASE("packets longer than the ejection buffer are received whole, until they fill it") {
  Harness h(params(1, 8, 2, 1), 3, 1);
  h.takes = [](unsigned, Cycle now) { return now >= 20; };
  const auto first = h.offer(0, 0, 0, 5);
  const auto second = h.offer(0, 1, 0, 5);
  const auto third = h.offer(0, 2, 0, 5);
  h.run(100);
  CHECK(h.delivered_at(first) == 20);
  CHECK(h.delivered_at(second) == 20 + 1);
  CHECK(h.delivered_at(third) == 20 + 1 + 4);
  CHECK(h.count("refused.arbitration") == 5 + 2 * 5);  // second: cycles 0 .. 4, third: cycles 0 .. 9
  CHECK(h.count("refused.ejection") == 20 - 2 * 5);    // third: cycles 10 .. 19, the first packet fills the buffer
}

TEST_CASE("room freed after the cycle's tick is used in the next cycle") {
  Harness h(params(1, 4, 1, 1), 1, 1);
  for (std::uint32_t p = 0; p < 3; ++p) {
    h.logic.inject(0, {p, 0, 0, 1, p}, p);
    h.logic.tick(p);
  }
  CHECK(h.logic.next_event(3) == kNever);  // one packet in the destination's register, one in the buffer; the third is blocked
  REQUIRE(h.logic.ejected(2).test(0));
  h.logic.pop(0, 2);
  CHECK(h.logic.next_event(3) == 3);
  h.logic.tick(3);
  CHECK(h.logic.pop(0, 3).handle == 1);
  REQUIRE(h.logic.ejected(4).test(0));
  CHECK(h.logic.pop(0, 4).handle == 2);
  CHECK(h.count("refused.ejection") == 1);  // cycle 2
  CHECK(h.registry.broken_laws().empty());
}

TEST_CASE("a second tick in a cycle does nothing") {
  Harness h(params(1, 4, 4, 1), 1, 1);
  h.logic.inject(0, {0, 0, 0, 3, 5}, 5);
  h.logic.await(0, 0, true);
  h.logic.tick(5);
  h.logic.tick(5);
  h.logic.tick(6);
  CHECK_FALSE(h.logic.can_inject(0, 0));  // the last of three flits has not been sent yet
  CHECK(h.logic.freed_inputs().none());
  h.logic.tick(7);
  CHECK(h.logic.freed_inputs().test(0));
  CHECK(h.logic.can_inject(0, 0));
}

TEST_CASE("a register that comes free is told of once, and only where somebody waits for it") {
  Harness h(params(2, 4, 4, 1), 2, 1);
  h.logic.inject(0, {0, 0, 0, 1, 0}, 0);
  h.logic.inject(1, {1, 0, 1, 1, 0}, 0);
  h.logic.await(0, 0, false);
  h.logic.await(1, 0, true);  // a register that is already free
  h.logic.tick(0);
  CHECK(h.logic.can_inject(0, 0));
  CHECK(h.logic.can_inject(1, 1));
  CHECK(h.logic.freed_inputs().none());

  h.logic.inject(0, {2, 0, 1, 1, 1}, 1);
  h.logic.await(0, 1, true);
  h.logic.tick(1);
  CHECK(h.logic.freed_inputs() == PortMask::first(1));
  h.logic.inject(0, {3, 0, 1, 1, 2}, 2);
  h.logic.tick(2);
  CHECK(h.logic.freed_inputs().none());
}

TEST_CASE("what a crossbar cannot carry is refused with the packet, the place and the remedy") {
  using Catch::Matchers::Contains;
  Harness h(params(2, 4, 4, 1), 3, 2);
  h.logic.inject(0, {7, 1, 1, 4, 0}, 0);
  CHECK_THROWS_WITH(h.logic.inject(0, {8, 1, 1, 4, 0}, 0), Contains("net.request: packet 8 from input 0") && Contains("ask can_inject"));
  CHECK_THROWS_WITH(h.logic.inject(3, {8, 1, 1, 4, 0}, 0), Contains("3 x 2 with 2 virtual channels"));
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 2, 1, 4, 0}, 0), Contains("3 x 2 with 2 virtual channels"));
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 1, 2, 4, 0}, 0), Contains("3 x 2 with 2 virtual channels"));
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 1, 1, 0, 0}, 0), Contains("1 to 64 flits"));
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 1, 1, 65, 0}, 0), Contains("1 to 64 flits"));
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 1, 1, 1, 2}, 1), Contains("not before the cycle in which it was queued, 2"));
  h.logic.tick(4);
  CHECK_THROWS_WITH(h.logic.inject(1, {8, 1, 1, 1, 0}, 4), Contains("before that cycle's tick"));
  CHECK_THROWS_WITH(h.logic.pop(0, 4), Contains("nothing has arrived at output 0"));
  CHECK_THROWS_WITH(h.logic.pop(2, 4), Contains("nothing has arrived at output 2"));
  CHECK_THROWS_AS(h.logic.pop(0, 4), SimulationError);
  CHECK(h.count("packets") == 1);
}

TEST_CASE("a crossbar of no ports, of too many, or of an unknown arbitration is refused") {
  CHECK_THROWS_AS(Harness(params(1, 4, 4, 1), 0, 4), InputError);
  CHECK_THROWS_AS(Harness(params(1, 4, 4, 1), 4, 0), InputError);
  CHECK_THROWS_AS(Harness(params(1, 4, 4, 1), 129, 4), InputError);
  CHECK_THROWS_AS(Harness(params(1, 4, 4, 1), 4, 129), InputError);
  CrossbarParams p = params(1, 4, 4, 1);
  p.arbitration = "isilp";
  CHECK_THROWS_WITH(Harness(p, 4, 4), "unknown arbitration policy 'isilp'; choose one of islip, round_robin");
}
