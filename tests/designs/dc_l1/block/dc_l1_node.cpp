// A DC-L1 node with its cache between a scripted NoC#1 and a scripted L2 (dc_l1 sections 3 and 5): its queues hold packets (DC-7), whose
// heads block (DC-14). Also the queue between the stages of a CDXBar (DC-22).

#include "model/designs/dc_l1/dc_l1_node.h"
#include "model/designs/dc_l1/stage_queue.h"
#include "model/l1/l1_cache.h"
#include "tests/block/l1_rig.h"
#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

L1Params cache_params() {
  L1Params p = l1_params();
  p.miss_queue = p.fill_queue = 4;
  p.store_hit = StoreHit::evict;
  return p;
}

L1Cache::Environment detached(ClockDomain& clock, PayloadPool& pool, stats::Registry& registry) {
  L1Cache::Environment environment{clock, pool, registry, nullptr, nullptr, true, 0};
  environment.companions = {l1_companion<RemotePort>(4u)};
  environment.detached = true;
  return environment;
}

DcL1Params queues(std::uint32_t q2) {
  DcL1Params params;
  params.queues.q2 = q2;
  return params;
}

struct NodeBlock {
  explicit NodeBlock(const L1Params& p = cache_params(), std::uint32_t q2 = 4)
      : cache("cache", p, TransactionUnit::line, 0, 1, detached(clock, pool, registry)),
        logic(queues(q2), {}, {0, 80, 32}, registry),
        node("node", queues(q2), logic, clock) {
    connect(requests.port.socket, requested, node.request());
    connect(node.cache(), looked_up, cache.companion<RemotePort>().socket());
    connect(cache.downstream(0), below, l2.port.socket);
    connect(node.reply(), replied, core.port.socket);
    core.then = [](Payload& payload) { payload.release(); };
  }
  /// The access arrives at the node in cycle `cycle`. Returns its id.
  std::uint64_t post(Cycle cycle, Access access) {
    access.id = ++last_id;
    access.sm = static_cast<std::uint16_t>(last_id);
    requests.post(cycle, pool.acquire(access));
    return last_id;
  }
  Cycle answered(std::uint64_t id) const {
    for (const auto& message : core.messages)
      if (message.id == id) return message.cycle;
    return kNever;
  }
  void run() {
    run_kernel();
    for (const ProtocolChecker* checker : {&requested, &looked_up, &below, &replied}) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws().empty());
  }
  std::uint64_t count(const std::string& metric) const { return counted(registry, metric); }

  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  MessageOut requests{"requests", clock};
  L1Cache cache;
  DcL1NodeLogic logic;
  DcL1Node node;
  Target l2{"l2", clock};
  MessageIn core{"core", clock};
  std::uint64_t last_id = 0;
  ProtocolChecker requested{"requested", LinkKind::message}, looked_up{"looked_up", LinkKind::memory}, below{"below", LinkKind::memory},
      replied{"replied", LinkKind::message};
};

}  // namespace

TEST_CASE("dc_l1 node: a miss is at L2 after the tags and its data leave after the fill, a hit's after tags and data") {
  const L1Params p = cache_params();
  NodeBlock block(p);
  const auto miss = block.post(10, a_load(5));
  const auto hit = block.post(200, a_load(5, 3));
  block.run();
  CHECK(block.l2.requests[0].cycle == 10 + p.tag_cycles);
  CHECK(block.answered(miss) == 10 + p.tag_cycles + block.l2.latency + p.fill_cycles);
  CHECK(block.answered(hit) == 200 + p.hit_latency());
  CHECK(block.core.messages[0].header.flits == 5);
  CHECK(block.core.messages[1].header.flits == 3);
}

TEST_CASE("dc_l1 node: answers to merged loads leave one a cycle, and the lookups behind them wait") {
  const L1Params p = cache_params();
  NodeBlock block(p);
  std::vector<std::uint64_t> loads;
  for (Cycle i = 0; i < 4; ++i) loads.push_back(block.post(10 + i, a_load(5)));
  const Cycle filled = 10 + p.tag_cycles + block.l2.latency;
  const auto behind = block.post(filled - p.tag_cycles + 2, a_load(5));  // its turn would be one cycle after the fill
  block.run();
  for (Cycle i = 0; i < 4; ++i) CHECK(block.answered(loads[i]) == filled + p.fill_cycles + i);
  CHECK(block.count("dc_l1.q2.turn") > 0);
  CHECK(block.answered(behind) == filled + 4 + p.data_cycles);  // looked up in the cycle after the last of them
}

TEST_CASE("dc_l1 node: while Q2 is full nothing is looked up, not even a miss, and nothing is lost") {
  const L1Params p = cache_params();
  constexpr std::uint32_t kPlaces = 2;
  NodeBlock block(p, kPlaces);
  block.post(10, a_load(5));
  block.core.takes = [&](std::size_t n) { return n != 1; };  // the first hit waits at NoC#1
  for (Cycle i = 0; i < 60; ++i) block.post(200 + i, a_load(5));
  const auto miss = block.post(300, a_load(6));
  std::uint64_t hits = 0;
  block.script.at(500, [&] {
    hits = block.count("l1.load.hits");
    CHECK(block.l2.requests.size() == 1);
    block.core.accept_waiting();
  });
  block.run();
  // One at NoC#1, two in Q2, the pipeline's contents when Q2 became full, and the one that found it full. Four of five cycles deliver a
  // request.
  CHECK(hits > 1 + kPlaces + p.data_cycles * 3 / 5);
  CHECK(hits <= 1 + kPlaces + p.data_cycles + 1);
  CHECK(block.count("l1.load.hits") == 60);
  CHECK(block.count("dc_l1.q2.full") > 200);
  CHECK(block.answered(miss) != kNever);
  CHECK(block.core.messages.size() == 62);
}

