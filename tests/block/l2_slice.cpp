// Cycles of an L2 slice, and its queues above and below (CM-17, CM-18).

#include "tests/block/l2_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

TEST_CASE("l2 block: on a hit the first reply flit is offered access_cycles after the request's tail was ejected, one a cycle") {
  const L2Params p = l2_params();
  L2Block block(p);
  block.nic.send(10, a_load(5));
  for (Cycle i = 0; i < 30; ++i) block.nic.send(500 + i, a_load(5));
  block.run();
  CHECK(block.nic.accepted_later.empty());
  for (Cycle i = 0; i < 30; ++i) CHECK(block.nic.answered(2 + i) == 500 + i + p.access_cycles);
  CHECK(block.nic.reply_to(2).hint.served_by == ServedBy::l2);
  CHECK(block.count("hits") == 30);
}

TEST_CASE("l2 block: an access of one cycle is possible") {
  L2Params p = l2_params();
  p.access_cycles = 1;
  L2Block block(p);
  const auto store = block.nic.send(10, a_store(5));
  block.run();
  CHECK(block.nic.answered(store) == 10 + 1);
}

TEST_CASE("l2 block: a fetch leaves with the lookup and is at the channel dram_extra later, and its data leave fill after they came") {
  const L2Params p = l2_params();
  L2Block block(p);
  block.dram.contents = {1, 2, 3, 4};
  const auto load = block.nic.send(10, a_load(5, 0b0010));
  block.run();
  CHECK(block.dram.arrivals() == Cycles{10 + (p.access_cycles - 1) + p.dram_extra_cycles});
  CHECK(block.dram.requests[0].access.kind == AccessKind::load);
  CHECK(block.dram.requests[0].access.sectors == kAllSectors);
  CHECK(block.nic.answered(load) == 10 + miss_cycles(p, 100));
  CHECK(block.nic.reply_to(load).hint.served_by == ServedBy::dram);
  CHECK(block.nic.reply_to(load).versions == SectorVersions{1, 2, 3, 4});
}

TEST_CASE("l2 block: loads that merged are answered one a cycle, in order of arrival") {
  const L2Params p = l2_params();
  L2Block block(p);
  for (Cycle i = 0; i < 4; ++i) block.nic.send(10 + 3 * i, a_load(5));
  block.run();
  CHECK(block.dram.requests.size() == 1);
  for (Cycle i = 0; i < 4; ++i) CHECK(block.nic.answered(1 + i) == 10 + miss_cycles(p, 100) + i);
  CHECK(block.count("merged") == 3);
}

TEST_CASE("l2 block: a store is answered access_cycles after its arrival, whether it hits, allocates or fetches") {
  const L2Params p = l2_params();
  L2Block block(p);
  const auto covered = block.nic.send(10, a_store(5));
  Access partial = a_store(6, 1);
  partial.covered = 0;
  const auto fetching = block.nic.send(11, partial);
  const auto hitting = block.nic.send(300, a_store(5));
  block.run();
  CHECK(block.nic.answered(covered) == 10 + p.access_cycles);
  CHECK(block.nic.answered(fetching) == 11 + p.access_cycles);
  CHECK(block.nic.answered(hitting) == 300 + p.access_cycles);
  CHECK(block.dram.lines() == std::vector<std::uint64_t>{6});
  CHECK(block.dram.requests[0].command == tlm::TLM_READ_COMMAND);  // for a store, but still a read
}

TEST_CASE("l2 block: an atomic that hits is answered like a load, and one that misses with its data") {
  const L2Params p = l2_params();
  L2Block block(p);
  const auto miss = block.nic.send(10, an_atomic(5));
  const auto hit = block.nic.send(500, an_atomic(5));
  block.run();
  CHECK(block.nic.answered(miss) == 10 + miss_cycles(p, 100));
  CHECK(block.nic.answered(hit) == 500 + p.access_cycles);
}

