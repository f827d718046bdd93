// Choices that affect a claim's value besides the machine: the fill-ins, and the order of loads.

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/claims/claim_records.h"

namespace wharf::cli {
namespace {

/// ipc of fast over base: 2 on a, which is named; 1, 0.5 and 0.25 on the fill-ins.
Records sorted_example() {
  Records records;
  const std::vector<std::pair<std::string, double>> ratios = {{"a", 2.0}, {"b", 1.0}, {"c", 0.5}, {"d", 0.25}};
  for (const auto& [workload, ratio] : ratios) {
    records.add("base " + workload, {{"ipc", 16.0}});
    records.add("fast " + workload, {{"ipc", 16.0 * ratio}});
  }
  return records;
}

Claim sorted_claim(std::size_t fill_ins) {
  Claim one = claim();
  one.measures[0].workloads = group({"a"}, {"b", "c", "d"});
  one.measures[0].fill_ins = {{"b", "c", "d"}, fill_ins};
  return one;
}

TEST_CASE("a claim over members that its source sorts by effect has the interval of all choices of fill-ins") {
  const ClaimResult one = evaluate(sorted_claim(1), sorted_example().look_up());
  REQUIRE(one.over_fill_ins().has_value());
  CHECK(one.over_fill_ins()->low == Approx(100.0 * (std::sqrt(2.0 * 0.25) - 1.0)));
  CHECK(one.over_fill_ins()->high == Approx(100.0 * (std::sqrt(2.0 * 1.0) - 1.0)));
  CHECK(one.sign() == SignVerdict::undecided);  // b gives a gain, d a loss
  const ClaimResult three = evaluate(sorted_claim(3), sorted_example().look_up());
  CHECK(three.over_fill_ins()->low == three.over_fill_ins()->high);
  CHECK(three.over_fill_ins()->low == Approx(*three.measured()));
  CHECK(three.sign() == SignVerdict::disagrees);  // (2 * 1 * 0.5 * 0.25)^(1/4) is below 1, whatever the choice
}

TEST_CASE("a sign that holds with every choice of fill-ins agrees, and one that holds with none disagrees") {
  const auto verdict = [](double of_named) {
    Records records = sorted_example();
    records.add("fast a", {{"ipc", 16.0 * of_named}});
    return evaluate(sorted_claim(1), records.look_up()).sign();
  };
  CHECK(verdict(8.0) == SignVerdict::agrees);     // 8 * 0.25 is above 1
  CHECK(verdict(0.5) == SignVerdict::disagrees);  // 0.5 * 1 is below 1
}

TEST_CASE("a choice with a member that has no figure has no interval") {
  Records records = sorted_example();
  const ClaimResult result = evaluate(sorted_claim(1), records.fail("fast b").look_up());
  CHECK_FALSE(result.over_fill_ins().has_value());
  CHECK(result.sign() == SignVerdict::disagrees);  // of the remaining ones: (2 * 0.5 * 0.25)^(1/3) is below 1
}

TEST_CASE("a claim about kernels that issue loads ahead is measured with each load before its use too") {
  Claim one = claim();
  one.measures[0].workloads = group({"kmeans@std", "2dconv@std"});
  CHECK(ClaimPlan({one}, [](const std::string&) { return true; }).specs().size() == 8);
  Records records;
  for (const char* workload : {"kmeans@std", "2dconv@std", "kmeans@std:batch=1", "2dconv@std:batch=1"}) {
    records.add(std::string("base ") + workload, {{"ipc", 10}});
    records.add(std::string("fast ") + workload, {{"ipc", std::string(workload).find("batch") == std::string::npos ? 5 : 40}});
  }
  const ClaimResult result = evaluate(one, records.look_up());
  CHECK(result.measured() == Approx(-50.0));
  CHECK(result.in_program_order() == Approx(300.0));
  CHECK(result.sign() == SignVerdict::disagrees);  // judged without a change
}

TEST_CASE("a claim with a kernel of only one order of loads has no other order") {
  Claim one = claim();
  for (const char* other : {"kmeans@ciao", "bfs@std", "no_such_kernel"}) {
    one.measures[0].workloads = group({"kmeans@std", other});
    CHECK(ClaimPlan({one}, [](const std::string&) { return true; }).specs().size() == 4);
  }
}

}  // namespace
}  // namespace wharf::cli
