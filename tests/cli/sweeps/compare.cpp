// `wharf compare` as a user sees it: outputs, continuing, failures.

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "model/base/files/output_files.h"
#include "platforms/cli/files.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<std::string> kCompare = {"compare", "private", "private_16x_l1", "--stimuli", "vectoradd@tiny", "--out", "c"};

TEST_CASE("compare prints the table and writes report, JSON and CSV") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, kCompare);
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("L1 miss rate") && Contains("vectoradd@tiny") && Contains("mean") && Contains("c/report.html"));
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["baseline"] == "private");
  CHECK(json["runs"].size() == 2);
  CHECK(json["runs"][0]["speed_up"] == 1.0);
  CHECK(json["means"]["private_16x_l1"]["speed_up_geometric"] == json["runs"][1]["speed_up"]);
  CHECK(json["runs"][0]["run"] == read_json(folder / "c/runs/private/vectoradd@tiny/result.json")["run"]);
  CHECK_THAT(read_file(folder / "c/compare.csv"), Contains("\nprivate_16x_l1,vectoradd@tiny,"));
  CHECK_THAT(read_file(folder / "c/report.html"), Contains("<table>") && Contains("private_16x_l1"));
}

TEST_CASE("compare without configurations puts each design beside the private L1s of its own GPU") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "--stimuli", "vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = read_json(folder / "c/compare.json");
  const nlohmann::ordered_json groups = {
      {{"baseline", "private"}, {"configs", {"private", "private_16x_l1", "private_single_l1"}}},
      {{"baseline", "remote_sharing/baseline"}, {"configs", {"remote_sharing/baseline", "remote_sharing"}}},
      {{"baseline", "shared_l1/baseline"}, {"configs", {"shared_l1/baseline", "shared_l1"}}},
      {{"baseline", "dc_l1/private"}, {"configs", {"dc_l1/private", "dc_l1"}}},
      {{"baseline", "ata/private"}, {"configs", {"ata/private", "ata"}}},
      {{"baseline", "morpheus/bl"}, {"configs", {"morpheus/bl", "morpheus"}}}};
  CHECK(json["groups"] == groups);
  // A speed-up is over the baseline of the run's own group.
  std::size_t next = 0;
  for (const auto& group : groups) {
    const double baseline_ns = json["runs"][next]["run"]["time_ns"];
    for (const auto& config : group["configs"]) {
      const auto& run = json["runs"][next++];
      CHECK(run["config"] == config);
      CHECK(run["speed_up"].get<double>() == Approx(baseline_ns / run["run"]["time_ns"].get<double>()));
    }
  }
  CHECK(json["runs"].size() == next);
}

TEST_CASE("compare --gpu puts every design that is legal there beside private, and lists the others with the reason") {
  const TemporaryFolder folder;
  const Ended mesh = wharf(folder, {"compare", "--gpu", "48sm_8x8", "--stimuli", "vectoradd@tiny", "--out", "mesh"});
  INFO(mesh.output);
  REQUIRE(mesh.exit_code == 0);
  const auto groups = read_json(folder / "mesh/compare.json")["groups"];
  REQUIRE(groups.size() == 1);
  CHECK(groups[0]["baseline"] == "private@48sm_8x8");
  for (const char* config : {"remote_sharing@48sm_8x8", "shared_l1@48sm_8x8"}) {
    INFO(config);
    CHECK(std::count(groups[0]["configs"].begin(), groups[0]["configs"].end(), config) == 1);
  }
  const Ended crossbar = wharf(folder, {"compare", "--gpu", "80sm_xbar", "--stimuli", "vectoradd@tiny", "--out", "crossbar"});
  REQUIRE(crossbar.exit_code == 0);
  const std::string reason = "a crossbar of SMs and slices has no way from one SM to another";
  CHECK_THAT(crossbar.output, Contains("refused: shared_l1@80sm_xbar\n") && Contains(reason));
  const auto refused = read_json(folder / "crossbar/compare.json")["groups"][0]["refused"];
  CHECK(refused[0]["config"] == "remote_sharing@80sm_xbar");
  CHECK_THAT(refused[0]["reason"].get<std::string>(), Contains(reason));
  CHECK_THAT(read_file(folder / "crossbar/report.html"), Contains(reason));
}

