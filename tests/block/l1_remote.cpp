// The L1's port for accesses of other SMs: class order local, fill, remote (CM-10), probes (RS-28, RS-29) and full accesses
// (shared_l1 section 6). The cache under test belongs to SM 0; SM 1 uses the remote port.

#include "tests/block/l1_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

Access of_sm1(Access access) {
  access.sm = 1;
  return access;
}
Access a_probe(std::uint64_t line, SectorMask sectors = kAllSectors) {
  Access access = of_sm1(a_load(line, sectors));
  access.hint.probe = true;
  return access;
}

class RemoteBlock : public L1Block {
 public:
  RemoteBlock(const L1Params& params, std::uint32_t places) : L1Block(params, TransactionUnit::line, 1, 0, places) {}

  std::uint64_t longest_wait() const {
    for (const auto& entry : registry.histograms())
      if (entry.prefix + "." + entry.name == "l1.remote.wait") return entry.histogram->max();
    return kNever;
  }
};

}  // namespace

TEST_CASE("l1 remote port: a probe of an absent line is answered after tag, one that hits after tag plus data with the versions") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().contents = {7, 7, 7, 7};
  block.sm().send(10, a_load(5));
  const auto miss = block.peer().send(500, a_probe(6));
  const auto hit = block.peer().send(600, a_probe(5));
  block.run();
  CHECK(block.peer().answered(miss) == 500 + p.tag_cycles);
  CHECK(block.peer().reply_to(miss).hint.served_by == ServedBy::none);
  CHECK(block.peer().answered(hit) == 600 + p.hit_latency());
  CHECK(block.peer().reply_to(hit).hint.served_by == ServedBy::peer);
  CHECK(block.peer().reply_to(hit).versions == SectorVersions{7, 7, 7, 7});
}

TEST_CASE("l1 remote port: a probe changes nothing and counts apart from the loads") {
  L1Params p = l1_params();
  p.capacity_kib = 1;  // two sets of four ways
  RemoteBlock block(p, 8);
  for (std::uint64_t i = 0; i < 4; ++i) block.sm().send(10 + 100 * i, a_load(2 * i));
  block.peer().send(1000, a_probe(0));  // would make line 0 the most recently used
  block.peer().send(1001, a_probe(100));
  block.sm().send(1100, a_load(8));  // evicts line 0 nevertheless
  const auto gone = block.peer().send(1500, a_probe(0));
  block.run();
  CHECK(block.peer().reply_to(gone).hint.served_by == ServedBy::none);
  CHECK(block.count("load.accesses") == 5);
  CHECK(block.count("remote.probes") == 3);
  CHECK(block.count("remote.probe_hits") == 1);
  CHECK(block.count("remote.accesses") == 0);
  CHECK(block.nic().requests.size() == 5);
}

TEST_CASE("l1 remote port: a probe of a line on its way is a miss") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 300;
  block.sm().send(10, a_load(5));
  const auto pending = block.peer().send(100, a_probe(5));
  block.run();
  CHECK(block.peer().answered(pending) == 100 + p.tag_cycles);
  CHECK(block.peer().reply_to(pending).hint.served_by == ServedBy::none);
}

TEST_CASE("l1 remote port: a full access that misses fetches the line into this cache and is answered with the fill") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 200;
  const auto miss = block.peer().send(10, of_sm1(a_load(5)));
  const auto hit = block.peer().send(500, of_sm1(a_load(5)));
  const auto local = block.sm().send(600, a_load(5));
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles});
  CHECK(block.peer().answered(miss) == 10 + p.tag_cycles + 200 + p.fill_cycles);
  CHECK(block.peer().reply_to(miss).hint.served_by == ServedBy::l2);
  CHECK(block.peer().answered(hit) == 500 + p.hit_latency());
  CHECK(block.peer().reply_to(hit).hint.served_by == ServedBy::home);
  CHECK(block.sm().reply_to(local).hint.served_by == ServedBy::l1);
  CHECK(block.count("load.accesses") == 3);
  CHECK(block.count("remote.accesses") == 2);
}

TEST_CASE("l1 remote port: local and remote misses of one line share an MSHR entry, and each is answered over its own port") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 200;
  const auto local = block.sm().send(10, a_load(5));
  const auto remote = block.peer().send(20, of_sm1(a_load(5)));
  block.run();
  const Cycle filled = 10 + p.tag_cycles + 200 + p.fill_cycles;
  CHECK(block.nic().requests.size() == 1);
  CHECK(block.sm().answered(local) == filled);
  CHECK(block.peer().answered(remote) == filled);
  CHECK(block.count("load.merged") == 1);
}

