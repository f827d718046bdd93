// Every path to which a command writes is checked before the command does anything.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <sstream>

#include "model/base/files/output_files.h"
#include "platforms/cli/commands/declaration.h"
#include "platforms/inputs/files.h"
#include "test_paths.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

const std::string kEndless = "synthetic:instructions=1000000000";

/// Each command with arguments that would run for hours. Commands without output files are missing.
const std::map<std::string, std::vector<std::string>>& long_commands() {
  static const std::map<std::string, std::vector<std::string>> kCommands = {
      {"run", {"run", "private", "--stimulus", kEndless}},
      {"compare", {"compare", "private", "--stimuli", kEndless}},
      {"cuda", {"cuda", WHARF_SOURCE_DIR "/stimuli/cuda/programs/vector_addition.cu"}},
      {"explain", {"explain", "private", "--stimulus", kEndless}},
      {"sweep", {"sweep", "dc_l1/l1_latency"}},
      {"serve", {"serve"}},
      {"reproduce", {"reproduce", "--report=r.md"}},
      {"validate", {"validate"}},
      {"trace", {"trace", "export", "--stimulus", kEndless, "--out=t"}},
      {"vp", {"vp", "--config", "private"}},
      {"bench", {"bench"}},
  };
  return kCommands;
}

/// The command with the option at `path`, in place of its own option.
std::vector<std::string> with(std::vector<std::string> words, const DeclaredOption& option, const std::string& path) {
  const auto is_same = [&](const std::string& word) { return word.rfind("--" + option.name + '=', 0) == 0; };
  words.erase(std::remove_if(words.begin(), words.end(), is_same), words.end());
  words.push_back("--" + option.name);
  if (option.meta == "KERNEL FILE") words.emplace_back("1");
  words.push_back(path);
  return words;
}

std::string listing(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names)
    if (name.rfind("output", 0) != 0) all += name + '\n';  // not the printed output of the commands
  return all;
}

TEST_CASE("every option with a path says whether the command reads or writes there") {
  for (const Declaration& command : all_declarations()) {
    for (const DeclaredOption& option : command.options) {
      INFO(command.command << " --" << option.name << ' ' << option.meta);
      const bool names_path = option.meta.find("FILE") != std::string::npos || option.meta.rfind("DIR", 0) == 0;
      CHECK((!names_path || !option.path.empty()));
    }
  }
}

TEST_CASE("every output of every command is refused before anything runs, by its option, its path and the reason") {
  const TemporaryFolder folder;
  folder.file("file", "no folder");
  const std::string before = listing(folder.path());
  std::size_t outputs = 0;
  for (const Declaration& command : all_declarations()) {
    for (const DeclaredOption& option : command.options) {
      if (option.path != "output" && option.path != "folder") continue;
      REQUIRE(long_commands().count(command.command) == 1);
      for (const char* path : {"/dev/null/x", "file/x", "/proc/x"}) {
        const Ended ended = wharf(folder, with(long_commands().at(command.command), option, path));
        INFO(command.command << " --" << option.name << ' ' << path << "\n" << ended.output);
        CHECK(ended.exit_code == 2);
        CHECK_THAT(ended.output, Contains("wharf: --" + option.name + ": " + path + ": cannot be written: "));
        CHECK_THAT(ended.output, Contains("choose another place for it"));
        CHECK(std::count(ended.output.begin(), ended.output.end(), '\n') == 1);
        ++outputs;
      }
    }
  }
  CHECK(outputs >= 3 * 17);
  CHECK(listing(folder.path()) == before);
}

TEST_CASE("a folder where a file of the result would go, and two outputs in one file, are refused") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "o/result.json");
  fs::create_directories(folder / "c/report.html");
  const Ended run = wharf(folder, {"run", "private", "--stimulus", kEndless, "--out", "o"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.output, Contains("--out: o/result.json: cannot be written: it is a folder"));
  const Ended compare = wharf(folder, {"compare", "private", "--stimuli", kEndless, "--out", "c"});
  CHECK(compare.exit_code == 2);
  CHECK_THAT(compare.output, Contains("--out: c/report.html: cannot be written: it is a folder"));
  const Ended twice = wharf(folder, {"run", "private", "--stimulus", kEndless, "--timeline", "t", "--accelsim-stats", "./t"});
  CHECK(twice.exit_code == 2);
  CHECK_THAT(twice.output, Contains("--accelsim-stats also writes this file; choose another name for one of them"));
  const Ended inside = wharf(folder, {"run", "private", "--stimulus", kEndless, "--out", "p", "--timeline", "p/result.json"});
  CHECK(inside.exit_code == 2);
  CHECK_THAT(inside.output, Contains("p/result.json: --out also writes this file"));
}

