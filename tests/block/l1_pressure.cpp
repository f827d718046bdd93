// An L1 under pressure: refused accesses, full queues above and below, kernel boundaries, the single L1 (CM-14, CM-28, DC-20).

#include "tests/block/l1_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

TEST_CASE("l1 block: a refused access waits at the head of its bank, is served after the fill, and counts once") {
  L1Params p = l1_params();
  p.mshr_entries = 1;
  L1Block block(p);
  block.nic().latency = 100;
  block.sm().send(10, a_load(1));
  const auto waiting = block.sm().send(11, a_load(2));
  const auto behind = block.sm().send(12, a_load(1));  // would merge if it did not have to wait for its turn
  block.run();
  const Cycle fill = 10 + p.tag_cycles + 100, first_try = 11 + p.tag_cycles - 1;
  // The lookup precedes the fill in the fill's cycle, so it is retried in the next cycle.
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, fill + 1 + 1});
  CHECK(block.count("refused.mshr_full") == fill - first_try + 1);
  CHECK(block.sm().answered(waiting) == fill + 2 + 100 + p.fill_cycles);
  CHECK(block.sm().answered(behind) == fill + 2 + 1 + p.data_cycles);  // a hit now
  CHECK(block.count("load.accesses") == 3);
  CHECK(block.count("load.misses") == 2);
}

TEST_CASE("l1 block: an access refused in one bank holds up no other bank") {
  L1Params p = l1_params();
  p.mshr_entries = 1;
  p.banks = 2;
  L1Block block(p);
  block.nic().latency = 1000;
  block.sm().send(10, a_load(1));
  block.sm().send(2000, a_load(3));                      // bank 1: takes the MSHR
  block.sm().send(2001, a_load(5));                      // bank 1: refused
  const auto hit = block.sm().send(2002, a_load(1));     // bank 1: queued after it
  const auto other = block.sm().send(2003, a_store(2));  // bank 0
  block.run();
  CHECK(block.nic().lines()[2] == 2);
  CHECK(block.nic().arrivals()[2] == 2003 + p.tag_cycles);
  CHECK(block.sm().answered(other) == 2003 + p.tag_cycles + 1000 + 1);
  CHECK(block.sm().answered(hit) > 3000);
}

TEST_CASE("l1 block: an access refused for want of an MSHR waits for the miss queue while another bank has filled it") {
  L1Params p = l1_params();
  p.mshr_entries = 1;
  p.banks = 2;
  p.miss_queue = 2;
  p.spare_miss_place = true;
  L1Block block(p);
  block.nic().latency = 1000;
  block.nic().takes = [](std::size_t n) { return n != 1; };
  block.sm().send(10, a_load(2));    // bank 0: takes the MSHR
  block.sm().send(100, a_load(4));   // bank 0: refused
  block.sm().send(110, a_store(1));  // bank 1: the interface does not take it
  block.sm().send(111, a_store(3));  // bank 1: takes one of the two places
  block.script.at(300, [&] { block.nic().accept(); });
  block.run();
  const Cycle first_try = 100 + p.tag_cycles - 1, filled = 111 + p.tag_cycles - 1, emptied = 300 + 1;
  const Cycle fill = 10 + p.tag_cycles + 1000;
  CHECK(block.count("refused.queue_full") == emptied - filled);  // bank 0 has had its lookup when bank 1 fills the queue
  CHECK(block.count("refused.mshr_full") == fill - first_try + 1 - (emptied - filled));
}

TEST_CASE("l1 block: a load of a sector that was stored to while its line was pending waits for the fill and fetches it again") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 100;
  block.sm().send(10, a_load(1, 1));
  block.sm().send(20, a_store(1, 1), {9, 0, 0, 0});
  const auto later = block.sm().send(30, a_load(1, 1));
  block.run();
  const Cycle fill = 10 + p.tag_cycles + 100;
  CHECK(block.count("refused.pending_store") == fill - (30 + p.tag_cycles - 1) + 1);
  CHECK(block.sm().answered(later) == fill + 1 + 1 + 100 + p.fill_cycles);
}

