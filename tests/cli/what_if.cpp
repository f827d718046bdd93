// What a run would gain without a cause: what the stack predicts, and how predictions are summed up.

#include "platforms/cli/explain/what_if.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

/// A run of `private` whose levels are in use for these shares of the time.
ExplainedRun run_of(const std::vector<std::pair<std::string, double>>& levels, double misses = 0.0, double evictions = 0.0) {
  ExplainedRun run;
  run.spec.config = "private";
  run.spec.stimulus = "gemm@tiny";
  run.result = {{"run", {{"l2.misses", misses}, {"l2.evictions", evictions}}}, {"tables", {{"memory_levels", {{"rows", Json::array()}}}}}};
  for (const auto& [level, busiest] : levels)
    run.result["tables"]["memory_levels"]["rows"].push_back({level, 0, 0, 0, 0, 0, busiest / 2, busiest, Json()});
  return run;
}

SlotStack stack_of(const std::vector<std::pair<std::string, double>>& causes) {
  SlotStack stack;
  for (const auto& [name, share] : causes) stack.causes.push_back({name, share, {}});
  return stack;
}

double predicted(const ExplainedRun& run, const SlotStack& stack, const std::string& ideal) {
  const std::vector<WhatIf> what_ifs = what_ifs_of(run, stack);
  const auto found = std::find_if(what_ifs.begin(), what_ifs.end(), [&](const WhatIf& one) { return one.ideal == ideal; });
  REQUIRE(found != what_ifs.end());
  return found->predicted;
}

WhatIfs measured_as(const std::vector<std::pair<double, double>>& predicted_and_measured) {
  WhatIfs one;
  one.run.spec.stimulus = "gemm@tiny";
  for (const auto& [predicted, measured] : predicted_and_measured)
    one.what_ifs.push_back({"mshr", 0.4, "MSHRs of the L1 without end", {}, predicted, measured});
  return one;
}

TEST_CASE("what if: the time that is left is that of the slots which stay, but no less than the busiest level that stays needs") {
  const SlotStack stack = stack_of({{"mshr", 0.5}, {"dram", 0.2}});
  CHECK(predicted(run_of({{"dram", 0.4}}), stack, "MSHRs of the L1 without end") == Approx(1.0 / (1.0 - 0.5)));
  CHECK(predicted(run_of({{"dram", 0.8}, {"l2", 0.7}}), stack, "MSHRs of the L1 without end") == Approx(1.0 / 0.8));
  CHECK(predicted(run_of({{"dram", 0.8}, {"l2", 0.9}}), stack, "MSHRs of the L1 without end") == Approx(1.0 / 0.9));
}

TEST_CASE("what if: twice the channels take half of their queues, and the channels bind no more") {
  CHECK(predicted(run_of({{"dram", 0.99}}), stack_of({{"dram_queue", 0.6}}), "twice the DRAM channels") == Approx(1.0 / (1.0 - 0.5 * 0.6)));
}

TEST_CASE("what if: an L2 that forgets nothing saves what displaced lines cost, not what nobody has had") {
  const SlotStack stack = stack_of({{"dram", 0.4}, {"dram_queue", 0.2}});
  CHECK(predicted(run_of({}, 100, 25), stack, "an L2 that forgets nothing") == Approx(1.0 / (1.0 - 0.25 * 0.6)));
  CHECK(predicted(run_of({}, 100, 0), stack, "an L2 that forgets nothing") == 1.0);
}

TEST_CASE("what if: an L1 that never misses removes all that is below it, but not the L1") {
  const SlotStack stack = stack_of({{"l2", 0.2}, {"l1", 0.15}, {"network_down", 0.1}, {"dram", 0.3}, {"mshr", 0.05}, {"barrier", 0.1}});
  CHECK(predicted(run_of({{"l2", 0.99}, {"l1", 0.2}}), stack, "an L1 that never misses") == Approx(1.0 / (1.0 - 0.2 - 0.1 - 0.3 - 0.05)));
  CHECK(predicted(run_of({{"l2", 0.99}, {"l1", 0.7}}), stack, "an L1 that never misses") == Approx(1.0 / 0.7));
}

TEST_CASE("what if: a prediction is near within a tenth of what was measured, else too high or too low") {
  const Table table = summary_of({measured_as({{1.5, 1.4}, {1.0, 1.3}}), measured_as({{2.0, 1.0}, {1.09, 1.0}})});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == std::vector<std::string>{"MSHRs of the L1 without end", "4", "2", "50 %", "1", "1"});
  CHECK(table.rows[1] == std::vector<std::string>{"all", "4", "2", "50 %", "1", "1"});
  const Table each = table_of({measured_as({{1.5, 1.25}})});
  REQUIRE(each.rows.size() == 1);
  CHECK(each.rows[0] == std::vector<std::string>{"gemm@tiny", "mshr", "40 %", "MSHRs of the L1 without end", "1.50x", "1.25x", "+20 %"});
}

}  // namespace
}  // namespace wharf::cli
