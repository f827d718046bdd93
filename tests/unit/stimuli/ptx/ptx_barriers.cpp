// Named barriers: some of a CTA's warps, warps that arrive without waiting, and barriers that never complete (CU-47).
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "stimuli/functional_run.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Contains;

namespace {

/// Runs a kernel with one parameter, the address of `out`, functionally.
void run(PtxMachine& machine, const std::string& body, Dim3 block, Address out) {
  PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory, {{"k", {1, 1, 1}, block, 0, ArgumentBytes().add(out).bytes()}});
  run_functionally(stimulus, [](const FunctionalRun&) { return true; });
}

/// The message of the run, or "" if it succeeds.
std::string failure(const std::string& body, Dim3 block) {
  PtxMachine machine;
  try {
    run(machine, body, block, machine.zeros<std::uint32_t>(1024));
  } catch (const SimulationError& error) {
    return error.what();
  }
  return {};
}

/// %r1: the thread, %r2: the warp, %rd1: address of the thread's element in `out`.
const std::string kPlaces =
    "ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; mul.wide.u32 %rd1, %r1, 4; "
    "add.u64 %rd1, %rd0, %rd1;\n";

}  // namespace

TEST_CASE("a producer that only arrives hands buffers to a consumer that waits, round after round") {
  // Warp 0 fills a buffer of shared memory, warp 1 reads it. Barrier 1: the buffer is full. Barrier 2: it is empty.
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(64);
  run(machine, kPlaces + R"(
    .shared .align 4 .b8 buffer[128];
    mov.u32 %r3, buffer; and.b32 %r4, %r1, 31; mad.lo.u32 %r3, %r4, 4, %r3; mov.u32 %r5, 0; mov.u32 %r6, 0;
    setp.ne.u32 %p1, %r2, 0; @%p1 bra CONSUMER;
    PRODUCER: bar.sync 2, 64; mad.lo.u32 %r7, %r5, 100, %r4; st.shared.u32 [%r3], %r7; bar.arrive 1, 64;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra PRODUCER; ret;
    CONSUMER: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.u32 %r7, [%r3]; mad.lo.u32 %r6, %r6, 3, %r7;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra CONSUMER; st.global.u32 [%rd1], %r6; ret;)",
      {64, 1, 1}, out);
  const auto values = machine.read<std::uint32_t>(out, 64);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t expected = 0;
    for (std::uint32_t round = 0; round < 20; ++round) expected = expected * 3 + round * 100 + lane;
    REQUIRE(values[32 + lane] == expected);
    REQUIRE(values[lane] == 0);
  }
}

TEST_CASE("barriers of pairs of warps reduce over the pair alone") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  run(machine, kPlaces + R"(
    shr.u32 %r3, %r2, 1; add.u32 %r3, %r3, 3; setp.lt.u32 %p1, %r1, 40;
    barrier.red.popc.u32 %r4, %r3, 64, %p1; barrier.cta.red.popc.aligned.u32 %r5, 0, !%p1;
    mad.lo.u32 %r4, %r5, 1000, %r4; st.global.u32 [%rd1], %r4; ret;)",
      {128, 1, 1}, out);
  const auto values = machine.read<std::uint32_t>(out, 128);
  for (std::uint32_t i = 0; i < 128; ++i) REQUIRE(values[i] == 88'000 + (i < 64 ? 40 : 0));
}

TEST_CASE("a barrier that two pairs of warps use one after the other opens twice") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  run(machine,
      kPlaces + "setp.lt.u32 %p1, %r1, 0; barrier.red.or.pred %p2, 5, 64, !%p1; selp.u32 %r3, 7, 0, %p2; st.global.u32 [%rd1], %r3; ret;",
      {128, 1, 1}, out);
  CHECK(machine.read<std::uint32_t>(out, 128) == std::vector<std::uint32_t>(128, 7));
}

TEST_CASE("a count of all warps waits for those alone that have not ended") {
  CHECK(failure(kPlaces + "setp.eq.u32 %p1, %r2, 1; @%p1 ret; bar.sync 4, 96; bar.sync 4; ret;", {96, 1, 1}).empty());
  CHECK(failure("barrier.sync 3; barrier.cta.sync.aligned 3, 32; bar.arrive 3, 32; ret;", {20, 1, 1}).empty());
}

TEST_CASE("a count that is no multiple of 32, or exceeds the block, is a fault with its place") {
  CHECK_THAT(
      failure("bar.sync 1, 48; ret;", {64, 1, 1}),
      Contains("test.ptx:7: kernel k") && Contains("barrier 1 of 48 threads: the count is not a multiple of 32; use one from 32 on"));
  CHECK_THAT(failure("mov.u32 %r1, 0;\nbar.arrive 2, %r1; ret;", {64, 1, 1}),
             Contains("test.ptx:8:") && Contains("barrier 2 of 0 threads"));
  CHECK_THAT(failure("bar.sync 1, 96; ret;", {64, 1, 1}), Contains("barrier 1 of 96 threads, but the block has 2 warps; use at most 64"));
  CHECK_THAT(failure("bar.sync 16, 64; ret;", {64, 1, 1}), Contains("barrier 16 does not exist; there are 16"));
}

TEST_CASE("warps that expect different counts at one barrier are a fault") {
  CHECK_THAT(failure(kPlaces + "setp.eq.u32 %p1, %r2, 0; @%p1 bra A; bar.sync 1, 96; ret; A: bar.sync 1, 64; ret;", {128, 1, 1}),
             Contains("barrier 1 of 96 threads, but other warps are there that expect 64"));
  CHECK_THAT(
      failure("mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 5; @%p1 bra A; bar.sync 1, 64; ret; A: bar.arrive 1, 64; ret;", {64, 1, 1}),
      Contains("lanes of a warp use barrier 1 in different ways"));
}

TEST_CASE("barriers that wait for one another, or for warps that have ended, are a fault that names them") {
  const std::string crossed =
      failure(kPlaces + "setp.eq.u32 %p1, %r2, 0; @%p1 bra A;\nbar.sync 1, 64; ret;\nA: bar.sync 2, 64; ret;", {64, 1, 1});
  CHECK_THAT(crossed,
             Contains("deadlock: all warps of the block that have not ended wait at barriers; barrier 1 at test.ptx:9 has 1 of 2 warps, "
                      "barrier 2 at test.ptx:10 has 1 of 2 warps."));
  CHECK_THAT(failure(kPlaces + "setp.eq.u32 %p1, %r2, 0; @%p1 bra A; bar.sync 3, 64; ret; A: ret;", {128, 1, 1}),
             Contains("barrier 3 at test.ptx:8 has 1 of 2 warps."));
}
