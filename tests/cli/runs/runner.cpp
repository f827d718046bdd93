// The runner of compare, sweep and reproduce: records, retries, several commands at once.

#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include "model/base/files/output_files.h"
#include "platforms/cli/runs/records/sqlite.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const std::vector<std::string> kOne = {"compare", "private", "--stimuli", "vectoradd@tiny", "--out", "c"};
/// Runs for some tenths of a second: long enough to be found running.
const std::vector<std::string> kLong = {"compare", "private", "--stimuli", "synthetic:instructions=200", "--jobs", "1", "--out", "c"};

void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

/// The run that `program` has started and that is not `other`; 0 if the program ended without one.
pid_t wait_for_run(const Program& program, pid_t other = 0) {
  while (true) {
    for (const pid_t child : program.children()) {
      if (child != other) return child;
    }
    if (program.ended()) return 0;
    pause();
  }
}

std::string answer(const TemporaryFolder& folder, const std::string& sql) {
  Sqlite database(folder / "c/runs.sqlite");
  Statement statement(database, sql);
  return statement.step() ? statement.text(0) : std::string();
}

/// A copy of the program with another last byte in the part of its build id that `fingerprint` (hexadecimal) shows.
std::string with_other_build_id(std::string program, const std::string& fingerprint) {
  std::string id;
  for (std::size_t i = 0; i + 1 < fingerprint.size(); i += 2) id += static_cast<char>(std::stoi(fingerprint.substr(i, 2), nullptr, 16));
  const std::size_t at = program.find(id);
  REQUIRE(at != std::string::npos);
  program[at + id.size() - 1] ^= 1;
  return program;
}

TEST_CASE("a run leaves one record that SQL can ask") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kOne).exit_code == 0);
  const auto run = read_json(folder / "c/compare.json")["runs"][0]["run"];
  CHECK(answer(folder, "SELECT count(*) FROM runs") == "1");
  CHECK(answer(folder, "SELECT cycles FROM runs WHERE config = 'private' AND status = 'done'") == run["cycles"].dump());
  CHECK(answer(folder, "SELECT json_extract(result, '$.run.\"l1.load.misses\"') FROM runs") == run["l1.load.misses"].dump());
  CHECK_FALSE(answer(folder, "SELECT commit_id FROM runs").empty());
  CHECK(answer(folder, "SELECT json_type(result, '$.windows') FROM runs").empty());
}

TEST_CASE("where fewer runs than --jobs are left, they share the threads, with the results of one") {
  const TemporaryFolder folder;
  const auto compare = [&](const char* jobs, const char* stimuli, const char* out) {
    const Ended ended = wharf(folder, {"compare", "private", "--stimuli", stimuli, "--jobs", jobs, "--out", out});
    INFO(ended.output);
    REQUIRE(ended.exit_code == 0);
    std::vector<Json> runs;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / out))
      if (entry.path().filename() == "result.json") runs.push_back(read_json(entry.path()));
    return runs;
  };
  const std::vector<Json> one = compare("1", "vectoradd@tiny", "one"), alone = compare("3", "vectoradd@tiny", "alone");
  CHECK_FALSE(one.at(0)["host"].contains("threads"));
  CHECK(alone.at(0)["host"]["threads"] == 3);
  CHECK(alone.at(0)["run"] == one.at(0)["run"]);
  for (const Json& run : compare("2", "vectoradd@tiny,gemm@tiny", "both")) CHECK_FALSE(run["host"].contains("threads"));
}

TEST_CASE("configurations that resolve to the same machine share a run") {
  const TemporaryFolder folder;
  folder.file("mine.yaml", "description: the baseline under another name\nextends: private\n");
  const Ended ended = wharf(folder, {"compare", "private", "./mine.yaml", "--stimuli", "vectoradd@tiny", "--out", "c"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("1 run,"));
  CHECK(read_json(folder / "c/compare.json")["runs"][1]["speed_up"] == 1.0);
}

TEST_CASE("a killed run is reported and run once more") {
  const TemporaryFolder folder;
  Program program(folder, kLong);
  const pid_t first = wait_for_run(program);
  REQUIRE(first != 0);
  kill(first, SIGKILL);
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("failed: private synthetic:instructions=200: signal 9 (Killed)") && Contains("it is repeated once"));
  CHECK(answer(folder, "SELECT status FROM runs") == "done");
}