TEST_CASE("compare --gpu refuses a GPU that does not exist, and configurations beside it") {
  const TemporaryFolder folder;
  const Ended unknown = wharf(folder, {"compare", "--gpu", "28sm_mash", "--stimuli", "vectoradd@tiny"});
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.output, Contains("did you mean 'gpus/28sm_mesh'?"));
  const Ended both = wharf(folder, {"compare", "private", "--gpu", "28sm_mesh"});
  CHECK(both.exit_code == 2);
  CHECK_THAT(both.output, Contains("--gpu chooses the configurations and the baseline"));
}

TEST_CASE("compare runs again only what is not finished or has changed") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kCompare).exit_code == 0);
  const std::string report = read_file(folder / "c/compare.json");
  const auto kept = folder / "c/runs/private/vectoradd@tiny/result.json",
             lost = folder / "c/runs/private_16x_l1/vectoradd@tiny/result.json";
  const auto time = std::filesystem::last_write_time(kept);
  write_file(lost, "{\"inputs\": ");                                                         // as after a crash of the machine,
  Sqlite(folder / "c/runs.sqlite").run("DELETE FROM runs WHERE config = 'private_16x_l1'");  // before the record was written

  const Ended again = wharf(folder, kCompare);
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("1 are finished already"));
  CHECK(std::filesystem::last_write_time(kept) == time);
  CHECK(read_file(folder / "c/compare.json") == report);

  std::vector<std::string> changed = kCompare;
  changed.insert(changed.end(), {"--seed", "2"});
  CHECK_THAT(wharf(folder, changed).output, !Contains("finished already"));
}

TEST_CASE("a run that fails is reported, the others go on, and compare ends with 1") {
  const TemporaryFolder folder;
  // A folder where the failing run would write its result.
  std::filesystem::create_directories(folder / "c/runs/private_16x_l1/vectoradd@tiny/result.json/in_the_way");
  const Ended ended = wharf(folder, kCompare);
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("failed: private_16x_l1 vectoradd@tiny: exit code 2"));
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["runs"][0]["run"]["cycles"].get<std::uint64_t>() > 0);
  CHECK(json["runs"][1]["run"].is_null());
  CHECK_THAT(json["runs"][1]["failure"].get<std::string>(), Contains("cannot be written"));
}

TEST_CASE("Ctrl-C stops compare and its children with 130, and keeps what is finished") {
  const TemporaryFolder folder;
  Program program(folder,
                  {"compare", "private", "--stimuli", "vectoradd@tiny,synthetic:instructions=100000000", "--jobs", "1", "--out", "c"});
  REQUIRE(program.wait_for_signal_handler());
  const auto second = folder / "c/runs/private/synthetic:instructions=100000000/log.txt";
  while (!std::filesystem::exists(second)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.interrupt();
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 130);
  CHECK_THAT(ended.output, Contains("continues"));
  CHECK(read_json(folder / "c/runs/private/vectoradd@tiny/result.json")["partial"] == false);
  CHECK_FALSE(std::filesystem::exists(folder / "c/report.html"));
}

TEST_CASE("the baseline can be any configuration, and is added where it is missing") {
  const TemporaryFolder folder;
  const Ended ended = wharf(folder, {"compare", "private", "--baseline", "private_16x_l1", "--stimuli", "vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  const auto json = read_json(folder / "c/compare.json");
  CHECK(json["baseline"] == "private_16x_l1");
  CHECK(json["configs"] == nlohmann::ordered_json({"private_16x_l1", "private"}));
}

}  // namespace
}  // namespace wharf::cli
