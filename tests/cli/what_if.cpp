// The gain of a run without a cause: the prediction from the stacks of its launches, and the summary of predictions.

#include "platforms/cli/explain/what_if.h"

#include "platforms/cli/explain/prediction.h"
#include "platforms/cli/explain/slot_stack.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

constexpr double kSchedulers = 160.0, kCycles = 1000.0;  // of `private`: 80 SMs with two schedulers each

/// A launch on `private` with `warps` live warps per scheduler while it has any. `slots`: shares of all slots by cause, such as
/// "load.in_dram" for loads. `metrics`: other metrics of the launch.
Json launch_of(const std::vector<std::pair<std::string, double>>& slots, double warps = 1.0,
               const std::vector<std::pair<std::string, double>>& metrics = {}) {
  Json launch = {{"cycles", kCycles}, {"time_ns", kCycles}, {"sm.slots.all", 1e9}};
  double with_warp = 1.0;
  for (const auto& [cause, share] : slots) {
    launch["sm.slots." + cause] = share * 1e9;
    if (Cause{cause, 0.0, {}}.without_warp()) with_warp -= share;
  }
  launch["sm.warp_cycles"] = warps * kCycles * kSchedulers * with_warp;
  for (const auto& [name, value] : metrics) launch[name] = value;
  return launch;
}

/// The predicted gain of an ideal machine for these launches. `cause`: the largest cause in the table of the run.
double predicted(const std::vector<Json>& launches, const std::string& cause, const std::string& ideal,
                 const std::vector<std::pair<std::string, double>>& metrics = {}) {
  ExplainedRun run;
  run.spec.config = "private";
  run.spec.stimulus = "gemm@tiny";
  run.spec.overrides = {"front_end.kernel_launch_cycles=5000"};  // otherwise launches that take no time would be the same machine
  run.result["run"] = Json::object();
  for (const auto& [name, value] : metrics) run.result["run"][name] = value;
  run.result["kernels"] = launches;
  SlotStack stack;
  stack.causes.push_back({cause, 0.5, {}});
  const std::vector<WhatIf> what_ifs = what_ifs_of(run, stack);
  const auto found = std::find_if(what_ifs.begin(), what_ifs.end(), [&](const WhatIf& one) { return one.ideal == ideal; });
  REQUIRE(found != what_ifs.end());
  return found->predicted;
}

constexpr const char* kMshrs = "an L1 with unlimited MSHRs";
constexpr const char* kNetworks = "networks eight times as fast";
constexpr const char* kPerfectL1 = "an L1 that never misses";

WhatIfs measured_as(const std::vector<std::pair<double, double>>& predicted_and_measured) {
  WhatIfs one;
  one.run.spec.stimulus = "gemm@tiny";
  for (const auto& [predicted, measured] : predicted_and_measured)
    one.what_ifs.push_back({"mshr", 0.4, "an L1 with unlimited MSHRs", {}, predicted, measured});
  return one;
}

TEST_CASE("what if: warps that think and are then issued one after the other") {
  CHECK(throughput(1.0, 1.0, 3.0) == Approx(1.0 / (1.0 + 3.0)));
  // The second of two warps finds the first one present for half of the time that it needs alone.
  CHECK(throughput(2.0, 1.0, 1.0) == Approx(2.0 / (1.0 + 1.0 * (1.0 + 0.5))));
  CHECK(throughput(1.5, 1.0, 1.0) == Approx((throughput(1.0, 1.0, 1.0) + throughput(2.0, 1.0, 1.0)) / 2));
  CHECK(throughput(64.0, 2.0, 10.0) == Approx(0.5));
  CHECK(think_time(1.0, 0.25) == Approx(3.0));
  CHECK(think_time(2.0, 0.8) == Approx(1.0));
  CHECK(think_time(48.0, throughput(48.0, 1.0, 200.0)) == Approx(200.0));
  CHECK(think_time(1.0, 1.0) == 0.0);
}

TEST_CASE("what if: with one warp per scheduler, only the waits for the removed cause disappear") {
  const Json launch = launch_of({{"issued", 0.2}, {"load.in_mshr_full", 0.5}, {"barrier", 0.3}});
  CHECK(predicted({launch}, "mshr_full", kMshrs) == Approx(1.0 / (1.0 - 0.5)));
}