TEST_CASE("dc_l1 node: Q1 is first in, first out, a hit waits behind a miss that has no MSHR entry") {
  L1Params p = cache_params();
  p.mshr_entries = 1;
  NodeBlock block(p);
  block.post(10, a_load(5));
  block.post(200, a_load(6));
  block.post(201, a_load(7));
  const auto hit = block.post(202, a_load(5));
  block.run();
  const Cycle filled = 200 + p.tag_cycles + block.l2.latency;
  CHECK(block.answered(hit) > filled + p.data_cycles);
  CHECK(block.count("l1.refused.mshr_full") > 0);
}

// DC-15
TEST_CASE("dc_l1 node: a store to a line on its way leaves no copy, and a load behind it waits for the fill and fetches the line anew") {
  const L1Params p = cache_params();
  NodeBlock block(p);
  block.l2.latency = 100;
  const auto before = block.post(10, a_load(5));
  block.post(20, a_store(5));
  const auto behind = block.post(30, a_load(5));
  block.run();
  const Cycle filled = 10 + p.tag_cycles + 100;
  CHECK(block.answered(before) == filled + p.fill_cycles);
  CHECK(block.l2.lines() == std::vector<std::uint64_t>{5, 5, 5});  // load, store, load
  CHECK(block.l2.requests[2].cycle > filled);
  CHECK(block.answered(behind) == block.l2.requests[2].cycle + 100 + p.fill_cycles);
  CHECK(block.count("l1.load.hits") == 0);
  CHECK(block.count("l1.refused.pending_store") > 0);
}

TEST_CASE("dc_l1 node: a full Q3 stops Q1") {
  L1Params p = cache_params();
  p.miss_queue = 1;
  NodeBlock block(p);
  block.l2.takes = [](std::size_t n) { return n != 0; };
  for (Cycle i = 0; i < 4; ++i) block.post(10 + i, a_store(5 + i));
  block.script.at(100, [&] {
    CHECK(block.count("l1.store.accesses") == 2);  // one at NoC#2, one in Q3
    block.l2.accept();
  });
  block.run();
  CHECK(block.count("l1.store.accesses") == 4);
  CHECK(block.count("l1.refused.queue_full") > 0);
}

TEST_CASE("dc_l1 node: what passes by costs no tags and keeps its place, and Q4 hands out its replies in order") {
  const L1Params p = cache_params();
  NodeBlock block(p);
  block.l2.latency = Target::kByHand;
  const auto load = block.post(10, a_load(5));
  const auto atomic = block.post(30, an_atomic(9));
  const auto store = block.post(40, a_store(7));
  block.script.at(60, [&] {
    block.l2.answer(0, 100);
    block.l2.answer(2, 101);
    block.l2.answer(1, 110);
  });
  block.run();
  CHECK(block.l2.arrivals() == Cycles{10 + p.tag_cycles, 30 + 1, 40 + p.tag_cycles});
  CHECK(block.answered(load) == 100 + p.fill_cycles);
  CHECK(block.answered(store) == 101 + 1);
  CHECK(block.answered(atomic) == 110 + 1);
  CHECK(block.count("dc_l1.acks") == 1);
}

TEST_CASE("stage queue: packets pass in no time, with the header of the other stage") {
  ClockDomain clock{"clock", 700, {}};
  PayloadPool pool;
  MessageOut first{"first", clock};
  MessageIn second{"second", clock};
  StageQueue queue("queue", 2, clock, [](Transaction& transaction) { transaction.message.destination = 99; });
  ProtocolChecker in{"in", LinkKind::message}, out{"out", LinkKind::message};
  connect(first.port.socket, in, queue.input());
  connect(queue.output(), out, second.port.socket);
  second.then = [](Payload& payload) { payload.release(); };
  for (std::uint64_t i = 1; i <= 3; ++i) {
    Access access = a_load(i);
    access.id = i;
    first.post(10 * i, pool.acquire(access));
  }
  run_kernel();
  CHECK(second.cycles() == Cycles{10, 20, 30});
  CHECK(second.messages[0].header.destination == 99);
  CHECK(pool.alive() == 0);
}

TEST_CASE("stage queue: with its places taken the next packet waits in the stage before, and all leave in order") {
  ClockDomain clock{"clock", 700, {}};
  PayloadPool pool;
  Script script{clock};
  MessageOut first{"first", clock};
  MessageIn second{"second", clock};
  StageQueue queue("queue", 2, clock, [](Transaction&) {});
  ProtocolChecker in{"in", LinkKind::message}, out{"out", LinkKind::message};
  connect(first.port.socket, in, queue.input());
  connect(queue.output(), out, second.port.socket);
  second.then = [](Payload& payload) { payload.release(); };
  second.takes = [](std::size_t n) { return n != 0; };
  for (std::uint64_t i = 1; i <= 6; ++i) {
    Access access = a_load(i);
    access.id = i;
    first.post(10 + i, pool.acquire(access));
  }
  script.at(50, [&] {
    CHECK(first.arrived.count(4) == 1);  // one at the second stage, two here; the fourth waits
    CHECK(first.arrived.count(5) == 0);
    second.accept_waiting();
  });
  run_kernel();
  CHECK(second.ids() == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
  CHECK(first.taken_later.count(4) == 1);
  CHECK(pool.alive() == 0);
}
