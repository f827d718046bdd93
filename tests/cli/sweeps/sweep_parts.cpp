// A sweep in parts: --shard, --merge and --emit.

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <sstream>

#include "platforms/cli/sweeps/emit.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

constexpr const char* kFour = "configs: private\nstimuli: [vectoradd@tiny, atax@tiny]\nvary: {l1.ways: [4, 8]}\n";

Ended sweep_with(const TemporaryFolder& folder, std::vector<std::string> options) {
  options.insert(options.begin(), {"sweep", "s.yaml"});
  return wharf(folder, options);
}

std::string refusal(const TemporaryFolder& folder, const std::vector<std::string>& options) {
  const Ended ended = sweep_with(folder, options);
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  return ended.output;
}

TEST_CASE("two parts of a sweep, merged, are the sweep, and a part says which it is") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kFour);
  REQUIRE(sweep_with(folder, {"--out", "whole"}).exit_code == 0);
  REQUIRE(sweep_with(folder, {"--shard", "1/2", "--out", "parts/1"}).exit_code == 0);
  const Ended second = sweep_with(folder, {"--shard", "2/2", "--out", "parts/2"});
  REQUIRE(second.exit_code == 0);
  CHECK_THAT(second.output, Contains("2 runs, ") && Contains("part 2/2 of 4") &&
                                Contains("part 2/2 is done: 2 of 4 runs have ended in parts/2; when all parts are finished, --merge"));
  CHECK_FALSE(fs::exists(folder / "parts/2/sweep.csv"));
  for (const char* parts : {"parts", "parts/2,parts/1"}) {
    fs::remove_all(folder / "joined");
    const Ended merged = sweep_with(folder, {"--merge", parts, "--out", "joined"});
    INFO(merged.output);
    CHECK(merged.exit_code == 0);
    CHECK_THAT(merged.output, !Contains("missing"));
    CHECK(read_file(folder / "joined/sweep.csv") == read_file(folder / "whole/sweep.csv"));
    CHECK(read_file(folder / "joined/sweep.json") == read_file(folder / "whole/sweep.json"));
    CHECK_FALSE(fs::exists(folder / "joined/runs"));
  }
  CHECK_THAT(sweep_with(folder, {"--out", "joined"}).output, Contains("0 runs, ") && Contains("4 are finished already"));
}

TEST_CASE("a merge with a part missing runs nothing, says what is missing and of which parts, and ends with 1") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kFour);
  REQUIRE(sweep_with(folder, {"--shard", "2/2", "--out", "parts/2"}).exit_code == 0);
  const Ended merged = sweep_with(folder, {"--merge", "parts", "--tasks", "2", "--out", "joined"});
  CHECK(merged.exit_code == 1);
  CHECK_THAT(merged.output,
             Contains("missing: 2 of 4 runs, in parts 1 of 2\n") && Contains("run the rest here: ./wharf sweep s.yaml --out joined"));
  CHECK_FALSE(fs::exists(folder / "joined/runs"));
  const std::string csv = read_file(folder / "joined/sweep.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  const std::regex missing(",missing,,\n"), done(",done,");
  CHECK(std::distance(std::sregex_iterator(csv.begin(), csv.end(), missing), {}) == 2);
  CHECK(std::distance(std::sregex_iterator(csv.begin(), csv.end(), done), {}) == 2);
  // The rest runs here: two runs, not four.
  CHECK_THAT(sweep_with(folder, {"--out", "joined"}).output, Contains("2 runs, ") && Contains("2 are finished already"));
}

TEST_CASE("two parts that write one folder at once, and two writers of one part, lose no record and run nothing twice") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kFour);
  {
    Program first(folder, {"sweep", "s.yaml", "--shard", "1/2", "--out", "both", "--jobs", "1"});
    Program second(folder, {"sweep", "s.yaml", "--shard", "2/2", "--out", "both", "--jobs", "1"});
    Program third(folder, {"sweep", "s.yaml", "--shard", "2/2", "--out", "both", "--jobs", "1"});
    for (Program* program : {&first, &second, &third}) {
      const Ended ended = program->wait();
      INFO(ended.output);
      CHECK(ended.exit_code == 0);
    }
  }
  const Ended merged = sweep_with(folder, {"--merge", "both", "--out", "joined"});
  INFO(merged.output);
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.output, Contains("both: 4 runs"));
}

