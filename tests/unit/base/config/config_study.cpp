// A configuration's study: config/study.h.

#include <catch2/catch.hpp>

#include "model/base/config/study.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using namespace wharf::config;
using test::sample_error;

namespace {

const char* const kStudy =
    "study:\n"
    "  stimulus: gemm@tiny\n"
    "  metrics: [ipc, cycles]\n"
    "  points:\n"
    "    - {name: few ways, set: {l1.ways: 2, title: '7'}, published: {ipc: 12.5}}\n"
    "    - {name: as it is}\n";

/// The text with one piece replaced.
std::string with(const std::string& old, const std::string& text) {
  std::string study = kStudy;
  return study.replace(study.find(old), old.size(), text);
}

}  // namespace

TEST_CASE("study: points have a name, settings as --set takes them and published figures") {
  const auto study = test::read_sample(kStudy).study;
  REQUIRE(study);
  CHECK(study->stimulus == "gemm@tiny");
  CHECK(study->metrics == std::vector<std::string>{"ipc", "cycles"});
  REQUIRE(study->points.size() == 2);
  CHECK(study->points[0].name == "few ways");
  CHECK(study->points[0].settings == std::vector<std::string>{"l1.ways=2", "title=\"7\""});
  CHECK(study->points[0].published == std::vector<std::pair<std::string, double>>{{"ipc", 12.5}});
  CHECK(study->points[1].settings.empty());
}

TEST_CASE("study: it belongs to the named file, not to those that extend it, and no setting reaches the parameters") {
  const test::TemporaryFolder root;
  root.write("a.yaml", kStudy);
  root.write("b.yaml", "extends: a\n");
  CHECK(load<test::SampleParams>(root.path(), "a").study);
  CHECK(load<test::SampleParams>(root.path(), "a").params.l1.ways == 4);
  CHECK_FALSE(load<test::SampleParams>(root.path(), "b").study);
}

TEST_CASE("study: every mistake is named with its place and what to write") {
  using Catch::Contains;
  CHECK_THAT(sample_error("study: [a]\n"), Contains("1:8: study: is a list; write study: {stimulus, metrics, points}"));
  CHECK_THAT(sample_error(with("stimulus: gemm@tiny", "stimulis: x")),
             Contains("2:3: study.stimulis: unknown key; did you mean 'stimulus'?") && Contains("study: has no `stimulus` of one word"));
  CHECK_THAT(sample_error(with("[ipc, cycles]", "[]")), Contains("3:3: study.metrics: must be a list of 1 to 256 items"));
  CHECK_THAT(sample_error(with("[ipc, cycles]", "[[ipc]]")), Contains("3:13: study.metrics: holds a list; write single words"));
  CHECK_THAT(sample_error(with("{name: as it is}", "cycles")), Contains("6:7: study.points: holds 'cycles'; write {name, set, published}"));
  CHECK_THAT(sample_error(with("name: few ways, ", "")), Contains("study.points: has no `name` of one word"));
  CHECK_THAT(sample_error(with("{l1.ways: 2, title: '7'}", "3")), Contains("study.points.set: is '3'; write {key: value}"));
  CHECK_THAT(sample_error(with("l1.ways: 2", "l1: {ways: 2}")), Contains("study.points.set: 'l1' is not a key path with a single value"));
  CHECK_THAT(sample_error(with("l1.ways: 2", "search.key: 2")), Contains("'search.key' is not a key path"));
  CHECK_THAT(sample_error(with("12.5", "much")), Contains("study.points.published: 'much' is not a number"));
  CHECK_THAT(sample_error(with("published: {ipc", "published: {ipd")),
             Contains("'ipd' is not among the study's metrics; they are ipc, cycles"));
}

TEST_CASE("study: the settings of every point are checked with the configuration") {
  using Catch::Contains;
  CHECK_THAT(sample_error(with("l1.ways: 2", "l1.wais: 2")), Contains("5:30: l1.wais: unknown key; did you mean 'ways'?"));
  CHECK_THAT(sample_error(with("l1.ways: 2", "l1.ways: 3")), Contains("capacity_kib"));
}