TEST_CASE("what if: many warps hide what is left of their waiting") {
  const Json launch = launch_of({{"issued", 0.2}, {"load.in_mshr_full", 0.4}, {"barrier", 0.4}}, 16.0);
  const double think = think_time(16.0, 0.2);
  CHECK(predicted({launch}, "mshr_full", kMshrs) == Approx(throughput(16.0, 1.0, think / 2) / 0.2));
  CHECK(predicted({launch}, "mshr_full", kMshrs) > 1.9);
  CHECK(predicted({launch}, "mshr_full", kMshrs) < 2.0);
}

TEST_CASE("what if: time without a warp shrinks with the time of those that the others wait for") {
  const Json launch = launch_of({{"issued", 0.1}, {"load.in_mshr_full", 0.25}, {"barrier", 0.15}, {"tail", 0.5}});
  CHECK(predicted({launch}, "mshr_full", kMshrs) == Approx(1.0 / (1.0 - 0.25 / 0.5)));
}

TEST_CASE("what if: each launch gains by itself, and one without a warp gains nothing") {
  const Json fast = launch_of({{"issued", 0.5}, {"barrier", 0.5}}), slow = launch_of({{"issued", 0.2}, {"load.in_mshr_full", 0.8}});
  const Json empty = launch_of({{"idle_sm", 1.0}});
  CHECK(predicted({fast, slow}, "mshr_full", kMshrs) == Approx(2.0 / (1.0 + 0.2)));
  CHECK(predicted({slow, empty}, "mshr_full", kMshrs) == Approx(2.0 / (0.2 + 1.0)));
}

TEST_CASE("what if: in networks eight times as fast nothing queues, and links are in use for an eighth of the time") {
  const std::vector<std::pair<std::string, double>> slots = {{"issued", 0.2}, {"load.in_network_up", 0.8}};
  CHECK(predicted({launch_of(slots)}, "network_up", kNetworks) == Approx(1.0 / 0.2));
  const Json bound = launch_of({{"issued", 0.01}, {"load.in_network_up", 0.99}}, 64.0, {{"net.reply.link_utilisation.max", 0.96}});
  CHECK(predicted({bound}, "network_up", kNetworks) == Approx(1.0 / (0.96 / 8)));
}

TEST_CASE("what if: no machine is faster than the busiest level that stays as it is") {
  const auto launch = [](const char* level, double busy) {
    return launch_of({{"issued", 0.2}, {"load.in_network_up", 0.8}}, 1.0, {{level, busy}});
  };
  CHECK(predicted({launch("dram.utilisation", 0.1)}, "network_up", kNetworks) == Approx(1.0 / 0.2));
  CHECK(predicted({launch("dram.utilisation", 0.5)}, "network_up", kNetworks) == Approx(1.0 / 0.5));
  CHECK(predicted({launch("l1.port_utilisation_max", 0.4)}, "network_up", kNetworks) == Approx(1.0 / 0.4));
  // A slice with three times the mean number of accesses.
  const Json camped =
      launch_of({{"issued", 0.2}, {"load.in_network_up", 0.8}}, 1.0, {{"l2.utilisation", 0.1}, {"l2.slice_balance", 1.0 / 3}});
  CHECK(predicted({camped}, "network_up", kNetworks) == Approx(1.0 / 0.3));
}

TEST_CASE(
    "what if: twice the channels take their queues away, and with twice the slices they and their links are in use for half of the time") {
  const std::vector<std::pair<std::string, double>> slots = {{"issued", 0.2}, {"load.in_dram_queue", 0.6}, {"load.in_dram", 0.2}};
  CHECK(predicted({launch_of(slots)}, "dram_queue", "twice the DRAM channels") == Approx(1.0 / 0.4));
  for (const char* level : {"dram.utilisation", "net.request.link_utilisation.max", "net.reply.link_utilisation.max"})
    CHECK(predicted({launch_of(slots, 1.0, {{level, 1.0}})}, "dram_queue", "twice the DRAM channels") == Approx(1.0 / 0.5));
}

