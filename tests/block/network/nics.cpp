// The network interfaces of both sides: accesses as packets (CM-7, CM-8), back-pressure in both directions, and no latency of their own.

#include "model/nic/l2_nic.h"
#include "model/nic/sm_nic.h"
#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

PacketParams packets(ReplyUnit unit) {
  PacketParams p;
  p.reply_unit = unit;
  return p;
}

/// L1 - SmNic - network, out and back.
struct SmSide {
  explicit SmSide(ReplyUnit unit = ReplyUnit::line, std::uint32_t flit_bytes = 32)
      : nic("nic", packets(unit), 3, 3, {SmNic::to_l2({*addresses, 80, 16}), flit_bytes}, registry) {
    connect(l1.port.socket, memory, nic.upstream());
    connect(nic.request(), requests, network.port.socket);
    connect(replies.port.socket, replied, nic.reply());
  }
  void run() {
    run_kernel();
    CHECK(memory.check_end().size() == l1.arrived.size() - l1.replies.size());
    for (const ProtocolChecker* checker : {&requests, &replied}) CHECK(checker->check_end().empty());
  }
  ClockDomain clock{"clock", 1000, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", 8, 2);
  Initiator l1{"l1", clock, pool};
  SmNic nic;
  MessageIn network{"network", clock};
  MessageOut replies{"replies", clock};
  ProtocolChecker memory{"memory", LinkKind::memory}, requests{"requests", LinkKind::message}, replied{"replied", LinkKind::message};
};

/// Network - L2Nic - slice.
struct L2Side {
  explicit L2Side(ReplyUnit unit = ReplyUnit::line, std::uint32_t flit_bytes = 32)
      : nic("nic", packets(unit), 85, 5, flit_bytes, registry) {
    connect(requests.port.socket, requested, nic.request());
    connect(nic.downstream(), memory, slice.port.socket);
    connect(nic.reply(), replied, network.port.socket);
  }
  Payload& message(std::uint64_t id, const Access& access, std::uint16_t source) {
    Access numbered = access;
    numbered.id = id;
    Payload& payload = pool.acquire(numbered);
    payload.message().source = source;
    payload.message().destination = 85;
    return payload;
  }
  void run() {
    run_kernel();
    for (const ProtocolChecker* checker : {&memory, &requested, &replied}) CHECK(checker->check_end().empty());
  }
  ClockDomain clock{"clock", 1000, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  MessageOut requests{"requests", clock};
  L2Nic nic;
  Target slice{"slice", clock};
  MessageIn network{"network", clock};
  ProtocolChecker memory{"memory", LinkKind::memory}, requested{"requested", LinkKind::message}, replied{"replied", LinkKind::message};
};

}  // namespace

TEST_CASE("packets: flits are the header of 8 B and 32 B a sector, in flits of the link") {
  const PacketParams line = packets(ReplyUnit::line), sector = packets(ReplyUnit::sector);
  const SectorMask of[] = {0, 0b1, 0b11, 0b111, 0b1111};
  for (unsigned n = 0; n <= 4; ++n) {
    CHECK(line.flits(of[n], 32) == (n == 0 ? 1 : n + 1));  // 8, 40, 72, 104, 136 B
    CHECK(sector.flits(of[n], 40) == (n == 0 ? 1 : n));    // one packet of 8 + 32 B per sector
    CHECK(sector.flits(of[n], 32) == (n == 0 ? 1 : 2 * n));
  }
  CHECK(line.flits(0b1010, 40) == 2);  // 72 B
}

TEST_CASE("packets: a store of parts of sectors brings its mask, and nothing else does") {
  PacketParams p;
  Access store = a_store(0, 0b0011);
  CHECK(p.request_flits(store, 8) == 1 + 8);
  p.write_mask_bytes = 16;
  store.covered = store.sectors;
  CHECK(p.request_flits(store, 8) == 1 + 8);
  store.covered = 0b0001;
  CHECK(p.request_flits(store, 8) == 1 + 8 + 2);
  CHECK(p.request_flits(store, 32) == 3 + 1);
  CHECK(p.request_flits(store, 8, true) == 1 + 16);  // its whole line
  store.kind = AccessKind::atomic;
  CHECK(p.request_flits(store, 8) == 1 + 8);
  store.kind = AccessKind::load;
  CHECK(p.request_flits(store, 8) == 1);
}

TEST_CASE("sm nic: a request leaves in the cycle in which it came, addressed to the slice of its line") {
  SmSide side;
  side.l1.send(10, a_load(6 * 2));  // chunk 6 of 256 B: channel 6, slice 0 of 2
  side.l1.send(11, a_load(8 * 2));  // chunk 8: channel 0, slice 1 of 2
  side.run();
  CHECK(side.network.cycles() == Cycles{10, 11});
  CHECK(side.network.messages[0].header.source == 3);
  CHECK(side.network.messages[0].header.traffic == Traffic::to_l2);
  CHECK(side.network.messages[0].header.destination == 80 + 6 * 2);
  CHECK(side.network.messages[1].header.destination == 80 + 1);
  CHECK(counted(side.registry, "nic.sm.requests") == 2);
}

TEST_CASE("sm nic: reads are one flit, stores and atomics carry their sectors") {
  SmSide side;
  side.l1.send(10, a_load(0));
  side.l1.send(11, a_store(0, 0b0111));
  side.l1.send(12, an_atomic(0, 0b0010));
  side.run();
  const auto& m = side.network.messages;
  REQUIRE(m.size() == 3);
  CHECK(m[0].header.kind == MessageKind::read_request);
  CHECK(m[0].header.flits == 1);
  CHECK(m[1].header.kind == MessageKind::write_request);
  CHECK(m[1].header.flits == 1 + 3);
  CHECK(m[2].header.kind == MessageKind::atomic_request);
  CHECK(m[2].header.flits == 1 + 1);
}

TEST_CASE("sm nic: a network that does not take the message stops the L1 until it does") {
  SmSide side;
  side.network.takes = [](std::size_t n) { return n != 0; };
  side.l1.send(10, a_load(0));
  side.l1.send(11, a_load(2));
  side.script.at(49, [&] { side.network.accept_waiting(); });
  side.run();
  CHECK(side.l1.accepted_later.at(1) == 50);
  CHECK(side.network.cycles() == Cycles{10, 51});
}

TEST_CASE("sm nic: replies reach the L1 in the cycle of their ejection, and their data are counted") {
  SmSide side;
  side.l1.send(10, a_load(0, 0b0111));
  side.l1.send(11, a_store(0));
  side.script.at(90, [&] {
    Payload &load = *side.network.messages[0].payload, &store = *side.network.messages[1].payload;
    load.message().kind = MessageKind::data_reply;
    store.message().kind = MessageKind::write_ack;
    side.replies.post(100, load);
    side.replies.post(101, store);
  });
  side.run();
  CHECK(side.l1.answered(1) == 100);
  CHECK(side.l1.answered(2) == 101);
  CHECK(counted(side.registry, "nic.sm.replies") == 1);
  CHECK(counted(side.registry, "nic.sm.reply_bytes") == 3 * 32);
  CHECK(side.pool.alive() == 0);
}

TEST_CASE("sm nic: an L1 that does not take the reply stops the network until it does") {
  SmSide side;
  side.l1.takes = [](std::size_t n) { return n != 0; };
  side.l1.send(10, a_load(0));
  side.l1.send(11, a_load(2));
  side.script.at(90, [&] {
    side.replies.post(100, *side.network.messages[0].payload);
    side.replies.post(101, *side.network.messages[1].payload);
  });
  side.script.at(149, [&] { side.l1.accept_waiting(); });
  side.run();
  CHECK(side.replies.taken_later.at(1) == 150);
  CHECK(side.l1.answered(1) == 150);
  CHECK(side.l1.answered(2) == 151);
}

TEST_CASE("l2 nic: a request is at the slice in the cycle of its ejection, its answer at the network when the slice offers it") {
  L2Side side;
  side.slice.latency = 40;
  side.requests.post(10, side.message(1, a_load(0, 0b0011), 7));
  side.run();
  CHECK(side.slice.arrivals() == Cycles{10});
  CHECK(side.network.cycles() == Cycles{10 + 40});
  CHECK(side.network.messages[0].header.source == 85);
  CHECK(side.network.messages[0].header.destination == 7);
  CHECK(side.network.messages[0].header.traffic == Traffic::from_l2);
}

TEST_CASE("l2 nic: data replies carry the sectors asked for, acknowledgements nothing") {
  L2Side lines, sectors(ReplyUnit::sector, 40);
  for (L2Side* side : {&lines, &sectors}) {
    side->requests.post(10, side->message(1, a_load(0, 0b0111), 0));
    side->requests.post(11, side->message(2, a_store(0), 0));
    side->requests.post(12, side->message(3, an_atomic(0, 0b1000), 0));
  }
  lines.run();
  sectors.run();
  const auto check = [](const L2Side& side, unsigned data, unsigned atomic) {
    REQUIRE(side.network.messages.size() == 3);
    CHECK(side.network.messages[0].header.kind == MessageKind::data_reply);
    CHECK(side.network.messages[0].header.flits == data);
    CHECK(side.network.messages[1].header.kind == MessageKind::write_ack);
    CHECK(side.network.messages[1].header.flits == 1);
    CHECK(side.network.messages[2].header.kind == MessageKind::data_reply);
    CHECK(side.network.messages[2].header.flits == atomic);
    CHECK(counted(side.registry, "nic.l2.data_replies") == 2);
    CHECK(counted(side.registry, "nic.l2.acks") == 1);
  };
  check(lines, 1 + 3, 1 + 1);
  check(sectors, 3, 1);
}

TEST_CASE("l2 nic: a slice that does not take the request stops the network, and a network that does not take the reply stops the slice") {
  L2Side side;
  side.slice.latency = 40;
  side.slice.takes = [](std::size_t n) { return n != 0; };
  side.network.takes = [](std::size_t n) { return n != 0; };
  side.requests.post(10, side.message(1, a_load(0), 0));
  side.requests.post(11, side.message(2, a_load(1), 0));
  side.script.at(29, [&] { side.slice.accept(); });
  side.script.at(199, [&] { side.network.accept_waiting(); });
  side.run();
  CHECK(side.requests.taken_later.at(1) == 30);
  CHECK(side.slice.arrivals() == Cycles{10, 31});
  CHECK(side.network.cycles() == Cycles{30 + 40, 200 + 1});
}
