// The tables `links` and `bandwidth`, for traffic that can be calculated by hand.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "platforms/measure/time_curve.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

/// Rows of a table as objects.
std::vector<cli::Json> rows_of(const Outcome& outcome, const char* name) {
  const cli::Json& table = outcome.result.at("tables").at(name);
  std::vector<cli::Json> rows;
  for (const cli::Json& cells : table.at("rows")) {
    REQUIRE(cells.size() == table.at("columns").size());
    cli::Json row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.at("columns")[i].get<std::string>()] = cells[i];
    rows.push_back(row);
  }
  return rows;
}

/// SM 0 reads a line that only DRAM has: a request of one flit and a reply of five.
Outcome one_load(const std::string& configuration, const std::vector<std::string>& settings = {}) {
  const Outcome outcome = run_apart(machine(configuration, settings), {one_warp({load(kLine, 1)})}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

using Way = std::map<std::string, std::uint64_t>;  // "from > to": flits

/// The links of a network with traffic. Checks that each has the utilisation of its flits.
Way way(const Outcome& outcome, const std::string& network) {
  Way used;
  double most = 0;
  const double cycles = outcome.ratio("net.cycles");
  for (const cli::Json& row : rows_of(outcome, "links")) {
    if (row["network"] != network) continue;
    const auto flits = row["flits"].get<std::uint64_t>();
    CHECK(row["utilisation"].get<double>() == static_cast<double>(flits) / cycles);
    most = std::max(most, row["utilisation"].get<double>());
    if (flits != 0) used[row["from"].get<std::string>() + " > " + row["to"].get<std::string>()] = flits;
  }
  CHECK(most == outcome.ratio(network + ".link_utilisation.max"));
  return used;
}

std::size_t links_of(const Outcome& outcome, const std::string& network) {
  std::size_t count = 0;
  for (const cli::Json& row : rows_of(outcome, "links")) count += row["network"] == network ? 1 : 0;
  return count;
}

unsigned apart(const cli::Json& row) {
  return static_cast<unsigned>(std::abs(row["x0"].get<int>() - row["x1"].get<int>()) +
                               std::abs(row["y0"].get<int>() - row["y1"].get<int>()));
}

TEST_CASE("links: on a mesh a load's flits are on the links of its row, there and back") {
  const Outcome outcome = one_load("gpus/28sm_mesh");  // SM 0 at node 0, slice 0 at node 3
  CHECK(way(outcome, "net.request") ==
        Way{{"router 0 > router 1", 1}, {"router 1 > router 2", 1}, {"router 2 > router 3", 1}, {"router 3 > node 3", 1}});
  CHECK(way(outcome, "net.reply") ==
        Way{{"router 3 > router 2", 5}, {"router 2 > router 1", 5}, {"router 1 > router 0", 5}, {"router 0 > node 0", 5}});
  for (const char* network : {"net.request", "net.reply"}) CHECK(links_of(outcome, network) == 4 * 6 * 5 + 36);
  for (const cli::Json& row : rows_of(outcome, "links")) CHECK(apart(row) == (row["to"].get<std::string>()[0] == 'r' ? 1 : 0));
}

TEST_CASE("links: on a crossbar they are those of the load's two ports, a row of each kind") {
  const Outcome outcome = one_load("gpus/80sm_xbar");
  CHECK(way(outcome, "net.request") == Way{{"input 0 > switch", 1}, {"switch > output 0", 1}});
  CHECK(way(outcome, "net.reply") == Way{{"input 0 > switch", 5}, {"switch > output 0", 5}});
  CHECK(links_of(outcome, "net.request") == 80 + 32);
  for (const cli::Json& row : rows_of(outcome, "links")) {
    const bool input = row["to"] == "switch";
    const std::string port = std::to_string(row["x0"].get<unsigned>());
    CHECK(row[input ? "from" : "to"] == (input ? "input " : "output ") + port);
    CHECK(row["y0"] == (input ? 0 : 1));
  }
}

TEST_CASE("links: on a ring the routers stand in a loop, and a load takes the shorter way") {
  const Outcome outcome = one_load("gpus/28sm_mesh", {"network.topology=ring"});
  std::uint64_t flits = 0;
  for (const auto& [link, passed] : way(outcome, "net.request")) flits += passed;
  CHECK(flits == outcome.run("net.request.flit_hops") + 1);  // and the link to the node
  CHECK(links_of(outcome, "net.request") == 2 * 36 + 36);
  for (const cli::Json& row : rows_of(outcome, "links")) CHECK(apart(row) == (row["to"].get<std::string>()[0] == 'r' ? 1 : 0));
}

TEST_CASE("links: on a butterfly they lead from stage to stage") {
  const Outcome outcome = one_load("gpus/28sm_mesh", {"network.topology=butterfly"});
  CHECK(way(outcome, "net.request").size() == 2);  // node 28, slice 0, from node 0: one link between stages, one to the node
  CHECK(links_of(outcome, "net.reply") == 36 + 36);
  for (const cli::Json& row : rows_of(outcome, "links"))
    CHECK(row["x1"].get<unsigned>() == (row["to"].get<std::string>()[0] == 'r' ? row["x0"].get<unsigned>() + 1 : 1));
}

/// The row of a level, by name.
cli::Json level_of(const Outcome& outcome, const std::string& name) {
  for (const cli::Json& row : rows_of(outcome, "memory_levels"))
    if (row["level"] == name) return row;
  FAIL("no level " << name);
  return {};
}

TEST_CASE("memory levels: the bytes, hits and uses of three accesses that can be counted by hand") {
  // A load that only DRAM can serve, one of the next sector, which arrived with the line, and a store.
  const Outcome outcome =
      run_apart(machine("gpus/80sm_xbar"), {one_warp({load(kLine, 1), load(kLine + 32, 2, 1), store(kLine + 4096, 2)})}, checked());
  REQUIRE(outcome.end == End::done);
  const double cycles = outcome.ratio("cycles"), net = outcome.ratio("net.cycles"), dram = outcome.ratio("run.dram_cycles");
  const cli::Json sm = level_of(outcome, "sm"), l1 = level_of(outcome, "l1"), l2 = level_of(outcome, "l2"),
                  channels = level_of(outcome, "dram");
  CHECK(sm["reads"] == 2);
  CHECK(sm["writes"] == 1);
  // 80 SMs of two schedulers, each of which issues at most every second cycle.
  CHECK(sm["utilisation"].get<double>() == Approx(outcome.ratio("warp_instructions") / (80 * cycles)));
  CHECK(sm["peak"].get<double>() == Approx(80 * 1.4));
  CHECK(sm["hit_rate"].is_null());
  CHECK(l1["reads"] == 2);
  CHECK(l1["writes"] == 1);
  CHECK(l1["read_bytes"] == 2 * 32);
  CHECK(l1["hit_rate"] == 0.5);
  CHECK(l1["peak"].get<double>() == Approx(80 * 128 * 1.4));
  CHECK(level_of(outcome, "request")["written_bytes"] == (1 + 2) * 32);  // a header; a header with a sector
  CHECK(level_of(outcome, "reply")["read_bytes"] == (5 + 1) * 32);       // a line, an acknowledgement
  CHECK(level_of(outcome, "reply")["busiest"].get<double>() == Approx(6 / net));
  CHECK(l2["reads"] == 1);
  CHECK(l2["writes"] == 1);
  CHECK(l2["read_bytes"] == 128);
  CHECK(l2["hit_rate"] == 0.0);
  CHECK(l2["utilisation"].get<double>() == Approx(2 / (32 * cycles)));
  CHECK(l2["peak"].get<double>() == Approx(32 * 32 * 0.7));
  CHECK(channels["read_bytes"].get<double>() == outcome.ratio("dram.reads") * 64);
  CHECK(channels["utilisation"].get<double>() == Approx(outcome.ratio("dram.bus_busy_cycles") / (16 * dram)));
  CHECK(channels["peak"].get<double>() == Approx(16 * 32 * 0.924));
  for (const cli::Json& row : rows_of(outcome, "memory_levels")) CHECK(row["level"] != "other_l1");  // the machine has none
}

TEST_CASE("memory levels: where L1s are shared, what another L1 has given is a level of its own") {
  // Two SMs read one line. The second reads it after another load of its own, when the home has it.
  ScriptedKernel kernel = one_warp({load(kLine, 1)});
  kernel.ctas.push_back({{load(kLine + 64 * kLineBytes, 1), load(kLine, 2, 1)}});
  const Outcome outcome = run_apart(machine("shared_l1/shared"), {kernel}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  REQUIRE(outcome.run("sm.served_by.home") > 0);
  const cli::Json other = level_of(outcome, "other_l1");
  CHECK(other["reads"] == outcome.run("sm.served_by.home") + outcome.run("sm.served_by.peer"));
  CHECK(other["read_bytes"] == outcome.run("sm.sectors.other_l1") * 32);
}

TEST_CASE("bandwidth: the bytes of each interval are those that L1, L2 and DRAM gave in it") {
  const Outcome outcome = run_apart(machine("gpus/80sm_xbar"), {one_warp({load(kLine, 1), load(kLine, 2, 1)})}, checked());
  REQUIRE(outcome.end == End::done);
  const std::vector<cli::Json> rows = rows_of(outcome, "bandwidth");
  REQUIRE(rows.size() == 1);
  const double cycles = outcome.ratio("cycles");
  CHECK(rows[0]["cycle"] == outcome.kernel(0, "begin_cycle"));
  CHECK(rows[0]["l1"].get<double>() * cycles == Approx(32));  // the second load's sector; its first came with the line
  CHECK(rows[0]["l2"].get<double>() * cycles == Approx(128));
  CHECK(rows[0]["dram"].get<double>() * cycles == Approx(128));
}

TEST_CASE("bandwidth: a run of several intervals loses no byte, and each but the last has as many cycles") {
  const Outcome outcome = run_apart(machine("gpus/80sm_xbar"), {one_warp(load_chase(kLine, 40, 64 * kLineBytes))}, checked());
  REQUIRE(outcome.end == End::done);
  const std::vector<cli::Json> rows = rows_of(outcome, "bandwidth");
  REQUIRE(rows.size() > 5);
  double bytes = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool last = i + 1 == rows.size();
    if (i > 0) CHECK(rows[i]["cycle"] == 1000 * i);
    const double end = last ? static_cast<double>(outcome.kernel(0, "end_cycle")) : rows[i + 1]["cycle"].get<double>();
    bytes += rows[i]["dram"].get<double>() * (end - rows[i]["cycle"].get<double>());
  }
  CHECK(bytes == Approx(40 * 128));
}

TEST_CASE(
    "parts over time: of each interval the share of its cycles in which each slice and each channel worked, of a long run at most 64") {
  // Only lines of slice 0, which belongs to channel 0.
  const Outcome outcome = run_apart(machine("gpus/80sm_xbar"), {one_warp(load_chase(kLine, 400, 64 * kLineBytes))}, checked());
  REQUIRE(outcome.end == End::done);
  const std::vector<cli::Json> rows = rows_of(outcome, "parts_over_time");
  REQUIRE(rows.size() > 32);
  REQUIRE(rows.size() <= 64);
  REQUIRE(rows[0].size() == 1 + 32 + 16);
  double accesses = 0, busy = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double end = i + 1 == rows.size() ? static_cast<double>(outcome.kernel(0, "end_cycle")) : rows[i + 1]["cycle"].get<double>();
    const double cycles = end - rows[i]["cycle"].get<double>();
    accesses += rows[i]["l2.0"].get<double>() / 1000 * cycles;
    busy += rows[i]["dram.0"].get<double>() / 1000 * cycles * 924 / 1400;
    for (const char* idle : {"l2.1", "l2.31", "dram.1", "dram.15"}) CHECK(rows[i][idle] == 0);
  }
  const double rounding = 0.0005 * outcome.ratio("cycles");
  CHECK(std::abs(accesses - outcome.ratio("l2.accesses")) <= rounding);
  CHECK(std::abs(busy - outcome.ratio("dram.bus_busy_cycles")) <= rounding);
}

TEST_CASE("curves over time: intervals double when there are too many, so that a run of any length has 128 to 256") {
  TimeCurve curve(10);
  curve.begin(3, {0, 0});
  Cycle now = 0;
  std::size_t kept = 0;
  for (; now < 100'000; now += 10) {
    if (!curve.due(now)) continue;
    ++kept;
    curve.sample(now, {2 * (now - 3), now - 3});
  }
  curve.end(99'995, {2 * 99'992, 99'992});
  const std::vector<TimeCurve::Interval> intervals = curve.intervals();
  CHECK(intervals.size() >= TimeCurve::kIntervals / 2);
  CHECK(intervals.size() <= TimeCurve::kIntervals);
  CHECK(kept < 2 * TimeCurve::kIntervals * 6);  // the discarded samples are at most as many as a doubling needs
  const Cycle step = 10 << 6;                   // 100,000 / 256 is between 32 and 64 steps of 10
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const TimeCurve::Interval& interval = intervals[i];
    CHECK(interval.begin == (i == 0 ? 3 : i * step));
    CHECK(interval.end == (i + 1 == intervals.size() ? 99'995 : (i + 1) * step));
    CHECK(interval.totals == TimeCurve::Totals{2 * (interval.end - interval.begin), interval.end - interval.begin});
  }
}

TEST_CASE("curves over time: a pause belongs to no interval, and is kept when the step doubles") {
  TimeCurve curve(10, 8);
  curve.begin(0, {0});
  Cycle now = 10;
  for (; now < 70; now += 10) curve.sample(now, {now});
  curve.pause(63, {63});
  curve.sample(5'008, {1'000'000});  // regardless of the counts
  for (now = 5'010; now < 6'000; now += 10)
    if (curve.due(now)) curve.sample(now, {1'000'000 + (now - 5'008)});
  curve.end(6'000, {1'000'000 + 6'000 - 5'008});
  std::uint64_t total = 0;
  Cycle last = 0;
  for (const TimeCurve::Interval& interval : curve.intervals()) {
    CHECK((interval.begin == last || (last == 63 && interval.begin == 5'008)));
    CHECK(interval.totals == TimeCurve::Totals{interval.end - interval.begin});
    total += interval.totals[0];
    last = interval.end;
  }
  CHECK(total == 63 + (6'000 - 5'008));
}

TEST_CASE("curves over work: where it comes in uneven pieces, each interval is at least as wide as the step, and none is lost") {
  TimeCurve curve(100);
  curve.begin(0, {0});
  std::uint64_t now = 0;
  for (unsigned piece = 1; piece <= 5000; ++piece) {
    now += 1 + piece * 7919 % 97;
    if (curve.due(now)) curve.sample(now, {3 * now});
  }
  curve.end(now, {3 * now});
  const std::vector<TimeCurve::Interval> intervals = curve.intervals();
  CHECK(intervals.size() >= TimeCurve::kIntervals / 2);
  CHECK(intervals.size() <= TimeCurve::kIntervals);
  std::uint64_t from = 0;
  for (const TimeCurve::Interval& interval : intervals) {
    CHECK(interval.begin == from);
    CHECK(interval.totals == TimeCurve::Totals{3 * (interval.end - interval.begin)});
    from = interval.end;
  }
  CHECK(from == now);
}

}  // namespace
}  // namespace wharf::test
