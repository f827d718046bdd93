// The order of requests in a DRAM channel: scheduler, reads before writes, same-line order, refusals.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/dram/dram_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

using Ids = std::vector<std::uint64_t>;

DramParams wide() {
  DramParams p;
  p.accepts_per_clock = 64;
  return p;
}

/// Row A is being opened for request 0; the others are queued by then.
std::vector<DramOffer> miss_then_two_hits(const DramParams& p) {
  return {{0, dram_place(p, 0, 5, 0)}, {1, dram_place(p, 0, 6, 0)}, {2, dram_place(p, 0, 5, 1)}, {3, dram_place(p, 0, 5, 2)}};
}

class ChoosesNothing final : public DramScheduler {
 public:
  explicit ChoosesNothing(unsigned slot) : slot_(slot) {}
  unsigned choose(const DramBankView&) const override { return slot_; }

 private:
  unsigned slot_;
};

}  // namespace

TEST_CASE("dram fr_fcfs: row hits overtake an older request for another row, oldest first", "[dram]") {
  const DramParams p = wide();
  CHECK(ScriptedDram(p).order(miss_then_two_hits(p)) == Ids{0, 2, 3, 1});
}

TEST_CASE("dram fcfs: a bank keeps the order of arrival", "[dram]") {
  DramParams p = wide();
  p.scheduler = "fcfs";
  CHECK(ScriptedDram(p).order(miss_then_two_hits(p)) == Ids{0, 1, 2, 3});
}

TEST_CASE("dram fr_fcfs: after age_cap later arrivals the oldest request goes first", "[dram]") {
  DramParams p = wide();
  p.age_cap = 1;  // request 1 has two later arrivals when request 0 is served
  CHECK(ScriptedDram(p).order(miss_then_two_hits(p)) == Ids{0, 1, 2, 3});
  p.age_cap = 2;
  CHECK(ScriptedDram(p).order(miss_then_two_hits(p)) == Ids{0, 2, 3, 1});
}

TEST_CASE("dram: a bank that has begun with a request finishes it before later row hits", "[dram]") {
  const DramParams p = wide();
  const Cycle taken = 100;  // nothing else is queued then
  CHECK(ScriptedDram(p).order({{0, dram_place(p, 0, 5)}, {taken, dram_place(p, 0, 6)}, {taken + 1, dram_place(p, 0, 5, 1)}}) ==
        Ids{0, 1, 2});
}

TEST_CASE("dram: of two banks with open rows the older request gets the column command", "[dram]") {
  const DramParams p = wide();
  const Cycle later = 1000;
  for (const unsigned first : {0u, 1u}) {
    CHECK(ScriptedDram(p).order({{0, dram_place(p, 0, 5)},
                                 {0, dram_place(p, 1, 5)},
                                 {later, dram_place(p, first, 5, 1)},
                                 {later, dram_place(p, 1 - first, 5, 1)}}) == Ids{0, 1, 2, 3});
  }
}

TEST_CASE("dram: with write_policy drain a write waits until no read waits in the channel", "[dram]") {
  DramParams p = wide();
  p.timing.tRRD = 1;
  const DramTiming& t = p.timing;
  const std::vector<DramOffer> script = {{0, dram_place(p, 0, 5, 0)}, {1, dram_place(p, 0, 5, 1)}, {1, dram_place(p, 1, 5), true}};
  const auto reads_first = ScriptedDram(p).cycles(script);
  const Cycle second_read = Cycle{t.tRCD} + t.tCCDL;  // its bank starts it in the clock after the first column command
  CHECK(reads_first[1] == second_read + t.tCL + 2);
  CHECK(reads_first[2] == reads_first[1] + t.bus_turnaround + 2);

  p.write_policy = DramWritePolicy::in_order_of_age;
  const auto by_age = ScriptedDram(p).cycles(script);
  const Cycle write = 1 + (t.tRCD - (t.tWL + 1));
  CHECK(by_age[2] == write + t.tWL + 2);
  CHECK(by_age[0] == write + (t.tWL + 2 + t.tCDLR) + t.tCL + 2);
}

TEST_CASE("dram: beyond write_drain_percent of the queue writes no longer wait for reads", "[dram]") {
  DramParams p = wide();
  p.timing.tRRD = 1;
  const DramTiming& t = p.timing;
  CHECK(p.queue_entries * p.write_drain_percent / 100 == 12);
  for (const unsigned reads : {11u, 12u}) {  // and one write: 12 or 13 requests are queued
    std::vector<DramOffer> script = {{0, dram_place(p, 0, 5)}, {1, dram_place(p, 1, 5), true}};
    for (unsigned i = 0; i < reads; ++i) script.push_back({1, dram_place(p, 0, 5, 1 + i)});
    const auto done = ScriptedDram(p).cycles(script);
    if (reads == 12) {
      CHECK(done[1] == 1 + (t.tRCD - (t.tWL + 1)) + t.tWL + 2);  // activated in its first clock
    } else {
      CHECK(done[1] > done.back());
    }
  }
}

