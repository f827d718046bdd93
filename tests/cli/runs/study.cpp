// `wharf run` of a configuration with a study, as a user sees it.

#include "platforms/cli/runs/study.h"

#include <catch2/catch.hpp>

#include "platforms/cli/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const char* const kStudy =
    "extends: private\n"
    "description: how many ways\n"
    "study:\n"
    "  stimulus: vectoradd@tiny\n"
    "  metrics: [cycles, ipc]\n"
    "  points:\n"
    "    - {name: two ways, set: {l1.ways: 2}, published: {cycles: 1000}}\n"
    "    - {name: four ways, set: {l1.ways: 4}}\n";

TEST_CASE("a study is run at each of its points and printed beside the published figures") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kStudy);
  const Ended ended = wharf(folder, {"run", "./s.yaml", "--out", "s", "--jobs", "1"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("2 runs") && Contains("how many ways") && Contains("two ways") && Contains("(1000, "));
  const Json result = read_json(folder / "s/result.json");
  const Json& table = result["tables"]["study"];
  CHECK(table["columns"] == Json({"point", "cycles", "cycles published", "ipc", "ipc published"}));
  REQUIRE(table["rows"].size() == 2);
  CHECK(table["rows"][0][0] == "two ways");
  CHECK(table["rows"][0][2] == 1000);
  CHECK(table["rows"][1][2].is_null());
  CHECK(table["rows"][1][1].get<std::uint64_t>() > 0);

  // Nothing runs twice, and a setting of the user's goes before those of the points.
  CHECK_THAT(wharf(folder, {"run", "./s.yaml", "--out", "s"}).output, Contains("0 runs"));
  const Ended set = wharf(folder, {"run", "./s.yaml", "--out", "s", "--set", "l1.ways=8"});
  CHECK_THAT(set.output, Contains("1 runs"));
}

TEST_CASE("a configuration with a study and a stimulus is one run") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kStudy);
  const Ended ended = wharf(folder, {"run", "./s.yaml", "--stimulus", "vectoradd@tiny", "--out", "s"});
  CHECK(ended.exit_code == 0);
  CHECK(read_json(folder / "s/result.json").contains("run"));
}

TEST_CASE("mistakes of a study end with 2 before anything runs") {
  const TemporaryFolder folder;
  std::string text = kStudy;
  folder.file("metric.yaml", text.replace(text.find("ipc"), 3, "icp"));
  const Ended metric = wharf(folder, {"run", "./metric.yaml", "--out", "s"});
  CHECK(metric.exit_code == 2);
  CHECK_THAT(metric.output, Contains("icp"));
  folder.file("s.yaml", kStudy);
  const Ended timeline = wharf(folder, {"run", "./s.yaml", "--timeline", "t.json", "--out", "s"});
  CHECK(timeline.exit_code == 2);
  CHECK_THAT(timeline.output, Contains("--timeline is for a single run"));
  const Ended jobs = wharf(folder, {"run", "private", "--stimulus", "vectoradd@tiny", "--jobs", "2", "--out", "s"});
  CHECK(jobs.exit_code == 2);
  CHECK_THAT(jobs.output, Contains("--jobs is for a study"));
  CHECK_FALSE(std::filesystem::exists(folder / "s"));
}

TEST_CASE("a point that fails is a dash in the table, and a figure without a published one stands alone") {
  config::Study study;
  study.metrics = {"ipc"};
  study.points = {{"a", {}, {{"ipc", 10.0}}, {}}, {"b", {}, {}, {}}, {"c", {}, {{"ipc", 10.0}}, {}}};
  std::vector<RunRecord> records(3);
  for (std::size_t i = 0; i < 2; ++i) {
    records[i].status = RunStatus::done;
    records[i].result["run"]["ipc"] = 11.0;
  }
  records[2].status = RunStatus::failed;
  const Table table = study_table(study, "t", records);
  CHECK(table.rows[0][1] == "11 (10, +10.0 %)");
  CHECK(table.rows[1][1] == "11");
  CHECK(table.rows[2][1] == "-");
  CHECK(study_json(study, records)["rows"][2] == Json({"c", nullptr, 10.0}));
}

}  // namespace
}  // namespace wharf::cli
