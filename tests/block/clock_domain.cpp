// One hardware clock: edges, wakes, phases (CM-1, CM-2, CM-3).

#include "model/tlm/clock_domain.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/monitor/kernel_failure.h"
#include "model/monitor/protocol/protocol_checker.h"

using namespace wharf;

namespace {

using Log = std::vector<std::pair<unsigned, Cycle>>;  // block, cycle

/// Logs its acts, and the simulated time of each.
class Block final : public Clocked {
 public:
  Block(ClockDomain& clock, Log& log, unsigned number) : id(clock.add(*this)), clock_(clock), log_(log), number_(number) {}
  void act(Cycle now) override {
    log_.emplace_back(number_, now);
    cycles.push_back(now);
    CHECK(sc_core::sc_time_stamp().value() == clock_.edge(now));
    CHECK(clock_.now() == now);
    CHECK(clock_.present_cycle() == now);
    if (then) then(now);
  }
  const ClockDomain::BlockId id;
  std::vector<Cycle> cycles;
  std::function<void(Cycle)> then;

 private:
  ClockDomain& clock_;
  Log& log_;
  unsigned number_;
};

}  // namespace

/// The resolution can be set once per process, before the first time object is made.
void expect_refused(double value, sc_core::sc_time_unit unit, const std::string& text) {
  sc_core::sc_set_time_resolution(value, unit);
  CHECK_THROWS_WITH(ClockDomain("clock", 1000, {}),
                    "the time resolution is " + text +
                        ", and Wharf needs a time resolution of 1 ps; call sc_set_time_resolution(1, SC_PS), "
                        "or leave it at its default");
}

TEST_CASE("clock domain: a time resolution of 1 fs is refused with the remedy") { expect_refused(1, sc_core::SC_FS, "1 fs"); }
TEST_CASE("clock domain: a time resolution of 100 ps is refused with the remedy") { expect_refused(100, sc_core::SC_PS, "100 ps"); }
TEST_CASE("clock domain: a time resolution of 10 ns is refused with the remedy") { expect_refused(10, sc_core::SC_NS, "10 ns"); }

TEST_CASE("clock domain: a time resolution of 1 ps is taken, and cannot be changed afterwards") {
  sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
  const ClockDomain clock("clock", 1000, {});
  CHECK_THROWS_AS(sc_core::sc_set_time_resolution(1, sc_core::SC_NS), sc_core::sc_report);
}

TEST_CASE("clock domain: a monitor without a clock refuses a resolution other than 1 ps as well") {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  CHECK_THROWS_WITH(ProtocolChecker("checker", LinkKind::memory), Catch::Contains("the time resolution is 1 ns, and Wharf needs"));
}

TEST_CASE("clock domain: edge k of f MHz is at floor of k times a million over f, and 1400 and 700 MHz stay two to one") {
  ClockDomain fast("fast", 1400, {}), slow("slow", 700, {}), odd("odd", 924, {});
  for (Cycle k = 0; k < 1'000'000; ++k) {
    if (fast.edge(2 * k) != slow.edge(k)) FAIL("edge " << k);
    if (fast.edge(k) != k * 1'000'000 / 1400) FAIL("edge " << k);
    if (odd.cycle_at(odd.edge(k)) != k) FAIL("edge " << k);
  }
  CHECK(fast.edge(1) == 714);
  CHECK(fast.edge(1400) == 1'000'000);
  CHECK(odd.edge(924'000'000) == 1'000'000'000'000);
}

TEST_CASE("clock domain: the cycle of a time is that of the first edge at or after it") {
  ClockDomain clock("clock", 1400, {});
  CHECK(clock.cycle_at(0) == 0);
  CHECK(clock.cycle_at(1) == 1);
  CHECK(clock.cycle_at(714) == 1);
  CHECK(clock.cycle_at(715) == 2);
  CHECK(clock.cycle_at(1428) == 2);
}

TEST_CASE("clock domain: a block acts in the cycles it asked for, near, far, around the wheel, and in no others") {
  ClockDomain clock("clock", 1400, {});
  Log log;
  Block block(clock, log, 0), sleeper(clock, log, 1);
  const std::vector<Cycle> wanted{1, 2, 63, 64, 65, 1023, 1024, 1025, 2048, 5000, 1'000'000};
  auto shuffled = wanted;
  std::reverse(shuffled.begin() + 3, shuffled.end());
  for (const Cycle cycle : shuffled) clock.wake(block.id, cycle);
  for (const Cycle cycle : wanted) clock.wake(block.id, cycle);  // asked twice, called once
  run_kernel();
  CHECK(block.cycles == wanted);
  CHECK(sleeper.cycles.empty());
  CHECK(clock.edges() == wanted.size());
}