TEST_CASE("a run killed twice is recorded as failed, the others go on, and the next command tries it again") {
  const TemporaryFolder folder;
  std::vector<std::string> both = kLong;
  both[3] += ",vectoradd@tiny";
  Program program(folder, both);
  const pid_t first = wait_for_run(program);
  REQUIRE(first != 0);
  kill(first, SIGKILL);
  const pid_t second = wait_for_run(program, first);
  REQUIRE(second != 0);
  kill(second, SIGKILL);
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK(answer(folder, "SELECT stimulus FROM runs WHERE status = 'failed'") == "synthetic:instructions=200");
  CHECK(answer(folder, "SELECT failure FROM runs WHERE status = 'failed'") == "signal 9 (Killed)");
  CHECK(answer(folder, "SELECT stimulus FROM runs WHERE status = 'done'") == "vectoradd@tiny");

  const Ended again = wharf(folder, both);
  INFO(again.output);
  CHECK(again.exit_code == 0);
  CHECK_THAT(again.output, Contains("1 run,") && Contains("1 is finished already"));
  CHECK(answer(folder, "SELECT count(*) FROM runs WHERE status = 'done'") == "2");
}

TEST_CASE("two commands at once make a run once and both have it") {
  const TemporaryFolder folder;
  Program first(folder, kLong);
  REQUIRE(wait_for_run(first) != 0);
  Program second(folder, kLong);
  while (!second.ended()) {
    CHECK(second.children().empty());
    pause();
  }
  const Ended one = first.wait(), two = second.wait();
  INFO(one.output << two.output);
  CHECK(one.exit_code == 0);
  CHECK(two.exit_code == 0);
  CHECK_THAT(two.output, Contains("synthetic:instructions=200"));
  CHECK(answer(folder, "SELECT count(*) FROM runs") == "1");
}

TEST_CASE("commands over the same suite at once lose nothing") {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"compare", "private", "private_16x_l1", "--stimuli", "vectoradd@tiny,gemm@tiny,atax@tiny",
                                              "--jobs",  "1",       "--out",          "c"};
  Program first(folder, arguments), second(folder, arguments), third(folder, arguments);
  for (Program* program : {&first, &second, &third}) {
    const Ended ended = program->wait();
    INFO(ended.output);
    CHECK(ended.exit_code == 0);
  }
  CHECK(answer(folder, "SELECT count(*) FROM runs WHERE status = 'done'") == "6");
}

TEST_CASE("another program does not use the records of this one") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kOne).exit_code == 0);
  const std::string other = (folder / "wharf").string();
  write_file(other, with_other_build_id(read_file(WHARF_PROGRAM), answer(folder, "SELECT program FROM runs")));
  std::filesystem::permissions(other, std::filesystem::perms::owner_all);
  const Ended ended = Program(folder, kOne, other).wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains("1 run,") && !Contains("finished already"));
  CHECK(answer(folder, "SELECT count(DISTINCT program) FROM runs") == "2");
  CHECK_THAT(wharf(folder, kOne).output, Contains("1 is finished already"));
}

TEST_CASE("a file that is no database is refused, and finished runs are taken up again without it") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kOne).exit_code == 0);
  for (const char* file : {"c/runs.sqlite-wal", "c/runs.sqlite-shm"}) std::filesystem::remove(folder / file);
  write_file(folder / "c/runs.sqlite", std::string(5000, '?'));
  const Ended ended = wharf(folder, kOne);
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("c/runs.sqlite: file is not a database; move it away"));
  std::filesystem::remove(folder / "c/runs.sqlite");
  CHECK_THAT(wharf(folder, kOne).output, Contains("1 is finished already"));
}

TEST_CASE("a record that is no result is made anew") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kOne).exit_code == 0);
  Sqlite(folder / "c/runs.sqlite").run("UPDATE runs SET result = substr(result, 1, 100)");
  CHECK_THAT(wharf(folder, kOne).output, Contains("1 is finished already"));  // from the folder of the run
  CHECK(answer(folder, "SELECT json_valid(result) FROM runs") == "1");
}

TEST_CASE("a database of a later version is refused") {
  const TemporaryFolder folder;
  REQUIRE(wharf(folder, kOne).exit_code == 0);
  Sqlite(folder / "c/runs.sqlite").run("PRAGMA user_version = 99");
  const Ended ended = wharf(folder, kOne);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("c/runs.sqlite: was written by another version of Wharf; move it away"));
}

TEST_CASE("a place that cannot hold a database is refused before anything runs") {
  const TemporaryFolder folder;
  folder.file("file", "");
  std::filesystem::create_directories(folder / "c/runs.sqlite");
  const auto into = [&](const std::string& out) {
    return wharf(folder, {"compare", "private", "--stimuli", "vectoradd@tiny", "--out", out});
  };
  for (const char* out : {"c", "file/x", "/proc/wharf"}) {
    const Ended ended = into(out);
    INFO(out << ": " << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output, Contains(out) && Contains("choose another") && !Contains("runs,"));
  }
}

}  // namespace
}  // namespace wharf::cli
