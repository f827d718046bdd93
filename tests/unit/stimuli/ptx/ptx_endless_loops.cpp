// Loops that never end are found, and loops that others will end are not taken for such.
#include <catch2/catch.hpp>

#include "stimuli/functional_run.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

/// Loads p0 as %rd1; %r1 is the warp's number in its CTA.
const std::string kBegin = "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5;\n";

/// Runs `body`, whose parameter is an array of 256 zeros, and returns the array.
std::vector<std::uint32_t> run(const std::string& body, Dim3 grid, Dim3 block, ExecutionOptions execution = {}) {
  PtxMachine machine;
  const Address array = machine.zeros<std::uint32_t>(256);
  PtxStimulus stimulus({{"test.ptx", kernel_of(kBegin + body, 1)}}, machine.memory,
                       {{"k", grid, block, 0, ArgumentBytes().add(array).bytes()}});
  stimulus.use(execution);
  run_functionally(stimulus, [](const FunctionalRun&) { return true; });
  return machine.read<std::uint32_t>(array, 256);
}

std::string failure_of(const std::string& body, Dim3 grid = {1, 1, 1}, Dim3 block = {32, 1, 1}, ExecutionOptions execution = {}) {
  try {
    run(body, grid, block, execution);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "none";
}

using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("waiting for a flag that nobody sets fails at the jump, with the thread that waits") {
  const std::string failure = failure_of(R"(
    setp.eq.u32 %p1, %r1, 0; @%p1 ret;
    WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0;
    @%p2 bra WAIT; ret;)",
                                         {1, 1, 1}, {64, 1, 1});
  CHECK_THAT(failure, Contains("test.ptx:11: kernel k, block (0,0,0) thread (32,0,0): the loop never ends"));
}

TEST_CASE("a lock that is never released fails, for an exchange and a comparison that change nothing") {
  CHECK_THAT(failure_of("WAIT: atom.global.exch.b32 %r2, [%rd1], 1; bra WAIT; ret;"), Contains("the loop never ends"));
  CHECK_THAT(failure_of(R"(
    atom.global.exch.b32 %r2, [%rd1], 1;
    WAIT: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra WAIT; ret;)"),
             Contains("the loop never ends"));
}

TEST_CASE("a loop with local variables, calls and divergent lanes is found too") {
  CHECK_THAT(failure_of(R"(
    .local .b32 kept[4]; mov.u32 %r3, %laneid; st.local.u32 [kept], %r3; setp.lt.u32 %p1, %r3, 7;
    @%p1 bra OTHERS;
    WAIT: ld.local.u32 %r4, [kept]; st.local.u32 [kept], %r4; ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT;
    ret;
    OTHERS: ld.volatile.global.u32 %r2, [%rd1+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra OTHERS; ret;)"),
             Contains("the loop never ends"));
}

TEST_CASE("a loop of two warps that a vote ends is not taken for endless") {
  // Warp 1 counts in a register and ends the loop of both by its vote.
  const auto array = run(R"(
    mov.u32 %r3, 0;
    WAIT: mad.lo.u32 %r3, %r1, 1, %r3; setp.gt.u32 %p1, %r3, 50000; bar.red.or.pred %p2, 0, %p1; @!%p2 bra WAIT;
    st.global.u32 [%rd1], %r3; ret;)",
                         {1, 1, 1}, {64, 1, 1});
  CHECK((array[0] == 0 || array[0] == 50001));
}

TEST_CASE("waiting for a warp that loads for long and stores nothing meanwhile ends when it does") {
  const auto array = run(R"(
    setp.ne.u32 %p1, %r1, 0; @%p1 bra WORK;
    WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT;
    st.global.u32 [%rd1+4], %r2; ret;
    WORK: mov.u32 %r3, 0;
    STEP: ld.volatile.global.u32 %r2, [%rd1+8]; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 400000; @%p2 bra STEP;
    st.global.u32 [%rd1], %r3; ret;)",
                         {1, 1, 1}, {64, 1, 1});
  CHECK(array[1] == 400000);
}

TEST_CASE("waiting for a time ends, although the registers of the loop are the same each time") {
  const auto array = run(R"(
    WAIT: mov.u64 %rd2, %clock64; setp.lt.u64 %p1, %rd2, 3000000; mov.u64 %rd2, 0; @%p1 bra WAIT;
    st.global.u32 [%rd1], 5; ret;)",
                         {1, 1, 1}, {32, 1, 1});
  CHECK(array[0] == 5);
}

TEST_CASE("CTAs that wait for all others of a grid go on, also where the last one begins late") {
  const auto array = run(R"(
    mov.u32 %r3, %tid.x; setp.ne.u32 %p1, %r3, 0; @%p1 ret;
    atom.global.add.u32 %r2, [%rd1], 1;
    WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.lt.u32 %p2, %r2, 200; @%p2 bra WAIT;
    atom.global.add.u32 %r2, [%rd1+4], 1; ret;)",
                         {200, 1, 1}, {32, 1, 1});
  CHECK(array[1] == 200);
}

TEST_CASE("CTAs that wait for more warps than any GPU holds fail") {
  CHECK_THAT(failure_of(R"(
    setp.ne.u32 %p1, %r1, 0; @%p1 bra MEET;
    mov.u32 %r3, %tid.x; setp.ne.u32 %p1, %r3, 0; @%p1 bra MEET;
    atom.global.add.u32 %r2, [%rd1], 1;
    WAIT: ld.volatile.global.u32 %r2, [%rd1]; setp.lt.u32 %p2, %r2, 600; @%p2 bra WAIT;
    MEET: bar.sync 0; ret;)",
                        {600, 1, 1}, {1024, 1, 1}),
             Contains("the loop never ends"));
}