TEST_CASE("finished runs of another folder count where --records names it, and a folder without any does not hinder") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kFour);
  REQUIRE(sweep_with(folder, {"--out", "whole"}).exit_code == 0);
  const Ended known = sweep_with(folder, {"--shard", "1/3", "--out", "p", "--records", "whole"});
  CHECK(known.exit_code == 0);
  CHECK_THAT(known.output, Contains("0 runs, "));
  CHECK_FALSE(fs::exists(folder / "p/runs"));
  CHECK_THAT(sweep_with(folder, {"--shard", "1/4", "--out", "q", "--records", "nowhere"}).output, Contains("1 run, "));
  CHECK_FALSE(fs::exists(folder / "nowhere"));
}

TEST_CASE("a run that failed in a part is named with its reason where the parts are merged") {
  const TemporaryFolder folder;
  folder.file("s.yaml", "configs: private\nstimuli: [vectoradd@tiny]\nvary: {l1.ways: [4]}\n");
  fs::create_directories(folder / "p/runs/private,l1.ways=4/vectoradd@tiny/result.json");  // a folder in place of the result
  REQUIRE(sweep_with(folder, {"--shard", "1/2", "--out", "p"}).exit_code == 1);
  const Ended merged = sweep_with(folder, {"--merge", "p", "--out", "joined"});
  CHECK(merged.exit_code == 1);
  CHECK_THAT(merged.output, Contains("failed: private,l1.ways=4 vectoradd@tiny: ") && Contains("missing: 1 of 1 runs\n"));
}

TEST_CASE("options of parts that do not fit together are refused, and so are forms that do not exist") {
  const TemporaryFolder folder;
  folder.file("s.yaml", kFour);
  CHECK_THAT(refusal(folder, {"--emit", "slrum"}),
             Contains("--emit: 'slrum' is not a format; did you mean 'slurm'? There are slurm, parallel, make"));
  CHECK_FALSE(fs::exists(folder / "out"));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--shard", "1/2"}), Contains("--emit and --shard: "));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--merge", "p"}), Contains("--emit and --merge: "));
  CHECK_THAT(refusal(folder, {"--shard", "1/2", "--merge", "p"}), Contains("--shard and --merge: "));
  CHECK_THAT(refusal(folder, {"--shard", "3/2"}), Contains("--shard: the part"));
  CHECK_THAT(refusal(folder, {"--cpus", "2"}), Contains("--cpus needs --emit"));
  CHECK_THAT(refusal(folder, {"--minutes", "2"}), Contains("--minutes needs --emit"));
  CHECK_THAT(refusal(folder, {"--tasks", "2"}), Contains("--tasks needs --emit or --merge"));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--tasks", "0"}), Contains("--tasks: '0' is not a whole number from 1 to 1000"));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--cpus", "0"}), Contains("--cpus: '0'"));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--out", "a\nb"}), Contains("--out has a line break"));
  CHECK_THAT(refusal(folder, {"--emit", "make", "--out", ""}), Contains("--out"));
  CHECK_THAT(refusal(folder, {"--merge", "nowhere", "--out", "m"}), Contains("--merge: nowhere: has no runs.sqlite"));
}

std::vector<ExpectedRun> runs_of_seconds(const std::vector<double>& seconds) {
  std::vector<ExpectedRun> runs;
  for (const double s : seconds) runs.push_back({std::to_string(runs.size()), s, s, false});
  return runs;
}

TEST_CASE("tasks take half an hour each, at most one a run, and their limit is three times the longest and five minutes") {
  // 5000 s on 1 processor: three tasks; 3000 | 1000 | 1000.
  const TaskPlan hours = plan_tasks(runs_of_seconds({3000, 1000, 1000}), 0, 1, 0);
  CHECK(hours.tasks == 3);
  CHECK(hours.longest_s == 3000.0);
  CHECK(hours.limit_minutes == 155);
  CHECK(plan_tasks(runs_of_seconds({3000, 1000, 1000}), 0, 2, 0).tasks == 2);
  CHECK(plan_tasks(runs_of_seconds({3000, 1000, 1000}), 2, 2, 0).longest_s == 3000.0);  // 3000 | 2000 by two processors
  CHECK(plan_tasks(runs_of_seconds({1000, 1000, 1000}), 1, 2, 0).longest_s == 1500.0);
  CHECK(plan_tasks(runs_of_seconds({10, 10}), 9, 1, 7).tasks == 2);
  CHECK(plan_tasks(runs_of_seconds({10, 10}), 9, 1, 7).limit_minutes == 7);
  CHECK(plan_tasks(runs_of_seconds(std::vector<double>(5000, 3600.0)), 0, 1, 0).tasks == 1000);
  std::vector<ExpectedRun> finished = runs_of_seconds({3000, 1000});
  finished[0].finished = true;
  const TaskPlan rest = plan_tasks(finished, 0, 1, 0);
  CHECK(rest.tasks == 1);
  CHECK(rest.open == 1);
  CHECK(rest.runs == 2);
  CHECK(rest.longest_s == 1000.0);
}