TEST_CASE("dram: a read never overtakes a queued write of its line, and draws it ahead of other reads", "[dram]") {
  const DramParams p = wide();
  const Address line = dram_place(p, 0, 6);
  std::vector<DramOffer> script = {{0, dram_place(p, 0, 5)}, {1, line, true}, {1, line, false, 4}};
  for (unsigned i = 1; i < 8; ++i) script.push_back({1, dram_place(p, 2, 5, i)});
  const auto order = ScriptedDram(p).order(script);
  const auto place = [&](std::uint64_t id) { return std::find(order.begin(), order.end(), id) - order.begin(); };
  CHECK(place(1) < place(2));
  // Without the waiting read, the write is last.
  script[2].address = dram_place(p, 3, 6);
  const auto without = ScriptedDram(p).order(script);
  CHECK(without.back() == 1);
  CHECK(order.back() != 1);
}

TEST_CASE("dram: a write never overtakes a queued read of its line", "[dram]") {
  DramParams p = wide();
  p.write_policy = DramWritePolicy::in_order_of_age;
  p.scheduler = "fr_fcfs";
  const Address line = dram_place(p, 0, 6);
  CHECK(ScriptedDram(p).order({{0, dram_place(p, 0, 5)}, {1, line}, {1, line, true, 2}, {1, line, false, 2}, {1, line, true}}) ==
        Ids{0, 1, 2, 3, 4});
}

TEST_CASE("dram: a refused request changes nothing but the count of the cause", "[dram]") {
  DramParams p = wide();
  p.queue_entries = 2;
  // The bank takes request 0 in clock 0. In clock 1 the queue has room for two of three.
  std::vector<DramOffer> script = {{0, dram_place(p, 0, 5)}, {1, dram_place(p, 0, 6)}, {1, dram_place(p, 0, 7)}, {1, dram_place(p, 0, 8)}};
  ScriptedDram pressed(p);
  const auto done = pressed.cycles(script, Done::every_clock);
  const Cycle taken = p.timing.tRCD + 1;  // request 1 is taken in this clock's tick, so there is room in the next clock
  CHECK(pressed.count("refused.queue_full") == taken);
  CHECK(pressed.count("refused.port") == 0);
  script[3].at = taken + 1;
  ScriptedDram patient(p);
  CHECK(patient.cycles(script, Done::every_clock) == done);
  CHECK(patient.count("refused.queue_full") == 0);
  for (const char* same : {"requests", "completions", "reads", "row_hits", "row_conflicts", "activates", "precharges"}) {
    CHECK(pressed.count(same) == patient.count(same));
  }
}

TEST_CASE("dram: at most accepts_per_clock requests enter in a clock", "[dram]") {
  DramParams p;
  p.accepts_per_clock = 2;
  ScriptedDram channel(p);
  CHECK(channel.logic.accept({0, 0, 0, 1, false}, 7));
  CHECK(channel.logic.can_accept(7));
  CHECK(channel.logic.accept({1, 0, 0, 1, false}, 7));
  CHECK_FALSE(channel.logic.can_accept(7));
  CHECK_FALSE(channel.logic.accept({2, 0, 0, 1, false}, 7));
  CHECK(channel.count("refused.port") == 1);
  CHECK(channel.logic.can_accept(8));
  CHECK(channel.logic.queued() == 2);
}

TEST_CASE("dram: a request for no sector is an error", "[dram]") {
  ScriptedDram channel(wide());
  CHECK_THROWS_AS(channel.logic.accept({0, 0, 0, 0, false}, 0), SimulationError);
  CHECK(channel.logic.idle());
}

TEST_CASE("dram: a scheduler that chooses what is no candidate stops the run", "[dram]") {
  for (const unsigned slot : {1u, 63u, 64u, 1000000u}) {
    ScriptedDram channel(wide(), std::make_unique<ChoosesNothing>(slot));
    REQUIRE(channel.logic.accept({0, 0, 0, 1, false}, 0));  // queue entry 0
    CHECK_THROWS_AS(channel.logic.run_before(1), SimulationError);
  }
}

TEST_CASE("dram: an unknown scheduler is refused with the names of those that exist", "[dram]") {
  DramParams p;
  p.scheduler = "frfcfs";
  stats::Registry registry;
  stats::Group group(registry, "dram");
  CHECK_THROWS_WITH(DramLogic(p, group), Catch::Contains("'frfcfs'") && Catch::Contains("fr_fcfs, fcfs"));
}

TEST_CASE("dram: the laws detect a request that is still in flight", "[dram]") {
  ScriptedDram channel(wide());
  REQUIRE(channel.logic.accept({0, 0, 0, 1, false}, 0));
  CHECK(channel.registry.broken_laws().size() == 3);  // one request not completed, its burst not read, one request queued
}