TEST_CASE("what if: a channel is busy if its loads spend most of their time in its queue, whatever the use of its bus") {
  const auto gain = [](double queue, double service) {
    return predicted(
        {launch_of(
            {{"issued", 0.1}, {"load.in_network_up", 0.9 - queue - service}, {"load.in_dram_queue", queue}, {"load.in_dram", service}})},
        "network_up", kNetworks);
  };
  CHECK(gain(0.3, 0.1) == Approx(1.0 / 0.75));
  CHECK(gain(0.03, 0.01) == Approx(1.0 / 0.14));  // too few for a decision
}

TEST_CASE("what if: a way is held as long as its load is below, and no longer than that waited for") {
  // The network takes a quarter of the time of all loads below, whatever part of it warps wait for.
  const std::vector<std::pair<std::string, double>> slots = {
      {"issued", 0.2}, {"load.in_network_down", 0.2}, {"load.in_l2", 0.2}, {"lsu_queue", 0.4}};
  const Json launch = launch_of(slots, 1.0, {{"l1.refused.no_way", 1}, {"loads.in_network_down", 100}, {"loads.in_l2", 300}});
  CHECK(predicted({launch}, "network_up", kNetworks) == Approx(1.0 / (1.0 - 0.2 - 0.4 / 4)));
  CHECK(predicted({launch}, "dram_queue", "twice the DRAM channels") == Approx(1.0));
  // If loads are in queues for half of the time below, that half of the wait is not caused by a lack of ways.
  const auto queued = [&](const char* queue) {
    return launch_of(slots, 1.0, {{"l1.refused.no_way", 1}, {"loads.in_network_down", 100}, {"loads.in_l2", 300}, {queue, 400}});
  };
  CHECK(predicted({queued("loads.in_l2_queue")}, "network_up", kNetworks) == Approx(1.0 / (1.0 - 0.2 - 0.2 / 4)));
  CHECK(predicted({queued("loads.in_dram_link")}, "dram_queue", "twice the DRAM channels") == Approx(1.0 / (1.0 - 0.4 / 2)));
}

TEST_CASE("what if: at a slice whose replies do not leave, the port's share of the wait is the wait with the port alone") {
  // 100 accesses in 1000 cycles of the slice, and 300 cycles in which its head was refused: a server with a utilisation of 0.4.
  const auto gain = [](double refused) {
    return predicted(
        {launch_of({{"issued", 0.2}, {"load.in_l2_queue", 0.8}}, 1.0,
                   {{"l2.accesses", 100}, {"l2.utilisation", 0.1}, {"l2.slice_balance", 1.0}, {"l2.refused.reply_full", refused}})},
        "network_up", kNetworks);
  };
  const double port = 100 * (0.1 / 0.9), both = 400 * (0.4 / 0.6);
  CHECK(gain(300) == Approx(1.0 / (1.0 - 0.8 * (1.0 - port / both))));
  CHECK(gain(0) == Approx(1.0));
}

TEST_CASE("what if: a packet waits for its link or for the slice, and a full queue between them shows neither") {
  const std::vector<std::pair<std::string, double>> slots = {{"issued", 0.2}, {"load.in_inject_up", 0.8}};
  CHECK(predicted({launch_of(slots, 1.0,
                             {{"net.request.refused.arbitration", 30},
                              {"net.request.refused.ejection", 10},
                              {"net.request.refused.credit", 1000},
                              {"net.request.refused.queue", 1000},
                              {"net.request.refused.vc", 1000}})},
                  "network_up", kNetworks) == Approx(1.0 / (1.0 - 0.8 * 0.75)));
}

TEST_CASE("what if: an L2 that evicts nothing saves the cost of evicted lines, not that of first accesses") {
  const Json launch = launch_of({{"issued", 0.2}, {"load.in_dram", 0.4}, {"load.in_dram_queue", 0.2}, {"barrier", 0.2}});
  CHECK(predicted({launch}, "dram", "an L2 that evicts nothing", {{"l2.misses", 100}, {"l2.evictions", 25}}) ==
        Approx(1.0 / (1.0 - 0.25 * 0.6)));
  CHECK(predicted({launch}, "dram", "an L2 that evicts nothing", {{"l2.misses", 100}, {"l2.evictions", 0}}) == Approx(1.0));
}

