// Points of sweep files, found by name: config/points.h, config/named_files.h.

#include <catch2/catch.hpp>

#include "model/base/config/layers.h"
#include "model/base/config/named_files.h"
#include "model/base/config/points.h"
#include "tests/support/config_sample.h"

using namespace wharf;
using namespace wharf::config;
using test::SampleParams;
using test::TemporaryFolder;

namespace {

const char* const kWays =
    "description: how many ways\n"
    "configs: [base]\n"
    "points:\n"
    "  - {name: w1, set: {l1.ways: 1}}\n"
    "  - {name: w2, set: {l1.ways: 2, title: '7'}}\n"
    "  - {name: w2_big, extends: 'd/ways:w2', set: {sms: 70}}\n";

/// A root of configurations, with a sweep in it.
struct Project {
  TemporaryFolder folder;
  Project() {
    folder.write("configs/base.yaml", "sms: 60\nper_workload: {BFS: {l1.mshrs: 7}}\n");
    folder.write("configs/gpus/big.yaml", "sms: 80\n");
    folder.write("sweeps/d/ways.yaml", kWays);
  }
  std::filesystem::path root() const { return folder.path() / "configs"; }
  test::SampleResult load(const std::string& name, const std::string& workload = {}) const {
    return config::load<SampleParams>(root(), name, {}, workload);
  }
  std::string error(const std::string& name) const {
    return test::error_of([&] { load(name); });
  }
};

}  // namespace

TEST_CASE("a point is the configuration that its line writes out: what it extends, its settings and a description") {
  const Project project;
  project.folder.write("configs/written.yaml", "extends: base\nl1: {ways: 2}\ntitle: '7'\n");
  CHECK(project.load("d/ways:w2").resolved_yaml == project.load("written").resolved_yaml);
  CHECK(project.load("d/ways:w2").params.sms == 60);
  CHECK(project.load("d/ways:w2").description == "base with l1.ways=2, title=\"7\"");
  CHECK(project.load("d/ways:w2", "BFS").params.l1.mshrs == 7);
}

TEST_CASE("published figures of a point are read as numbers, and change nothing of the configuration") {
  const Project project;
  project.folder.write("sweeps/d/figures.yaml",
                       "configs: [base]\npoints: [{name: a, set: {l1.ways: 2}, published: {ipc: 12.5}}, {name: b}]\n");
  CHECK(project.load("d/figures:a").params.l1.ways == 2);
  Mistakes mistakes;
  const Node sweep = read_document(project.folder.path() / "sweeps/d/figures.yaml", mistakes);
  CHECK(published_of(sweep, "a", {"ipc", "cycles"}, mistakes) == std::vector<std::pair<std::string, double>>{{"ipc", 12.5}});
  CHECK(published_of(sweep, "b", {"ipc"}, mistakes).empty());
  CHECK(mistakes.size() == 0);
  CHECK(published_of(sweep, "a", {"cycles"}, mistakes).empty());
  CHECK(mistakes.size() == 1);
}

TEST_CASE("a point is taken wherever a configuration is: by other points, files, GPUs and searches") {
  const Project project;
  CHECK(project.load("d/ways:w2_big").params.sms == 70);
  CHECK(project.load("d/ways:w2_big").params.l1.ways == 2);
  project.folder.write("configs/top.yaml", "extends: 'd/ways:w1'\nsms: 61\n");
  CHECK(project.load("top").params.sms == 61);
  CHECK(project.load("top").params.l1.ways == 1);
  CHECK(project.load("d/ways:w2@big").params.l1.ways == 2);
  project.folder.write("configs/best.yaml", "search: {key: extends, values: [base, 'd/ways:w1'], objective: max ipc}\n");
  CHECK(project.load("best").search->values == std::vector<std::string>{"base", "d/ways:w1"});
  const std::string mine = project.folder.write("mine.yaml", "points: [{name: a, extends: base, set: {l1.ways: 4}}]\n");
  CHECK(project.load(mine + ":a").params.l1.ways == 4);
}

TEST_CASE("points are listed behind the configurations, and sweeps by themselves") {
  const Project project;
  CHECK(configuration_names(project.root()) == std::vector<std::string>{"base", "gpus/big", "d/ways:w1", "d/ways:w2", "d/ways:w2_big"});
  CHECK(sweep_names(project.root()) == std::vector<std::string>{"d/ways"});
  CHECK(list_configurations(project.root())[2].description == "base with l1.ways=1");
  CHECK(list_sweeps(project.root())[0].description == "how many ways");
}

