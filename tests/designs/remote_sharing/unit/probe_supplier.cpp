// The supplying side replays remote_sharing sections 8 and 9; the order of injection is that of remote_sharing section 11.
#include <catch2/catch.hpp>

#include "tests/designs/remote_sharing/unit/probe_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

/// Core 9, visited by probes of core 0.
struct Supplier {
  explicit Supplier(const ProbeQueueParams& params = {}) : logic(params, counters) {}
  Transaction& probe(ProbeRole role, std::initializer_list<unsigned> list) {
    Transaction& made = stock.miss(5);
    made.body = &bodies.acquire();
    made.body->role = role;
    made.body->group = {0, 7};
    for (const unsigned core : list) made.body->list[made.body->end++] = static_cast<std::uint8_t>(core);
    made.message.kind = MessageKind::probe;
    return made;
  }
  /// The probe arrives and is looked up.
  void visit(Transaction& made, bool found, Cycle now = 0) {
    REQUIRE(logic.arrive(made, now, kNever, now));
    REQUIRE(logic.next_lookup(now) == &made);
    logic.pop_lookup(now);
    logic.looked_up(made, found, now);
  }
  stats::Registry registry;
  ProbeCounters counters{registry, 9};
  Stock stock;
  ProbePool bodies;
  ProbeSupplierLogic logic;
};

/// The context of the agent of core `self`.
struct Core {
  Core(unsigned self, unsigned sms) : counters(registry, self) {
    environment.self = self;
    environment.sms = sms;
    environment.cluster = {0, sms};
    for (unsigned other = 0; other < sms; ++other)
      environment.hops.push_back(static_cast<std::uint16_t>(other > self ? other - self : self - other));
  }
  ProbeAgentLogic agent(const RemoteSharingParams& params) { return {params, environment, counters, stock, bodies}; }
  stats::Registry registry;
  ProbeCounters counters;
  Stock stock;
  ProbePool bodies;
  ProbeAgentLogic::Environment environment;
};

ProbeQueueParams smallest() {
  ProbeQueueParams params;
  params.incoming = params.forwarded = params.replies = params.deflected = 1;
  params.deflection = Deflection::latch;
  return params;
}

}  // namespace

TEST_CASE("a leader that finds the line ends with a reply to its requester") {
  Supplier supplier;
  Transaction& leader = supplier.probe(ProbeRole::leader, {9, 4});
  supplier.visit(leader, true);
  REQUIRE(supplier.logic.reply(0) == &leader);
  CHECK(leader.message.kind == MessageKind::peer_reply);
  CHECK(leader.message.destination == 0);
  CHECK(supplier.logic.forwarded(0) == nullptr);
}

TEST_CASE("a leader whose line is present but withheld ends and returns over the reply network") {
  Supplier supplier;
  Transaction& leader = supplier.probe(ProbeRole::leader, {9, 4});
  REQUIRE(supplier.logic.arrive(leader, 0, kNever, 0));
  supplier.logic.pop_lookup(0);
  supplier.logic.withheld(leader, 0);
  REQUIRE(supplier.logic.reply(0) == &leader);
  CHECK(leader.message.kind == MessageKind::probe_return);
  CHECK(leader.message.destination == 0);
  CHECK(supplier.logic.forwarded(0) == nullptr);
  CHECK(supplier.counters.withheld.value() == 1);
  CHECK(supplier.counters.supplied.value() == 0);
}

TEST_CASE("a leader that misses goes to its next target, and home as a NACK after the last") {
  Supplier supplier;
  Transaction& leader = supplier.probe(ProbeRole::leader, {9, 4});
  supplier.visit(leader, false);
  REQUIRE(supplier.logic.forwarded(0) == &leader);
  CHECK(leader.message.kind == MessageKind::probe);
  CHECK(leader.message.destination == 4);
  supplier.logic.pop_forwarded(0);
  supplier.visit(leader, false, 1);
  CHECK(leader.message.kind == MessageKind::probe_return);
  CHECK(leader.message.destination == 0);
  CHECK(ProbeAgentLogic::is_own(leader));
}

TEST_CASE("a scout never brings data: it lists who has the line and goes on to the end") {
  Supplier supplier;
  Transaction& scout = supplier.probe(ProbeRole::scout, {9, 4, 6});
  supplier.visit(scout, true);
  CHECK(supplier.logic.reply(0) == nullptr);
  CHECK(scout.message.destination == 4);
  supplier.logic.pop_forwarded(0);
  supplier.visit(scout, false, 1);
  supplier.logic.pop_forwarded(1);
  supplier.visit(scout, true, 2);
  CHECK(scout.message.kind == MessageKind::probe_return);
  REQUIRE(scout.body->candidates == 2);
  CHECK(scout.body->list[0] == 9);
  CHECK(scout.body->list[1] == 6);
}