TEST_CASE("l2 block: a dirty victim goes to DRAM before the fetch of the line that takes its place") {
  const L2Params p = l2_params();
  L2Block block(p);
  for (Cycle i = 0; i < 4; ++i) block.nic.send(10 + i, a_store(4 * i, 0b0011), {8, 9, 0, 0});  // the four ways of set 0
  const auto load = block.nic.send(100, a_load(16));
  block.run();
  REQUIRE(block.dram.requests.size() == 2);
  CHECK(block.dram.lines() == std::vector<std::uint64_t>{0, 16});
  CHECK(block.dram.requests[0].access.kind == AccessKind::store);
  CHECK(block.dram.requests[0].command == tlm::TLM_WRITE_COMMAND);
  CHECK(block.dram.requests[0].access.sectors == 0b0011);
  CHECK(block.dram.requests[0].versions == SectorVersions{8, 9, 0, 0});
  CHECK(block.dram.arrivals()[1] == block.dram.arrivals()[0] + 1);
  CHECK(block.nic.answered(load) == 100 + miss_cycles(p, 100) + 1);
}

TEST_CASE("l2 block: a refused request waits for the fill, holds up younger ones, and counts once") {
  L2Params p = l2_params();
  p.mshr_entries = 1;
  L2Block block(p);
  const auto first = block.nic.send(10, a_load(1));
  const auto refused = block.nic.send(11, a_load(2));
  const auto behind = block.nic.send(12, a_store(3));
  block.run();
  const Cycle fill = 10 + miss_cycles(p, 100) - p.fill_cycles;
  CHECK(block.nic.answered(first) == fill + p.fill_cycles);
  // The fill frees the entry before the lookup in the same cycle.
  CHECK(block.dram.arrivals()[1] == fill + p.dram_extra_cycles);
  CHECK(block.nic.answered(refused) == fill + p.dram_extra_cycles + 100 + p.fill_cycles);
  CHECK(block.nic.answered(behind) == fill + p.fill_cycles + 1);  // answers leave in order: after the fill's
  CHECK(block.count("refused.mshr_full") == fill - (11 + p.access_cycles - 1));
  CHECK(block.count("accesses") == 3);
}

TEST_CASE("l2 block: a network that takes no reply fills the reply queue, stops lookups, then stops requests") {
  L2Params p = l2_params();
  p.reply_queue = 2;
  p.access_cycles = 5;
  p.input_queue = 1;
  L2Block block(p);
  block.nic.takes = [](std::size_t n) { return n != 0; };
  for (Cycle i = 0; i < 14; ++i) block.nic.send(10 + i, a_store(i % 4));
  block.script.at(199, [&] {
    CHECK(block.nic.replies.empty());
    // One at the interface, two in the queue, and one per cycle for which the reply to a fill would wait.
    const unsigned replies = 1 + 2 + (p.fill_cycles - 1);
    CHECK(block.count("accesses") == replies);
    CHECK(block.nic.arrived.size() == replies + 5 + 1 + 1);  // five in the pipeline, one in the queue, one more offered
    block.nic.accept_waiting();
  });
  block.run();
  CHECK(block.nic.answered(1) == 200);
  for (std::uint64_t id = 2; id <= 14; ++id) CHECK(block.nic.answered(id) > block.nic.answered(id - 1));  // none lost, none reordered
  CHECK(block.nic.answered(2) == 200 + 1);
  CHECK(block.nic.answered(3) == 200 + 2);
  CHECK(block.count("refused.reply_full") > 150);
  CHECK(block.count("accesses") == 14);
}

TEST_CASE("l2 block: with one place beside its pipeline a slice takes one request a cycle") {
  L2Params p = l2_params();
  p.access_cycles = 160;
  p.input_queue = 1;
  L2Block block(p);
  block.nic.send(10, a_store(1));
  for (Cycle i = 0; i < 400; ++i) block.nic.send(1000 + i, a_load(1));
  block.run();
  CHECK(block.nic.accepted_later.empty());
  for (Cycle i = 0; i < 400; ++i) CHECK(block.nic.answered(2 + i) == 1000 + i + p.access_cycles);
}