TEST_CASE("a word for the shell is itself where it is harmless, and else in single quotes") {
  CHECK(shell_word("out/l1_size@a,b=c:d") == "out/l1_size@a,b=c:d");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("$x") == "'$x'");
  CHECK(shell_word("=x") == "'=x'");  // zsh would look for a command x
}

TEST_CASE("a limit of more than a day is written as Slurm reads it, and a folder outside by its whole name") {
  TaskPlan plan;
  plan.tasks = 2;
  plan.limit_minutes = 2 * 24 * 60 + 65;
  const Emitted slurm = emit_sweep("slurm", {"/opt/wharf", "/srv/me", "s.yaml", "/scratch/out", {"my plugin.so"}}, plan);
  CHECK_THAT(slurm.files[0].text, Contains("#SBATCH --time=2-01:05:00\n") && Contains(" --plugin 'my plugin.so'\n"));
  CHECK_THAT(slurm.files[2].text, Contains("\ncd -- /srv/me\n") && Contains("log=$(printf %s /scratch/out/log | sed"));
  CHECK(slurm.start == "sh /scratch/out/submit.sh");
}

/// The blocks of docs/howto-cluster.md that are indented by four spaces.
std::vector<std::string> examples_of_document() {
  std::istringstream document(read_file(project_root() / "docs" / "howto-cluster.md"));
  std::vector<std::string> blocks = {""};
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("    ", 0) == 0) {
      blocks.back() += line.substr(4) + "\n";
    } else if (!blocks.back().empty()) {
      blocks.emplace_back();
    }
  }
  return blocks;
}

TEST_CASE("the examples of docs/howto-cluster.md run as they stand, and array.sbatch is the one shown") {
  const TemporaryFolder folder;
  const std::vector<std::string> blocks = examples_of_document();
  REQUIRE(blocks.size() > 6);
  folder.file("mshrs.yaml", blocks[0]);
  std::string shown;
  std::vector<std::string> commands;
  for (const std::string& block : blocks) {
    if (block.rfind("#!/bin/sh", 0) == 0) shown = block;
    std::istringstream lines(block);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("./wharf ", 0) == 0) commands.push_back(line.substr(8));
  }
  REQUIRE(commands.size() == 6);
  for (const std::string& command : commands) {
    std::istringstream words(command);
    const Ended ended = wharf(folder, {std::istream_iterator<std::string>(words), {}});
    INFO(command << '\n' << ended.output);
    REQUIRE(ended.exit_code == 0);
  }
  std::string text = read_file(folder / "out/mshrs/array.sbatch");
  const std::string program = shell_word(fs::canonical(built_program()).string());
  text.replace(text.find(program), program.size(), "/opt/wharf/bin/wharf");
  CHECK(text == shown);
  // The body of a task as Slurm starts it, but without Slurm; then the command that joins the parts.
  const auto script = [&](const std::string& line) { return Program(folder, {"-c", line}, "/bin/sh").wait(); };
  for (const char* part : {"1", "2"}) {
    const Ended task = script(std::string("SLURM_ARRAY_TASK_ID=") + part + " sh out/mshrs/array.sbatch");
    INFO(task.output);
    CHECK(task.exit_code == 0);
    CHECK_THAT(task.output, Contains("part " + std::string(part) + "/2 is done: 3 of 6 runs"));
  }
  const Ended merged = script("sh out/mshrs/merge.sbatch");
  INFO(merged.output);
  CHECK(merged.exit_code == 0);
  CHECK(read_file(folder / "out/mshrs/sweep.csv") == read_file(folder / "joined/sweep.csv"));
}

}  // namespace
}  // namespace wharf::cli
