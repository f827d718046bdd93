// Results about warps and the lines that they evict from each other: metrics, the table over the course of a run, the heat map.

#include <catch2/catch.hpp>
#include <string>

#include "platforms/cli/stimuli.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

Outcome run_named_checked(const std::string& configuration, const std::string& stimulus, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_apart(
      machine(configuration, settings), [&] { return cli::open_named_stimulus(stimulus, 1); }, checked());
  INFO(configuration << ' ' << outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

/// Column `name` of a table, one value per row.
std::vector<double> column(const Outcome& outcome, const char* table, const char* name) {
  const cli::Json& json = outcome.result.at("tables").at(table);
  std::size_t place = 0;
  while (json["columns"].at(place) != name) ++place;
  std::vector<double> values;
  for (const cli::Json& row : json["rows"]) values.push_back(row[place].get<double>());
  return values;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

double weighted(const Outcome& outcome, const char* name) {
  const std::vector<double> values = column(outcome, "warps_over_time", name), cycles = column(outcome, "warps_over_time", "cycles");
  double total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) total += values[i] * cycles[i];
  return total;
}

// Thrashes an L1 of 16 KB: each lane walks its own row.
constexpr const char* kThrash = "atax@tiny";

// CIAO-O31, in this case and the next four.
TEST_CASE("metrics of warps and of interference are sums of counters over time or instructions") {
  for (const char* configuration : {"ciao/gto", "ciao/ccws", "ciao/ciao_c"}) {
    const Outcome outcome = run_named_checked(configuration, kThrash, {"sms=2"});
    INFO(configuration);
    const double warp_cycles = 2 * outcome.ratio("cycles"), millions = outcome.ratio("thread_instructions") / 1e6;
    CHECK(outcome.ratio("active_warps") == Approx(outcome.ratio("sm.filter.active_cycles") / warp_cycles));
    CHECK(outcome.ratio("isolated") == Approx(outcome.ratio("sm.filter.isolated_cycles") / warp_cycles));
    CHECK(outcome.ratio("stalled") == Approx(outcome.ratio("sm.filter.stalled_cycles") / warp_cycles));
    CHECK(outcome.run("sm.interference.hits") > 0);
    CHECK(outcome.ratio("vta.hits") == Approx(outcome.ratio("sm.interference.hits") / millions));
    CHECK(outcome.ratio("vta.hits") == Approx(outcome.ratio("vta.hits.l1") + outcome.ratio("vta.hits.shared")));
    CHECK(outcome.ratio("vta.hits.shared") == Approx(outcome.ratio("sm.interference.hits_shared") / millions));
    CHECK(outcome.ratio("l1.hit_rate") == Approx(outcome.ratio("l1.load.hits") / outcome.ratio("l1.load.accesses")));
  }
}

TEST_CASE("windows of warps_over_time cover the run, and add up to its counters") {
  for (const char* configuration : {"ciao/gto", "ciao/swl", "ciao/ciao_t", "ciao/ciao_c"}) {
    const Outcome outcome = run_named_checked(configuration, kThrash, {"sms=2", "sm.interference.window=64000"});
    INFO(configuration);
    const std::vector<double> begins = column(outcome, "warps_over_time", "thread_instructions");
    REQUIRE(begins.size() > 5);
    CHECK(begins.front() == 0);
    for (std::size_t i = 1; i < begins.size(); ++i) CHECK(begins[i] >= begins[i - 1] + 1000);  // a 64th
    CHECK(sum(column(outcome, "warps_over_time", "cycles")) == outcome.ratio("cycles"));
    CHECK(weighted(outcome, "ipc") == Approx(outcome.ratio("thread_instructions")));
    CHECK(sum(column(outcome, "warps_over_time", "vta_hits")) == outcome.ratio("sm.interference.hits"));
    const double active = outcome.ratio("sm.filter.active_cycles"), isolated = outcome.ratio("sm.filter.isolated_cycles");
    CHECK(2 * weighted(outcome, "active") == Approx(active - isolated));
    CHECK(2 * weighted(outcome, "stalled") == Approx(outcome.ratio("sm.filter.stalled_cycles")));
  }
}

TEST_CASE("interference a million instructions is its hits over the window's own instructions") {
  const Outcome outcome = run_named_checked("ciao/gto", kThrash, {"sms=2"});
  const std::vector<double> begins = column(outcome, "warps_over_time", "thread_instructions"),
                            hits = column(outcome, "warps_over_time", "vta_hits"),
                            rates = column(outcome, "warps_over_time", "interference");
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) CHECK(rates[i] == Approx(hits[i] * 1e6 / (begins[i + 1] - begins[i])));
}

TEST_CASE("the heat map of interference adds up to the hits in victim tags, with barriers too") {
  for (const char* stimulus : {kThrash, "backprop@tiny", "kmeans@tiny"}) {
    const Outcome outcome = run_named_checked("ciao/ciao_c", stimulus, {"sms=2"});
    INFO(stimulus);
    CHECK(sum(column(outcome, "interference", "hits")) + outcome.ratio("sm.interference.hits_by_others") ==
          outcome.ratio("sm.interference.hits"));
    for (const char* end : {"victim", "interferer"}) {
      for (const double warp : column(outcome, "interference", end)) CHECK(warp < 48);
    }
  }
}

TEST_CASE("a machine that does not look for interference has no tables of it") {
  const Outcome outcome = run_named_checked("gpus/fermi_15sm", "vectoradd@tiny", {"sms=2"});
  CHECK_FALSE(outcome.result.at("tables").contains("warps_over_time"));
  CHECK_FALSE(outcome.result.at("tables").contains("interference"));
  CHECK_FALSE(outcome.result.at("run").contains("vta.hits"));
}

TEST_CASE("measuring interference changes no cycle of GTO") {
  const Outcome with = run_named_checked("ciao/gto", kThrash, {"sms=2"}),
                without = run_named_checked("gpus/fermi_15sm", kThrash, {"sms=2"});
  CHECK(with.run("cycles") == without.run("cycles"));
  CHECK(with.ratio("energy.total") == without.ratio("energy.total"));
}

TEST_CASE("what CIAO adds takes 79 mW, and victim tags that only measure take nothing") {
  CHECK(run_named_checked("ciao/ciao_t", "vectoradd@tiny").ratio("power.extras") == Approx(79e-3));
  CHECK(run_named_checked("ciao/gto", "vectoradd@tiny").ratio("power.extras") == 0);
}

// CIAO-O2: 177.4 GB/s; CIAO-O28: sets with 8 ways; CIAO-O29: latencies that stay the same in nanoseconds.
TEST_CASE("the configurations of ciao have its GPU, and with twice the bandwidth the times of DRAM stay") {
  const GpuParams once = machine("ciao/ciao_c"), twice = machine("ciao/ciao_c_2x");
  const auto gb_per_s = [](const GpuParams& p) { return 1e-3 * p.channels * p.dram.bytes_per_clock * p.clock_mhz.dram; };
  CHECK(gb_per_s(once) == Approx(177.4).epsilon(1e-3));
  CHECK(gb_per_s(twice) == Approx(340).epsilon(1e-3));
  const auto ns = [](const GpuParams& p, std::uint32_t clocks) { return 1000.0 * clocks / p.clock_mhz.dram; };
  const DramTiming &a = once.dram.timing, &b = twice.dram.timing;
  for (const auto& [before, after] :
       {std::pair{a.tCL, b.tCL}, {a.tRCD, b.tRCD}, {a.tRAS, b.tRAS}, {a.tRP, b.tRP}, {a.tRC, b.tRC}, {a.tWR, b.tWR}})
    CHECK(ns(twice, after) == Approx(ns(once, before)).margin(0.3));  // half a clock
  CHECK(b.tCCD == a.tCCD);
  CHECK(machine("ciao/gto").l1.sets() == 32);
  CHECK(machine("ciao/gto_cap").l1.sets() == 64);
  CHECK(machine("ciao/gto_8way").l1.sets() == 16);
  CHECK(machine("ciao/gto_8way_32k").l1.sets() == 32);
}

}  // namespace
}  // namespace wharf::test
