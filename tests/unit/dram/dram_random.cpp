// Random traffic on a DRAM channel: sleeping changes nothing, the laws hold, and the reference model agrees.

#include <catch2/catch.hpp>

#include <map>
#include <random>

#include "tests/unit/dram/dram_plain.h"
#include "tests/unit/dram/dram_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

struct Traffic {
  std::uint64_t seed;
  unsigned count, rows, longest_gap, write_percent;
};

std::vector<DramOffer> random_script(const DramParams& p, const Traffic& traffic) {
  std::mt19937_64 random(traffic.seed);
  std::vector<DramOffer> script;
  Cycle at = 0;
  for (unsigned i = 0; i < traffic.count; ++i) {
    at += random() % (traffic.longest_gap + 1);
    if (random() % 50 == 0) at += random() % 3000;  // sometimes the channel falls asleep
    const unsigned bank = static_cast<unsigned>(random() % p.banks);
    Address address = dram_place(p, bank, random() % traffic.rows, static_cast<unsigned>(random() % 4));
    if (p.mapping == DramMapping::mask) address = random() % traffic.rows << 20 | random() % 128 << 13 | random() % 2 << 7;
    script.push_back({at, address, random() % 100 < traffic.write_percent, static_cast<SectorMask>(1 + random() % 15)});
  }
  return script;
}

std::vector<std::pair<std::string, DramParams>> machines() {
  DramParams fcfs, slow_bus, refreshed, pinched, single_hbm = qv100_dram(), refreshed_hbm = qv100_dram(), far_columns;
  fcfs.scheduler = "fcfs";
  fcfs.accepts_per_clock = 3;
  slow_bus.bytes_per_clock = 8, slow_bus.burst_bytes = 32;
  refreshed.refresh.enabled = true, refreshed.refresh.tREFI = 400, refreshed.refresh.tRFC = 60;
  pinched.return_entries = 1, pinched.queue_entries = 3;
  single_hbm.dual_command = false;
  refreshed_hbm.refresh = refreshed.refresh;
  far_columns.refresh = refreshed.refresh, far_columns.timing.tCCD = 150;  // a refresh ends between two of them
  return {{"gddr5", DramParams{}},     {"fcfs", fcfs},        {"slow bus", slow_bus},     {"refreshed", refreshed},
          {"pinched", pinched},        {"hbm", qv100_dram()}, {"single hbm", single_hbm}, {"refreshed hbm", refreshed_hbm},
          {"far columns", far_columns}};
}

constexpr Traffic kTraffics[] = {
    {1, 3000, 3, 0, 50}, {2, 3000, 3, 12, 30}, {3, 2000, 50, 3, 0}, {4, 2000, 2, 40, 100}, {5, 3000, 1, 1, 60}};

std::vector<std::pair<std::uint64_t, Cycle>> ids_and_cycles(const std::vector<DramCompletion>& completions) {
  std::vector<std::pair<std::uint64_t, Cycle>> pairs;
  for (const DramCompletion& completion : completions) pairs.emplace_back(completion.id, completion.cycle);
  return pairs;
}

}  // namespace

TEST_CASE("dram random: clocks done when something is due, or afterwards, give what each at its time gives", "[dram]") {
  for (const auto& [name, params] : machines()) {
    for (const Traffic& traffic : kTraffics) {
      const auto script = random_script(params, traffic);
      ScriptedDram awake(params);
      const auto ticked = awake.serve(script, Done::every_clock);
      for (const Done done : {Done::when_due, Done::afterwards}) {
        INFO(name << ", traffic " << traffic.seed << (done == Done::when_due ? ", when due" : ", afterwards"));
        ScriptedDram asleep(params);
        const auto slept = asleep.serve(script, done);
        REQUIRE(slept.size() == script.size());
        REQUIRE(ids_and_cycles(slept) == ids_and_cycles(ticked));
        const Cycle end = slept.back().cycle + 1000;
        asleep.logic.refresh_until(end);
        awake.logic.refresh_until(end);
        // This test repeats its offers in each clock either way, so even the counts of refusals are equal.
        for (const auto& entry : asleep.registry.counters()) {
          INFO(entry.name());
          CHECK(entry.counter->value() == awake.count(std::string(entry.name())));
        }
        CHECK(asleep.visits < awake.visits);
      }
    }
  }
}

TEST_CASE("dram random: a plain model in every clock gives the same cycles", "[dram]") {
  for (const auto& [name, params] : machines()) {
    if (params.refresh.enabled || params.return_entries < 8) continue;  // the reference model has neither
    for (const Traffic& traffic : kTraffics) {
      INFO(name << ", traffic " << traffic.seed);
      const auto script = random_script(params, traffic);
      REQUIRE(ids_and_cycles(ScriptedDram(params).serve(script)) == PlainDram(params).serve(script));
    }
  }
}

TEST_CASE("dram random: when all is served every law holds and each outcome has occurred", "[dram]") {
  for (const auto& [name, params] : machines()) {
    INFO(name);
    ScriptedDram channel(params);
    channel.serve(random_script(params, kTraffics[1]));
    CHECK(channel.registry.broken_laws().empty());
    CHECK(channel.logic.idle());
    CHECK(channel.count("row_hits") > 0);
    CHECK(channel.count("row_misses") > 0);
    CHECK(channel.count("row_conflicts") > 0);
    CHECK(channel.count("bus_busy_cycles") == (channel.count("reads") + channel.count("writes")) * params.burst_clocks());
    CHECK((channel.count("refreshes") > 0) == params.refresh.enabled);
  }
}

TEST_CASE("dram random: reads and writes of a line complete in order of acceptance", "[dram]") {
  for (const auto& [name, params] : machines()) {
    INFO(name);
    const auto script = random_script(params, kTraffics[4]);
    const auto served = ScriptedDram(params).serve(script);
    std::map<std::uint64_t, std::uint64_t> last_read, last_write;  // by line: highest id so far
    for (const DramCompletion& completion : served) {
      const std::uint64_t line = script[completion.id].address / kLineBytes;
      auto& same = completion.write ? last_write : last_read;
      const auto& other = completion.write ? last_read : last_write;
      const auto overtaken = other.find(line);
      if (overtaken != other.end()) REQUIRE(overtaken->second < completion.id);
      same[line] = std::max(same[line], completion.id);
    }
    REQUIRE(served.size() == script.size());
  }
}

TEST_CASE("dram random: data of two bursts are never on the bus at once", "[dram]") {
  for (const auto& [name, params] : machines()) {
    INFO(name);
    const auto served = ScriptedDram(params).serve(random_script(params, kTraffics[0]));
    for (std::size_t i = 1; i < served.size(); ++i) REQUIRE(served[i].cycle >= served[i - 1].cycle + params.burst_clocks());
  }
}
