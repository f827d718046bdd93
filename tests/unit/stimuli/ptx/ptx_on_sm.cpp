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

TEST_CASE("on an SM, a warp waits for its asynchronous copies where it asks for their end, and else computes beside them") {
  constexpr unsigned kAdds = 300;
  std::string adds;
  for (unsigned i = 0; i < kAdds; ++i) adds += "add.u32 %r5, %r5, 1; ";
  const auto cycles = [&](const std::string& wait, const std::string& behind, Cycle latency) {
    PtxMachine machine;
    const Address in = machine.zeros<std::uint32_t>(32);
    const std::string body =
        ".shared .align 4 .b8 tile[128]; ld.param.u64 %rd0, [p0]; mov.u32 %r3, tile; cp.async.ca.shared.global [%r3], "
        "[%rd0], 4; cp.async.commit_group; " +
        wait + adds + behind + " ret;";
    PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory,
                         {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(in).bytes()}});
    REQUIRE(stimulus.next_kernel() != nullptr);
    test::SmRig rig(test::plain_sm());
    rig.latency = latency;
    rig.logic.launch(0, 0, 0, stimulus.open_cta(0), 1);
    rig.run(20'000);
    REQUIRE(rig.finished.size() == 1);
    return rig.finished.front().second;
  };
  CHECK(cycles("cp.async.wait_group 0; ", "", 250) - cycles("cp.async.wait_group 0; ", "", 50) == 200);
  CHECK(cycles("cp.async.wait_all; ", "", 250) - cycles("cp.async.wait_all; ", "", 50) == 200);
  CHECK(cycles("cp.async.wait_group 1; ", "", 250) == cycles("cp.async.wait_group 1; ", "", 50));
  CHECK(cycles("", "cp.async.wait_group 0;", 250) == cycles("", "cp.async.wait_group 0;", 50));
  CHECK(cycles("", "cp.async.wait_group 0;", 6'250) - cycles("", "cp.async.wait_group 0;", 5'250) == 1'000);
}

TEST_CASE("on an SM, an mbarrier that counts a warp's copies ends its phase with the last of them") {
  // Warp 0 copies and lets the mbarrier count it, warp 1 waits, and both count as arrivals.
  const std::string body = R"(
    .shared .align 8 .b64 bar; .shared .align 4 .b8 tile[256];
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r4, bar; mov.u32 %r3, tile; mad.lo.u32 %r3, %r1, 4, %r3;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 64; READY: bar.sync 0;
    setp.ge.u32 %p2, %r1, 32; @%p2 bra WAIT; cp.async.ca.shared.global [%r3], [%rd0], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r4]; ret;
    WAIT: mbarrier.arrive.shared.b64 %rd1, [%r4]; TRY: mbarrier.try_wait.shared.b64 %p3, [%r4], %rd1; @!%p3 bra TRY; ret;)";
  const auto cycles = [&](Cycle latency) {
    PtxMachine machine;
    const Address in = machine.zeros<std::uint32_t>(32);
    PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory,
                         {{"k", {1, 1, 1}, {64, 1, 1}, 0, ArgumentBytes().add(in).bytes()}});
    REQUIRE(stimulus.next_kernel() != nullptr);
    test::SmRig rig(test::plain_sm());
    rig.latency = latency;
    rig.logic.launch(0, 0, 0, stimulus.open_cta(0), 1);
    rig.run(20'000);
    REQUIRE(rig.finished.size() == 1);
    CHECK(rig.count("barriers") == 2 + 1 + 1 + 1);  // bar.sync of both, the initialisation, an arrival of warp 1 and its wait
    return rig.finished.front().second;
  };
  CHECK(cycles(1'250) - cycles(250) == 1'000);
}