TEST_CASE("what if: with an L1 that never misses a load takes the latency of a hit, and stores pass as before") {
  // Ten loads of 280 cycles each; 28 cycles of each remain.
  const std::vector<std::pair<std::string, double>> loads = {
      {"l1.load.accesses", 12}, {"l1.load.hits", 2}, {"sm.round_trip_sum", 10 * 280 + 2 * 28}};
  const Json latency = launch_of({{"issued", 0.2}, {"load.in_l2", 0.6}, {"load.in_l1", 0.1}, {"barrier", 0.1}}, 1.0, loads);
  CHECK(predicted({latency}, "l2", kPerfectL1) == Approx(1.0 / (1.0 - 0.6 * (1.0 - 28.0 / 280))));
  // The queue before the load/store unit waits for the network, on which 3 of 4 flits belong to stores.
  std::vector<std::pair<std::string, double>> stores = loads;
  stores.insert(stores.end(), {{"l1.refused.queue_full", 1},
                               {"net.request.refused.arbitration", 1},
                               {"l2.loads", 10},
                               {"l2.stores", 10},
                               {"net.request.flits", 40}});
  const std::vector<std::pair<std::string, double>> queue = {{"issued", 0.2}, {"lsu_queue", 0.8}};
  CHECK(predicted({launch_of(queue, 1.0, stores)}, "l2", kPerfectL1) == Approx(1.0 / (1.0 - 0.8 * 0.25)));
  stores.emplace_back("net.request.link_utilisation.max", 0.8);
  CHECK(predicted({launch_of({{"issued", 0.1}, {"load.in_l2", 0.9}}, 1.0, stores)}, "l2", kPerfectL1) == Approx(1.0 / (0.8 * 0.75)));
}

TEST_CASE("what if: with an L1 that never misses atomics go to L2 as before, and the port takes no fills") {
  const std::vector<std::pair<std::string, double>> trips = {{"l1.load.accesses", 10}, {"sm.round_trip_sum", 10 * 280}, {"l2.loads", 10}};
  std::vector<std::pair<std::string, double>> atomics = trips;
  atomics.emplace_back("l2.atomics", 30);
  const std::vector<std::pair<std::string, double>> slots = {{"issued", 0.2}, {"load.in_l2", 0.8}};
  CHECK(predicted({launch_of(slots, 1.0, trips)}, "l2", kPerfectL1) == Approx(1.0 / (1.0 - 0.8 * 0.9)));
  CHECK(predicted({launch_of(slots, 1.0, atomics)}, "l2", kPerfectL1) == Approx(1.0 / (1.0 - 0.8 * 0.9 / 4)));
  std::vector<std::pair<std::string, double>> port = trips;
  port.insert(port.end(), {{"l1.busy_cycles", 20}, {"l1.fills", 10}, {"l1.port_utilisation_max", 0.9}});
  CHECK(predicted({launch_of(slots, 1.0, port)}, "l2", kPerfectL1) == Approx(1.0 / (0.9 / 2)));
}

TEST_CASE("what if: a scheduler that issues every cycle needs half of the time that it issues for") {
  const Json launch = launch_of({{"issued", 0.25}, {"issuing", 0.25}, {"load.in_dram", 0.5}});
  CHECK(predicted({launch}, "issuing", "a scheduler that issues every cycle") == Approx(1.0 / (0.5 / 2 + 0.5)));
}

TEST_CASE("what if: launches that take no time save their share of all slots") {
  const Json launch = launch_of({{"issued", 0.25}, {"launch", 0.2}, {"tail", 0.3}, {"barrier", 0.25}});
  CHECK(predicted({launch}, "launch", "launches that take no time") == Approx(1.0 / 0.8));
}

TEST_CASE("what if: a prediction is near within a tenth of what was measured, else too high or too low") {
  const Table table = summary_of({measured_as({{1.5, 1.4}, {1.0, 1.3}}), measured_as({{2.0, 1.0}, {1.09, 1.0}})});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == std::vector<std::string>{"an L1 with unlimited MSHRs", "4", "2", "50 %", "1", "1"});
  CHECK(table.rows[1] == std::vector<std::string>{"all", "4", "2", "50 %", "1", "1"});
  const Table each = table_of({measured_as({{1.5, 1.25}})});
  REQUIRE(each.rows.size() == 1);
  CHECK(each.rows[0] == std::vector<std::string>{"gemm@tiny", "mshr", "40 %", "an L1 with unlimited MSHRs", "1.50x", "1.25x", "+20 %"});
}

}  // namespace
}  // namespace wharf::cli