TEST_CASE("the folder of a design holds its own configuration, others and its sweeps, all by names below the design's") {
  const Project project;
  project.folder.write("designs/fast/design.yaml", "extends: fast/half\n");
  project.folder.write("designs/fast/configs/half.yaml", "extends: base\nsms: 30\n");
  project.folder.write("designs/fast/sweeps/ways.yaml", "points: [{name: w, extends: fast, set: {l1.ways: 2}}]\n");
  project.folder.write("designs/fast/claims.yaml", "source: fast\n");
  CHECK(project.load("fast").params.sms == 30);
  CHECK(project.load("fast/half").params.sms == 30);
  CHECK(project.load("fast/ways:w").params.l1.ways == 2);
  CHECK(configuration_names(project.root()) ==
        std::vector<std::string>{"base", "fast", "fast/half", "gpus/big", "d/ways:w1", "d/ways:w2", "d/ways:w2_big", "fast/ways:w"});
  CHECK(sweep_names(project.root()) == std::vector<std::string>{"d/ways", "fast/ways"});
  // Other files in the folder have no name.
  CHECK_FALSE(locate("fast/claims", "", project.root()));
  CHECK_FALSE(locate("fast/design", "", project.root()));
  CHECK_FALSE(locate_sweep("fast", "", project.root()));
  CHECK_FALSE(locate("../fast/design", "", project.root()));
}

TEST_CASE("a name that is no point says which is near, and where an extending file says it") {
  using Catch::Contains;
  const Project project;
  CHECK_THAT(project.error("d/ways:w3"), Contains("there is no configuration 'd/ways:w3'; did you mean 'd/ways:w1'?"));
  CHECK_THAT(project.error("d/ways:something"), Contains("; the points of 'd/ways' are w1, w2, w2_big"));
  CHECK_THAT(project.error("d/wayz:w1"), Contains("did you mean 'd/ways:w1'?"));
  CHECK_THAT(project.error("d/ways"), Contains("did you mean") || Contains("write one of d/ways:w1, d/ways:w2, d/ways:w2_big"));
  CHECK_THAT(project.error("d/ways:"), Contains("there is no configuration"));
  project.folder.write("configs/top.yaml", "sms: 3\nextends: 'd/ways:w22'\n");
  CHECK_THAT(project.error("top"), Contains("top.yaml:2:10: extends: there is no configuration 'd/ways:w22'; did you mean 'd/ways:w2'?"));
}

TEST_CASE("what is wrong with a point is said with its place in the sweep file") {
  using Catch::Contains;
  const Project project;
  const auto error = [&](const std::string& points, const std::string& name = "a") {
    project.folder.write("sweeps/s.yaml", points);
    return project.error("s:" + name);
  };
  CHECK_THAT(error("points: [{name: a, extends: base, set: {l1.wayz: 4}}]\n"), Contains("s.yaml:1:") && Contains("did you mean 'ways'?"));
  CHECK_THAT(error("points: [{name: a, extend: base}]\nconfigs: base\n"),
             Contains("s.yaml:1:20: points.extend: unknown key; did you mean 'extends'?"));
  CHECK_THAT(error("points: [{name: a, set: 3}]\nconfigs: base\n"), Contains("s.yaml:1:25: points.set: is '3'; write {key: value}"));
  CHECK_THAT(error("points: [{name: a, extends: bose}]\n"),
             Contains("s.yaml:1:29: extends: there is no configuration 'bose'; did you mean 'base'?"));
  CHECK_THAT(error("configs: [base, top]\npoints: [{name: a}]\n"),
             Contains("s.yaml:2:10: points: 'a' does not say which configuration it extends"));
  CHECK_THAT(error("configs: base\npoints: [{name: a}, {name: a}]\n"), Contains("s.yaml:2:28: points: two are called 'a'"));
  CHECK_THAT(error("configs: base\npoints: [{name: a}, {name: 'a b'}]\n"), Contains("2:21: points: holds 'a b'; give each a `name`"));
  CHECK_THAT(error("configs: base\npoints: {a: 1}\n"), Contains("has no points"));
  CHECK_THAT(error("configs: [base\n"), Contains("s.yaml:"));
  CHECK_THAT(error("points: [{name: a, extends: 's:b'}, {name: b, extends: 's:a'}]\n"),
             Contains("a configuration extends itself") && Contains("s.yaml:a"));
}
