// Kernels at the limits of what is legal, and beyond.

#include <catch2/catch.hpp>

#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

using Catch::Contains;

const std::vector<std::string> kOneSm = {"sms=1", "channels=1"};

ScriptedKernel with_shared(std::uint32_t bytes) {
  ScriptedKernel kernel = one_warp({compute(Unit::alu, 1)});
  kernel.shared_bytes = bytes;
  return kernel;
}

TEST_CASE("a CTA that needs more than an SM has is an input error with the kernel, the need and the remedy") {
  const GpuParams params = machine("gpus/80sm_xbar");
  const auto failure_of = [&](const ScriptedKernel& kernel) {
    const Outcome outcome = run_apart(params, {with_shared(0), kernel});  // the second kernel: the first one has run
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(failure_of(with_shared(48 * 1024 + 1)),
             Contains("kernel_2") && Contains("49153") && Contains("49152 bytes of shared memory") && Contains("raise sm.shared_kib"));
  ScriptedKernel wide = with_shared(0);
  wide.warps_per_cta = 49;
  CHECK_THAT(failure_of(wide), Contains("49") && Contains("48 warp slots") && Contains("sm.warps"));
  ScriptedKernel hungry = with_shared(0);
  hungry.warps_per_cta = 32;
  hungry.registers_per_thread = 33;
  CHECK_THAT(failure_of(hungry), Contains("33792") && Contains("32768 registers") && Contains("sm.registers"));
  ScriptedKernel nobody = with_shared(0);
  nobody.warps_per_cta = 0;
  CHECK_THAT(failure_of(nobody), Contains("kernel_2") && Contains("no threads"));
  CHECK(run_apart(params, {with_shared(48 * 1024)}).end == End::done);
}

TEST_CASE("CTAs without warps, warps without instructions and kernels without CTAs are over at once and the run goes on") {
  const Instructions work = {load(0x1000, 1), compute(Unit::alu, 2, 1)};
  ScriptedKernel mixed;
  mixed.warps_per_cta = 2;
  mixed.ctas = {{}, {{}, {}}, {work, {}}, {{}, work}, {work}, {}, {work, work}};
  ScriptedKernel none;
  for (const auto& settings : {kOneSm, std::vector<std::string>{"sms=2", "channels=1", "sm.ctas=1"}}) {
    const Outcome outcome = run_apart(machine("gpus/80sm_xbar", settings), {mixed, none, mixed}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("front_end.kernels") == 3);
    CHECK(outcome.run("front_end.ctas") == 2 * 7);
    CHECK(outcome.run("sm.ctas") == 2 * 7);
    CHECK(outcome.run("sm.warp_instructions") == 2 * (1 + 1 + 1 + 2) * 2);
    CHECK(outcome.run("sm.loads") == 2 * 5);
  }
}

TEST_CASE("an instruction without active lanes is issued, asks memory for nothing, and its consumer goes on") {
  Instructions instructions;
  for (WarpInstruction instruction :
       {load(0x1000, 1), store(0x2000), atomic(0x3000, 2), shared(0, 3), atomic(0x3000), load(0x1000, kNoRegister)}) {
    instruction.active = 0;
    instructions.push_back(instruction);
  }
  WarpInstruction consumer = compute(Unit::alu, 4, 1);
  consumer.sources = {1, 2, 3, kNoRegister};
  instructions.push_back(consumer);
  for (const char* name : {"gpus/80sm_xbar", "gpus/volta_qv100"}) {
    const Outcome outcome = run_apart(machine(name), {one_warp(instructions)}, checked());
    INFO(name << " " << outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("sm.warp_instructions") == instructions.size());
    CHECK(outcome.run("thread_instructions") == 32);
    CHECK(outcome.run("l1.load.accesses") + outcome.run("l1.store.accesses") + outcome.run("l1.atomics") == 0);
  }
}

TEST_CASE("a warp filter that lets one warp issue passes the barriers of its CTA") {
  ScriptedKernel kernel;
  kernel.warps_per_cta = 4;
  const Instructions work = {load(0x1000, 1), barrier(), compute(Unit::alu, 2, 1), barrier(), store(0x2000, 2)};
  kernel.ctas = {{work, work, work, work}, {work, work, work, work}};
  const Outcome outcome =
      run_apart(machine("gpus/80sm_xbar", {"sms=1", "channels=1", "sm.warp_filter=swl", "sm.swl_limit=1"}), {kernel}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("sm.barriers") == 2 * 4 * 2);
}

TEST_CASE("a kernel is over only when its last store has arrived, however late it leaves the SM") {
  // Issued last, 20 cycles before it reaches the L1. Its warp and CTA have ended by then.
  const GpuParams params = machine("gpus/80sm_xbar", {"sms=1", "channels=1", "sm.issue_to_execute_cycles=20"});
  const Outcome outcome = run_apart(params, {one_warp({store(0x1000)}), one_warp({load(0x1000, 1)})}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(0, "l2.stores") == 1);
  CHECK(outcome.kernel(1, "l2.stores") == 0);
}

}  // namespace
}  // namespace wharf::test
