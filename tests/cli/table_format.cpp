// --format and --progress json: output for other programs.

#include "platforms/cli/terminal/table_format.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
using Json = nlohmann::ordered_json;

const Table kTable{"L1, \"miss\"", "a note", {"name", "a|b"}, {{"1", "2.5"}, {"x,y", "-"}, {"z", "50.4 %"}}, 1};

TEST_CASE("csv quotes what it must, and of several tables each has its title before it") {
  CHECK(as_format({kTable}, TableFormat::csv) == "name,a|b\n1,2.5\n\"x,y\",-\nz,50.4 %\n");
  CHECK(as_format({kTable, {"second", "", {"c"}, {{"d"}}, 0}}, TableFormat::csv) ==
        "\"L1, \"\"miss\"\"\"\nname,a|b\n1,2.5\n\"x,y\",-\nz,50.4 %\n\nsecond\nc\nd\n");
}

TEST_CASE("markdown has a title, a pipe table in which a bar is escaped, and the note") {
  CHECK(as_format({kTable}, TableFormat::markdown) ==
        "### L1, \"miss\"\n\n| name | a\\|b |\n|---|---|\n| 1 | 2.5 |\n| x,y | - |\n| z | 50.4 % |\n\na note\n");
}

TEST_CASE("json has numbers where cells are numbers, null where there is none, and names as text") {
  const Json list = Json::parse(as_format({kTable}, TableFormat::json));
  REQUIRE(list.size() == 1);
  CHECK(list[0]["title"] == "L1, \"miss\"");
  CHECK(list[0]["note"] == "a note");
  CHECK(list[0]["columns"] == Json({"name", "a|b"}));
  CHECK(list[0]["rows"] == Json::parse(R"([["1", 2.5], ["x,y", null], ["z", "50.4 %"]])"));
  const Table odd{"", "", {"a", "b"}, {{"a", "nan"}, {"b", "inf"}, {"c", "12"}, {"d", "1e3"}, {"e", "0x10"}, {"f", ""}, {"g", "007"}}, 0};
  CHECK(Json::parse(as_format({odd}, TableFormat::json))[0]["rows"] ==
        Json::parse(R"([["a", "nan"], ["b", "inf"], ["c", 12], ["d", 1000.0], ["e", "0x10"], ["f", null], ["g", 7.0]])"));
}

TEST_CASE("an unknown format or style of progress is refused by every command that has the option, before it works") {
  const TemporaryFolder folder;
  folder.file("s.yaml", "configs: private\nstimuli: vectoradd@tiny\n");
  const std::vector<std::vector<std::string>> commands = {{"list", "suites"},
                                                          {"describe", "l1"},
                                                          {"compare", "private"},
                                                          {"sweep", "s.yaml"},
                                                          {"run", "private", "--stimulus", "vectoradd@tiny"},
                                                          {"validate"},
                                                          {"bench"},
                                                          {"reproduce"},
                                                          {"trace", "info", "x"},
                                                          {"vp"}};
  for (std::vector<std::string> command : commands) {
    command.insert(command.end(), {"--format", "cvs"});
    const Ended ended = wharf(folder, command);
    INFO(command.front() << ": " << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("--format: 'cvs' is not a format; did you mean 'csv'? There are text, csv, json, markdown"));
  }
  for (std::vector<std::string> command : {commands[2], commands[3], commands[4], commands[7]}) {
    command.insert(command.end(), {"--progress", "jsn"});
    const Ended ended = wharf(folder, command);
    INFO(command.front() << ": " << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains("--progress: 'jsn' is not a style; did you mean 'json'? There are bar and json"));
  }
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
  CHECK_THAT(wharf(folder, {"sweep", "s.yaml", "--progress", "json", "--quiet"}).output, Contains("--quiet and --progress: "));
  CHECK_THAT(wharf(folder, {"bench", "--json", "--format", "csv"}).output, Contains("--json and --format: "));
}

/// Runs with stderr in a file. Returns stdout.
std::string standard_output(const TemporaryFolder& folder, const std::string& arguments) {
  const Ended ended = Program(folder, {"-c", built_program() + ' ' + arguments + " 2>errors"}, "/bin/sh").wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  return ended.output;
}

TEST_CASE("lists, keys, workloads, sweeps, comparisons and runs are data on stdout, and nothing else is") {
  const TemporaryFolder folder;
  CHECK_THAT(standard_output(folder, "list policies --format csv"),
             Catch::StartsWith("name,help\n") && Contains("\nsm.warp_scheduler=gto,"));
  CHECK_THAT(standard_output(folder, "list suites --format markdown"),
             Catch::StartsWith("| name | help |\n|---|---|\n| quick | gemm@std, "));
  const Json key = Json::parse(standard_output(folder, "describe l2.ways --format json"));
  CHECK(key[0]["rows"][0][0] == "l2.ways");
  CHECK(key[0]["rows"][0][3] == 8);
  const Json gemm = Json::parse(standard_output(folder, "describe gemm --format json"));
  REQUIRE(gemm.size() == 2);
  CHECK(gemm[1]["title"] == "gemm: sizes");
  folder.file("s.yaml", "configs: private\nstimuli: vectoradd@tiny\nvary: {l1.ways: [4, 8]}\nmetrics: [cycles]\n");
  CHECK(standard_output(folder, "sweep s.yaml --out s --format csv").find("configuration,l1.ways,vectoradd@tiny\nprivate,4,1") == 0);
  CHECK_THAT(read_file(folder / "errors"), Contains("wrote s/sweep.csv"));
  const Json compared =
      Json::parse(standard_output(folder, "compare private private_single_l1 --stimuli vectoradd@tiny --out s --format json"));
  CHECK(compared[0]["rows"][0][0] == "vectoradd@tiny");
  const Json run = Json::parse(standard_output(folder, "run private --stimulus vectoradd@tiny --out r --format json"));
  CHECK(run[0]["rows"][0] == Json({"cycles", read_json(folder / "r/result.json")["run"]["cycles"]}));
  CHECK(run[1]["columns"][0] == "kernel");
}

TEST_CASE("progress as JSON is an object a line: start, progress, failures, end") {
  const TemporaryFolder folder;
  folder.file("s.yaml", "configs: private\nstimuli: [vectoradd@tiny, atax@tiny]\n");
  std::filesystem::create_directories(folder /
                                      "s/runs/private/vectoradd@tiny/result.json");  // a folder in place of the result: the run fails
  const Ended ended = wharf(folder, {"sweep", "s.yaml", "--out", "s", "--jobs", "1", "--progress", "json"});
  CHECK(ended.exit_code == 1);
  std::vector<Json> events;
  std::istringstream lines(ended.output);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line.front() == '{') events.push_back(Json::parse(line));
  REQUIRE(events.size() >= 4);
  CHECK(events.front()["event"] == "start");
  CHECK(events.front()["runs"] == 2);
  CHECK(events.front()["jobs"] == 1);
  std::size_t progress = 0, failed = 0;
  for (const Json& event : events) {
    if (event["event"] == "progress") ++progress;
    if (event["event"] != "failed") continue;
    ++failed;
    CHECK(event["run"] == "private vectoradd@tiny");
    CHECK(event["again"] == false);
  }
  CHECK(progress >= 1);
  CHECK(failed == 1);
  CHECK(events.back()["event"] == "end");
  CHECK(events.back()["elapsed_s"].get<double>() > 0.0);
}

}  // namespace
}  // namespace wharf::cli