// RS-33
TEST_CASE("a full incoming queue deflects to the next target, unsearched and unlisted") {
  Supplier supplier(smallest());
  REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
  Transaction& scout = supplier.probe(ProbeRole::scout, {9, 4});
  REQUIRE(supplier.logic.arrive(scout, 0, kNever, 0));
  REQUIRE(supplier.logic.deflected(0) == &scout);
  CHECK(scout.message.destination == 4);
  CHECK(scout.body->candidates == 0);
  CHECK(supplier.counters.deflected.value() == 1);
}

// RS-33; for direct probing RS-12
TEST_CASE("a deflected probe without a further target goes straight home") {
  Supplier supplier(smallest());
  REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
  Transaction& probe = supplier.probe(ProbeRole::leader, {9});
  REQUIRE(supplier.logic.arrive(probe, 0, kNever, 0));
  CHECK(probe.message.kind == MessageKind::probe_return);
}

// RS-33
TEST_CASE("deflection in place takes every probe at once, in order, however many wait for the request network") {
  ProbeQueueParams params = smallest();
  params.deflection = Deflection::in_place;
  Supplier supplier(params);
  REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
  std::vector<Transaction*> deflected;
  for (unsigned i = 0; i < 100; ++i) {
    deflected.push_back(&supplier.probe(ProbeRole::leader, {9, 4}));
    REQUIRE(supplier.logic.arrive(*deflected.back(), i, i, i));
    // Meanwhile, one in three is sent.
    if (i % 3 == 2) {
      REQUIRE(supplier.logic.deflected(i) == deflected[i / 3]);
      supplier.logic.pop_deflected(i);
    }
  }
  CHECK(supplier.logic.admit_blocked(1000) == ProbeSupplierLogic::Blocked::none);
  for (unsigned i = 33; i < 100; ++i) {
    REQUIRE(supplier.logic.deflected(1000) == deflected[i]);
    CHECK(deflected[i]->message.destination == 4);
    supplier.logic.pop_deflected(1000);
  }
  CHECK(supplier.logic.deflected(1000) == nullptr);
  CHECK(supplier.counters.deflected.value() == 100);
  CHECK(supplier.counters.dropped.value() == 0);
  // One of the first three has been sent; when the last one arrived, 33 had been: 100 - 33.
  CHECK(supplier.counters.deflected_waiting.max() == 67);
}

// RS-33
TEST_CASE("a probe that finds queue and latch full waits in the network until there is room, or is dropped") {
  for (const bool room : {true, false}) {
    Supplier supplier(smallest());
    REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
    REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
    Transaction& late = supplier.probe(ProbeRole::leader, {9});
    REQUIRE_FALSE(supplier.logic.arrive(late, 0, 100, 0));
    CHECK(supplier.logic.admit_blocked(99) == ProbeSupplierLogic::Blocked::waits);
    if (room) supplier.logic.pop_deflected(99);
    CHECK(supplier.logic.admit_blocked(100) == (room ? ProbeSupplierLogic::Blocked::taken : ProbeSupplierLogic::Blocked::dropped));
    CHECK(supplier.counters.dropped.value() == (room ? 0 : 1));
    CHECK(supplier.logic.blocked() == nullptr);
  }
}

// RS-33, RS-40
TEST_CASE("a forward is never dropped: it is turned back over the reply network") {
  Supplier supplier(smallest());
  const auto forward = [&]() -> Transaction& {
    Transaction& made = supplier.stock.miss(5, 3);
    made.message.kind = MessageKind::forward;
    return made;
  };
  REQUIRE(supplier.logic.arrive(forward(), 0, kNever, 0));
  REQUIRE(supplier.logic.arrive(forward(), 0, kNever, 0));
  Transaction& last = forward();
  REQUIRE_FALSE(supplier.logic.arrive(last, 0, 50, 0));
  CHECK(supplier.logic.admit_blocked(50) == ProbeSupplierLogic::Blocked::taken);
  REQUIRE(supplier.logic.reply(51) == &last);
  CHECK(last.message.kind == MessageKind::forward_return);
  CHECK(last.message.destination == 3);
}