TEST_CASE("l2 block: a reply that waits out the fill takes no place of the reply queue") {
  L2Params p = l2_params();
  p.fill_cycles = 10;
  p.reply_queue = 1;
  L2Block block(p);
  block.nic.send(10, a_store(1));
  const auto miss = block.nic.send(1000, a_load(2));
  const Cycle fill = 1000 + miss_cycles(p, 100) - p.fill_cycles;
  // Looked up in the three cycles after the fill, whose reply still waits.
  for (Cycle i = 1; i <= 3; ++i) block.nic.send(fill + i - (p.access_cycles - 1), a_load(1));
  block.run();
  CHECK(block.nic.answered(miss) == fill + p.fill_cycles);
  for (Cycle i = 1; i <= 3; ++i) CHECK(block.nic.answered(2 + i) == fill + p.fill_cycles + i);  // in order after it, one per cycle
  CHECK(block.count("refused.reply_full") == 0);
}

TEST_CASE("l2 block: a channel that takes nothing fills the miss queue and refuses what needs it, while hits go on") {
  L2Params p = l2_params();
  p.miss_queue = 2;
  L2Block block(p);
  block.nic.send(10, a_store(1));
  block.dram.takes = [](std::size_t n) { return n != 0; };
  for (Cycle i = 0; i < 3; ++i) block.nic.send(100 + i, a_load(4 + i));  // one at the channel, two in the queue
  const auto hit = block.nic.send(103, a_load(1));
  const auto refused = block.nic.send(104, a_load(8));
  block.script.at(499, [&] {
    CHECK(block.dram.requests.size() == 1);
    block.dram.accept();
  });
  block.run();
  CHECK(block.nic.answered(hit) == 103 + p.access_cycles);
  CHECK(block.dram.lines() == std::vector<std::uint64_t>{4, 5, 6, 8});
  // The channel's place is free from 500 on. A request takes dram_extra to arrive, so the next one may arrive in 500 + 1.
  CHECK(block.count("refused.queue_full") > 300);
  CHECK(block.nic.answered(refused) != kNever);
  const Cycles arrivals = block.dram.arrivals();
  for (std::size_t i = 2; i < 4; ++i) CHECK(arrivals[i] == arrivals[i - 1] + 1);
}

TEST_CASE("l2 block: data that come faster than they are answered wait, and all are answered") {
  L2Params p = l2_params();
  p.miss_queue = 4;
  L2Block block(p);
  block.dram.latency = Target::kByHand;
  for (Cycle i = 0; i < 4; ++i) {
    block.nic.send(10 + 2 * i, a_load(4 + i));
    block.nic.send(11 + 2 * i, a_load(4 + i));
  }
  block.script.at(200, [&] {
    for (std::size_t n = 0; n < 4; ++n) block.dram.answer(n, 300);
  });
  block.run();
  for (std::uint64_t id = 1; id <= 8; ++id) CHECK(block.nic.answered(id) == 300 + p.fill_cycles + (id - 1));
}

TEST_CASE("l2 block: the fill queue refuses data when it is full and takes them when there is room") {
  L2Params p = l2_params();
  p.miss_queue = 2;  // also the fill queue
  L2Block block(p);
  block.dram.latency = Target::kByHand;
  for (Cycle i = 0; i < 6; ++i) block.nic.send(10 + i, a_load(i));
  block.script.at(200, [&] {
    for (std::size_t n = 0; n < 6; ++n) block.dram.answer(n, 300);
  });
  block.run();
  for (std::uint64_t id = 1; id <= 6; ++id) CHECK(block.nic.answered(id) >= 300 + p.fill_cycles + (id - 1));
  CHECK(block.nic.answered(6) < 300 + 40);
}