TEST_CASE("l1 remote port: a store updates the copy, goes below, and its acknowledgement returns over the remote port") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  block.sm().send(10, a_load(5));
  const auto store = block.peer().send(500, of_sm1(a_store(5, 0b0010)), {0, 9, 0, 0});
  const auto load = block.sm().send(520, a_load(5, 0b0010));
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, 500 + p.tag_cycles});
  CHECK(block.peer().answered(store) == 500 + p.tag_cycles + 100 + 1);
  CHECK(block.sm().reply_to(load).hint.served_by == ServedBy::l1);
  CHECK(block.sm().reply_to(load).versions[1] == 9);
  CHECK(block.count("store.hits") == 1);
}

// SL-9
TEST_CASE(
    "l1 remote port: after a remote store to a pending line the fill serves the waiting loads and leaves no copy of the written sectors") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  const auto waits = block.sm().send(10, a_load(5));
  block.peer().send(20, of_sm1(a_store(5, 0b0010)));
  const auto rest = block.sm().send(500, a_load(5, 0b0001));
  const auto written = block.sm().send(600, a_load(5, 0b0010));
  block.run();
  CHECK(block.sm().answered(waits) == 10 + p.tag_cycles + 100 + p.fill_cycles);
  CHECK(block.sm().reply_to(rest).hint.served_by == ServedBy::l1);
  CHECK(block.sm().reply_to(written).hint.served_by == ServedBy::l2);
}

// SL-12
TEST_CASE("l1 remote port: a remote access waits for cycles without a local access, and the longest wait is known") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.sm().send(10, a_load(5));
  for (Cycle i = 0; i < 5; ++i) block.sm().send(500 + i, a_load(5));
  const auto remote = block.peer().send(501, of_sm1(a_load(5)));
  block.run();
  // Lookups of the local accesses end at 500 + tag .. 504 + tag, so the remote access is looked up in the sixth cycle.
  CHECK(block.peer().answered(remote) == 505 + p.hit_latency());
  CHECK(block.longest_wait() == 4);
}

TEST_CASE("l1 remote port: a fill goes before a remote access where they share the port") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  const auto load = block.sm().send(10, a_load(5));
  const Cycle ejected = 10 + p.tag_cycles + 100;
  const auto probe = block.peer().send(ejected - (p.tag_cycles - 1), a_probe(6));
  block.run();
  CHECK(block.sm().answered(load) == ejected + p.fill_cycles);
  CHECK(block.peer().answered(probe) == ejected + 1 + 1);
}

TEST_CASE("l1 remote port: a fill port of its own does not hold up a remote access") {
  L1Params p = l1_params();
  p.fill_shares_port = false;
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  block.sm().send(10, a_load(5));
  const Cycle ejected = 10 + p.tag_cycles + 100;
  const auto probe = block.peer().send(ejected - (p.tag_cycles - 1), a_probe(6));
  block.run();
  CHECK(block.peer().answered(probe) == ejected + 1);
}

TEST_CASE("l1 remote port: a refused access at the head blocks those behind it and counts one access") {
  L1Params p = l1_params();
  p.mshr_entries = 1;
  RemoteBlock block(p, 8);
  block.nic().latency = 200;
  block.sm().send(10, a_load(5));
  const auto refused = block.peer().send(20, of_sm1(a_load(6)));
  const auto behind = block.peer().send(21, a_probe(5));
  block.run();
  const Cycle filled = 10 + p.tag_cycles + 200;
  // The entry is free after the fill. The fill takes the port in its cycle.
  CHECK(block.nic().arrivals() == Cycles{10 + p.tag_cycles, filled + 2});
  CHECK(block.peer().answered(refused) == filled + 2 + 200 + p.fill_cycles);
  CHECK(block.peer().answered(behind) == filled + 3 + p.data_cycles);
  CHECK(block.count("load.accesses") == 2);
  CHECK(block.count("refused.mshr_full") == filled + 1 - (20 + p.tag_cycles - 1));
}

TEST_CASE("l1 remote port: one access a cycle, with one place beside twenty stages of tags") {
  L1Params p = l1_params();
  p.tag_cycles = 20;
  RemoteBlock block(p, 1);
  block.sm().send(10, a_load(5));
  for (Cycle i = 0; i < 60; ++i) block.peer().send(500 + i, of_sm1(a_load(5)));
  block.run();
  CHECK(block.peer().accepted_later.empty());
  for (Cycle i = 0; i < 60; ++i) CHECK(block.peer().answered(1 + i) == 500 + i + p.hit_latency());
}

