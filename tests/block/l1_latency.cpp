// Cycles of an L1 without contention, and of its ports and banks (CM-9, CM-10).

#include "tests/block/l1_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

TEST_CASE("l1 block: a miss is offered to the network tag after acceptance, and its data are at the SM fill after ejection") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 200;
  const auto load = block.sm().send(10, a_load(5, 1));
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles});
  CHECK(block.nic().requests[0].access.sectors == kAllSectors);  // the whole line
  CHECK(block.sm().answered(load) == 10 + p.tag_cycles + 200 + p.fill_cycles);
  CHECK(block.sm().reply_to(load).hint.served_by == ServedBy::l2);
  CHECK(block.sm().reply_to(load).hint.l1_done == 10 + p.hit_latency());
}

TEST_CASE("l1 block: the data of a hit are at the SM tag plus data after acceptance, one access a cycle") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.sm().send(10, a_load(5));
  Cycles expected;
  for (Cycle i = 0; i < 6; ++i) {
    block.sm().send(500 + i, a_load(5));
    expected.push_back(500 + i + p.hit_latency());
  }
  block.run();
  Cycles hits;
  for (std::uint64_t id = 2; id <= 7; ++id) hits.push_back(block.sm().answered(id));
  CHECK(hits == expected);
  CHECK(block.sm().reply_to(2).hint.served_by == ServedBy::l1);
  CHECK(block.count("load.hits") == 6);
  CHECK(block.nic().requests.size() == 1);
}

/// With one place in the queue and a pipeline of `tag_cycles`.
void expect_one_access_per_cycle(Cycle tag_cycles) {
  L1Params p = l1_params();
  p.tag_cycles = static_cast<std::uint32_t>(tag_cycles);
  p.input_queue = 1;
  L1Block block(p);
  block.sm().send(10, a_load(5));
  for (Cycle i = 0; i < 60; ++i) block.sm().send(500 + i, a_load(5));
  block.run();
  CHECK(block.sm().accepted_later.empty());
  for (Cycle i = 0; i < 60; ++i) CHECK(block.sm().answered(2 + i) == 500 + i + tag_cycles + p.data_cycles);
}

TEST_CASE("l1 block: with one stage of tags and one place a bank takes one access a cycle") { expect_one_access_per_cycle(1); }
TEST_CASE("l1 block: with four stages of tags and one place a bank takes one access a cycle") { expect_one_access_per_cycle(4); }
TEST_CASE("l1 block: with twenty stages of tags and one place a bank takes one access a cycle") { expect_one_access_per_cycle(20); }

TEST_CASE("l1 block: a hit of one cycle is possible") {
  L1Params p = l1_params();
  p.tag_cycles = 1;
  p.data_cycles = 0;
  L1Block block(p);
  block.sm().send(10, a_load(5));
  const auto hit = block.sm().send(500, a_load(5));
  block.run();
  CHECK(block.sm().answered(hit) == 500 + 1);
}

TEST_CASE("l1 block: merged loads get their data with the fill, whenever they came") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 300;
  for (const Cycle cycle : {10, 11, 200}) block.sm().send(cycle, a_load(5));
  block.run();
  CHECK(block.nic().requests.size() == 1);
  for (std::uint64_t id = 1; id <= 3; ++id) CHECK(block.sm().answered(id) == 10 + p.tag_cycles + 300 + p.fill_cycles);
  CHECK(block.count("load.merged") == 2);
}

TEST_CASE("l1 block: a store is at the network tag after acceptance and its acknowledgement at the SM a cycle after ejection") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 100;
  const auto store = block.sm().send(10, a_store(5, 0b0011), {7, 7, 0, 0});
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles});
  CHECK(block.nic().requests[0].access.sectors == 0b0011);
  CHECK(block.nic().requests[0].versions == SectorVersions{7, 7, 0, 0});
  CHECK(block.sm().answered(store) == 10 + p.tag_cycles + 100 + 1);
}

TEST_CASE("l1 block: what is never looked up does not pay for the tags") {
  L1Block block(l1_params());
  block.nic().latency = 100;
  Access bypass = a_load(5);
  bypass.cache_op = CacheOp::bypass_l1;
  block.sm().send(10, bypass);
  block.sm().send(20, an_atomic(6));
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + 1, 20 + 1});
  CHECK(block.sm().answered(1) == 10 + 1 + 100 + 1);
  CHECK(block.sm().answered(2) == 20 + 1 + 100 + 1);
  CHECK(block.count("load.bypasses") == 1);
  CHECK(block.count("atomics") == 1);
}

TEST_CASE("l1 block: what is never looked up keeps its place behind older accesses of its bank") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.sm().send(10, a_load(5));
  block.sm().send(11, an_atomic(6));
  block.run();
  CHECK(block.nic().lines() == std::vector<std::uint64_t>{5, 6});
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, 10 + p.tag_cycles + 1});
}

TEST_CASE("l1 block: a lookup precedes a fill if they share the port") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 100;
  const auto load = block.sm().send(10, a_load(5));
  const Cycle ejected = 10 + p.tag_cycles + 100;
  // Lookups are in the last of the tag cycles: three of them in the cycle of the ejection and the two after it.
  for (Cycle i = 0; i < 3; ++i) block.sm().send(ejected - (p.tag_cycles - 1) + i, a_store(6));
  block.run();
  CHECK(block.sm().answered(load) == ejected + 3 + p.fill_cycles);
}

TEST_CASE("l1 block: a fill port of its own is not held up by lookups") {
  L1Params p = l1_params();
  p.fill_shares_port = false;
  L1Block block(p);
  block.nic().latency = 100;
  const auto load = block.sm().send(10, a_load(5));
  const Cycle ejected = 10 + p.tag_cycles + 100;
  for (Cycle i = 0; i < 3; ++i) block.sm().send(ejected - (p.tag_cycles - 1) + i, a_store(6));
  block.run();
  CHECK(block.sm().answered(load) == ejected + p.fill_cycles);
}

