// Refusals and interruptions by the system: full disks, closed streams, pipes instead of files, signals. Nothing hangs, and no incomplete
// file looks like a result.

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "platforms/cli/terminal/interrupt.h"
#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

constexpr const char* kLongStimulus = "synthetic:loads=10,instructions=100000000";

/// Runs the program in a shell's `line`, in which "$@" is the program with its arguments.
Ended under_shell(const TemporaryFolder& folder, const std::string& line, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"-c", line, "sh", built_program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return Program(folder, all, "/bin/sh").wait();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

TEST_CASE("output to a full or closed stdout ends with 2 and is said once") {
  const TemporaryFolder folder;
  for (const char* line : {"exec \"$@\" >/dev/full", "exec \"$@\" >&-"}) {
    INFO(line);
    const Ended ended = under_shell(folder, line, {"list", "configs"});
    CHECK(ended.exit_code == 2);
    CHECK(count_of(ended.output, "wharf: the output cannot be written: ") == 1);
    CHECK(under_shell(folder, line, {"list", "nonsense"}).exit_code == 2);
  }
  CHECK(under_shell(folder, "exec \"$@\" >/dev/null", {"list", "configs"}).exit_code == 0);
}

TEST_CASE("a sample that is stopped leaves the results of the smaller one before it") {
  const TemporaryFolder folder;
  Program program(folder, {"run", "private", "--stimulus", "gaussian@std", "--sample", "2", "--sample-error", "0.1%", "--out", "o"});
  while (!fs::exists(folder / "o/result.json") && !program.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // into larger samples, which take seconds
  REQUIRE_FALSE(program.ended());
  kill(program.pid(), SIGTERM);
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 128 + SIGTERM);
  CHECK_THAT(ended.output, Contains("stopped by a signal"));
  const auto result = read_json(folder / "o/result.json");
  REQUIRE(result["partial"] == false);
  CHECK(result["sampled"]["metrics"].contains("cycles"));
  CHECK(result["sampled"]["measured_launches"] < result["sampled"]["launches"]);
}

TEST_CASE("a run whose terminal goes away writes what it has") {
  const TemporaryFolder folder;
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(grantpt(master) == 0);
  REQUIRE(unlockpt(master) == 0);
  const std::string line = std::string("exec \"$@\" 2>") + ptsname(master);
  Program program(folder, {"-c", line, "sh", built_program(), "run", "private", "--stimulus", kLongStimulus, "--out", "o"}, "/bin/sh");
  REQUIRE(program.wait_for_signal_handler());
  ::close(master);  // from now on, the progress bar cannot be written
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(program.pid(), SIGHUP);
  CHECK(program.wait().exit_code == 128 + SIGHUP);
  CHECK(read_json(folder / "o/result.json")["partial"] == true);
}

TEST_CASE("a run with a closed stdout that prints nothing writes its files whole") {
  const TemporaryFolder folder;
  const Ended ended = under_shell(folder, "exec \"$@\" >&-", {"run", "private", "--stimulus", "vectoradd@tiny", "--out", "o", "--quiet"});
  INFO(ended.output);
  CHECK(ended.exit_code == 0);
  CHECK(read_json(folder / "o/result.json")["partial"] == false);
}

// A limit on the size of files replaces a full disk: both fail in write(), but the limit needs no mount.
TEST_CASE("where one file of a result does not fit none is written, and an earlier result stays") {
  const TemporaryFolder folder;
  const std::string limited = "ulimit -f 300; exec \"$@\"";  // blocks of 512 B: room for result.json, not for stats.csv
  const std::vector<std::string> run = {"run", "private", "--stimulus", "vectoradd@tiny", "--out", "o", "--quiet"};
  const Ended first = under_shell(folder, limited, run);
  CHECK(first.exit_code == 2);
  CHECK_THAT(first.output, Contains("o/stats.csv: cannot be written: File too large; choose another place for it"));
  CHECK(names_in(folder / "o").empty());
  REQUIRE(wharf(folder, run).exit_code == 0);
  const std::string before = read_file(folder / "o/result.json");
  CHECK(under_shell(folder, limited, run).exit_code == 2);
  CHECK(read_file(folder / "o/result.json") == before);
  CHECK(names_in(folder / "o").size() == 3);
}

TEST_CASE("a timeline and the text of a UART that cannot be written end with 2") {
  const TemporaryFolder folder;
  const Ended timeline =
      wharf(folder, {"run", "private", "--stimulus", "vectoradd@tiny", "--out", "o", "--quiet", "--timeline", "/dev/full"});
  CHECK(timeline.exit_code == 2);
  CHECK_THAT(timeline.output, Contains("/dev/full: cannot be written: No space left on device; choose another place for it"));
  CHECK(!fs::exists(folder / "o/result.json"));
}

TEST_CASE("a pipe in the place of a configuration, a list of kernels, a kernel or firmware is refused by name") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  REQUIRE(mkfifo((folder / "own.yaml").c_str(), 0600) == 0);
  CHECK_THAT(wharf(folder, {"run", "own.yaml", "--stimulus", "vectoradd@tiny"}).output,
             Contains("own.yaml: is not a regular file; name a YAML file"));
  REQUIRE(mkfifo((folder / "kernel-1.traceg").c_str(), 0600) == 0);
  folder.file("list.g", "kernel-1.traceg\n");
  const auto trace = [&](const char* name) { return wharf(folder, {"run", "private", "--trace", name, "--out", "o"}); };
  const Ended list = trace("pipe"), kernel = trace("kernel-1.traceg"), listed = trace("list.g"),
              firmware = wharf(folder, {"vp", "pipe", "--config", "private", "--out", "o"});
  CHECK_THAT(list.output, Contains("pipe: is not a regular file"));
  CHECK_THAT(kernel.output, Contains("kernel-1.traceg") && Contains("is not a regular file"));
  CHECK_THAT(listed.output, Contains("list.g:1: kernel file") && Contains("is not a regular file"));
  CHECK_THAT(firmware.output, Contains("pipe: is not a regular file; name a file"));
  for (const Ended& ended : {list, kernel, listed, firmware}) CHECK(ended.exit_code == 2);
}