TEST_CASE("clock domain: a block may ask again from within its act, for any distance") {
  ClockDomain clock("clock", 700, {});
  Log log;
  Block block(clock, log, 0);
  const Cycle steps[] = {1, 1, 1022, 1023, 1024, 1025, 4096, 1, 700'000, 3};
  std::size_t next = 0;
  std::vector<Cycle> expected{1};
  for (const Cycle step : steps) expected.push_back(expected.back() + step);
  block.then = [&](Cycle now) {
    if (next < 10) clock.wake(block.id, now + steps[next++]);
  };
  clock.wake(block.id, 1);
  run_kernel();
  CHECK(block.cycles == expected);
  CHECK(clock.edges() == expected.size());
}

TEST_CASE("clock domain: a far wake and a later, nearer one are both kept") {
  ClockDomain clock("clock", 1000, {});
  Log log;
  Block first(clock, log, 0), second(clock, log, 1);
  clock.wake(first.id, 3000);
  clock.wake(second.id, 2500);
  second.then = [&](Cycle now) {
    if (now == 2500) clock.wake(second.id, 2999);
  };
  run_kernel();
  CHECK(log == Log{{1, 2500}, {1, 2999}, {0, 3000}});
}

TEST_CASE("clock domain: a wake from another domain is kept, before and after the edge that was scheduled") {
  ClockDomain core("core", 1400, {}), dram("dram", 924, {});
  Log log;
  Block block(core, log, 0), waker(dram, log, 1);
  core.wake(block.id, 1000);  // 714285 ps
  waker.then = [&](Cycle now) {
    if (now == 100) core.wake(block.id, core.present_cycle() + 1);  // earlier than the scheduled wake
    if (now == 200) core.wake(block.id, 1001);                      // later than the scheduled wake
  };
  dram.wake(waker.id, 100);
  dram.wake(waker.id, 200);
  run_kernel();
  const Cycle woken = core.cycle_at(dram.edge(100) + 1);
  CHECK(block.cycles == std::vector<Cycle>{woken, 1000, 1001});
}

TEST_CASE("clock domain: the present cycle of a domain that sleeps is the one at or before the kernel's time") {
  ClockDomain core("core", 1400, {}), dram("dram", 924, {});
  Log log;
  Block waker(dram, log, 0);
  std::vector<bool> right;
  waker.then = [&](Cycle now) {
    const Cycle present = core.present_cycle();
    right.push_back(core.edge(present) <= dram.edge(now) && core.edge(present + 1) > dram.edge(now));
    CHECK(core.now() == 0);
  };
  for (Cycle cycle = 1; cycle < 2000; cycle += 7) dram.wake(waker.id, cycle);
  run_kernel();
  CHECK(right.size() == 286);
  CHECK(std::count(right.begin(), right.end(), true) == 286);
}

TEST_CASE("clock domain: delays end on edges, whatever the rounding of the period") {
  ClockDomain clock("clock", 924, {});
  Log log;
  Block block(clock, log, 0);
  block.then = [&](Cycle now) {
    for (const Cycle ahead : {Cycle{0}, Cycle{1}, Cycle{2}, Cycle{1000}})
      CHECK(clock.edge(now) + clock.delay(ahead) == clock.edge(now + ahead));
    if (now < 3000) clock.wake(block.id, now + 1);
  };
  clock.wake(block.id, 1);
  run_kernel();
  CHECK(block.cycles.size() == 3000);
}

TEST_CASE("clock domain: hundreds of blocks act in the order in which they were added, and only those that are awake") {
  ClockDomain clock("clock", 1400, {});
  Log log;
  std::vector<std::unique_ptr<Block>> blocks;
  for (unsigned i = 0; i < 200; ++i) blocks.push_back(std::make_unique<Block>(clock, log, i));
  Log expected;
  for (unsigned i = 0; i < 200; i += 3) expected.emplace_back(i, 5);
  for (unsigned i = 198; i < 200; i -= 3) clock.wake(blocks[i]->id, 5);
  run_kernel();
  CHECK(log == expected);
}

TEST_CASE("clock domain: what asked for it is committed once, after the last act of the cycle") {
  class Publisher final : public Committed {
   public:
    Publisher(Log& log, const ClockDomain& clock) : log_(log), clock_(clock) {}
    void commit() override { log_.emplace_back(99, clock_.now()); }

   private:
    Log& log_;
    const ClockDomain& clock_;
  };
  ClockDomain clock("clock", 1400, {});
  Log log;
  Block first(clock, log, 0), second(clock, log, 1);
  Publisher publisher(log, clock);
  first.then = [&](Cycle now) {
    if (now != 7) clock.request_commit(publisher);
  };
  for (const Cycle cycle : {5, 6, 7}) {
    clock.wake(first.id, cycle);
    clock.wake(second.id, cycle);
  }
  run_kernel();
  CHECK(log == Log{{0, 5}, {1, 5}, {99, 5}, {0, 6}, {1, 6}, {99, 6}, {0, 7}, {1, 7}});
}

namespace {

/// A clock with six blocks, five of which act in each of cycles 1 to 200 in scrambled orders.
struct ScrambledClock {
  ScrambledClock(const char* name, std::uint64_t seed) : clock(name, 1400, {false, seed}) {
    for (unsigned i = 0; i < 6; ++i) {
      blocks.push_back(std::make_unique<Block>(clock, log, i));
      if (i == 5) continue;  // asleep
      for (Cycle cycle = 1; cycle <= 200; ++cycle) clock.wake(blocks[i]->id, cycle);
    }
  }
  std::vector<std::vector<unsigned>> orders() const {
    std::vector<std::vector<unsigned>> orders(200);
    for (const auto& [block, cycle] : log) orders.at(cycle - 1).push_back(block);
    return orders;
  }
  ClockDomain clock;
  Log log;
  std::vector<std::unique_ptr<Block>> blocks;
};

}  // namespace

TEST_CASE("clock domain: the scramble lets the same blocks act in another order from cycle to cycle") {
  ScrambledClock scrambled("clock", 12345);
  run_kernel();
  const auto orders = scrambled.orders();
  for (std::vector<unsigned> order : orders) {
    std::sort(order.begin(), order.end());
    CHECK(order == std::vector<unsigned>{0, 1, 2, 3, 4});
  }
  CHECK(std::set<std::vector<unsigned>>(orders.begin(), orders.end()).size() > 60);  // out of 120 possible orders
}

TEST_CASE("clock domain: the scramble of each seed, 0 and neighbours too, has orders of its own") {
  ScrambledClock zero("zero", 0), two("two", 2), three("three", 3), again("again", 3);
  run_kernel();
  CHECK(zero.orders() != two.orders());
  CHECK(two.orders() != three.orders());
  CHECK(three.orders() == again.orders());
}

TEST_CASE("clock domain: ticking calls every block in every cycle until nothing is asked for any more") {
  ClockOptions options;
  options.ticking = true;
  ClockDomain clock("clock", 1400, options);
  Log log;
  Block first(clock, log, 0), second(clock, log, 1);
  clock.wake(first.id, 3);
  clock.wake(second.id, 1500);
  run_kernel();
  REQUIRE(first.cycles.size() == 1500 - 3 + 1);
  CHECK(first.cycles.front() == 3);
  CHECK(first.cycles.back() == 1500);
  CHECK(second.cycles == first.cycles);
}

TEST_CASE("clock domain: edges of several clocks at one time are one activation of the kernel, and each acts at its own") {
  ClockDomain fast("fast", 1400, {}), slow("slow", 700, {}), odd("odd", 924, {});
  Log log;
  Block of_fast(fast, log, 0), of_slow(slow, log, 1), of_odd(odd, log, 2);
  for (const Cycle cycle : {2, 3, 4}) fast.wake(of_fast.id, cycle);
  for (const Cycle cycle : {1, 2}) slow.wake(of_slow.id, cycle);  // in the same instant as fast 2 and 4
  odd.wake(of_odd.id, 2);                                         // 2164 ps, between fast 3 and 4
  run_kernel();
  CHECK(log == Log{{0, 2}, {1, 1}, {0, 3}, {2, 2}, {0, 4}, {1, 2}});
  CHECK(sc_core::sc_delta_count() == 4);
}

TEST_CASE("clock domain: an edge may wake a clock whose turn at this time is over, and one that is gone is called no more") {
  auto gone = std::make_unique<ClockDomain>("gone", 700, ClockOptions{});
  ClockDomain first("first", 1400, {}), second("second", 700, {});
  Log log;
  Block of_first(first, log, 0), of_second(second, log, 1);
  auto of_gone = std::make_unique<Block>(*gone, log, 2);
  gone->wake(of_gone->id, 1);
  of_gone.reset();
  gone.reset();
  of_second.then = [&](Cycle now) {
    if (now == 1) first.wake(of_first.id, 3);
  };
  first.wake(of_first.id, 2);
  second.wake(of_second.id, 1);
  run_kernel();
  CHECK(log == Log{{0, 2}, {1, 1}, {0, 3}});
}

TEST_CASE("clock domain: a block acts up to the last cycle of the fastest clock, and beyond it the simulation fails with the remedy") {
  ClockDomain slow("slow", 1, {}), fast("fast", 100'000, {});
  Log log;
  Block of_slow(slow, log, 0), of_fast(fast, log, 1);
  const Cycle last = fast.last_cycle();
  CHECK(last == kNever / 100'000 / 64 * 63 / 1'000'000 * 100'000);  // the product of ps and MHz still fits into 64 bits
  of_fast.then = [&](Cycle now) { fast.wake(of_fast.id, now == 1 ? last - 1 : last + 200'000); };
  fast.wake(of_fast.id, 1);
  slow.wake(of_slow.id, slow.last_cycle() - 1);
  CHECK_THROWS_WITH(run_kernel(),
                    "simulated time has reached its end at 181.585 s; clocks multiply picoseconds by MHz in 64 bits: make the "
                    "fastest clock slower, or simulate less");
  CHECK(log == Log{{1, 1}, {0, slow.last_cycle() - 1}, {1, last - 1}});
}
