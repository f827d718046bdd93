#include "platforms/cli/runs/search.h"

#include <catch2/catch.hpp>

namespace wharf::cli {
namespace {

config::Search search_of(bool maximise, const std::string& tie) {
  config::Search search;
  search.key = "sm.swl_limit";
  search.values = {"1", "2", "4"};
  search.maximise = maximise;
  search.objective = "ipc";
  search.tie = tie;
  return search;
}

RunRecord with_ipc(const Json& ipc) { return {RunStatus::done, {{"run", {{"ipc", ipc}}}}, {}, {}}; }

std::string chosen(bool maximise, const std::string& tie, std::vector<double> ipc) {
  std::vector<RunRecord> records;
  for (const double value : ipc) records.push_back(with_ipc(value));
  return winner(search_of(maximise, tie), {&records[0], &records[1], &records[2]}).chosen;
}

TEST_CASE("the winner has the best objective") {
  CHECK(chosen(true, "first", {3, 5, 4}) == "2");
  CHECK(chosen(false, "first", {3, 5, 4}) == "1");
  CHECK(chosen(true, "last", {-3, -5, -4}) == "1");
  CHECK(chosen(false, "last", {0, 0, -4}) == "4");
}

TEST_CASE("of equals the tie rule decides") {
  CHECK(chosen(true, "first", {5, 3, 5}) == "1");
  CHECK(chosen(true, "last", {5, 3, 5}) == "4");
  CHECK(chosen(false, "first", {5, 3, 3}) == "2");
  CHECK(chosen(false, "last", {3, 3, 3}) == "4");
}

// morpheus section 12: the published number is shown next to the best that the runs find
TEST_CASE("the winner carries what has been published for the workload, and nothing for another") {
  config::Search search = search_of(true, "first");
  search.published = {{"kmeans", "24"}, {"histo", "53"}};
  const RunRecord good = with_ipc(1);
  CHECK(winner(search, {&good, &good, &good}, "histo").published == "53");
  CHECK(winner(search, {&good, &good, &good}, "gemm").published.empty());
}

TEST_CASE("a search fails where one of its runs failed or lacks the objective, and says which") {
  const RunRecord good = with_ipc(1), failed = {RunStatus::failed, {}, "signal 9 (Killed)", {}}, empty = with_ipc(nullptr);
  const config::Search search = search_of(true, "first");
  const RunRecord one = winner(search, {&good, &failed, &good});
  CHECK(one.status == RunStatus::failed);
  CHECK(one.failure == "sm.swl_limit 2: signal 9 (Killed)");
  const RunRecord other = winner(search, {&good, &good, &empty});
  CHECK(other.status == RunStatus::failed);
  CHECK(other.failure == "sm.swl_limit 4: it has no metric 'ipc'");
}

TEST_CASE("a search with a missing run has not run") {
  const RunRecord good = with_ipc(1), none;
  CHECK(winner(search_of(true, "first"), {&good, &none, &good}).status == RunStatus::not_run);
}

TEST_CASE("a search is closed by an override of its key and by no other") {
  const std::optional<config::Search> search = search_of(true, "first");
  CHECK(is_open(search, {"sm.swl_limit_2=1", "l1.ways=4"}));
  CHECK_FALSE(is_open(search, {"l1.ways=4", "sm.swl_limit=1"}));
  CHECK_FALSE(is_open(std::nullopt, {}));
}

TEST_CASE("candidates are the spec with each value in turn, or each configuration") {
  RunSpec spec;
  spec.config = "private";
  spec.overrides = {"l1.ways=4"};
  spec.stimulus = "gemm@tiny";
  config::Search search = search_of(true, "first");
  const std::vector<RunSpec> by_value = candidates(spec, search);
  REQUIRE(by_value.size() == 3);
  CHECK(by_value[2].config == "private");
  CHECK(by_value[2].overrides == std::vector<std::string>{"l1.ways=4", "sm.swl_limit=4"});
  CHECK(by_value[2].stimulus == "gemm@tiny");
  search.key = "extends";
  search.values = {"private", "private_single_l1"};
  const std::vector<RunSpec> by_name = candidates(spec, search);
  REQUIRE(by_name.size() == 2);
  CHECK(by_name[1].config == "private_single_l1");
  CHECK(by_name[1].overrides == spec.overrides);
}

}  // namespace
}  // namespace wharf::cli