// RS-30
TEST_CASE("the head waits while its outcome might find no place") {
  Supplier supplier(smallest());
  supplier.visit(supplier.probe(ProbeRole::leader, {9, 4}), false);
  REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 1, kNever, 1));
  CHECK(supplier.logic.next_lookup(1) == nullptr);
  CHECK(supplier.logic.next_lookup_at(1) == kNever);
  supplier.logic.pop_forwarded(1);
  CHECK(supplier.logic.next_lookup(1) != nullptr);
}

TEST_CASE("a place taken out in a cycle is free for arrivals from the next cycle on") {
  Supplier supplier(smallest());
  REQUIRE(supplier.logic.arrive(supplier.probe(ProbeRole::leader, {9}), 0, kNever, 0));
  supplier.logic.pop_lookup(5);
  Transaction& probe = supplier.probe(ProbeRole::leader, {9, 2});
  REQUIRE(supplier.logic.arrive(probe, 5, kNever, 5));
  CHECK(supplier.logic.deflected(5) == &probe);
}

// RS-37, RS-38
TEST_CASE("packets go into the request network in the order of remote_sharing section 11") {
  RemoteSharingParams params;
  params.scheme = SharingScheme::probe;
  params.predictor = "hints";
  params.hint_pcs = {1};
  params.selector = "index";
  params.coverage = 1;
  params.queues.incoming = 8;
  Core core(9, 28);
  Stock& stock = core.stock;
  ProbeAgentLogic agent = core.agent(params);
  const auto request = [&](std::uint32_t pc, Cycle now) {
    Transaction& made = stock.miss(pc, 9);
    made.access.pc = pc;
    agent.request(made, {}, now);
  };
  const auto next = [&](Cycle now) { return agent.inject(true, true, now); };
  // Two searches: one times out, the other fails.
  request(1, 0);
  const Transaction* timed_out = next(0).transaction;
  REQUIRE(timed_out != nullptr);
  request(1, 1);
  ProbeAgentLogic::Injection failing = next(1);
  REQUIRE(failing.type == InjectionClass::outgoing);
  failing.transaction->body->advance_target(false);
  agent.requester().returned(*failing.transaction, 2);
  agent.requester().check_head(2048);
  request(1, 2048);  // its probe waits
  request(2, 2048);  // not shared
  // Probes of others: one is forwarded; one is deflected because a queue is full.
  Supplier others;
  Transaction& passing = others.probe(ProbeRole::leader, {9, 4});
  REQUIRE(agent.supplier().arrive(passing, 2048, kNever, 2048));
  agent.supplier().pop_lookup(2048);
  agent.supplier().looked_up(passing, false, 2048);
  for (unsigned i = 0; i < 9; ++i) REQUIRE(agent.supplier().arrive(others.probe(ProbeRole::leader, {9, 5}), 2049, kNever, 2049));
  const InjectionClass order[] = {InjectionClass::deflected, InjectionClass::non_shared,     InjectionClass::selective_l2,
                                  InjectionClass::forwarded, InjectionClass::processed_nack, InjectionClass::outgoing};
  for (const InjectionClass expected : order) {
    const ProbeAgentLogic::Injection injection = next(2049);
    REQUIRE(injection.transaction != nullptr);
    CHECK(injection.type == expected);
  }
  CHECK(next(2049).transaction == nullptr);
}

TEST_CASE("an agent searches the cores of its cluster, and takes no other for a holder") {
  RemoteSharingParams params;
  params.scheme = SharingScheme::probe;
  params.coverage = 9;
  Core core(12, 30);
  core.environment.cluster = {10, 10};
  const auto targets = [&](const char* selector, std::initializer_list<unsigned> holders) {
    params.selector = selector;
    ProbeAgentLogic agent = core.agent(params);
    HolderMask mask;
    for (const unsigned holder : holders) mask.set(holder);
    agent.request(core.stock.miss(5, 12), mask, 0);
    const Transaction& sent = *agent.inject(true, true, 0).transaction;
    std::vector<unsigned> cores;
    if (sent.body != nullptr) cores.assign(sent.body->list.begin(), sent.body->list.begin() + sent.body->end);
    return cores;
  };
  CHECK(targets("next", {17}) == std::vector<unsigned>{13, 14, 15, 16, 17, 18, 19, 10, 11});
  CHECK(targets("index", {17}) == std::vector<unsigned>{10, 11, 13, 14, 15, 16, 17, 18, 19});
  CHECK(targets("nearest", {9, 17, 19}) == std::vector<unsigned>{17});
  // The oracle: no core that could help has the line.
  CHECK(targets("next", {2, 9, 20}).empty());
}
