// Published characteristics of workloads: the form of the data, and the statements that hold.

#include "platforms/cli/claims/characteristics.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "platforms/cli/claims/characteristic_report.h"
#include "tests/cli/claims/claim_records.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<Suite> kBookSuites = {
    {"some", {{"gemm@tiny", false, {}}, {"atax@tiny", true, {}}}},
    {"all", {{"gemm@tiny", false, {}}, {"atax@tiny", true, {}}, {"bfs@tiny", false, {}}, {"kmeans@tiny", false, {}}}}};

SourceCharacteristics read(const std::string& text) {
  const TemporaryFolder folder;
  return load_characteristics(folder.file("c.yaml", text), kBookSuites);
}

std::string characteristics_refusal(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kHead = "source: book\nsuite: all\nbaseline: base\nlarger: {name: 16 times the L1, system: big}\n";
const std::string kBook =
    kHead +
    "groups:\n- {group: some, where: '2.1', states: {l1.miss_rate: {above: 0.5}, gain: {above: 1.05}}, averages: {replicas: 4}}\n"
    "workloads:\n- {workload: bfs, where: '3', states: {inter_core_locality: 0.54}}\n";

TEST_CASE("a source's characteristics are read with their places") {
  const SourceCharacteristics book = read(kBook);
  CHECK(book.source == "book");
  CHECK(book.workloads.members.size() == 4);
  CHECK(book.baseline.config == "base");
  CHECK(book.larger.config == "big");
  REQUIRE(book.groups.size() == 1);
  CHECK(book.groups[0].where == "2.1");
  CHECK(text_of(book.groups[0].states[0].stated, true) == "above 50 %");
  CHECK(text_of(book.groups[0].averages[0].stated, false) == "4");
  CHECK(book.single[0].of == "bfs");
}

TEST_CASE("a figure is met within 10 points of a share or a quarter of it, and a bound as it is said") {
  Stated figure;
  figure.figure = 0.2;
  CHECK(figure.holds(0.299, true));
  CHECK_FALSE(figure.holds(0.301, true));
  CHECK(figure.holds(0.249, false));
  CHECK_FALSE(figure.holds(0.251, false));
  figure.figure = 0.8;
  CHECK(figure.holds(0.999, true));
  Stated bounds;
  bounds.low = 0.1;
  bounds.high = 0.5;
  CHECK_FALSE(bounds.holds(0.1, true));
  CHECK(bounds.holds(0.3, true));
  CHECK_FALSE(bounds.holds(0.5, true));
  bounds.low_counts = bounds.high_counts = true;
  CHECK(bounds.holds(0.1, true));
  CHECK(bounds.holds(0.5, true));
  CHECK(text_of(bounds, true) == "at least 10 %, at most 50 %");
}

TEST_CASE("every mistake of a characteristics file has its place") {
  const auto with = [](const std::string& lines) { return characteristics_refusal(kHead + lines); };
  CHECK_THAT(characteristics_refusal("source: a\nsuite: al\nbaseline: b\n"),
             Contains("c.yaml:2:8:") && Contains("unknown suite 'al'; did you mean 'all'?"));
  CHECK_THAT(characteristics_refusal("suite: all\nbaseline: b\n"), Contains("has no source"));
  CHECK_THAT(characteristics_refusal("source: a\nsuite: all\n"), Contains("has no baseline"));
  CHECK_THAT(with("group: []\n"), Contains("unknown key 'group'; did you mean 'groups'?"));
  CHECK_THAT(with("workloads:\n- {workload: cfd, where: x, states: {replicas: 1}}\n"),
             Contains("c.yaml:6:3:") && Contains("all has no workload 'cfd'"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, states: {replicas: 1}}\n"), Contains("has no where"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x}\n"), Contains("has no states"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x, states: {l1.mis_rate: 1}}\n"),
             Contains("unknown characteristic 'l1.mis_rate'; did you mean 'l1.miss_rate'?"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x, states: {replicas: many}}\n"), Contains("c.yaml:6:48:") && Contains("replicas"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x, states: {replicas: {}}}\n"),
             Contains("needs a figure, or one of above, at_least"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x, states: {replicas: {above: 3, at_most: 2}}}\n"),
             Contains("lower bound is above"));
  CHECK_THAT(with("workloads:\n- {workload: bfs, where: x, states: {replicas: {above: 3, at_least: 2}}}\n"),
             Contains("above and at_least; keep one"));
  CHECK_THAT(with("groups:\n- {group: some, without: [cfd], where: x, states: {replicas: 1}}\n"), Contains("without names 'cfd'"));
  CHECK_THAT(characteristics_refusal("source: a\nsuite: all\nbaseline: b\nworkloads:\n- {workload: bfs, where: x, states: {gain: 2}}\n"),
             Contains("gain needs `larger`"));
}