TEST_CASE("on an SM, streaming, last use and priorities of L2 are hints for L2, and priorities of the L1 are not (LR-2)") {
  const auto hint_of = [](const std::string& access) {
    PtxMachine machine;
    const Address array = machine.zeros<std::uint32_t>(32);
    PtxStimulus stimulus({{"test.ptx", kernel_of("ld.param.u64 %rd0, [p0]; " + access + " ret;", 1)}}, machine.memory,
                         {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(array).bytes()}});
    REQUIRE(stimulus.next_kernel() != nullptr);
    const auto warps = stimulus.open_cta(0);
    std::vector<Eviction> hints;
    for (const WarpInstruction* next = warps[0]->peek(); next != nullptr; next = warps[0]->peek()) {
      if (is_global_memory(next->unit)) hints.push_back(next->eviction);
      warps[0]->advance();
    }
    REQUIRE(hints.size() == 1);
    return hints[0];
  };
  CHECK(hint_of("ld.global.u32 %r1, [%rd0];") == Eviction::unhinted);
  CHECK(hint_of("ld.global.cs.u32 %r1, [%rd0];") == Eviction::first);
  CHECK(hint_of("ld.global.lu.u32 %r1, [%rd0];") == Eviction::first);
  CHECK(hint_of("ld.global.cg.u32 %r1, [%rd0];") == Eviction::unhinted);
  CHECK(hint_of("ld.global.L1::evict_last.u32 %r1, [%rd0];") == Eviction::unhinted);
  CHECK(hint_of("ld.global.L1::no_allocate.L2::evict_first.L2::128B.u32 %r1, [%rd0];") == Eviction::first);
  CHECK(hint_of("ld.global.nc.L2::evict_last.u32 %r1, [%rd0];") == Eviction::last);
  CHECK(hint_of("ld.global.L2::evict_normal.u32 %r1, [%rd0];") == Eviction::normal);
  CHECK(hint_of("st.global.cs.u32 [%rd0], 1;") == Eviction::first);
  CHECK(hint_of("st.global.L2::evict_last.u32 [%rd0], 1;") == Eviction::last);
  const auto by_policy = [&](const std::string& policy) {
    return hint_of("createpolicy.fractional." + policy + "; ld.global.L2::cache_hint.L2::128B.u32 %r1, [%rd0], %rd2;");
  };
  CHECK(by_policy("L2::evict_last.b64 %rd2") == Eviction::last);
  CHECK(by_policy("L2::evict_first.b64 %rd2, 1.0") == Eviction::first);
  CHECK(by_policy("L2::evict_normal.b64 %rd2, 0f3F800000") == Eviction::normal);
  CHECK(by_policy("L2::evict_unchanged.b64 %rd2") == Eviction::unhinted);
  const std::string last = "mov.u64 %rd2, 0x14F0000000000000; ";  // the constant that programs write
  CHECK(hint_of(last + "st.global.L2::cache_hint.v2.u32 [%rd0], {1, 2}, %rd2;") == Eviction::last);
  CHECK(hint_of(last + "atom.global.add.L2::cache_hint.u32 %r1, [%rd0], 1, %rd2;") == Eviction::last);
  CHECK(hint_of(last + "red.global.add.L2::cache_hint.u32 [%rd0], 1, %rd2;") == Eviction::last);
  CHECK(hint_of(last + ".shared .align 4 .b8 to[128]; cp.async.ca.shared.global.L2::cache_hint [to], [%rd0], 4, %rd2;") == Eviction::last);
  CHECK(hint_of("mov.u64 %rd2, 0x12F0000000000000; ld.global.L2::cache_hint.u32 %r1, [%rd0], %rd2;") == Eviction::first);
}

TEST_CASE("a policy for a fraction gives that share of the lines its class, and the others the second one (LR-2)") {
  const auto share = [](const std::string& policy, Eviction of) {
    PtxMachine machine;
    const Address array = machine.zeros<std::uint32_t>(32 * 4096);
    const std::string body =
        "ld.param.u64 %rd0, [p0]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 128; add.u64 %rd0, %rd0, %rd1; "
        "createpolicy.fractional." +
        policy + "; ld.global.L2::cache_hint.u32 %r1, [%rd0], %rd2; ret;";
    PtxStimulus stimulus({{"test.ptx", kernel_of(body, 1)}}, machine.memory,
                         {{"k", {4096, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(array).bytes()}});
    REQUIRE(stimulus.next_kernel() != nullptr);
    double count = 0;
    for (unsigned cta = 0; cta < 4096; ++cta) {
      const auto warps = stimulus.open_cta(cta);
      for (const WarpInstruction* next = warps[0]->peek(); next != nullptr; next = warps[0]->peek()) {
        count += next->unit == Unit::load && next->eviction == of;
        warps[0]->advance();
      }
    }
    return count / 4096;
  };
  CHECK(share("L2::evict_last.b64 %rd2, 0.5", Eviction::last) == Approx(0.5).margin(0.03));
  CHECK(share("L2::evict_last.b64 %rd2, 0.5", Eviction::unhinted) == Approx(0.5).margin(0.03));
  CHECK(share("L2::evict_last.L2::evict_first.b64 %rd2, 0.25", Eviction::first) == Approx(0.75).margin(0.03));
  CHECK(share("L2::evict_last.L2::evict_unchanged.b64 %rd2, 0.25", Eviction::unhinted) == Approx(0.75).margin(0.03));
}