TEST_CASE("l1 block: a network interface that takes nothing fills the miss queue, then the input queue, then stops the SM") {
  L1Params p = l1_params();
  p.miss_queue = 2;
  p.input_queue = 1;
  L1Block block(p);
  block.nic().takes = [](std::size_t n) { return n != 0; };
  for (Cycle i = 0; i < 12; ++i) block.sm().send(10 + i, a_store(i));
  block.script.at(199, [&] {
    CHECK(block.nic().requests.size() == 1);
    // One at the interface, two in the miss queue, one in each tag stage, one in the queue, and one more that the SM has offered.
    CHECK(block.sm().arrived.size() == 1 + 2 + p.tag_cycles + 1 + 1);
    CHECK(block.sm().accepted_later.empty());
    block.nic().accept();
  });
  block.run();
  REQUIRE(block.nic().requests.size() == 12);
  for (std::uint64_t i = 0; i < 12; ++i) CHECK(block.nic().requests[i].access.line.number == i);  // none lost, none reordered
  CHECK(block.sm().accepted_later.size() >= 1);
  CHECK(block.nic().arrivals()[1] == 200 + 1);
  CHECK(block.nic().arrivals()[2] == 200 + 2);
  CHECK(block.count("refused.queue_full") > 100);
}

TEST_CASE("l1 block: a full miss queue holds back misses and lets hits pass that come before them") {
  L1Params p = l1_params();
  p.miss_queue = 1;
  L1Block block(p);
  block.nic().latency = 20;
  block.sm().send(10, a_load(1));
  block.nic().takes = [](std::size_t n) { return n != 1; };
  block.sm().send(500, a_store(2));  // is not taken
  block.sm().send(501, a_store(3));  // fills the miss queue
  const auto hit = block.sm().send(502, a_load(1));
  const auto miss = block.sm().send(503, a_load(4));
  block.script.at(699, [&] { block.nic().accept(); });
  block.run();
  CHECK(block.sm().answered(hit) == 502 + p.hit_latency());
  // 700 taken; 701 the store of the miss queue; one cycle later the load is retried and arrives.
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, 500 + p.tag_cycles, 701, 702});
  CHECK(block.sm().answered(miss) == 702 + 20 + p.fill_cycles);
}

TEST_CASE("l1 block: the SM that had to wait goes on when its access has a place, at full rate") {
  L1Params p = l1_params();
  p.input_queue = 1;
  p.mshr_entries = 1;
  L1Block block(p);
  block.nic().latency = 300;
  block.sm().send(10, a_load(1));
  for (Cycle i = 0; i < 8; ++i) block.sm().send(11 + i, i == 0 ? a_load(2) : a_store(3));
  block.run();
  // Line 2 and the later accesses wait for the fill of line 1, at 314. They are served from 315 on, one per cycle.
  const Cycle first = 10 + p.tag_cycles + 300 + 1;
  std::vector<Cycle> arrivals = block.nic().arrivals();
  REQUIRE(arrivals.size() == 9);
  for (Cycle i = 0; i < 8; ++i) CHECK(arrivals[1 + i] == first + 1 + i);
  CHECK_FALSE(block.sm().accepted_later.empty());
}

TEST_CASE("l1 block: at a kernel boundary everything is invalidated in the cycle after the event") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 20;
  block.sm().send(10, a_load(1));
  block.script.at(200, [&] { block.l1.write(Event{}); });
  const auto before = block.sm().send(200 - (p.tag_cycles - 1), a_load(1));  // looked up in cycle 200
  const auto after = block.sm().send(201 - (p.tag_cycles - 1), a_load(1));   // looked up in cycle 201
  block.run();
  CHECK(block.sm().reply_to(before).hint.served_by == ServedBy::l1);
  CHECK(block.sm().reply_to(after).hint.served_by == ServedBy::l2);
}

TEST_CASE("l1 block: a boundary that follows another in the next cycle does not put it off") {
  const L1Params p = l1_params();
  L1Block block(p);
  block.nic().latency = 20;
  block.sm().send(10, a_load(1));
  for (const Cycle boundary : {200, 201}) block.script.at(boundary, [&] { block.l1.write(Event{}); });
  const auto between = block.sm().send(201 - (p.tag_cycles - 1), a_load(1));  // looked up in cycle 201
  block.run();
  CHECK(block.sm().reply_to(between).hint.served_by == ServedBy::l2);
}

TEST_CASE("l1 block: a unified array gives its ways to shared memory in proportion, never all of them") {
  const L1Params p = l1_params();  // 2 KiB, 4 ways
  L1Block block(p, TransactionUnit::line, 1, 2048);
  Event event;
  const auto ways_with = [&](std::uint32_t shared_bytes, Cycle at) {
    block.script.at(at, [&, shared_bytes] {
      event.shared_bytes = shared_bytes;
      block.l1.write(event);
    });
  };
  ways_with(1024, 10);
  block.script.at(20, [&] { CHECK(block.l1.logic().ways() == 2); });
  ways_with(2048, 30);
  block.script.at(40, [&] { CHECK(block.l1.logic().ways() == 1); });
  ways_with(0, 50);
  block.script.at(60, [&] { CHECK(block.l1.logic().ways() == 4); });
  block.run();
}