TEST_CASE("a machine whose tables exceed the memory that is left is refused with the key and the figures before it is built") {
  const TemporaryFolder folder;
  const char* line = "ulimit -v 1500000; exec \"$@\"";
  const auto run = [&](const char* setting) {
    return under_shell(folder, line, {"run", "private", "--stimulus", "vectoradd@tiny", "--out", "o", "--set", setting});
  };
  struct Large {
    const char *setting, *tables;
  };
  for (const Large& large : {Large{"l1.capacity_kib=1048576", "l1.capacity_kib: 1048576 needs tables of 20.0"},
                             Large{"l2.slice_kib=1048576", "l2.slice_kib: 1048576 needs tables of "}}) {
    const Ended ended = run(large.setting);
    INFO(ended.output);
    CHECK(ended.exit_code == 2);
    CHECK_THAT(ended.output,
               Contains(large.tables) && Contains(" GiB of memory, but this host has 1.") && Contains(" GiB left; make it smaller"));
    CHECK_FALSE(fs::exists(folder / "o"));
  }
  CHECK(run("l1.capacity_kib=1024").exit_code == 0);
  const Ended checked = under_shell(folder, line, {"check", "private", "--set", "l1.capacity_kib=1048576"});
  CHECK(checked.exit_code == 2);
  CHECK_THAT(checked.output, Contains("l1.capacity_kib: 1048576 needs tables of "));
  // Versions of sectors need the same amount again.
  const std::vector<std::string> checks = {"run", "private", "--stimulus", "vectoradd@tiny", "--out",
                                           "p",   "--set",   "sms=128",    "--set",          "l1.capacity_kib=32768"};
  CHECK(under_shell(folder, line, checks).exit_code == 0);
  std::vector<std::string> verified = checks;
  verified.emplace_back("--verify");
  CHECK(under_shell(folder, line, verified).exit_code == 2);
}

TEST_CASE("a run that reaches the end of simulated time fails with the remedy, and keeps the kernels before it") {
  const TemporaryFolder folder;
  std::string list;
  for (int kernel = 0; kernel < 12; ++kernel) list += "kernel-1.traceg.xz\n";
  REQUIRE(wharf(folder, {"trace", "export", "--stimulus", "vectoradd@tiny", "--out", "t"}).exit_code == 0);
  folder.file("t/kernelslist.g", list);
  const Ended ended = wharf(folder, {"run", "gpus/volta_qv100", "--trace", "t", "--out", "o", "--set", "clock_mhz.core=1", "--set",
                                     "clock_mhz.l2=100000", "--set", "front_end.kernel_launch_cycles=16777216"});
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("simulated time has reached its end at 181.585 s") && Contains("make the fastest clock slower"));
  const auto result = read_json(folder / "o/result.json");
  CHECK(result["partial"] == true);
  CHECK(result["kernels"].size() == 11);  // of 16.8 s each; the last one is cut off
}

TEST_CASE("SIGTERM and SIGHUP end a run as Ctrl-C does, with the code of the signal") {
  for (const int signal : {SIGTERM, SIGHUP}) {
    const TemporaryFolder folder;
    Program program(folder, {"run", "private", "--stimulus", kLongStimulus, "--out", "o"});
    REQUIRE(program.wait_for_signal_handler());
    kill(program.pid(), signal);
    const Ended ended = program.wait();
    INFO(ended.output);
    CHECK(ended.exit_code == 128 + signal);
    CHECK_THAT(ended.output, Contains("stopped by a signal"));
    CHECK(read_json(folder / "o/result.json")["partial"] == true);
  }
}

TEST_CASE("signals within two seconds are one request to stop, and a later one ends the process at once") {
  const pid_t child = fork();
  if (child == 0) {
    const InterruptGuard guard;
    for (const int signal : {SIGTERM, SIGTERM, SIGINT}) raise(signal);  // as `timeout` and a parent process repeat them
    if (!InterruptGuard::requested() || InterruptGuard::signal() != SIGTERM) _exit(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    raise(SIGINT);
    _exit(2);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

TEST_CASE("a run that was started to outlive its terminal does so") {
  const TemporaryFolder folder;
  std::vector<std::string> arguments = {
      "-c", "trap '' HUP; exec \"$@\"", "sh", built_program(), "run", "private", "--stimulus", kLongStimulus, "--out", "o"};
  Program program(folder, arguments, "/bin/sh");
  REQUIRE(program.wait_for_signal_handler());
  kill(program.pid(), SIGHUP);
  kill(program.pid(), SIGTERM);
  CHECK(program.wait().exit_code == 128 + SIGTERM);
}

}  // namespace
}  // namespace wharf::cli