// SL-10
TEST_CASE("l1 remote port: a full queue of remote accesses makes the other side wait") {
  L1Params p = l1_params();
  p.mshr_entries = 1;
  constexpr std::uint32_t kPlaces = 2;
  RemoteBlock block(p, kPlaces);
  block.nic().latency = 200;
  // The first takes the entry. The next ones fill the places and the pipeline, and two more wait.
  const std::uint64_t sent = 1 + kPlaces + p.tag_cycles + 2;
  for (std::uint64_t i = 0; i < sent; ++i) block.peer().send(10 + i, of_sm1(a_load(5 + i)));
  block.run();
  CHECK(block.peer().accepted_later.size() >= 2);
  CHECK(block.peer().replies.size() == sent);
}

TEST_CASE("l1 remote port: while an answer has not been taken no fill and no remote lookup begins, local accesses go on") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  block.peer().takes = [](std::size_t n) { return n != 0; };
  block.sm().send(10, a_load(5));
  const auto hit = block.peer().send(500, of_sm1(a_load(5)));
  const auto second = block.peer().send(501, of_sm1(a_load(5)));
  const auto local = block.sm().send(520, a_load(5));
  const auto miss = block.sm().send(530, a_load(6));  // its fill would be at 530 + tag + 100
  block.script.at(700, [&] { block.peer().accept_waiting(1); });
  block.run();
  CHECK(block.peer().answered(hit) == 701);
  CHECK(block.sm().answered(local) == 520 + p.hit_latency());
  CHECK(block.sm().answered(miss) == 701 + p.fill_cycles);
  CHECK(block.peer().answered(second) == 702 + 1 + p.data_cycles);
}

TEST_CASE("l1 remote port: answers of one fill leave one after the other where the other side holds them up") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 200;
  block.peer().takes = [](std::size_t n) { return n != 0; };
  for (Cycle i = 0; i < 3; ++i) block.peer().send(10 + i, of_sm1(a_load(5)));
  block.script.at(400, [&] { block.peer().accept_waiting(1); });
  block.run();
  CHECK(block.peer().answered(1) == 401);
  CHECK(block.peer().answered(2) == 402);
  CHECK(block.peer().answered(3) == 403);
}

// SL-28
TEST_CASE("l1 remote port: a line written elsewhere is invalidated after the SM's older accesses, and a pending one leaves no copy") {
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.nic().latency = 100;
  const auto written = [&block](std::uint64_t line) {
    Event event;
    event.kind = Event::Kind::line_written;
    event.line = {line};
    block.l1.write(event);
  };
  block.sm().send(10, a_load(5));
  const auto older = block.sm().send(500, a_load(5));
  const auto younger = block.sm().send(501, a_load(5));
  block.script.at(500, [&] { written(5); });
  block.sm().send(700, a_load(6));
  block.script.at(710, [&] { written(6); });  // while the line is pending
  const auto again = block.sm().send(900, a_load(6));
  block.run();
  CHECK(block.sm().reply_to(older).hint.served_by == ServedBy::l1);
  CHECK(block.sm().reply_to(younger).hint.served_by == ServedBy::l2);
  CHECK(block.sm().reply_to(again).hint.served_by == ServedBy::l2);
  CHECK(block.count("load.misses") == 4);
}

TEST_CASE("l1 remote port: every lookup of a load or store of any SM is reported with its result") {
  struct Listener : LookupListener {
    void write(const LookupEvent& event) override { events.push_back(event); }
    std::vector<LookupEvent> events;
  } listener;
  const L1Params p = l1_params();
  RemoteBlock block(p, 8);
  block.l1.companion<RemotePort>().lookups().bind(listener);
  block.nic().latency = 100;
  block.sm().send(10, a_load(5));
  block.peer().send(20, of_sm1(a_load(5)));  // merged
  block.sm().send(300, a_load(5));           // hit
  block.peer().send(310, of_sm1(a_store(5, 1)));
  block.peer().send(320, of_sm1(a_store(7, 1)));
  block.peer().send(330, a_probe(5));  // not reported
  block.sm().send(340, an_atomic(9));  // not looked up
  block.run();
  REQUIRE(listener.events.size() == 5);
  const bool hits[] = {false, false, true, true, false}, merged[] = {false, true, false, false, false};
  const unsigned sms[] = {0, 1, 0, 1, 1};
  for (unsigned i = 0; i < 5; ++i) {
    CAPTURE(i);
    CHECK(listener.events[i].hit == hits[i]);
    CHECK(listener.events[i].merged == merged[i]);
    CHECK(listener.events[i].sm == sms[i]);
  }
  CHECK(listener.events[2].latency == p.hit_latency());
}