TEST_CASE("l1 block: a local store that is written back is answered after the tags, and sends nothing before it has to") {
  L1Params p = l1_params();
  p.local_stores = LocalStores::write_back;
  L1Block block(p);
  Access store = a_store(1);
  store.space = Space::local;
  const auto id = block.sm().send(10, store, {5, 5, 5, 5});
  block.script.at(300, [&] {
    CHECK(block.nic().requests.empty());
    Event drain;
    drain.kind = Event::Kind::drain;
    block.l1.write(drain);
  });
  block.run();
  CHECK(block.sm().answered(id) == 10 + p.tag_cycles);
  REQUIRE(block.nic().requests.size() == 1);  // and its acknowledgement is consumed by the L1
  CHECK(block.nic().arrivals() == Cycles{301 + 1});
  CHECK(block.nic().requests[0].access.kind == AccessKind::store);
  CHECK(block.nic().requests[0].versions == SectorVersions{5, 5, 5, 5});
  CHECK(block.count("writebacks") == 1);
}

TEST_CASE("l1 block: a drain of more lines than the miss queue holds sends them all, one a cycle") {
  L1Params p = l1_params();
  p.local_stores = LocalStores::write_back;
  p.miss_queue = 2;
  L1Block block(p);
  for (Cycle i = 0; i < 10; ++i) {
    Access store = a_store(i);
    store.space = Space::local;
    block.sm().send(10 + i, store);
  }
  Event drain;
  drain.kind = Event::Kind::drain;
  block.script.at(300, [&] { block.l1.write(drain); });
  block.run();
  REQUIRE(block.nic().requests.size() == 10);
  for (unsigned i = 0; i < 10; ++i) CHECK(block.nic().arrivals()[i] == 302 + i);
}

TEST_CASE("l1 block: a dirty victim goes below before the line that takes its place") {
  L1Params p = l1_params();
  p.local_stores = LocalStores::write_back;
  L1Block block(p);
  for (Cycle i = 0; i < 4; ++i) {
    Access store = a_store(4 * i);  // the four ways of set 0
    store.space = Space::local;
    block.sm().send(10 + i, store, {7, 7, 7, 7});
  }
  const auto load = block.sm().send(100, a_load(16));
  block.run();
  CHECK(block.nic().lines() == std::vector<std::uint64_t>{0, 16});
  CHECK(block.nic().requests[0].access.kind == AccessKind::store);
  CHECK(block.nic().arrivals() == Cycles{100 + p.tag_cycles, 100 + p.tag_cycles + 1});
  CHECK(block.sm().answered(load) == 100 + p.tag_cycles + 1 + 50 + p.fill_cycles);
}

TEST_CASE("l1 block: the single L1 serves all its ports at once, shares lines between them and answers each SM at its own port") {
  const L1Params p = l1_params();
  L1Block block(p, TransactionUnit::line, 2);
  for (auto& nic : block.nics) nic->latency = 100;
  Access of_second = a_load(5);
  of_second.sm = 1;
  block.sms[0]->send(10, a_load(5));
  block.sms[1]->send(20, of_second);  // merges with the other SM's miss
  block.sms[0]->send(500, a_load(5));
  block.sms[1]->send(500, of_second);
  block.run();
  CHECK(block.nics[0]->requests.size() == 1);
  CHECK(block.nics[1]->requests.empty());
  const Cycle fill = 10 + p.tag_cycles + 100 + p.fill_cycles, hit = p.hit_latency();
  for (auto& sm : block.sms) {
    CHECK(sm->answered(1) == fill);
    CHECK(sm->answered(2) == 500 + hit);
  }
}

TEST_CASE("l1 block: in the single L1 a fill of one port wakes an access refused at another") {
  L1Params p = l1_params();
  p.mshr_entries = 1;  // two ports: two entries
  L1Block block(p, TransactionUnit::line, 2);
  for (auto& nic : block.nics) nic->latency = 100;
  const auto of_second = [](std::uint64_t line) {
    Access access = a_load(line);
    access.sm = 1;
    return access;
  };
  block.sms[0]->send(10, a_load(1));
  block.sms[0]->send(11, a_load(2));
  const auto waiting = block.sms[1]->send(20, of_second(3));
  block.run();
  const Cycle fill = 10 + p.tag_cycles + 100;
  CHECK(block.sms[1]->answered(waiting) <= fill + 1 + 1 + 100 + p.fill_cycles);
  CHECK(block.sms[1]->answered(waiting) >= fill + 1 + 100 + p.fill_cycles);
}
