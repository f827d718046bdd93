// The state that a kernel boundary clears, and the state that it keeps (CM-29); and the number of CTAs on an SM (CM-27).

#include <catch2/catch.hpp>

#include "model/front_end/front_end.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

TEST_CASE("a kernel boundary empties the L1 and leaves L2 as it is") {
  const ScriptedKernel kernel = one_warp(load_chase(0x1'0000, 4));
  for (const char* name : {"gpus/80sm_xbar", "gpus/turing_30sm", "gpus/volta_qv100"}) {
    const Outcome outcome = run_apart(machine(name), {kernel, kernel}, checked());
    INFO(name << " " << outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.kernel(0, "l1.load.misses") == 4);
    CHECK(outcome.kernel(0, "sm.served_by.dram") == 4);
    CHECK(outcome.kernel(1, "l1.load.misses") == 4);
    CHECK(outcome.kernel(1, "l1.load.hits") == 0);
    CHECK(outcome.kernel(1, "sm.served_by.l2") == 4);
    CHECK(outcome.kernel(1, "dram.reads") == 0);
  }
}

TEST_CASE("a kernel reads what the one before has stored, through a write-back L1 too") {
  for (const Space space : {Space::global, Space::local}) {
    WarpInstruction write = store(0x1'0000, kNoRegister, kAllLanes), read = load(0x1'0000, 1, kNoRegister, kAllLanes);
    write.space = read.space = space;
    const Outcome outcome = run_apart(machine("gpus/fermi_15sm"), {one_warp({write}), one_warp({read})}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.kernel(0, "l1.writebacks") == (space == Space::local ? 1 : 0));
    CHECK(outcome.kernel(0, "l2.stores") == 1);
    CHECK(outcome.kernel(1, "sm.served_by.l2") == 1);
  }
}

TEST_CASE("the next kernel begins in the cycle in which the one before has ended") {
  const ScriptedKernel kernel = one_warp({load(0x1'0000, 1)});
  const Outcome outcome = run_apart(machine("gpus/80sm_xbar"), {kernel, kernel, kernel});
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(1, "begin_cycle") == outcome.kernel(0, "end_cycle"));
  CHECK(outcome.kernel(2, "begin_cycle") == outcome.kernel(1, "end_cycle"));
  CHECK(outcome.run("cycles") == outcome.kernel(0, "cycles") + outcome.kernel(1, "cycles") + outcome.kernel(2, "cycles"));
}

TEST_CASE("on volta_qv100 the L1 has what the shared memory of the running kernel leaves of 128 KiB") {
  // Reads `lines` lines twice; the second time hits if they fit. 128 KiB are 1024 lines, 128 - 96 KiB are 256, 128 - 8 KiB are 960.
  const auto twice_over = [](unsigned lines, std::uint32_t shared_bytes) {
    Instructions instructions = load_chase(0x10'0000, lines);
    const Instructions again = instructions;
    instructions.insert(instructions.end(), again.begin(), again.end());
    ScriptedKernel kernel = one_warp(instructions);
    kernel.shared_bytes = shared_bytes;
    return kernel;
  };
  constexpr std::uint32_t kKib = 1024;
  // Four sets in line order, so consecutive lines fill the ways evenly. 32 CTAs of 256 B need 8 KiB; one of 96 KiB needs all of it.
  const Outcome outcome =
      run_apart(machine("gpus/volta_qv100"), {twice_over(1024, 0), twice_over(256, 96 * kKib), twice_over(264, 96 * kKib),
                                              twice_over(960, 256), twice_over(968, 256), twice_over(1024, 0)});
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(0, "l1.load.hits") == 1024);
  CHECK(outcome.kernel(1, "l1.load.hits") == 256);
  CHECK(outcome.kernel(2, "l1.load.hits") == 0);
  CHECK(outcome.kernel(3, "l1.load.hits") == 960);
  CHECK(outcome.kernel(4, "l1.load.hits") == 0);
  CHECK(outcome.kernel(5, "l1.load.hits") == 1024);
}

TEST_CASE("under Unified-SM-Mem of Morpheus the L1 has the registers that the resident CTAs leave unused, and 128 KiB without it") {
  // Sixteen CTAs of one warp with 16 registers of 128 B use 32 of 256 KiB: 128 + 224 KiB are 2816 lines, 128 KiB 1024.
  const auto hits_of_two_rounds = [](const char* name, unsigned lines) {
    Instructions instructions = load_chase(0x10'0000, lines);
    const Instructions again = instructions;
    instructions.insert(instructions.end(), again.begin(), again.end());
    const Outcome outcome = run_apart(machine(name), {one_warp(instructions)});
    REQUIRE(outcome.end == End::done);
    return outcome.run("l1.load.hits");
  };
  CHECK(hits_of_two_rounds("morpheus/unified_sm_mem", 2816) == 2816);
  CHECK(hits_of_two_rounds("morpheus/unified_sm_mem", 2832) == 0);
  CHECK(hits_of_two_rounds("morpheus/bl", 1024) == 1024);
  CHECK(hits_of_two_rounds("morpheus/bl", 1040) == 0);
}

KernelLaunch launch(std::uint32_t threads, std::uint32_t registers = 0, std::uint32_t shared_bytes = 0) {
  KernelLaunch kernel;
  kernel.block = {threads, 1, 1};
  kernel.registers_per_thread = registers;
  kernel.shared_bytes = shared_bytes;
  return kernel;
}

TEST_CASE("an SM holds as many CTAs as the scarcest of slots, warps, threads, registers and shared memory allows") {
  SmParams sm;
  sm.ctas = 8, sm.warps = 48, sm.threads = 1536, sm.registers = 32768, sm.shared_kib = 48;
  CHECK(ctas_per_sm(launch(32), sm) == 8);                        // slots
  CHECK(ctas_per_sm(launch(256), sm) == 48 / 8);                  // warps (and threads)
  CHECK(ctas_per_sm(launch(257), sm) == 48 / 9);                  // a partly filled warp counts as a warp
  CHECK(ctas_per_sm(launch(256, 32), sm) == 32768 / (256 * 32));  // registers
  CHECK(ctas_per_sm(launch(64, 16, 10 * 1024), sm) == 48 / 10);   // shared memory
  CHECK(ctas_per_sm(launch(1536), sm) == 1);
  sm.threads = 1024;
  CHECK(ctas_per_sm(launch(256), sm) == 1024 / 256);  // threads
  sm.register_granule = 4;
  CHECK(ctas_per_sm(launch(128, 33), sm) == 32768 / (128 * 36));  // 33 registers take 36
  sm.shared_reserved_bytes = 1024;
  CHECK(ctas_per_sm(launch(64, 16, 12 * 1024), sm) == 3);  // 48 / (12 + 1)
  CHECK(ctas_per_sm(launch(64, 16, 47 * 1024), sm) == 1);
  KernelLaunch too_large = launch(64, 16, 47 * 1024 + 1);
  too_large.name = "_Z5scalePf";
  CHECK_THROWS_WITH(ctas_per_sm(too_large, sm), Contains("kernel 'scale'") && Contains("49153") && Contains("raise sm.shared_kib"));
  CHECK(ctas_per_sm(launch(64), sm) == 8);  // without shared memory nothing is taken
}

TEST_CASE("the shared-memory split is the smallest that holds the kernel's CTAs") {
  SmParams sm;
  sm.shared_kib = 96;
  sm.shared_splits_kib = {0, 8, 16, 32, 64, 96};
  CHECK(shared_split_bytes(sm, 0) == 0);
  CHECK(shared_split_bytes(sm, 8 * 1024) == 8 * 1024);
  CHECK(shared_split_bytes(sm, 8 * 1025) == 16 * 1024);
  CHECK(shared_split_bytes(sm, 2 * 40'000) == 96 * 1024);
}

}  // namespace
}  // namespace wharf::test