TEST_CASE("l1 block: fills are served one a cycle") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = Target::kByHand;
  for (Cycle i = 0; i < 3; ++i) block.sm().send(10 + i, a_load(i));
  block.script.at(100, [&] {
    for (std::size_t n : {2, 0, 1}) block.nic().answer(n, 150);
  });
  block.run();
  CHECK(block.sm().answered(3) == 150 + p.fill_cycles);
  CHECK(block.sm().answered(1) == 151 + p.fill_cycles);
  CHECK(block.sm().answered(2) == 152 + p.fill_cycles);
}

TEST_CASE("l1 block: every bank serves an access a cycle, two accesses to one bank take two") {
  L1Params p = l1_params();
  p.banks = 4;
  p.sectored = true;
  L1Block block(p, TransactionUnit::sector);
  block.sm().per_cycle = 4;
  for (unsigned s = 0; s < 4; ++s) block.sm().send(10, a_load(5, static_cast<SectorMask>(1 << s)));
  for (unsigned s = 0; s < 4; ++s) block.sm().send(500, a_load(5, static_cast<SectorMask>(1 << s)));
  for (int i = 0; i < 3; ++i) block.sm().send(600, a_load(5, 1));
  block.run();
  const Cycle hit = p.hit_latency();
  for (std::uint64_t id = 5; id <= 8; ++id) CHECK(block.sm().answered(id) == 500 + hit);
  for (std::uint64_t id = 9; id <= 11; ++id) CHECK(block.sm().answered(id) == 600 + hit + (id - 9));
  // The network is offered one request per cycle.
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, 11 + p.tag_cycles, 12 + p.tag_cycles, 13 + p.tag_cycles});
}

TEST_CASE("l1 block: a load never overtakes its SM's store to the same sector, whatever else the two touch") {
  L1Params p = l1_params();
  p.banks = 4;
  p.sectored = true;
  p.store_miss = StoreMiss::allocate;
  p.mshr_entries = 1;
  L1Block block(p);
  block.sm().per_cycle = 4;
  block.nic().contents = {1, 2, 3, 4};
  block.sm().send(10, a_load(5));
  block.sm().send(500, a_load(4, 1));                         // takes the only MSHR
  block.sm().send(501, a_load(8, 1));                         // waits for it, as do all later accesses of its bank
  block.sm().send(502, a_store(5, 0b0111), {70, 70, 70, 0});  // with banks of sectors, sectors 0 and 1 would be in different banks
  const auto load = block.sm().send(502, a_load(5, 0b0110));
  block.run();
  CHECK(block.sm().reply_to(load).versions[1] == 70);
  CHECK(block.sm().reply_to(load).versions[2] == 70);
}

TEST_CASE("l1 block: a load goes below itself where it asks for all that is fetched for it, and else sends another transaction") {
  L1Block block(l1_params());
  block.nic().latency = 200;
  block.sm().send(10, a_load(5));      // misses the whole line
  block.sm().send(12, a_load(5));      // merges with it
  block.sm().send(300, a_load(6, 1));  // misses the whole line, but needs only a sector
  std::uint64_t alive_of_whole = 0, alive_of_part = 0;
  block.script.at(50, [&] { alive_of_whole = block.pool.alive(); });
  block.script.at(350, [&] { alive_of_part = block.pool.alive(); });
  block.run();
  CHECK(alive_of_whole == 2);
  CHECK(alive_of_part == 2);
  CHECK(block.nic().requests.size() == 2);
}

// CM-47
TEST_CASE("l1 block: through a response port merged loads are answered one a cycle, oldest first, while hits do not wait for it") {
  L1Params p = l1_params();
  p.response_port = true;
  L1Block block(p);
  block.nic().latency = 200;
  block.sm().send(10, a_load(4));  // the line of the hits
  for (Cycle i = 0; i < 5; ++i) block.sm().send(300 + i, a_load(5));
  const Cycle filled = 300 + p.tag_cycles + 200 + p.fill_cycles;
  const auto hit = block.sm().send(filled - p.tag_cycles - p.data_cycles + 1, a_load(4));
  block.run();
  for (Cycle i = 0; i < 5; ++i) CHECK(block.sm().answered(2 + i) == filled + i);
  CHECK(block.sm().answered(hit) == filled + 1);
}

// CM-47
TEST_CASE("l1 block: a load that bypasses the L1 takes its turn at the response port behind the fill that arrived before it") {
  L1Params p = l1_params();
  p.response_port = true;
  L1Block block(p);
  block.nic().latency = 200;
  block.sm().send(10, a_load(5));
  Access bypass = a_load(6);
  bypass.cache_op = CacheOp::bypass_l1;
  block.sm().send(11, bypass);  // is sent below and answered there, one cycle after the miss
  for (Cycle i = 12; i < 14; ++i) block.sm().send(i, a_load(5));
  // The answer is called before the L1 acts on the fill: the order of blocks must not matter.
  const Cycle fills = 10 + p.tag_cycles + 200;
  block.script.at(fills, [&] { block.nic().act(fills); });
  block.run();
  const Cycle filled = 10 + p.tag_cycles + 200 + p.fill_cycles;
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, 10 + p.tag_cycles + 1});
  CHECK(block.sm().answered(1) == filled);
  CHECK(block.sm().answered(3) == filled + 1);
  CHECK(block.sm().answered(4) == filled + 2);
  CHECK(block.sm().answered(2) == filled + 3);
}
