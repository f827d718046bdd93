// Warps of PTX on an SM: a barrier opens in the SM and in the executor at the same time.
#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

TEST_CASE("on an SM, a producer that only arrives hands buffers to a consumer that waits") {
  // Warp 0 fills a buffer of shared memory, warp 1 reads it. Barrier 1: the buffer is full. Barrier 2: it is empty.
  const std::string body = R"(
    .shared .align 4 .b8 buffer[128];
    mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; and.b32 %r4, %r1, 31; mov.u32 %r3, buffer; mad.lo.u32 %r3, %r4, 4, %r3; mov.u32 %r5, 0;
    setp.ne.u32 %p1, %r2, 0; @%p1 bra CONSUMER;
    PRODUCER: bar.sync 2, 64; mad.lo.u32 %r7, %r5, 100, %r4; st.shared.u32 [%r3], %r7; bar.arrive 1, 64;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra PRODUCER; ret;
    CONSUMER: bar.arrive 2, 64; bar.sync 1, 64; ld.shared.u32 %r7, [%r3]; mad.lo.u32 %r6, %r5, 100, %r4; setp.ne.u32 %p3, %r6, %r7; @%p3 trap;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 20; @%p2 bra CONSUMER; ret;)";
  PtxMachine machine;
  PtxStimulus stimulus({{"test.ptx", kernel_of(body, 0)}}, machine.memory, {{"k", {1, 1, 1}, {64, 1, 1}, 0, {}}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  test::SmRig rig(test::plain_sm());
  rig.logic.launch(0, 0, 0, stimulus.open_cta(0), 1);
  rig.run(20'000);
  CHECK(rig.logic.resident() == 0);
  CHECK(rig.count("barriers") == 2 * 40);
  CHECK(stimulus.progress() == 1.0);
}

TEST_CASE("on an SM, pairs of warps that reduce at one barrier read the votes of their own pair") {
  const std::string body = R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 6; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;
    add.u32 %r3, %r2, 1; setp.lt.u32 %p1, %r1, 40; barrier.red.popc.u32 %r4, %r3, 64, %p1; st.global.u32 [%rd0], %r4; ret;)";
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {128, 1, 1}, 0, ArgumentBytes().add(out).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  test::SmRig rig(test::plain_sm());
  rig.latency = 20;
  rig.logic.launch(0, 0, 0, stimulus.open_cta(0), 1);
  rig.run(2'000);
  const auto values = machine.read<std::uint32_t>(out, 128);
  for (std::uint32_t i = 0; i < 128; ++i) REQUIRE(values[i] == (i < 64 ? 40 : 0));
}