TEST_CASE("a run that is refused leaves every output as it was, and no empty file") {
  const TemporaryFolder folder;
  for (const char* file : {"t.json", "a.txt", "c.ckpt", "w.vcd", "u.txt", "x/kernelslist.g"}) folder.file(file, std::string("of ") + file);
  const std::string before = listing(folder.path());
  const std::vector<std::vector<std::string>> refused = {
      {"run", "private", "--stimulus", "gemm@tiny", "--set", "l1.wayz=4", "--out", "o", "--timeline", "t.json", "--accelsim-stats", "a.txt",
       "--save-at", "1", "c.ckpt"},
      {"run", "private", "--stimulus", "gemm@tiny", "--set", "l1.wayz=4", "--out", "o", "--timeline", "n/t.json", "--accelsim-stats",
       "n/a.txt", "--save-at", "1", "n/c.ckpt"},
      {"run", "private", "--stimulus", "gemm@tiny", "--waves", "w.vcd", "--out", "o"},
      {"run", "private", "--stimulus", "gemm@tiny", "--waves", "n/w.vcd", "--out", "o"},
      {"run", "private", "--trace", "nowhere", "--out", "o"},
      {"vp", "a.txt", "--config", "private", "--uart", "u.txt", "--out", "o"},
      {"vp", "a.txt", "--config", "private", "--uart", "n/u.txt", "--out", "o"},
      {"trace", "export", "--stimulus", "gemm@tiny", "--set", "sm.warps=1", "--out", "x"},
      {"trace", "export", "--stimulus", "gemm@tiny", "--set", "sm.warps=1", "--out", "n/x"},
      {"sweep", "a.txt", "--out", "o"},
      {"compare", "privat", "--stimuli", "gemm@tiny", "--out", "o"},
      {"validate", "nothing_of_that_name", "--json", "n/j.json", "--out", "o"},
      {"reproduce", "--claims", "nothing_of_that_name", "--json", "n/j.json", "--out", "o"},
      {"bench", "--part", "nothing_of_that_name", "--out", "o"},
  };
  for (const std::vector<std::string>& words : refused) {
    const Ended ended = wharf(folder, words);
    INFO(Catch::Detail::stringify(words) << "\n" << ended.output);
    CHECK(ended.exit_code == 2);
    CHECK(listing(folder.path()) == before);
  }
  for (const char* file : {"t.json", "a.txt", "c.ckpt", "w.vcd", "u.txt", "x/kernelslist.g"})
    CHECK(read_file(folder / file) == std::string("of ") + file);
}

TEST_CASE("a folder without write permission is refused before anything runs") {
  const TemporaryFolder folder;
  folder.file("closed/of_another", "");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder / "closed", fs::perms(0555));
  fs::permissions(folder / "closed/of_another", fs::perms(0444));
  fs::create_directory(folder / "open");
  fs::permissions(folder / "open", fs::perms(0777));
  std::vector<std::string> words = {"run", "private", "--stimulus", kEndless};
  std::string program = built_program();
  if (geteuid() == 0) {  // root, who may write everywhere, becomes nobody
    words.insert(words.begin(), {"--reuid=65534", "--regid=65534", "--clear-groups", program});
    program = "/usr/bin/setpriv";
  }
  const auto refused = [&](std::vector<std::string> options) {
    options.insert(options.begin(), words.begin(), words.end());
    const Ended ended = Program(folder, options, program).wait();
    CHECK(ended.exit_code == 2);
    return ended.output;
  };
  CHECK_THAT(refused({"--out", "closed"}), Contains("--out: closed: cannot be written: Permission denied in closed"));
  CHECK_THAT(refused({"--out", "closed/a/b"}), Contains("--out: closed/a/b: cannot be written: Permission denied in closed"));
  CHECK_THAT(refused({"--out", "open", "--timeline", "closed/t"}),
             Contains("--timeline: closed/t: cannot be written: Permission denied in closed"));
  CHECK_THAT(refused({"--out", "open", "--accelsim-stats", "closed/of_another"}),
             Contains("closed/of_another: cannot be written: Permission denied"));
  CHECK_THAT(refused({"--out", "open", "--save-at", "1", "closed/c"}),
             Contains("--save-at: closed/c: cannot be written: Permission denied in closed"));
  CHECK_THAT(refused({}), Contains("--out: out/run: cannot be written: Permission denied in ."));
  CHECK(fs::is_empty(folder / "open"));
}

TEST_CASE("trace pack is refused before it packs anything where one packed file cannot be written") {
  const TemporaryFolder folder;
  const fs::path data = fs::path(WHARF_SOURCE_DIR) / "tests/data/accelsim/micro/chase_l2_1000";
  fs::copy(data, folder / "trace");
  fs::create_directory(folder / "trace/kernel-2.traceg.xz.packed");
  const Ended ended = wharf(folder, {"trace", "pack", "trace"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("kernel-2.traceg.xz.packed: cannot be written: it is a folder"));
  CHECK(!fs::exists(folder / "trace/kernel-1.traceg.xz.packed"));
}

TEST_CASE("a batch whose run has no place is refused before any of its runs begins") {
  const TemporaryFolder folder;
  folder.file("c/runs/private_16x_l1", "no folder");
  const Ended ended = wharf(folder, {"compare", "private", "private_16x_l1", "--stimuli", "gemm@tiny", "--jobs", "1", "--out", "c"});
  INFO(ended.output);
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("c/runs/private_16x_l1 is no folder"));
  CHECK(!fs::exists(folder / "c/runs/private"));
}

TEST_CASE("explain of finished runs needs no place of its own, and one that makes runs does") {
  const TemporaryFolder folder;
  folder.file("out", "no folder");
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "vectoradd@tiny", "--explain", "--out", "r", "--quiet"}).exit_code == 0);
  CHECK(wharf(folder, {"explain", "r"}).exit_code == 0);
  const Ended ended = wharf(folder, {"explain", "r", "--set", "l1.ways=8"});
  CHECK(ended.exit_code == 2);
  CHECK_THAT(ended.output, Contains("out/explain"));
}

}  // namespace
}  // namespace wharf::cli
