// Machines in deadlock: the run ends with a message that says which block waits for which. It never hangs.

#include <catch2/catch.hpp>

#include "tests/platform/machines/apart.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

using Catch::Contains;

TEST_CASE("a memory that does not answer within the watchdog's interval fails the run and names the waits down to it") {
  const Outcome outcome = run_apart(machine("private", {"watchdog.interval_cycles=100"}), {one_warp({load(0x1000, 1)})});
  REQUIRE(outcome.end == End::simulation_failed);
  INFO(outcome.failure);
  CHECK_THAT(outcome.failure, Contains("deadlock in cycle") && Contains("nothing has moved in the last 100 cycles"));
  CHECK_THAT(outcome.failure, Contains("sm[0].warps and waits for l1[0].mshr") && Contains("0x1000"));
}

TEST_CASE("an access that waits for what nobody will ever give back is a deadlock, and its report names both") {
  // A dirty line and the fetch that replaces it are sent together: they need two places of a queue that has one. A configuration file
  // cannot set this.
  GpuParams params = machine("gpus/fermi_15sm", {"sms=1", "l1.capacity_kib=1", "l1.ways=1", "watchdog.interval_cycles=1000"});
  params.l1.miss_queue = 1;
  const std::uint64_t set_stride = params.l1.sets() * kLineBytes;
  WarpInstruction write = store(0x1'0000), read = load(0x1'0000 + set_stride, 1);
  params.l1.set_index = "linear";
  write.space = read.space = Space::local;
  const Outcome outcome = run_apart(params, {one_warp({write, read})});
  REQUIRE(outcome.end == End::simulation_failed);
  INFO(outcome.failure);
  CHECK_THAT(outcome.failure, Contains("deadlock in cycle") && Contains("holds l1[0].bank[0] and waits for l1[0].miss_queue"));
}

TEST_CASE("warps at barriers that never open are a deadlock, and its report names the barrier") {
  WarpInstruction one = barrier(), other = barrier();
  one.barrier.number = 1;
  other.barrier.number = 2;
  ScriptedKernel kernel;
  kernel.ctas = {{{one}, {other}}};
  kernel.warps_per_cta = 2;
  const Outcome outcome = run_apart(machine("private"), {kernel});
  REQUIRE(outcome.end == End::simulation_failed);
  for (const char* line : {"deadlock in cycle",
                           "sm[0].warps waits for sm[0].barrier: kernel kernel_1, CTA 0: barrier 1, at which 1 of 2 warps "
                           "have arrived, is awaited by warp 0",
                           "barrier 2, at which 1 of 2 warps have arrived, is awaited by warp 1"})
    CHECK_THAT(outcome.failure, Contains(line));
}

TEST_CASE("a configuration file that would deadlock so is refused with the remedy") {
  CHECK_THROWS_WITH(machine("gpus/fermi_15sm", {"l1.miss_queue=1"}), Contains("miss_queue") && Contains("make it at least 2"));
}

TEST_CASE("the program ends with exit code 1 at a deadlock, and writes what it had measured as partial") {
  const cli::TemporaryFolder folder;
  const cli::Ended ended =
      cli::wharf(folder, {"run", "private", "--stimulus", "synthetic:loads=100,l1=0,l2=0,ctas=1,warps=1,instructions=20", "--set",
                          "watchdog.interval_cycles=100", "--out", "o"});
  INFO(ended.output);
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("deadlock in cycle"));
  const auto result = cli::read_json(folder / "o/result.json");
  CHECK(result["partial"] == true);
  CHECK_THAT(result["failure"].get<std::string>(), Contains("deadlock in cycle"));
  CHECK(result["run"]["cycles"].get<std::uint64_t>() > 100);
}

}  // namespace
}  // namespace wharf::test