TEST_CASE("l2 block: a fetch that the channel accepts on its arrival lets the next one leave at once, not dram_extra later") {
  const L2Params p = l2_params();
  L2Block block(p);
  block.dram.takes = [](std::size_t n) { return n != 0; };
  block.nic.send(10, a_load(4));
  block.nic.send(11, a_load(5));
  const Cycle arrival = 10 + p.access_cycles - 1 + p.dram_extra_cycles;
  block.script.at(arrival - 4, [&] { block.dram.accept(4); });  // the sender knows of the room before the request arrives
  block.run();
  CHECK(block.dram.arrivals() == Cycles{arrival, arrival - 3 + p.dram_extra_cycles});
}

TEST_CASE("l2 block: with a reply queue of one every reply lets the next lookup go") {
  L2Params p = l2_params();
  p.reply_queue = 1;
  L2Block block(p);
  block.nic.takes = [](std::size_t n) { return n % 2 == 1; };
  for (Cycle i = 0; i < 8; ++i) block.nic.send(10 + i, a_store(i % 4));
  for (Cycle i = 0; i < 4; ++i) block.script.at(200 + 100 * i, [&] { block.nic.accept_waiting(); });
  block.run();
  CHECK(block.nic.answered(7) == 501);
  CHECK(block.nic.answered(8) == 502);
}

// CM-44
TEST_CASE(
    "l2 block: with merged_replies one_a_cycle the waiters follow from the cycle after the fill, and a head refused for targets goes first") {
  L2Params p = l2_params();
  p.mshr_targets = 4;
  p.merged_replies = MergedReplies::one_a_cycle;
  L2Block block(p);
  for (Cycle i = 0; i < 7; ++i) block.nic.send(10 + i, a_load(5));
  block.run();
  CHECK(block.dram.requests.size() == 1);
  const Cycle filled = 10 + miss_cycles(p, 100) - p.fill_cycles;  // the fill's cycle is the last before the first waiter's data
  std::vector<std::uint64_t> order;
  for (const auto& reply : block.nic.replies) order.push_back(reply.id);
  CHECK(order == std::vector<std::uint64_t>{5, 1, 6, 2, 7, 3, 4});
  CHECK(block.nic.answered(5) >= filled);
  CHECK(block.count("hits") == 3);
  CHECK(block.count("merged") == 3);
}

TEST_CASE("l2 block: a head refused for want of the miss queue waits for the reply queue once merged accesses have filled it") {
  L2Params p = l2_params();
  p.merged_replies = MergedReplies::one_a_cycle;
  p.miss_queue = 2;
  p.reply_queue = 1;
  L2Block block(p);
  block.nic.takes = [](std::size_t n) { return n != 0; };   // the answer of line 1 waits at the interface
  block.dram.takes = [](std::size_t n) { return n != 2; };  // the fetch of line 6 at the channel
  block.nic.send(10, a_load(1));
  for (Cycle i = 0; i < 3; ++i) block.nic.send(300 + i, a_load(5));
  for (Cycle i = 0; i < 3; ++i) block.nic.send(310 + i, a_load(6 + i));
  block.nic.send(320, a_load(9));
  block.script.at(600, [&] { block.nic.accept_waiting(); });
  block.script.at(1000, [&] { block.dram.accept(); });
  block.run();
  const Cycle fill = 300 + miss_cycles(p, 100) - p.fill_cycles;
  const Cycle first_try = 320 + p.access_cycles - 1, sent = 600 + 1, emptied = 1000 + 1;
  // The queue has fill_cycles - 1 places more than its parameter. One merged access per cycle enters it.
  const Cycle reply_full = sent - (fill + p.reply_queue + p.fill_cycles - 1) + 1;
  CHECK(block.count("refused.reply_full") == reply_full);
  CHECK(block.count("refused.queue_full") == emptied - first_try + 1 - reply_full);
}