TEST_CASE("what compare shows of a design has to be a class of the source, and mistakes in it have their place") {
  const auto with = [](const std::string& fields) {
    return characteristics_refusal(kBook + "compared: {design: d, claim: X-1, page: p.md, " + fields + "}\n");
  };
  CHECK(with("group: some, workloads: [gemm@tiny]") == "accepted");
  CHECK(with("workloads: [bfs@tiny]") == "accepted");
  CHECK_THAT(with("group: som, workloads: [gemm@tiny]"), Contains("c.yaml:9:11:") && Contains("group 'som' has no states above"));
  CHECK_THAT(with("group: some, workloads: [bfs@tiny]"), Contains("bfs@tiny is not in some"));
  CHECK_THAT(with("group: some"), Contains("needs workloads, a list such as [bfs@std]"));
  CHECK_THAT(with("group: some, workloads: [gemm@tiny], pages: x"), Contains("unknown key 'pages'; did you mean 'page'?"));
}

/// Runs on base and big: IPC 10 and 20 for gemm, 10 and 10 for atax. bfs has only the baseline, and kmeans failed.
Records book_records() {
  Records records;
  records.add("base gemm@tiny", {{"ipc", 10.0}, {"l1.miss_rate", 0.3}, {"l1.miss_rate_with_merges", 0.9}, {"replicas", 5.0}});
  records.add("base atax@tiny", {{"ipc", 10.0}, {"l1.miss_rate", 0.6}, {"l1.miss_rate_with_merges", 0.7}, {"replicas", 4.0}});
  records.add("base bfs@tiny", {{"ipc", 10.0}, {"l1.miss_rate", 0.7}, {"inter_core_locality", 0.5}, {"warp_instructions", 2'500'000}});
  records.add("big gemm@tiny", {{"ipc", 20.0}});
  records.add("big atax@tiny", {{"ipc", 10.0}});
  records.add("big bfs@tiny", {{"ipc", 11.0}});
  records.fail("base kmeans@tiny");
  return records;
}

// common section 15: workloads that satisfy the criteria on the baseline
TEST_CASE("members are sorted by the source's criteria, and candidates that are no members are named") {
  const CharacteristicsResult result = evaluate(read(kBook), book_records().look_up());
  REQUIRE(result.groups.size() == 1);
  const GroupMembership& some = result.groups[0];
  CHECK(some.pass.empty());
  CHECK(some.named_but_fail == std::vector<std::string>{"gemm@tiny"});      // too few misses
  CHECK(some.fill_ins_that_fail == std::vector<std::string>{"atax@tiny"});  // no gain
  CHECK(some.pass_but_no_members == std::vector<std::string>{"bfs@tiny"});
  REQUIRE(result.averages.size() == 1);
  CHECK(result.averages[0].measured == 4.5);
  CHECK(result.averages[0].holds);
}

// CM-34: both miss rates
TEST_CASE("a miss rate is judged without merges and with them, and named workloads are counted for both") {
  const CharacteristicsResult result = evaluate(read(kBook), book_records().look_up());
  CHECK_FALSE(result.workloads[0].within(false));
  CHECK(result.workloads[0].within(true));
  const WithinRange count = within_range(result);  // gemm and bfs; atax is a fill-in, and the source says nothing about kmeans
  CHECK(count.named == 2);
  CHECK(count.within == 1);
  CHECK(count.within_with_merges == 2);
}

TEST_CASE("what could not be measured is not within") {
  const CharacteristicsResult result = evaluate(
      read(kHead +
           "workloads:\n- {workload: kmeans, where: x, states: {replicas: 1}}\n- {workload: bfs, where: x, states: {replicas: 1}}\n"),
      book_records().look_up());
  CHECK(within_range(result).named == 2);
  CHECK(within_range(result).within == 0);
  CHECK(result.workloads[3].why_missing == "base failed: signal 11");
}

TEST_CASE("the document has published beside measured, by source") {
  const SourceCharacteristics book = read(kBook);
  std::vector<JudgedCharacteristics> judged = {{book, evaluate(book, book_records().look_up()), {"wharf reproduce", "0.1.0, commit abc"}}};
  const std::string text = characteristics_markdown(judged);
  CHECK_THAT(text,
             Contains("| gemm@tiny | with merges | - | **30.0 % (above 50 %)** (in with merges) | 90.0 % | - | 5 | 2 (above 1.05) |"));
  CHECK_THAT(text, Contains("| atax@tiny (fill-in) | NO | - | 60.0 % (above 50 %) |"));
  CHECK_THAT(text, Contains("| bfs@tiny | yes | 2.50 M | 70.0 % | - | 50.0 % (54 %) |"));
  CHECK_THAT(text, Contains("| kmeans@tiny | not measured: base failed: signal 11 |"));
  CHECK_THAT(text, Contains("| book | abc | 2 | 1 | 2 |"));
  CHECK_THAT(text, Contains("Measured by wharf reproduce with Wharf 0.1.0, commit abc, on "));
  CHECK_THAT(characteristics_markdown(judged, "Only these workloads: gemm."), Contains("\n\n**Only these workloads: gemm.**\n\n"));

  judged.push_back(judged[0]);
  judged[1].source.source = "paper";
  judged[1].origin.program = "0.1.0, commit def";
  CHECK(within_range(judged).named == 4);
  CHECK(within_range(judged).within == 2);
  CHECK_THAT(characteristics_markdown(judged), Contains("book of abc, paper of def"));
}

}  // namespace
}  // namespace wharf::cli
