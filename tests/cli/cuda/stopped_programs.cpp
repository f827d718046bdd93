// Signals while a CUDA program is compiled, or runs on the host.

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

namespace fs = std::filesystem;
using Catch::Contains;

/// Launches a kernel, writes the file `ready`, and goes on for ever, with an argument also after SIGTERM.
constexpr const char* kEndless = R"(
#include <csignal>
#include <cstdio>
#include <unistd.h>
__global__ void one(int* x) { *x = 1; }
int main(int argc, char**) {
  if (argc > 1) signal(SIGTERM, SIG_IGN);
  int* x;
  cudaMalloc(&x, 4);
  one<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  std::fclose(std::fopen("ready", "w"));
  for (;;) usleep(1000);
}
)";

/// Sends SIGTERM to `wharf cuda` with these arguments once the program loops, and to the program too if `to_all`.
Ended stopped(const TemporaryFolder& folder, const std::vector<std::string>& arguments, bool to_all) {
  fs::remove(folder / "ready");
  std::vector<std::string> all = {"cuda", "endless", "--out", "o"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  Program program(folder, all);
  while (!fs::exists(folder / "ready") && !program.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  REQUIRE_FALSE(program.ended());
  const std::vector<pid_t> children = program.children();
  REQUIRE(children.size() == 1);
  kill(program.pid(), SIGTERM);
  if (to_all) kill(children.front(), SIGTERM);
  const Ended ended = program.wait();
  CHECK(kill(children.front(), 0) != 0);
  return ended;
}

}  // namespace

TEST_CASE("a signal while a CUDA program runs on the host ends both, and leaves the results of its kernels") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("endless.cu", kEndless);
  REQUIRE(wharf(folder, {"nvcc", "endless.cu", "-o", "endless"}).exit_code == 0);
  for (const bool to_all : {false, true})
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"--", "ignore"}}) {
      INFO(to_all << ", " << arguments.size());
      const Ended ended = stopped(folder, arguments, to_all);
      INFO(ended.output);
      CHECK(ended.exit_code == 128 + SIGTERM);
      CHECK_THAT(ended.output, Contains("stopped by a signal; results until then are in o, marked partial"));
      CHECK_THAT(ended.output, !Contains("failed"));
      const auto result = read_json(folder / "o/result.json");
      CHECK(result["partial"] == true);
      CHECK(result["kernels"].size() == 1);
      fs::remove_all(folder / "o");
    }
  const Ended functional = stopped(folder, {"--functional"}, true);
  INFO(functional.output);
  CHECK(functional.exit_code == 128 + SIGTERM);
  CHECK_THAT(functional.output, Contains("stopped by a signal while no kernel ran, after 1 kernel\n"));
  CHECK_THAT(functional.output, !Contains("failed"));
}

TEST_CASE("a CUDA program that a signal ends without Wharf's having it is a failure that names the signal") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("killed.cu", R"(
#include <csignal>
__global__ void one(int* x) { *x = 1; }
int main() {
  int* x;
  cudaMalloc(&x, 4);
  one<<<1, 1>>>(x);
  raise(SIGTERM);
}
)");
  const Ended ended = wharf(folder, {"cuda", "killed.cu", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("was ended by signal 15 (Terminated)") && !Contains("stopped by a signal"));
}

TEST_CASE("a signal while a CUDA program is compiled is said, and leaves no folder behind") {
  REQUIRE_CLANG();
  const TemporaryFolder folder, scratch;
  folder.file("endless.cu", kEndless);
  const std::vector<std::string> line = {"-c",
                                         "TMPDIR=\"$1\"; export TMPDIR; shift; exec \"$@\"",
                                         "sh",
                                         scratch.path().string(),
                                         built_program(),
                                         "cuda",
                                         "endless.cu",
                                         "--out",
                                         "o"};
  Program program(folder, line, "/bin/sh");
  REQUIRE(program.wait_for_signal_handler());
  while (program.children().empty() && !program.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(program.pid(), SIGTERM);
  const Ended ended = program.wait();
  INFO(ended.output);
  CHECK(ended.exit_code == 128 + SIGTERM);
  CHECK_THAT(ended.output, Contains("stopped by a signal before the program ran"));
  CHECK(fs::is_empty(scratch.path()));
}

}  // namespace wharf::cli
