// Cycles of two mirror slices of an L2 in two partitions, with their entries and the link between them (modern_gpus section 2).

#include <stdexcept>

#include "tests/block/l2_halves_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

TEST_CASE("l2 entry: a near hit takes access_cycles, one a cycle, and a far hit the link twice more") {
  const L2Params p = l2_params();
  TwoSlices l2;
  l2.nics[0]->send(10, a_load(kHome0));
  for (Cycle i = 0; i < 30; ++i) l2.nics[0]->send(500 + i, a_load(kHome0));
  const auto far = l2.nics[1]->send(800, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[0]->accepted_later.empty());
  for (Cycle i = 0; i < 30; ++i) CHECK(l2.nics[0]->answered(2 + i) == 500 + i + p.access_cycles);
  CHECK(l2.nics[1]->answered(far) == 800 + kLink + p.access_cycles + kLink);
  CHECK(l2.nics[1]->reply_to(far).hint.served_by == ServedBy::l2);
  CHECK(l2.count("near") == 31);
  CHECK(l2.count("far") == 1);
  CHECK(l2.count("hits") == 31);
}

TEST_CASE("l2 entry: a near miss takes as long as in a slice without entry, a far miss the link twice more, and the home reads DRAM") {
  const L2Params p = l2_params();
  TwoSlices l2;
  l2.drams[1]->contents = {1, 2, 3, 4};
  const auto near = l2.nics[0]->send(10, a_load(kHome0));
  const auto far = l2.nics[0]->send(500, a_load(kHome1));
  l2.run();
  CHECK(l2.nics[0]->answered(near) == 10 + miss_cycles(p, 100));
  CHECK(l2.nics[0]->answered(far) == 500 + kLink + miss_cycles(p, 100) + kLink);
  CHECK(l2.nics[0]->reply_to(far).hint.served_by == ServedBy::dram);
  CHECK(l2.nics[0]->reply_to(far).versions == SectorVersions{1, 2, 3, 4});
  CHECK(l2.drams[0]->lines() == std::vector<std::uint64_t>{kHome0});
  CHECK(l2.drams[1]->lines() == std::vector<std::uint64_t>{kHome1});
}

TEST_CASE("l2 entry: stores and atomics are performed at the home, and the other half reads what they wrote") {
  const L2Params p = l2_params();
  TwoSlices l2;
  const auto store = l2.nics[1]->send(10, a_store(kHome0), {7, 7, 7, 7});
  const auto near = l2.nics[0]->send(100, a_load(kHome0));
  const auto atomic = l2.nics[1]->send(200, an_atomic(kHome0), {9, 0, 0, 0});
  const auto far = l2.nics[1]->send(300, a_load(kHome0));
  l2.run();
  CHECK(l2.nics[1]->answered(store) == 10 + kLink + p.access_cycles + kLink);
  CHECK(l2.nics[0]->reply_to(near).versions == SectorVersions{7, 7, 7, 7});
  CHECK(l2.nics[1]->answered(atomic) == 200 + kLink + p.access_cycles + kLink);
  CHECK(l2.nics[1]->reply_to(far).versions == SectorVersions{9, 7, 7, 7});
  CHECK(l2.drams[0]->requests.empty());  // the store covered the line
  CHECK(l2.drams[1]->requests.empty());
}

TEST_CASE("l2 entry: the shortest entry and the shortest link add no cycle of their own") {
  L2Params p = l2_params();
  p.access_cycles = 3;
  PartitionParams partition = partition_params();
  partition.entry_cycles = 2;
  partition.link.cycles = 1;
  TwoSlices l2(partition, p);
  const auto near = l2.nics[0]->send(10, a_store(kHome0));
  const auto far = l2.nics[1]->send(50, a_store(kHome0));
  l2.run();
  CHECK(l2.nics[0]->answered(near) == 10 + 3);
  CHECK(l2.nics[1]->answered(far) == 50 + 1 + 3 + 1);
}

TEST_CASE("l2 entry: answers of 136 bytes take the link at its rate, 4.25 cycles each, and requests of 8 bytes a cycle each") {
  const L2Params p = l2_params();
  TwoSlices l2;
  l2.nics[0]->send(10, a_load(kHome0));
  for (Cycle i = 0; i < 9; ++i) l2.nics[1]->send(500 + i, a_load(kHome0));
  l2.run();
  const Cycle first = 500 + kLink + p.access_cycles + kLink;
  for (Cycle i = 0; i < 9; ++i) CHECK(l2.nics[1]->answered(1 + i) == first + 17 * i / 4);
  CHECK(l2.count("link.requests") == 9);
  CHECK(l2.count("link.responses") == 9);
  CHECK(l2.count("link.bytes") == 9 * 8 + 9 * 136);
  CHECK(l2.count("link.busy") == 9 + 39);  // 9 requests; 38.25 cycles of answers
}

