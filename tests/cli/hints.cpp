// Commands in the program's hints can be pasted as printed, into the shell and folder of the previous command.

#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>

#include "platforms/cli/terminal/shell.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// A folder in which ./wharf is the program.
struct Shell {
  Shell() { std::filesystem::create_symlink(built_program(), folder / "wharf"); }
  Ended run(const std::string& line) const { return Program(folder, {"-c", line}, "/bin/sh").wait(); }
  TemporaryFolder folder;
};

/// The text after `start` in its line.
std::string command_after(const std::string& output, const std::string& start) {
  const std::size_t begin = output.find(start);
  if (begin == std::string::npos) return "false";
  return output.substr(begin + start.size(), output.find('\n', begin) - begin - start.size());
}

TEST_CASE("the command that compare offers runs, with blanks in paths and settings, other seeds, and what a search chose") {
  const Shell shell;
  shell.folder.file("my cfg.yaml", "extends: private\nl1: {capacity_kib: 16}\n");
  shell.folder.file("best.yaml", "search: {key: extends, values: [private, 'my cfg.yaml'], objective: max ipc, tie: first}\n");
  shell.folder.file("mshrs.yaml", "extends: private\nsearch: {key: l1.mshr_entries, values: [2, 32], objective: max ipc, tie: first}\n");
  for (const char* compare : {
           "private 'my cfg.yaml'",
           "private 'my cfg.yaml' --seed 3 --set 'sm.warp_scheduler=gto' --set 'network.crossbar.latency=  7'",
           "'my cfg.yaml' best.yaml",
           "'my cfg.yaml' mshrs.yaml",
           "mshrs.yaml 'my cfg.yaml'",
       }) {
    const Ended compared = shell.run(std::string("./wharf compare --stimuli vectoradd@tiny --quiet ") + compare);
    INFO(compare << '\n' << compared.output);
    REQUIRE(compared.exit_code == 0);
    const std::string command = command_after(compared.output, "to see why: ");
    const Ended pasted = shell.run(command);
    INFO(command << '\n' << pasted.output);
    CHECK(pasted.exit_code == 0);
  }
}

TEST_CASE("the commands that explain and a merge offer run") {
  const Shell shell;
  shell.folder.file("my cfg.yaml", "extends: private\nl1: {mshr_entries: 2}\n");
  const Ended explained = shell.run("./wharf explain 'my cfg.yaml' --stimulus gemm@tiny --set 'network.crossbar.latency= 7' --seed 2");
  INFO(explained.output);
  REQUIRE(explained.exit_code == 0);
  const Ended turned = shell.run(command_after(explained.output, "./wharf explain").insert(0, "./wharf explain"));
  INFO(turned.output);
  CHECK(turned.exit_code == 0);

  shell.folder.file("my sweep.yaml", "configs: ['my cfg.yaml']\nstimuli: [vectoradd@tiny]\nvary: {l1.ways: [2, 4]}\n");
  REQUIRE(shell.run("./wharf sweep 'my sweep.yaml' --shard 1/2 --out 'part 1'").exit_code == 0);
  const Ended merged = shell.run("./wharf sweep 'my sweep.yaml' --merge 'part 1' --tasks 2 --out 'the whole'");
  INFO(merged.output);
  REQUIRE(merged.exit_code == 1);
  const std::string rest = command_after(merged.output, "run the rest here: ");
  const Ended whole = shell.run(rest);
  INFO(rest << '\n' << whole.output);
  CHECK(whole.exit_code == 0);
}

TEST_CASE("a command is offered under the name by which the program was called") {
  const Shell shell;
  std::filesystem::create_directory(shell.folder / "a b");
  std::filesystem::create_symlink(built_program(), shell.folder / "a b/wharf");
  const Ended compared = shell.run("'a b/wharf' compare private --stimuli vectoradd@tiny --quiet");
  CHECK_THAT(compared.output, Contains("to see why: 'a b/wharf' explain private --stimulus vectoradd@tiny\n"));
}

}  // namespace
}  // namespace wharf::cli