TEST_CASE("l2 entry: near requests and those of the mirror take turns at the slice") {
  PartitionParams partition = partition_params();
  partition.link.bytes_per_clock = 256;  // a message takes less than a cycle
  const L2Params p = l2_params();
  TwoSlices l2(partition);
  l2.nics[0]->send(10, a_store(kHome0));
  for (Cycle i = 0; i < 4; ++i) {
    l2.nics[0]->send(500 + i, a_store(kHome0));
    l2.nics[1]->send(500 + i - kLink, a_store(kHome0));
  }
  l2.run();
  // The mirror's request goes first, because a near one had the last turn. Then they alternate, two cycles per pair.
  for (Cycle i = 0; i < 4; ++i) {
    CAPTURE(i);
    const Cycle mirror_first = 500 + 2 * i + p.access_cycles;
    CHECK(l2.nics[1]->answered(1 + i) == mirror_first + kLink);
    CHECK(l2.nics[0]->answered(2 + i) == mirror_first + 1);
  }
}

TEST_CASE("l2 entry: a far request that finds no place for the link holds up the near ones behind it, and nothing is lost") {
  PartitionParams partition = partition_params();
  partition.link.queue = 1;
  partition.link.bytes_per_clock = 1;
  const L2Params p = l2_params();
  TwoSlices l2(partition);
  l2.nics[0]->send(10, a_load(kHome0));
  // Requests of 8 bytes take 8 cycles each to send: the first at once, the second from the place, the third from the head of the entry.
  for (Cycle i = 0; i < 3; ++i) l2.nics[0]->send(500 + i, a_load(kHome1));
  const auto behind = l2.nics[0]->send(503, a_load(kHome0));
  l2.run();
  const Cycle first = 500 + partition.entry_cycles - 2;  // on the link
  // The place is free one cycle after the second has left, in first + 8. The head takes it then, and the near one in the cycle after.
  CHECK(l2.nics[0]->answered(behind) == (first + 8 + 1) + 1 + 1 + p.access_cycles - partition.entry_cycles + 1);
  CHECK(l2.count("link.requests") == 3);
}

TEST_CASE("l2 entry: a network interface that takes no answer stalls its own accesses, and all of them end when it takes them") {
  PartitionParams partition = partition_params();
  partition.link.queue = 1;
  L2Params p = l2_params();
  p.reply_queue = 1;
  TwoSlices l2(partition, p);
  bool open = false;
  l2.nics[1]->takes = [&](std::size_t) { return open; };
  for (Cycle i = 0; i < 40; ++i) {
    l2.nics[1]->send(10 + i, a_store(i % 2 == 0 ? kHome0 : kHome1));
    l2.nics[0]->send(10 + i, a_store(i % 2 == 0 ? kHome0 : kHome1));
  }
  l2.script.at(2000, [&] {
    CHECK(l2.nics[1]->replies.empty());
    open = true;
    l2.nics[1]->accept_waiting();
  });
  l2.run();
  CHECK(l2.nics[0]->replies.size() == 40);
  CHECK(l2.nics[1]->replies.size() == 40);
}

TEST_CASE("l2 entry: a request that the mirror has not answered breaks a law of its counters") {
  TwoSlices l2;
  l2.drams[1]->latency = Target::kByHand;
  l2.nics[0]->send(10, a_load(kHome1));
  run_kernel();
  CHECK(l2.registry.broken_laws() ==
        std::vector<std::string>{"l2[1]: near + link.responses == accesses", "l2[1]: link.responses == link.requests of the mirror"});
  l2.script.at(l2.clock.now() + 10, [&] { l2.drams[1]->answer(0, l2.clock.now() + 5); });
  l2.run();
}

TEST_CASE("l2 entry: a debug access of a near line asks the slice, of a far line the mirror, and one of the mirror the slice") {
  class Mirror final : public sc_core::sc_module, private MemoryTarget {
   public:
    explicit Mirror(sc_core::sc_module_name name) : sc_module(name) {}
    MemoryTargetPort port{"port", *this, 0};

   private:
    Acceptance request(unsigned, Payload&, Picoseconds) override { throw std::logic_error("no request expected"); }
    void response_accepted(unsigned, Picoseconds) override {}
    unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 42; }
  };
  ClockDomain clock("clock", 1400, {});
  PayloadPool pool;
  stats::Registry registry;
  stats::Group group(registry, "slice");
  const stats::Counter accesses(group, "accesses", "none", stats::Unit::accesses);
  const auto addresses = make_partitioned_address_map("interleave", 2, 1, 1, 8192);
  Initiator nic("nic", clock, pool), other("other", clock, pool);
  Target slice("slice", clock);  // serves 23 bytes of any debug access
  Mirror mirror("mirror");
  L2Entry entry("entry", partition_params(), 40, 0, {clock, pool, registry, *addresses, TransactionUnit::line, PacketParams{}, accesses});
  nic.port.socket.bind(entry.upstream());
  other.port.socket.bind(entry.from_mirror());
  entry.downstream().bind(slice.port.socket);
  entry.to_mirror().bind(mirror.port.socket);

  const auto served = [](Initiator& from, std::uint64_t line) {
    std::array<unsigned char, kLineBytes> bytes{};
    tlm::tlm_generic_payload debug;
    debug.set_read();
    debug.set_address(line * kLineBytes);
    debug.set_data_ptr(bytes.data());
    debug.set_data_length(kLineBytes);
    return from.port.debug(debug);
  };
  CHECK(served(nic, kHome0) == 23);
  CHECK(served(nic, kHome1) == 42);
  CHECK(served(other, kHome0) == 23);
}
